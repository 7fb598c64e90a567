import CLinux
import Glibc

/// A regular file that is read piece by piece.
public struct InputFile: ~Copyable {
    /// The file's length when it was opened; it may have grown since.
    public let byteCountAtOpening: Int
    private let path: String
    private let descriptor: Descriptor

    /// Opens a regular file.
    ///
    /// - Throws: ``KernelError`` with `missing`, `isDirectory`, `notRegular`, `accessDenied` or
    ///   `failed`.
    public init(path: String) throws(KernelError) {
        // Without O_NONBLOCK the opening of a pipe nobody writes to would hang.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else {
            throw KernelError(number: errno, operation: "read file", path: path)
        }
        let opened = Descriptor(adopting: number)
        var byteCount: Int64 = 0
        let kind = clinux_descriptor_kind(opened.number, &byteCount)
        guard kind != isDirectoryKind else {
            throw KernelError(.isDirectory, operation: "read file", path: path)
        }
        guard kind == isRegularKind else {
            throw KernelError(.notRegular, operation: "read file", path: path)
        }
        byteCountAtOpening = Int(byteCount)
        self.path = path
        descriptor = opened
    }

    /// Reads the next piece, empty at the end of the file.
    ///
    /// - Throws: ``KernelError`` when the medium fails.
    public borrowing func read(upTo byteCount: Int) throws(KernelError) -> [UInt8] {
        var number: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
            while true {
                let count = Glibc.read(descriptor.number, buffer.baseAddress, byteCount)
                if count < 0, errno == EINTR { continue }
                if count < 0 { number = errno }
                initialized = max(0, count)
                return
            }
        }
        guard number == 0 else {
            throw KernelError(number: number, operation: "read file", path: path)
        }
        return bytes
    }
}

/// A file that is written from its beginning, piece by piece.
public struct OutputFile: ~Copyable {
    private let path: String
    private let descriptor: Descriptor

    /// Creates the file, or empties it when it is there.
    ///
    /// - Throws: ``KernelError`` with `missing` (the directory), `isDirectory`, `accessDenied`,
    ///   `closed` (a pipe that nobody reads from) or `failed`.
    public init(path: String) throws(KernelError) {
        // Without O_NONBLOCK the opening of a pipe nobody reads from would hang.
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard number >= 0 || errno != ENXIO else {
            throw KernelError(.closed, operation: "write file", path: path)
        }
        guard number >= 0 else {
            throw KernelError(number: errno, operation: "write file", path: path)
        }
        descriptor = Descriptor(adopting: number)
        self.path = path
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: ``KernelError`` when the medium is full or fails.
    public borrowing func append(_ bytes: [UInt8]) throws(KernelError) {
        let number = writeAll(bytes, to: descriptor.number)
        guard number == 0 else {
            throw KernelError(number: number, operation: "write file", path: path)
        }
    }
}

/// Writes all bytes, waiting where the descriptor would block; returns an error number or 0.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
        var done = 0
        while done < buffer.count {
            let count = write(
                descriptor,
                buffer.baseAddress?.advanced(by: done),
                buffer.count - done
            )
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&watched, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
