import CLinux
import Glibc

/// An open stream of bytes in both directions that never blocks: a TCP connection or a serial line.
public struct ByteStream: ~Copyable, Sendable {
    /// What reading came to.
    public enum Reading: Equatable, Sendable {
        /// These bytes came, at least one.
        case bytes([UInt8])
        /// Nothing has come; more may.
        case nothing
        /// The other side is gone, and all that it sent was read.
        case end
        /// The connection was cut, or the line failed.
        case failed(KernelError)
    }

    /// What it is.
    enum Kind: Sendable { case tcp, serialLine }

    private let handle: Descriptor
    private let kind: Kind

    init(adopting handle: consuming Descriptor, _ kind: Kind) {
        self.handle = handle
        self.kind = kind
    }

    deinit {
        if kind == .serialLine { clinux_tty_release(handle.number) }
    }

    /// The descriptor, to be watched for reading and writing.
    public var descriptor: Int32 { handle.number }

    /// Reads what has come, at most so many bytes.
    public borrowing func read(upTo byteCount: Int) -> Reading {
        readBytes(from: handle.number, upTo: byteCount, isTerminal: kind == .serialLine)
    }

    /// Writes as much as fits and returns how many bytes that was; 0 when nothing fits.
    ///
    /// - Throws: ``KernelError`` when the other side is gone.
    public borrowing func write(_ bytes: ArraySlice<UInt8>) throws(KernelError) -> Int {
        try writeBytes(bytes, to: handle.number)
    }

    /// Whether the other side sends no more or is gone, whether or not all it sent was read.
    public var isPeerClosed: Bool { clinux_is_peer_closed(handle.number) == 1 }

    /// Bounds what the kernel keeps for a socket in each direction; smaller ones are for tests.
    package borrowing func setBufferSizes(_ byteCount: Int) {
        _ = clinux_set_buffer_sizes(handle.number, Int32(clamping: byteCount))
    }

    /// Lets the end of this value reset a TCP connection.
    ///
    /// The other side sees an error, not an end, and what was written and not read yet may be lost.
    /// A serial line is closed as usual.
    public borrowing func resetOnClose() { _ = clinux_reset_on_close(handle.number) }

    /// Sets the lines DTR and RTS; a pty has none and ignores it.
    ///
    /// - Throws: ``KernelError`` when the line is gone.
    public borrowing func setLines(
        dataTerminalReady: Bool,
        requestToSend: Bool
    ) throws(KernelError) {
        guard kind == .serialLine else { return }
        try checked(
            clinux_tty_set_lines(handle.number, dataTerminalReady ? 1 : 0, requestToSend ? 1 : 0),
            "set the lines"
        )
    }

    /// Opens a serial line: raw, for us alone, without modem control; what had come before is
    /// dropped.
    ///
    /// - Parameters:
    ///   - path: Its device, such as `/dev/ttyACM0`, or the far side of a pty.
    ///   - baud: The speed in bit/s; a pty and a USB reader take any.
    /// - Returns: The line, which others can open again when it is closed.
    /// - Throws: ``KernelError`` with `missing`, `accessDenied`, `busy` (another program has it),
    ///   `notSerial`.
    public static func serialLine(path: String, baud: UInt32) throws(KernelError) -> ByteStream {
        let number = clinux_tty_open(path, baud)
        try checked(number, "open", path: path)
        return ByteStream(adopting: Descriptor(adopting: number), .serialLine)
    }
}

/// Reads what has come on a descriptor that does not block.
func readBytes(
    from descriptor: Int32,
    upTo byteCount: Int,
    isTerminal: Bool
) -> ByteStream.Reading {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
        count = clinux_read(descriptor, buffer.baseAddress, UInt(byteCount))
        initialized = max(0, count)
    }
    if count > 0 { return .bytes(bytes) }
    // A serial line whose device was unplugged, and a pty whose other side is closed, are ready to
    // be read and give nothing, or an input/output error.
    if count == 0 || (isTerminal && count == -Int(EIO)) { return .end }
    if count == -Int(EAGAIN) { return .nothing }
    return .failed(KernelError(number: Int32(truncatingIfNeeded: count), operation: "read"))
}

/// Writes as much as fits on a descriptor that does not block.
func writeBytes(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(KernelError) -> Int {
    let count = bytes.withUnsafeBytes {
        clinux_write(descriptor, $0.baseAddress, UInt($0.count))
    }
    if count == -Int(EAGAIN) { return 0 }
    guard count >= 0 else {
        throw KernelError(number: Int32(truncatingIfNeeded: count), operation: "write")
    }
    return count
}
