import Glibc

/// The process's standard input, read to its end.
public enum StandardInput {
    /// Reads everything that comes, waiting until the writer closes it.
    ///
    /// - Throws: ``KernelError`` with `tooLarge` when more than so many bytes come, and when
    ///   standard input is closed or cannot be read.
    /// - Complexity: O(*n*) in the number of bytes, at most `limit`.
    public static func read(limit: Int) throws(KernelError) -> [UInt8] {
        try read(limit: limit, from: 0)
    }

    /// Reads everything that comes from a descriptor, which stays open.
    static func read(limit: Int, from descriptor: Int32) throws(KernelError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            var number: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
                while true {
                    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    if count < 0 { number = errno }
                    initialized = max(0, count)
                    return
                }
            }
            guard number == 0 else {
                throw KernelError(number: number, operation: "read", path: "standard input")
            }
            if piece.isEmpty { return bytes }
            guard bytes.count + piece.count <= limit else {
                throw KernelError(
                    .tooLarge,
                    operation: "read",
                    path: "standard input",
                    byteLimit: limit
                )
            }
            bytes += piece
        }
    }
}
