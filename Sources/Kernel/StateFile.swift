import CLinux
import Glibc

/// A file that grows by appending and is replaced as a whole, and that survives the end of its
/// process at any moment.
///
/// One process has it at a time. What ``append(_:)`` wrote is on the medium once ``sync()`` has
/// returned; ``replace(with:)`` leaves the old content or the new, never a part.
public struct StateFile: ~Copyable {
    private let path: String
    private var descriptor: Descriptor

    /// Opens the file, or creates an empty one.
    ///
    /// - Throws: ``KernelError`` with `busy` when another process has it, `missing` (the
    ///   directory), `isDirectory`, `accessDenied` or `failed`.
    public init(path: String) throws(KernelError) {
        self.path = path
        descriptor = try Self.locked(path, O_RDWR | O_CREAT | O_APPEND)
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: ``KernelError`` when the medium is full or fails.
    public borrowing func append(_ bytes: [UInt8]) throws(KernelError) {
        try Self.check(writeAll(bytes, to: descriptor.number), path)
    }

    /// Waits until all that was appended is on the medium.
    ///
    /// - Throws: ``KernelError`` when the medium fails.
    public borrowing func sync() throws(KernelError) {
        try Self.check(fdatasync(descriptor.number) == 0 ? 0 : errno, path)
    }

    /// Replaces the whole content, on the medium when this returns.
    ///
    /// - Throws: ``KernelError`` when the medium is full or fails; the old content stays.
    public mutating func replace(with bytes: [UInt8]) throws(KernelError) {
        let temporary = "\(path).\(getpid()).part"
        do throws(KernelError) {
            let next = try Self.locked(temporary, O_RDWR | O_CREAT | O_TRUNC | O_APPEND)
            try Self.check(writeAll(bytes, to: next.number), path)
            try Self.check(fsync(next.number) == 0 ? 0 : errno, path)
            try Self.check(rename(temporary, path) == 0 ? 0 : errno, path)
            descriptor = next
        } catch {
            _ = unlink(temporary)
            throw error
        }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if number >= 0 {
            _ = fsync(number)
            _ = close(number)
        }
    }

    private static func locked(_ path: String, _ flags: Int32) throws(KernelError) -> Descriptor {
        let number = open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            throw KernelError(number: errno, operation: "open file", path: path)
        }
        let descriptor = Descriptor(adopting: number)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
            throw KernelError(
                number: errno == EWOULDBLOCK ? EBUSY : errno,
                operation: "open file",
                path: path
            )
        }
        return descriptor
    }

    private static func check(_ number: Int32, _ path: String) throws(KernelError) {
        guard number == 0 else {
            throw KernelError(number: number, operation: "write file", path: path)
        }
    }
}
