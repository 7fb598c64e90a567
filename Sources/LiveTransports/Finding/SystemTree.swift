import Kernel

/// Where the system keeps its files, so that a made-up tree can stand in for the machine's.
public struct SystemTree: Hashable, Sendable {
    /// `/sys`: what the kernel sees.
    public var sys: String
    /// `/dev`: the nodes.
    public var dev: String
    /// `/proc`: the processes.
    public var proc: String
    /// `/etc`: udev rules of this machine, groups.
    public var etc: String
    /// `/run`: whether udevd runs, lock files.
    public var run: String
    /// `/usr/lib`: udev rules of packages.
    public var lib: String
    /// Whose rights count.
    public var user = SystemUser.present
    /// The folders in which programs are looked for, in order.
    public var programFolders: [String]

    /// The machine itself.
    public static var machine: SystemTree {
        var tree = SystemTree(root: "")
        if let path = ProcessEnvironment.value(of: "PATH") {
            tree.programFolders = path.split(separator: ":").map(String.init)
        }
        // Programs that only root calls are not on everybody's path.
        for folder in ["/usr/sbin", "/sbin"] where !tree.programFolders.contains(folder) {
            tree.programFolders.append(folder)
        }
        return tree
    }

    /// A tree below one folder; the empty text is the machine's own root.
    public init(root: String) {
        sys = root + "/sys"
        dev = root + "/dev"
        proc = root + "/proc"
        etc = root + "/etc"
        run = root + "/run"
        lib = root + "/usr/lib"
        programFolders = [root + "/usr/bin", root + "/usr/sbin"]
    }

    /// The most bytes that are read of one file.
    private static let limit = 1 << 20

    /// Returns a file's text without the white space around it, or `nil` when it cannot be read.
    ///
    /// What is no UTF-8 and what would move a cursor becomes a question mark: names of USB devices
    /// are whatever a device says.
    func text(_ path: String) -> String? {
        guard let bytes = try? FileBytes.read(path: path, limit: Self.limit) else { return nil }
        return Self.trimmed(bytes)
    }

    /// Returns one line that names something, or `nil` when there is none; at most 128 characters.
    func name(_ path: String) -> String? {
        guard let text = text(path)?.prefix(128), !text.isEmpty else { return nil }
        return String(String.UnicodeScalarView(text.unicodeScalars.map(Self.printable)))
    }

    /// The first layout that the machine's keyboards are set to, such as `us`; `nil` when nothing
    /// says so.
    ///
    /// Source: keyboard(5) of Debian, vconsole.conf(5) of systemd.
    package var keyboardLayout: String? {
        for (file, key) in [
            ("default/keyboard", "XKBLAYOUT="), ("vconsole.conf", "KEYMAP="),
        ] {
            for line in lines("\(etc)/\(file)") where line.hasPrefix(key) {
                let value = line.dropFirst(key.count).filter { $0 != "\"" }
                let layout = value.prefix { $0 != "," && $0 != "-" && $0 != " " }
                let isWord = layout.utf8.allSatisfy { (0x61...0x7A).contains($0) }
                if !layout.isEmpty, isWord { return String(layout.prefix(8)) }
            }
        }
        return nil
    }

    /// Returns a file's lines, without their ends.
    func lines(_ path: String) -> [Substring] {
        guard let bytes = try? FileBytes.read(path: path, limit: Self.limit) else { return [] }
        return String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns a file's number in hex digits, or `nil`.
    func hexNumber(_ path: String) -> UInt16? { text(path).flatMap { UInt16($0, radix: 16) } }

    /// Returns where a program is, or `nil`.
    func program(_ name: String) -> String? {
        programFolders.lazy.map { "\($0)/\(name)" }.first { Paths.kind(of: $0) == .file }
    }

    /// Tells whether the user may read and write a file, without opening it.
    func access(to path: String) -> Paths.Access {
        guard user != .present, user.id != 0 else { return Paths.access(to: path) }
        guard let status = Paths.status(of: path) else { return .missing }
        let shift: UInt32 =
            if status.ownerID == user.id { 6 } else if user.groupIDs.contains(status.groupID) {
                3
            } else { 0 }
        return (status.mode >> shift) & 0o6 == 0o6 ? .allowed : .denied
    }

    private static func trimmed(_ bytes: [UInt8]) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end].drop(while: isBlank), as: UTF8.self)
    }

    private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            "?"
        default: scalar
        }
    }
}

/// A user and the groups that user is in.
public struct SystemUser: Hashable, Sendable {
    /// The user's number; 0 is root.
    public var id: UInt32
    /// The numbers of the groups.
    public var groupIDs: [UInt32]

    /// Creates a user.
    public init(id: UInt32, groupIDs: [UInt32]) {
        self.id = id
        self.groupIDs = groupIDs
    }

    /// The user whose rights this process has.
    public static var present: SystemUser {
        SystemUser(id: ProcessEnvironment.userID, groupIDs: ProcessEnvironment.groupIDs)
    }
}
