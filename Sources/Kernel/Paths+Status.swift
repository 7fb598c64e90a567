import Glibc

extension Paths {
    /// What this process may do with a file.
    public enum Access: Hashable, Sendable {
        /// It may read and write it.
        case allowed
        /// It may not.
        case denied
        /// Nothing is there.
        case missing
    }

    /// Who may do what with a file.
    public struct Status: Hashable, Sendable {
        /// The permission bits, 0 to 0o7777.
        public var mode: UInt32
        /// The number of the user who owns it.
        public var ownerID: UInt32
        /// The number of the group that owns it.
        public var groupID: UInt32

        /// Creates a status from its three numbers.
        public init(mode: UInt32, ownerID: UInt32, groupID: UInt32) {
            self.mode = mode
            self.ownerID = ownerID
            self.groupID = groupID
        }
    }

    /// Tells whether this process may read and write a file, without opening it: to open a serial
    /// port is to raise its lines, which some readers take for a reset.
    public static func access(to path: String) -> Access {
        if Glibc.access(path, R_OK | W_OK) == 0 { return .allowed }
        return errno == ENOENT || errno == ENOTDIR ? .missing : .denied
    }

    /// Returns who may do what with a file, or `nil` when nothing is there.
    public static func status(of path: String) -> Status? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Status(
            mode: UInt32(status.st_mode) & 0o7777,
            ownerID: status.st_uid,
            groupID: status.st_gid
        )
    }

    /// Returns the names in a directory, sorted by bytes; empty when it cannot be read.
    ///
    /// Names that begin with a dot are left out.
    ///
    /// - Complexity: O(*n* log *n*) in the number of names.
    public static func names(in directory: String) -> [String] {
        let entries = (try? Self.entries(of: directory)) ?? []
        return entries.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns where a symbolic link leads, as it is written there, or `nil` when it is none.
    public static func linkTarget(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether two paths lead to one file; false when either leads nowhere.
    ///
    /// Paths of processes that live below another root can be compared with our own.
    public static func areSameFile(_ one: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Returns a path without any link in it, or `nil` when nothing is there.
    public static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}

extension ProcessEnvironment {
    /// The number of the user whose rights this process has.
    public static var userID: UInt32 { geteuid() }

    /// The numbers of the groups whose rights this process has.
    public static var groupIDs: [UInt32] {
        var list = [gid_t](repeating: 0, count: 1_024)
        let count = getgroups(Int32(list.count), &list)
        return [getegid()] + list.prefix(Int(max(0, count)))
    }
}

extension MonotonicClock {
    /// The smallest step of the clock in nanoseconds; 1 where the kernel has fine timers.
    public static var resolution: Int64 {
        var step = timespec()
        clock_getres(CLOCK_MONOTONIC, &step)
        return Int64(step.tv_sec) * 1_000_000_000 + Int64(step.tv_nsec)
    }
}
