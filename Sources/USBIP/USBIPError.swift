/// Why what a USB/IP client sent cannot be answered; its connection is of no use after that.
///
/// The error carries numbers and never the bytes: those can be card data.
public struct USBIPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The version is not 1.1.1.
        case version(UInt16)
        /// A request that is neither for the list nor for a device.
        case unknownRequest(UInt16)
        /// A command that is neither a transfer nor its withdrawal.
        case unknownCommand(UInt32)
        /// A transfer longer than ``USBIPDecoder/maximumTransferByteCount``, or below zero.
        case transferLength(Int32)
        /// A direction that is neither out nor in.
        case direction(UInt32)
        /// An endpoint above 15.
        case endpoint(UInt32)
        /// A transfer in isochronous packets, which no reader has.
        case isochronous(packetCount: Int32)
        /// A transfer for another device than the one that was imported.
        case otherDevice(UInt32)
        /// A number that a transfer has which still waits.
        case repeatedNumber(UInt32)
        /// More than ``USBIPPort/maximumWaitingCount`` transfers wait.
        case tooManyWaiting
        /// The stream ended inside a message.
        case truncated
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The position of the message, counted in bytes from the start of the connection.
    public var offset: Int

    /// Creates an error about the message at a position.
    public init(_ code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// One line for people.
    public var description: String { "\(words) (byte \(offset) of the connection)" }

    private var words: String {
        switch code {
        case .version(let number):
            "USB/IP version 0x\(hexadecimal(number)), and 0x0111 is right"
        case .unknownRequest(let number):
            "request 0x\(hexadecimal(number)), and 0x8005 (list) or 0x8003 (import) is right"
        case .unknownCommand(let number):
            "command \(number), and 1 (submit) or 2 (unlink) is right"
        case .transferLength(let number):
            "a transfer of \(number) bytes, and 0 to \(USBIPDecoder.maximumTransferByteCount) is right"
        case .direction(let number): "direction \(number), and 0 (out) or 1 (in) is right"
        case .endpoint(let number): "endpoint \(number), and 0 to 15 is right"
        case .isochronous(let count):
            "\(count) isochronous packets, and the reader has no isochronous endpoint"
        case .otherDevice(let number):
            "a transfer for device \(number >> 16)-\(number & 0xFFFF), which was not imported"
        case .repeatedNumber(let number):
            "number \(number) again, while the transfer that has it waits"
        case .tooManyWaiting: "more than \(USBIPPort.maximumWaitingCount) transfers that wait"
        case .truncated: "the connection ended inside a message"
        }
    }
}

/// Returns four hexadecimal digits.
func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
}
