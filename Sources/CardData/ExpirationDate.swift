/// The month in which a card expires.
///
/// Stripes write it `YYMM` (ISO/IEC 7813), the SDK shows it `MMYY`: December 2025 is `1225`.
public struct ExpirationDate: Hashable, Sendable {
    /// The last two digits of the year, 0 to 99.
    public let year: UInt8
    /// The month, 1 to 12.
    public let month: UInt8

    /// Creates a date from the last two digits of the year and the month, or `nil` out of range.
    public init?(year: Int, month: Int) {
        guard (0...99).contains(year), (1...12).contains(month) else { return nil }
        self.year = UInt8(year)
        self.month = UInt8(month)
    }

    /// Reads the four digits of a stripe, `YYMM`, or returns `nil`.
    public init?(stripe ascii: ArraySlice<UInt8>) {
        guard let (first, second) = Self.pairs(ascii) else { return nil }
        self.init(year: first, month: second)
    }

    /// Reads the text that the SDK shows, `MMYY`, or returns `nil`.
    public init?(_ text: String) {
        guard let (first, second) = Self.pairs(ArraySlice(text.utf8)) else { return nil }
        self.init(year: second, month: first)
    }

    private static func pairs(_ ascii: ArraySlice<UInt8>) -> (Int, Int)? {
        guard ascii.count == 4 else { return nil }
        var value = 0
        for byte in ascii {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return (value / 100, value % 100)
    }

    /// Adds the four digits as a stripe holds them, `YYMM`, at the end of a buffer.
    public func appendStripe(to bytes: inout [UInt8]) {
        Self.append(year, to: &bytes)
        Self.append(month, to: &bytes)
    }

    private static func append(_ pair: UInt8, to bytes: inout [UInt8]) {
        bytes.append(0x30 + pair / 10)
        bytes.append(0x30 + pair % 10)
    }
}

extension ExpirationDate: CustomStringConvertible {
    /// The date as the SDK shows it, `MMYY`.
    public var description: String {
        var bytes: [UInt8] = []
        Self.append(month, to: &bytes)
        Self.append(year, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
