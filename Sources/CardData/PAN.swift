/// The number of a card (primary account number), 12 to 19 digits, which prints masked.
///
/// Every description, mirror included, shows the first six and last four digits at most; the clear
/// digits leave through ``unmasked`` or ``appendUnmasked(to:)`` only.
/// Source: ISO/IEC 7812-1 (length, Luhn check); the masked form is that of PCI DSS 3.4.1.
public struct PAN: Hashable, Sendable {
    /// The lengths that a number may have, in digits.
    public static let digitCounts = 12...19

    private let digits: CardDigits

    /// Creates a number from ASCII digits, or returns `nil` for another character or length.
    public init?(_ ascii: some Collection<UInt8>) {
        guard Self.digitCounts.contains(ascii.count) else { return nil }
        var digits = CardDigits()
        for byte in ascii {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            digits.append(byte - 0x30)
        }
        self.digits = digits
    }

    /// Creates a number from a text of digits, or returns `nil` for another character or length.
    public init?(_ text: String) { self.init(text.utf8) }

    /// The number of digits, 12 to 19.
    public var digitCount: Int { digits.count }

    /// Whether the last digit is the right check digit.
    public var isLuhnValid: Bool { digits.isLuhnValid }

    /// All digits in clear; for wire messages, never for output.
    public var unmasked: String { digits.text }

    /// Adds all digits in clear, as ASCII, at the end of a wire message.
    public func appendUnmasked(to bytes: inout [UInt8]) { digits.append(to: &bytes) }

    /// The number with `0` for all but the first four and last four digits, and one digit in the
    /// middle that makes it pass the Luhn check: a MagneSafe reader's default mask `04040Y`.
    ///
    /// Source: MagneSafe V5 Communication Reference Manual, property 0x07.
    public var maskedByReader: MaskedCardNumber {
        var masked = digits
        for position in 4..<(digits.count - 4) { masked[position] = 0 }
        masked.correctLuhn(at: 4 + (digits.count - 8) / 2)
        return MaskedCardNumber(hidingMiddleOf: masked)
    }
}

extension PAN: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The first six and last four digits with an ellipsis between, as in `411111...1111`.
    public var description: String {
        var bytes: [UInt8] = []
        digits.append(to: &bytes)
        bytes.replaceSubrange(6..<(bytes.count - 4), with: [0x2E, 0x2E, 0x2E])
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no digit.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
