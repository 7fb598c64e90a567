import Glibc

/// A symbolic link to a pty, which is removed when its owner goes.
public final class SymbolicLink {
    /// Where the link is.
    public let path: String

    /// Makes the link.
    ///
    /// One that leads to a pty that is gone, as a process that was killed leaves it, is replaced;
    /// anything else at the path is left alone.
    ///
    /// - Throws: ``KernelError`` with `missing` (the directory), `accessDenied`, or `failed` when
    ///   something is at the path.
    public init(at path: String, to target: String) throws(KernelError) {
        self.path = path
        if Self.isStale(path) { _ = unlink(path) }
        guard symlink(target, path) == 0 else {
            throw KernelError(number: errno, operation: "make the link", path: path)
        }
    }

    deinit { _ = unlink(path) }

    private static func isStale(_ path: String) -> Bool {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return false }
        let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return target.hasPrefix("/dev/pts/") && access(path, F_OK) != 0
    }
}
