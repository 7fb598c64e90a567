/// A frame of ID TECH's contactless family (NEO, ViVOtech 2 protocol).
///
/// | offset | request | answer |
/// | --- | --- | --- |
/// | 0 | `ViVOtech2` and 00 | the same |
/// | 10 | command | command |
/// | 11 | subcommand | status |
/// | 12, 13 | length of the data, high byte first | the same |
/// | 14 | data | data |
/// | end | CRC, low byte first | CRC, high byte first |
///
/// The CRC is that of everything before it (``CRC16``).
/// Source: ID TECH NEO Interface Developers Guide, ViVOtech Protocol 2, as public hosts of the VP3300
/// and its relatives have it.
public struct ViVOtechFrame: Hashable, Sendable {
    /// Who sent a frame; the CRC's order of bytes tells.
    public enum Direction: Hashable, Sendable {
        /// From the host.
        case request
        /// From the reader.
        case answer
    }

    /// Who sent it.
    public var direction: Direction
    /// The command.
    public var command: UInt8
    /// The subcommand of a request, the status of an answer.
    public var subcommandOrStatus: UInt8
    /// The data, at most 65,535 bytes.
    public var data: [UInt8]

    /// `ViVOtech2` and 00.
    public static let header = Array("ViVOtech2".utf8) + [0]
    /// The bytes of a frame without data.
    public static let leastByteCount = 16

    /// Creates a frame.
    public init(
        _ direction: Direction,
        command: UInt8,
        _ subcommandOrStatus: UInt8,
        data: [UInt8] = []
    ) {
        self.direction = direction
        self.command = command
        self.subcommandOrStatus = subcommandOrStatus
        self.data = data
    }

    /// Reads one whole frame; zeros that fill an HID report up are passed over.
    ///
    /// - Returns: `nil` for anything else.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.leastByteCount, bytes.starts(with: Self.header) else {
            return nil
        }
        let end = 14 + Int(bytes[12]) << 8 + Int(bytes[13])
        guard end + 2 <= bytes.count, bytes[(end + 2)...].allSatisfy({ $0 == 0 }) else {
            return nil
        }
        let crc = CRC16.checksum(of: bytes, in: 0..<end)
        let (high, low) = (UInt8(crc >> 8), UInt8(crc & 0xFF))
        // With both bytes alike the frame is taken for an answer: a request has a subcommand of 01 on.
        if bytes[end] == high, bytes[end + 1] == low {
            direction = .answer
        } else if bytes[end] == low, bytes[end + 1] == high {
            direction = .request
        } else {
            return nil
        }
        command = bytes[10]
        subcommandOrStatus = bytes[11]
        data = Array(bytes[14..<end])
    }

    /// The frame as it is sent.
    public var bytes: [UInt8] {
        let data = data.prefix(65_535)
        var bytes = Self.header + [command, subcommandOrStatus]
        bytes += [UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + data
        let crc = CRC16.checksum(of: bytes)
        let (high, low) = (UInt8(crc >> 8), UInt8(crc & 0xFF))
        return bytes + (direction == .answer ? [high, low] : [low, high])
    }

    /// What a status says, or `nil` for one that no public text names.
    ///
    /// Source: the error codes of ID TECH's SDK, whose low bytes these are.
    public static func meaning(ofStatus status: UInt8) -> String? {
        switch status {
        case 0x00: "done"
        case 0x01: "bad header"
        case 0x02: "unknown command"
        case 0x03: "unknown subcommand"
        case 0x04: "wrong CRC"
        case 0x05: "bad parameter"
        case 0x06: "parameter not supported"
        case 0x07: "malformed"
        case 0x08: "timeout"
        case 0x0A: "failed, NAK"
        case 0x0B: "command not allowed"
        case 0x0C: "subcommand not allowed"
        case 0x0D: "overflow"
        case 0x0E: "user interface event"
        case 0x11: "kind of communication not supported"
        case 0x13: "the data's length is no multiple of 8"
        case 0x15: "invalid type of key"
        case 0x23: "request online"
        case 0x63: "done, and the next command"
        case 0x80: "contact cannot start"
        case 0x81: "cancelled: a card was inserted"
        case 0x90: "no DUKPT key"
        case 0x91: "the DUKPT key is used up"
        default: nil
        }
    }

    /// What a command does, or `nil` for one that no public text names.
    public static func meaning(ofCommand command: UInt8, _ subcommand: UInt8) -> String? {
        switch (command, subcommand) {
        case (0x18, 0x01): "ping"
        case (0x02, 0x40): "activate transaction"
        case (0x29, 0x00): "firmware version (inferred)"
        default: nil
        }
    }
}
