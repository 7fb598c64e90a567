public import CardData
public import GatewayProtocols

/// What a card scanner gives to the app: `CardIOCreditCardInfo`.
///
/// It feeds whatever takes cards that are typed in. Number and code never print: descriptions and
/// mirrors show the type and the last four digits.
///
/// Source: card-io/card.io-iOS-SDK 5.4.1, `CardIOCreditCardInfo.h`.
public struct ScannedCard: Hashable, Sendable {
    /// The kind of card: `CardIOCreditCardType`, whose values are characters.
    public enum CardType: Int, CaseIterable, Hashable, Sendable {
        /// No number is like that.
        case unrecognized = 0
        /// More than one kind is; never given to the delegate.
        case ambiguous = 1
        /// `3`.
        case amex = 51
        /// `4`.
        case visa = 52
        /// `5`.
        case mastercard = 53
        /// `6`.
        case discover = 54
        /// `J`.
        case jcb = 74
    }

    /// The number.
    public var pan: PAN
    /// The month of expiry, 1 to 12; 0 where it was not asked for or not found.
    public var expiryMonth: Int
    /// The year of expiry with four digits; 0 where it was not asked for or not found.
    public var expiryYear: Int
    /// The security code, typed by hand; `nil` where it was not asked for.
    public var securityCode: CardSecurityCode?
    /// Whether the camera read the number; else it was typed in.
    public var isScanned: Bool

    /// Creates what a scanner gives.
    public init(
        pan: PAN,
        expiryMonth: Int,
        expiryYear: Int,
        securityCode: CardSecurityCode? = nil,
        isScanned: Bool
    ) {
        self.pan = pan
        self.expiryMonth = expiryMonth
        self.expiryYear = expiryYear
        self.securityCode = securityCode
        self.isScanned = isScanned
    }

    /// The date that can be sent, or `nil` when there is none.
    ///
    /// A year that a wrapper cut to two digits is none: `20` says nothing of the century.
    public var expirationDate: ExpirationDate? {
        guard (2000...2099).contains(expiryYear) else { return nil }
        return ExpirationDate(year: expiryYear - 2000, month: expiryMonth)
    }

    /// The kind of card, by its first digits.
    ///
    /// Source: ISO/IEC 7812 ranges as card.io names them: 34 and 37, 4, 51–55 and 2221–2720, 6011,
    /// 622126–622925, 644–649 and 65, 3528–3589.
    public var cardType: CardType {
        let digits = pan.unmasked.utf8.prefix(6).map { Int($0) - 0x30 }
        let six = digits.reduce(0) { $0 * 10 + $1 }
        switch six {
        case 340_000...349_999, 370_000...379_999: return .amex
        case 400_000...499_999: return .visa
        case 510_000...559_999, 222_100...272_099: return .mastercard
        case 601_100...601_199, 622_126...622_925, 644_000...659_999: return .discover
        case 352_800...358_999: return .jcb
        default: return .unrecognized
        }
    }

    /// The number with all but the last four digits hidden: `redactedCardNumber`.
    public var redactedCardNumber: SafeText {
        let hidden = String(repeating: "X", count: pan.digitCount - 4)
        return MaskedCardNumber(hidden + pan.unmasked.suffix(4)).map { SafeText($0) }
            ?? SafeText("")
    }
}

extension ScannedCard: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type and the last four digits.
    public var description: String { "\(cardType) \(redactedCardNumber)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no card data.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
