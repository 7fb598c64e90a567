import Glibc

/// A symbolic link to a pty, which is removed when its owner goes.
public final class SymbolicLink {
    /// Where the link is.
    public let path: String
    private let target: String

    /// Makes the link.
    ///
    /// One that leads to a pty that is gone, as a process that was killed leaves it, is replaced;
    /// anything else at the path is left alone.
    ///
    /// - Throws: ``KernelError`` with `missing` (the directory), `accessDenied`, or `failed` when
    ///   something is at the path.
    public init(at path: String, to target: String) throws(KernelError) {
        if Self.isStale(path) { _ = unlink(path) }
        guard symlink(target, path) == 0 else {
            throw KernelError(number: errno, operation: "make the link", path: path)
        }
        // Set last: who throws before has no `deinit`, which would remove what was there.
        self.path = path
        self.target = target
    }

    deinit {
        // Somebody may have put something else there since.
        if Self.target(of: path) == target { _ = unlink(path) }
    }

    private static func isStale(_ path: String) -> Bool {
        target(of: path)?.hasPrefix("/dev/pts/") == true && access(path, F_OK) != 0
    }

    /// Where a link leads to; `nil` when there is none.
    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
