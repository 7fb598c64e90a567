public import CardData

/// A command as it stands in a frame's payload: CLA INS P1 P2 [Lc data] [Le].
///
/// Source: Miura Java SDK 1-1i, CommandApdu: short form up to 249 bytes of data and 252 wanted;
/// extended form, where the reader announced it, up to 1017 and 1014.
public struct MiuraAPDU: Hashable, Sendable {
    /// The most data bytes of the short form.
    public static let maximumShortDataByteCount = 249
    /// The most answer bytes that the short form can ask for.
    public static let maximumShortExpectedByteCount = 252
    /// The most data bytes of the extended form.
    public static let maximumDataByteCount = 1017
    /// The most answer bytes that the extended form can ask for.
    public static let maximumExpectedByteCount = 1014

    /// CLA and INS as one number, such as `0xDED1`.
    public var code: UInt16
    /// The first parameter.
    public var p1: UInt8
    /// The second parameter.
    public var p2: UInt8
    /// The data; never shown by a description.
    public var data: [UInt8]
    /// How many bytes the answer should have (Le), where the command says so.
    public var expectedByteCount: Int?

    /// Creates a command.
    public init(
        _ code: UInt16,
        p1: UInt8 = 0,
        p2: UInt8 = 0,
        data: [UInt8] = [],
        expectedByteCount: Int? = nil
    ) {
        self.code = code
        self.p1 = p1
        self.p2 = p2
        self.data = data
        self.expectedByteCount = expectedByteCount
    }

    /// Whether only the extended form can hold the command.
    public var needsExtendedForm: Bool {
        data.count > Self.maximumShortDataByteCount
            || (expectedByteCount ?? 0) > Self.maximumShortExpectedByteCount
    }

    /// Whether any form can hold the command.
    public var isEncodable: Bool {
        data.count <= Self.maximumDataByteCount
            && (0...Self.maximumExpectedByteCount).contains(expectedByteCount ?? 0)
    }

    /// The command's bytes, in the short form where it fits and else in the extended one.
    ///
    /// - Precondition: ``isEncodable``.
    public var bytes: [UInt8] {
        precondition(isEncodable, "at most 1017 bytes of data, at most 1014 wanted")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 9)
        bytes.append(UInt8(code >> 8))
        bytes.append(UInt8(code & 0xFF))
        bytes.append(p1)
        bytes.append(p2)
        guard needsExtendedForm else {
            if !data.isEmpty {
                bytes.append(UInt8(data.count))
                bytes.append(contentsOf: data)
            }
            if let expectedByteCount { bytes.append(UInt8(expectedByteCount)) }
            return bytes
        }
        bytes.append(0)
        if !data.isEmpty { bytes += Self.twoBytes(data.count) + data }
        if let expectedByteCount { bytes += Self.twoBytes(expectedByteCount) }
        return bytes
    }

    private static func twoBytes(_ number: Int) -> [UInt8] {
        [UInt8(number >> 8), UInt8(number & 0xFF)]
    }

    /// Reads a command of either form.
    ///
    /// - Throws: ``MiuraFormatError`` when the lengths in it do not add up.
    public init(_ bytes: [UInt8]) throws(MiuraFormatError) {
        guard bytes.count >= 4 else {
            throw MiuraFormatError(.commandTooShort, offset: bytes.count)
        }
        self.init(UInt16(bytes[0]) << 8 | UInt16(bytes[1]), p1: bytes[2], p2: bytes[3])
        let rest = bytes.count - 4
        guard rest > 1 else {
            if rest == 1 { expectedByteCount = Int(bytes[4]) }
            return
        }
        let isExtended = bytes[4] == 0
        let width = isExtended ? 2 : 1
        func number(at offset: Int) -> Int {
            isExtended ? Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) : Int(bytes[offset])
        }
        let first = isExtended ? 5 : 4
        guard bytes.count >= first + width else {
            throw MiuraFormatError(.wrongDataLength, offset: 4)
        }
        if isExtended, bytes.count == first + width {
            expectedByteCount = number(at: first)
            return
        }
        let start = first + width
        let end = start + number(at: first)
        guard end == bytes.count || end + width == bytes.count else {
            throw MiuraFormatError(.wrongDataLength, offset: first)
        }
        data = Array(bytes[start..<end])
        if end < bytes.count { expectedByteCount = number(at: end) }
    }
}

/// Why a whole message is none that the Miura protocol knows: lengths or values do not fit.
public struct MiuraFormatError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// A command has fewer than four bytes.
        case commandTooShort
        /// Lc and Le do not fit the command's length.
        case wrongDataLength
        /// The data is no BER-TLV.
        case notTLV(TLVError.Code)
        /// An object that the message needs is missing.
        case missing(TLVTag)
        /// An object's value has a length or content that the message cannot have.
        case malformed(TLVTag)
        /// A parameter byte has no meaning in this command.
        case wrongParameter
        /// A body that is no BER-TLV has a length that the answer cannot have.
        case wrongBodyLength
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The byte at fault, counted from the start of the command or of the answer's body; 0 for an
    /// object.
    public var offset: Int

    /// Creates an error at a position.
    public init(_ code: Code, offset: Int = 0) {
        self.code = code
        self.offset = offset
    }

    init(_ error: TLVError, from start: Int = 0) {
        self.init(.notTLV(error.code), offset: start + error.offset)
    }
}

extension MiuraFormatError: CustomStringConvertible {
    /// What is wrong, without the place and any value.
    public var reason: String {
        switch code {
        case .commandTooShort: "a command has at least CLA INS P1 P2"
        case .wrongDataLength: "the length does not fit the command's"
        case .notTLV(let code): TLVError(code, offset: 0).reason
        case .missing(let tag): "tag \(tag), \(tag.name ?? "unknown"), is missing"
        case .malformed(let tag): "tag \(tag), \(tag.name ?? "unknown"), has a value it cannot have"
        case .wrongParameter: "the parameter has no meaning in this command"
        case .wrongBodyLength: "the answer has a length it cannot have"
        }
    }

    /// One line for people: where and what.
    public var description: String { "byte \(offset): \(reason)" }
}

extension MiuraAPDU: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Code, parameters and lengths; the data may be card data.
    public var description: String {
        let head = [UInt8(code >> 8), UInt8(code & 0xFF), p1, p2]
        return "\(Hexadecimal.encode(head)), \(data.count) bytes of data"
            + (expectedByteCount.map { ", \($0) wanted" } ?? "")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
