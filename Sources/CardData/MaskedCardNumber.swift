/// A card number as a reader or gateway shows it, with its middle hidden.
///
/// No more than the first six digits, the last four and one digit between them (the Luhn digit of
/// MagTek's masks) can be other than `0` or a mask character, whatever the value is made from.
/// Numbers shorter than twelve digits show the last four at most. Two words and a length: copying
/// one allocates nothing.
public struct MaskedCardNumber: Hashable, Sendable {
    /// The longest number, in characters.
    public static let maximumCharacterCount = 19

    private let digits: CardDigits

    /// Creates a masked number from ASCII digits and mask characters (`*`, `x`, `X`).
    ///
    /// Where more is visible than may be, the middle is masked again: zeros, and one digit that
    /// makes the number pass the Luhn check. Returns `nil` for other characters, for an empty
    /// number and for one longer than 19.
    public init?(_ ascii: ArraySlice<UInt8>) {
        guard !ascii.isEmpty, ascii.count <= Self.maximumCharacterCount else { return nil }
        var digits = CardDigits()
        for byte in ascii {
            switch byte {
            case 0x30...0x39: digits.append(byte - 0x30)
            case 0x2A: digits.append(10)
            case 0x78: digits.append(11)
            case 0x58: digits.append(12)
            default: return nil
            }
        }
        self.init(hidingMiddleOf: digits)
    }

    /// Creates a masked number from text; see ``init(_:)-(ArraySlice<UInt8>)`` for what it accepts.
    public init?(_ text: String) { self.init(ArraySlice(text.utf8)) }

    /// Creates a masked number, masking again what may not be seen.
    package init(hidingMiddleOf digits: CardDigits) {
        var digits = digits
        let leadingCount = digits.count < 12 ? 0 : 6
        let trailingCount = digits.count < 12 ? (digits.count < 8 ? 0 : 4) : 4
        let middle = leadingCount..<(digits.count - trailingCount)
        var visibleCount = 0
        for position in middle where digits[position] > 0 && digits[position] < 10 {
            visibleCount += 1
        }
        if visibleCount > (digits.count < 12 ? 0 : 1) {
            for position in middle { digits[position] = 0 }
            if digits.count >= 12 {
                digits.correctLuhn(at: middle.lowerBound + middle.count / 2)
            }
        }
        self.digits = digits
    }

    /// The number of characters.
    public var characterCount: Int { digits.count }

    /// The last four digits, for receipts and ledgers; `0000` for numbers under eight digits.
    public var lastFour: String {
        digits.count < 8 ? "0000" : String(digits.text.suffix(4))
    }

    /// The number as text that may be printed.
    public var safeText: SafeText { SafeText(self) }

    /// Adds the number as ASCII at the end of a buffer.
    public func append(to bytes: inout [UInt8]) { digits.append(to: &bytes) }
}

extension MaskedCardNumber: CustomStringConvertible, CustomDebugStringConvertible {
    /// The number as the reader or gateway writes it.
    public var description: String { digits.text }

    /// The same as ``description``.
    public var debugDescription: String { digits.text }
}
