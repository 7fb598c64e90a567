import CardData

/// A card's brand, as the bridge finds it by the number's first digits.
///
/// Source: the published bridge script; the order of the table decides, the first match wins.
public enum PAYMILLCardBrand: String, Hashable, Sendable, CaseIterable {
    /// American Express: 34 and 37.
    case amex
    /// Discover: 6011, 644 to 649, 65, and what the published pattern matches of 622.
    case discover
    /// UnionPay: 62; no Luhn check.
    case unionPay = "china_union_pay"
    /// Diners Club: 300 to 305, 36 and 38.
    case diners
    /// JCB: 3528, 3529 and 353 to 358.
    case jcb
    /// Maestro: fourteen prefixes.
    case maestro
    /// Mastercard: 51 to 55; the 2-series is not known to the bridge.
    case mastercard
    /// Visa: 4.
    case visa

    /// Finds the brand of a number in ASCII digits, or `nil`.
    public init?(number: String) {
        let brand = Self.allCases.first { brand in
            brand == .discover && Self.isPublished622(number)
                || brand.prefixes.contains { number.hasPrefix($0) }
        }
        guard let brand else { return nil }
        self = brand
    }

    private var prefixes: [String] {
        switch self {
        case .amex: ["34", "37"]
        case .discover: ["6011", "644", "645", "646", "647", "648", "649", "65"]
        case .unionPay: ["62"]
        case .diners: ["300", "301", "302", "303", "304", "305", "36", "38"]
        case .jcb: ["3528", "3529", "353", "354", "355", "356", "357", "358"]
        case .maestro:
            [
                "5018", "5020", "5038", "5893", "6304", "6331", "6703", "6759", "6761", "6762",
                "6763", "6799", "0604",
            ]
        case .mastercard: ["51", "52", "53", "54", "55"]
        case .visa: ["4"]
        }
    }

    /// The published pattern `622(1[2-90][6-9]|[2-8]dd|9[0-1]d|92[0-5])`, whose letters d stand
    /// for themselves: of the whole range only these numbers are taken for Discover.
    private static func isPublished622(_ number: String) -> Bool {
        let digits = Array(number.utf8.prefix(6))
        guard digits.count == 6, number.hasPrefix("622") else { return false }
        let (first, second, third) = (digits[3], digits[4], digits[5])
        let isFirst =
            first == UInt8(ascii: "1") && second != UInt8(ascii: "1") && third >= UInt8(ascii: "6")
        let isLast =
            first == UInt8(ascii: "9") && second == UInt8(ascii: "2") && third <= UInt8(ascii: "5")
        return isFirst || isLast
    }

    /// How many digits a number has.
    public var digitCounts: [Int] {
        switch self {
        case .amex: [15]
        case .discover, .jcb, .mastercard: [16]
        case .unionPay: [16, 17, 18, 19]
        case .diners: [14]
        case .maestro: Array(12...19)
        case .visa: [13, 16]
        }
    }

    /// How many digits a security code has; 0 is none.
    public var codeDigitCounts: [Int] {
        switch self {
        case .amex: [3, 4]
        case .maestro: [0, 3, 4]
        case .discover, .unionPay, .diners, .jcb, .mastercard, .visa: [3]
        }
    }

    /// Whether numbers have a check digit.
    public var hasCheckDigit: Bool { self != .unionPay }

    /// Whether a number in ASCII digits is one of the brand: its length, and its check digit.
    ///
    /// The sum of the check must not be zero, so that nothing but zeros is no number.
    public func accepts(_ number: String) -> Bool {
        guard digitCounts.contains(number.utf8.count) else { return false }
        guard hasCheckDigit else { return true }
        guard number.utf8.contains(where: { $0 != UInt8(ascii: "0") }) else { return false }
        return PAN(number)?.isLuhnValid ?? false
    }
}
