/// The tag of a BER-TLV object: one to four bytes, kept as one big-endian number.
///
/// `0x9F02` is the two bytes 9F 02, and `0xDFA205` the three bytes DF A2 05.
/// Source: ISO/IEC 8825-1, 8.1.2; EMV Book 3, annex B1.
public struct TLVTag: Hashable, Comparable, Sendable {
    /// The most bytes that a tag may have.
    public static let maximumByteCount = 4

    /// The bytes of the tag as one number, the first byte highest.
    public let rawValue: UInt32

    /// Creates a tag from its bytes as one number; leading zeros are no bytes of it.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// How many bytes the tag has, 1 to 4.
    public var byteCount: Int {
        switch rawValue {
        case 0..<0x100: 1
        case 0x100..<0x1_0000: 2
        case 0x1_0000..<0x100_0000: 3
        default: 4
        }
    }

    /// Whether the value consists of further objects: bit 0x20 of the first byte.
    ///
    /// Miura's 63, the answer to reset of a chip, has the bit and holds bytes that are no objects.
    public var isConstructed: Bool {
        self != .answerToReset
            && UInt8(truncatingIfNeeded: rawValue >> UInt32(8 * (byteCount - 1))) & 0x20 != 0
    }

    /// Adds the bytes of the tag at the end of a buffer.
    public func append(to bytes: inout [UInt8]) {
        for index in (0..<byteCount).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: rawValue >> UInt32(8 * index)))
        }
    }

    /// Orders tags by their number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension TLVTag: ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// Creates a tag from a literal such as `0x9F02`.
    public init(integerLiteral value: UInt32) { self.init(value) }

    /// The bytes of the tag in upper-case hexadecimal, as in `9F02`.
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return digits.utf8.count & 1 == 0 ? digits : "0" + digits
    }
}
