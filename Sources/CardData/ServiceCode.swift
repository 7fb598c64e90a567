/// The three digits after the expiration date on a stripe: where a card may be used and how.
///
/// Source: ISO/IEC 7813.
public struct ServiceCode: Hashable, Sendable, CustomStringConvertible {
    /// The three digits as a number, 0 to 999.
    public let value: UInt16

    /// Creates a code, or returns `nil` outside 0 to 999.
    public init?(_ value: Int) {
        guard (0...999).contains(value) else { return nil }
        self.value = UInt16(value)
    }

    /// Reads three ASCII digits, or returns `nil`.
    public init?(stripe ascii: some Collection<UInt8>) {
        guard ascii.count == 3 else { return nil }
        var value = 0
        for byte in ascii {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        self.init(value)
    }

    /// Whether the card has a chip, so that a terminal should ask for it (first digit 2 or 6).
    public var asksForChip: Bool { value / 100 == 2 || value / 100 == 6 }

    /// Adds the three digits at the end of a buffer.
    public func appendStripe(to bytes: inout [UInt8]) {
        bytes.append(0x30 + UInt8(value / 100))
        bytes.append(0x30 + UInt8(value / 10 % 10))
        bytes.append(0x30 + UInt8(value % 10))
    }

    /// The three digits.
    public var description: String {
        var bytes: [UInt8] = []
        appendStripe(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
