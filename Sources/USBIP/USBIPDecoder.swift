/// Reads what a USB/IP client sends: requests first, and commands once it has the device.
///
/// It keeps at most one message, which is no longer than a header and
/// ``maximumTransferByteCount``. After an error it is of no use.
///
/// Source: Linux kernel documentation, usb/usbip_protocol.
public struct USBIPDecoder: Hashable, Sendable {
    /// The longest transfer in either direction, in bytes; a kernel asks for less than 64 KiB.
    public static let maximumTransferByteCount = 1 << 20

    /// What a client said.
    public enum Message: Hashable, Sendable {
        /// Before it has the device.
        case request(USBIPRequest)
        /// With the device.
        case command(USBIPCommand)
    }

    private var buffer: [UInt8] = []
    private var head = 0
    /// The position of the buffer's first byte in the stream.
    private var bufferOffset = 0
    private var deviceID: UInt32?

    /// Starts at the beginning of a connection.
    public init() {}

    /// From now on commands to this device come, after ``USBIPReply/taken(_:)``.
    public mutating func expectCommands(to deviceID: UInt32) { self.deviceID = deviceID }

    /// The position of what comes next, in bytes from the start of the connection.
    public var offset: Int { bufferOffset + head }

    /// Adds bytes at the end of the stream.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        if head > 0 {
            buffer.removeFirst(head)
            bufferOffset += head
            head = 0
        }
        buffer += bytes
    }

    /// Returns the next message, or `nil` until more bytes come.
    ///
    /// - Throws: ``USBIPError`` as soon as no continuation can be right.
    public mutating func next() throws(USBIPError) -> Message? {
        deviceID == nil ? try nextRequest() : try nextCommand()
    }

    /// Ends the stream.
    ///
    /// - Throws: ``USBIPError`` with `truncated` inside a message.
    public func finish() throws(USBIPError) {
        if head < buffer.count { throw USBIPError(.truncated, offset: offset) }
    }

    // MARK: Messages

    private mutating func nextRequest() throws(USBIPError) -> Message? {
        guard has(2) else { return nil }
        guard half(0) == USBIPRequest.version else { throw error(.version(half(0))) }
        guard has(4) else { return nil }
        switch half(2) {
        case USBIPRequest.list.code:
            guard has(USBIPRequest.headerByteCount) else { return nil }
            head += USBIPRequest.headerByteCount
            return .request(.list)
        case USBIPRequest.take(busID: "").code:
            let end = USBIPRequest.headerByteCount + USBIPRequest.busIDByteCount
            guard has(end) else { return nil }
            let field = buffer[(head + USBIPRequest.headerByteCount)..<(head + end)]
            head += end
            return .request(.take(busID: String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)))
        case let code: throw error(.unknownRequest(code))
        }
    }

    private mutating func nextCommand() throws(USBIPError) -> Message? {
        guard has(4) else { return nil }
        let command = word(0)
        guard command == 1 || command == 2 else { throw error(.unknownCommand(command)) }
        guard has(USBIPCommand.headerByteCount) else { return nil }
        if command == 2 {
            let message = USBIPCommand.unlink(number: word(4), transfer: word(20))
            head += USBIPCommand.headerByteCount
            return .command(message)
        }
        guard word(8) == deviceID else { throw error(.otherDevice(word(8))) }
        guard word(12) <= 1 else { throw error(.direction(word(12))) }
        guard word(16) <= 15 else { throw error(.endpoint(word(16))) }
        guard word(24) <= UInt32(Self.maximumTransferByteCount) else {
            throw error(.transferLength(Int32(bitPattern: word(24))))
        }
        guard word(32) == 0 || word(32) == .max else {
            throw error(.isochronous(packetCount: Int32(bitPattern: word(32))))
        }
        let isIn = word(12) == 1
        let byteCount = Int(word(24))
        let end = USBIPCommand.headerByteCount + (isIn ? 0 : byteCount)
        guard has(end) else { return nil }
        let transfer = USBIPTransfer(
            number: word(4),
            isIn: isIn,
            endpoint: UInt8(word(16)),
            byteCount: byteCount,
            request: USBControlRequest(buffer[(head + 40)..<(head + 48)]),
            data: buffer[(head + USBIPCommand.headerByteCount)..<(head + end)],
            flags: word(20),
            startFrame: word(28),
            packetCount: word(32),
            interval: word(36)
        )
        head += end
        return .command(.submit(transfer))
    }

    // MARK: Parts

    private func has(_ byteCount: Int) -> Bool { buffer.count - head >= byteCount }

    private func half(_ offset: Int) -> UInt16 {
        UInt16(buffer[head + offset]) << 8 | UInt16(buffer[head + offset + 1])
    }

    private func word(_ offset: Int) -> UInt32 {
        UInt32(half(offset)) << 16 | UInt32(half(offset + 2))
    }

    private func error(_ code: USBIPError.Code) -> USBIPError {
        USBIPError(code, offset: offset)
    }
}
