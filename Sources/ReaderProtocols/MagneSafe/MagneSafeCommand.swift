import CardData

/// A command from the host to a MagneSafe reader: a number and up to 255 bytes of data.
///
/// On USB it is a feature report (number, length, data, zeros up to 60 or 24 bytes); on a stream
/// the same bytes without the zeros as hexadecimal text and a carriage return.
/// Source: MagneSafe V5 Communication Reference Manual 99875475, Commands.
public struct MagneSafeCommand: Hashable, Sendable {
    /// What a command asks for; the raw value is its number on the wire.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Get Property: the id.
        case getProperty = 0x00
        /// Set Property: id, value and, above level 2, the MAC.
        case setProperty = 0x01
        /// Reset Device.
        case reset = 0x02
        /// Get Keymap Item (keyboard): an ASCII character.
        case getKeymapItem = 0x03
        /// Set Keymap Item (keyboard): ASCII character, usage, modifier.
        case setKeymapItem = 0x04
        /// Save Custom Keymap (keyboard).
        case saveKeymap = 0x05
        /// Get DUKPT KSN and Counter.
        case getKSN = 0x09
        /// Set Session ID: eight bytes.
        case setSessionID = 0x0A
        /// Activate Authenticated Mode: seconds, two bytes.
        case activateAuthenticatedMode = 0x10
        /// Activation Challenge Reply: eight bytes, or 16 with a session id.
        case activationChallengeReply = 0x11
        /// Deactivate Authenticated Mode: eight bytes.
        case deactivateAuthenticatedMode = 0x12
        /// Get Reader State.
        case getReaderState = 0x14
        /// Set Security Level (level and MAC), or get it (no data).
        case securityLevel = 0x15
        /// Get Transaction Count (Flash readers).
        case getTransactionCount = 0x16
        /// Read Oldest Transaction (Flash readers).
        case readOldestTransaction = 0x17
        /// Erase Oldest Transaction (Flash readers).
        case eraseOldestTransaction = 0x18
        /// Get Encryption Counter.
        case getEncryptionCounter = 0x1C
        /// Power Down (wireless readers).
        case powerDown = 0x28
        /// Get Battery Status (wireless readers).
        case getBatteryStatus = 0x29
        /// Encrypt Bulk Data: up to 120 bytes.
        case encryptBulkData = 0x30
    }

    /// The number on the wire; see ``Kind``.
    public var number: UInt8
    /// The data, at most 255 bytes.
    public var data: [UInt8]

    /// Creates a command from its number; data after the 255th byte is cut.
    public init(number: UInt8, data: [UInt8] = []) {
        self.number = number
        self.data = Array(data.prefix(255))
    }

    /// Creates a command; data after the 255th byte is cut.
    public init(_ kind: Kind, _ data: [UInt8] = []) { self.init(number: kind.rawValue, data: data) }

    /// What the command asks for; `nil` for a number that no manual names.
    public var kind: Kind? { Kind(rawValue: number) }

    /// Number, length and data: what a MAC is computed over when the length counts the MAC too.
    public var bytes: [UInt8] { [number, UInt8(data.count)] + data }

    /// The bytes over which the command's own MAC, the last four of its data, is computed.
    public var authenticatedBytes: [UInt8] { bytes.dropLast(min(4, data.count)) }

    /// Returns the command with a MAC at the end of its data.
    ///
    /// - Parameter code: Computes four bytes over a message; its length byte counts the MAC.
    /// - Returns: The command to send.
    public func authenticated(by code: ([UInt8]) -> [UInt8]) -> MagneSafeCommand {
        let message = [number, UInt8(clamping: data.count + 4)] + data
        return MagneSafeCommand(number: number, data: data + code(message).prefix(4))
    }

    /// The properties of a frame, shared by commands and responses: first byte, length, data.
    static func frame(_ first: UInt8, _ data: [UInt8], byteCount: Int) -> [UInt8]? {
        guard data.count + 2 <= byteCount else { return nil }
        var report = [first, UInt8(data.count)] + data
        report.append(contentsOf: repeatElement(0, count: byteCount - report.count))
        return report
    }

    /// Makes the feature report.
    ///
    /// - Parameter byteCount: 60 for MagneSafe readers, 24 for SureSwipe and by the printed
    ///   keyboard descriptor.
    /// - Returns: The report, zero filled, or `nil` when the data does not fit.
    public func report(byteCount: Int = 60) -> [UInt8]? {
        Self.frame(number, data, byteCount: byteCount)
    }

    /// Reads a feature report, or the bytes of a stream's line.
    ///
    /// Bytes after the data are not looked at.
    /// - Throws: ``MagneSafeError`` with `truncated` when the length exceeds the bytes.
    public init(_ bytes: some Collection<UInt8>) throws(MagneSafeError) {
        (number, data) = try Self.parts(Array(bytes))
    }

    static func parts(_ bytes: [UInt8]) throws(MagneSafeError) -> (UInt8, [UInt8]) {
        guard bytes.count >= 2 else { throw MagneSafeError(.truncated, offset: bytes.count) }
        let end = 2 + Int(bytes[1])
        guard end <= bytes.count else { throw MagneSafeError(.truncated, offset: 1) }
        return (bytes[0], Array(bytes[2..<end]))
    }

    /// The line of a stream reader: upper-case hexadecimal and a carriage return.
    public var line: [UInt8] { Array(Hexadecimal.encode(bytes).utf8) + [0x0D] }

    /// Reads a line of a stream, with or without its carriage return.
    ///
    /// - Throws: ``MagneSafeError`` with `malformed` for other characters than pairs of
    ///   hexadecimal digits and for bytes after the data, `truncated` when data is missing.
    public init(line: some Collection<UInt8>) throws(MagneSafeError) {
        (number, data) = try Self.parts(line: line)
    }

    static func parts(
        line: some Collection<UInt8>
    ) throws(MagneSafeError) -> (UInt8, [UInt8]) {
        var digits = Array(line)
        if digits.last == 0x0D { digits.removeLast() }
        if let bad = digits.firstIndex(where: { Hexadecimal.value(of: $0) == nil }) {
            throw MagneSafeError(.malformed, offset: bad)
        }
        guard let bytes = Hexadecimal.decode(digits) else {
            throw MagneSafeError(.malformed, offset: digits.count)
        }
        let parts = try parts(bytes)
        guard bytes.count == 2 + parts.1.count else {
            throw MagneSafeError(.malformed, offset: (2 + parts.1.count) * 2)
        }
        return parts
    }
}

/// A MagneSafe reader's answer to a command: a result code and up to 255 bytes of data.
///
/// Source: MagneSafe V5 Communication Reference Manual 99875475, Commands, result codes.
public struct MagneSafeResponse: Hashable, Sendable {
    /// How a command ended; 0x80 to 0xFF are specific to commands.
    public struct Result: RawRepresentable, Hashable, Sendable {
        /// The code on the wire.
        public let rawValue: UInt8

        /// Creates a result from its code.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// 00: done.
        public static let success = Result(rawValue: 0x00)
        /// 01: failed.
        public static let failure = Result(rawValue: 0x01)
        /// 02: a parameter or the length is wrong.
        public static let badParameter = Result(rawValue: 0x02)
        /// 03: of command 10, the mode is active already; of command 12, the data is wrong.
        public static let redundant = Result(rawValue: 0x03)
        /// 04: of command 11, the data is wrong.
        public static let badData = Result(rawValue: 0x04)
        /// 05: refused for a while after failed authentications.
        public static let delayed = Result(rawValue: 0x05)
        /// 07: the MAC is missing or wrong, or this is not the state for the command.
        public static let invalidOperation = Result(rawValue: 0x07)
        /// 80: of command 10, the encryption counter is used up.
        public static let counterExpired = Result(rawValue: 0x80)
    }

    /// How the command ended.
    public var result: Result
    /// The data, at most 255 bytes.
    public var data: [UInt8]

    /// Creates a response; data after the 255th byte is cut.
    public init(_ result: Result, _ data: [UInt8] = []) {
        self.result = result
        self.data = Array(data.prefix(255))
    }

    /// Returns the feature report, zero filled, or `nil` when the data does not fit.
    public func report(byteCount: Int = 60) -> [UInt8]? {
        MagneSafeCommand.frame(result.rawValue, data, byteCount: byteCount)
    }

    /// Reads a feature report; bytes after the data are not looked at.
    ///
    /// - Throws: ``MagneSafeError`` with `truncated` when the length exceeds the report.
    public init(_ bytes: some Collection<UInt8>) throws(MagneSafeError) {
        let (code, data) = try MagneSafeCommand.parts(Array(bytes))
        self.init(Result(rawValue: code), data)
    }

    /// The line of a stream reader: upper-case hexadecimal and a carriage return.
    public var line: [UInt8] {
        Array(Hexadecimal.encode([result.rawValue, UInt8(data.count)] + data).utf8) + [0x0D]
    }

    /// Reads a line of a stream, with or without its carriage return.
    ///
    /// - Throws: ``MagneSafeError`` as ``MagneSafeCommand/init(line:)`` does.
    public init(line: some Collection<UInt8>) throws(MagneSafeError) {
        let (code, data) = try MagneSafeCommand.parts(line: line)
        self.init(Result(rawValue: code), data)
    }
}

extension MagneSafeCommand: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Number and length; the data may be a property of the owner's or bulk data.
    public var description: String {
        "command \(Hexadecimal.encode([number])), \(data.count) bytes of data"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
