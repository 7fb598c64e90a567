import CLinux
import Glibc

/// Whole files as arrays of bytes.
public enum FileBytes {
    /// Reads a regular file of at most so many bytes.
    ///
    /// - Throws: ``KernelError`` with `missing`, `isDirectory`, `notRegular` (a pipe or device is
    ///   never opened for good, so nothing hangs), `tooLarge`, `accessDenied` or `failed`.
    /// - Complexity: O(*n*), where *n* is the length of the file, at most `limit`.
    public static func read(path: String, limit: Int) throws(KernelError) -> [UInt8] {
        let file = try InputFile(path: path)
        guard file.byteCountAtOpening <= limit else {
            throw KernelError(
                .tooLarge,
                operation: "read file",
                path: path,
                byteLimit: limit
            )
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.byteCountAtOpening)
        while true {
            let piece = try file.read(upTo: 65_536)
            if piece.isEmpty { return bytes }
            // The file may have grown since it was opened.
            guard bytes.count + piece.count <= limit else {
                throw KernelError(
                    .tooLarge,
                    operation: "read file",
                    path: path,
                    byteLimit: limit
                )
            }
            bytes.append(contentsOf: piece)
        }
    }

    /// Writes a whole file: a reader of the path sees the old bytes or the new, never a part.
    ///
    /// The bytes go to a file beside it, which then takes its name. A path that is there and is a
    /// link or no regular file (`/dev/stdout`, a pipe) is written in place.
    ///
    /// - Throws: ``KernelError`` when the directory is missing or cannot be written, or is full.
    public static func write(_ bytes: [UInt8], to path: String) throws(KernelError) {
        let kind = clinux_file_kind(path)
        if kind == isDirectoryKind {
            throw KernelError(.isDirectory, operation: "write file", path: path)
        }
        if isWrittenInPlace(path, kind) {
            let file = try OutputFile(path: path)
            try file.append(bytes)
            return
        }
        let temporary = "\(path).\(getpid()).part"
        do throws(KernelError) {
            let file = try OutputFile(path: temporary)
            try file.append(bytes)
        } catch {
            _ = unlink(temporary)
            throw KernelError(error.code, number: error.number, path: path)
        }
        guard rename(temporary, path) == 0 else {
            let number = errno
            _ = unlink(temporary)
            throw KernelError(number: number, operation: "write file", path: path)
        }
    }

    /// A name that another file took would no longer be the link, or the device, that it was.
    private static func isWrittenInPlace(_ path: String, _ kind: Int32) -> Bool {
        kind >= 0 && (kind != isRegularKind || Paths.linkTarget(of: path) != nil)
    }

    /// Throws what ``write(_:to:)`` would throw at that path now; the path stays as it is.
    ///
    /// - Throws: ``KernelError`` when the directory is missing or cannot be written.
    public static func checkWritable(_ path: String) throws(KernelError) {
        let kind = clinux_file_kind(path)
        if kind == isDirectoryKind {
            throw KernelError(.isDirectory, operation: "write file", path: path)
        }
        if isWrittenInPlace(path, kind) {
            guard access(path, W_OK) == 0 else {
                throw KernelError(number: errno, operation: "write file", path: path)
            }
            return
        }
        let temporary = "\(path).\(getpid()).part"
        do throws(KernelError) {
            _ = try OutputFile(path: temporary)
            _ = unlink(temporary)
        } catch {
            throw KernelError(error.code, number: error.number, path: path)
        }
    }

    /// Makes a directory and those above it; one that is there already is left alone.
    ///
    /// - Throws: ``KernelError`` when a name on the way is taken by a file, or may not be made.
    public static func makeDirectory(_ path: String) throws(KernelError) {
        guard !path.isEmpty, clinux_file_kind(path) != isDirectoryKind else { return }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        var partial = path.hasPrefix("/") ? "/" : ""
        for part in parts {
            partial += part
            if mkdir(partial, 0o777) != 0 {
                let number = errno
                guard clinux_file_kind(partial) == isDirectoryKind else {
                    throw KernelError(number: number, operation: "make directory", path: path)
                }
            }
            partial += "/"
        }
    }

    /// Removes a file or a socket; one that is not there is fine.
    public static func remove(path: String) { _ = unlink(path) }
}

let isRegularKind = Int32(UInt8(ascii: "f"))
let isDirectoryKind = Int32(UInt8(ascii: "d"))

extension KernelError {
    fileprivate init(_ code: Code, number: Int32, path: String) {
        self.init(code, operation: "write file", path: path)
        self.number = number
    }
}
