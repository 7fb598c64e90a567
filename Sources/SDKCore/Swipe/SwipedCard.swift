public import CardData

/// A card that a reader read, as one of the SDK's card objects.
///
/// Source: SDK document, `didSwipeCard:device:`: "Normally card will be either a
/// PGEncryptedSwipedCard or PGMagnesafeSwipedCard (depending on the swipe reader)".
///
/// Indirect: events are handed on many times, and hardly one of them carries a card.
public indirect enum SwipedCard: Hashable, Sendable {
    /// From a MagTek reader.
    case magnesafe(MagnesafeSwipedCard)
    /// From any other reader.
    case encrypted(EncryptedSwipedCard)

    /// The card number as the reader masked it; `nil` when no track gave one.
    public var maskedCardNumber: MaskedCardNumber? {
        switch self {
        case .magnesafe(let card): card.maskedCardNumber
        case .encrypted(let card): card.maskedCardNumber
        }
    }

    /// The expiration date.
    public var expirationDate: ExpirationDate? {
        switch self {
        case .magnesafe(let card): card.expirationDate
        case .encrypted(let card): card.expirationDate
        }
    }

    /// The name on track 1, empty when it was not read.
    public var cardholderName: SafeText {
        switch self {
        case .magnesafe(let card): card.cardholderName
        case .encrypted(let card): card.cardholderName
        }
    }

    /// What a MagTek reader read, or `nil` when another one did.
    public var magnesafe: MagnesafeSwipedCard? {
        if case .magnesafe(let card) = self { card } else { nil }
    }
}

/// A card that a reader of another maker read: what may be shown, and one encrypted block for the
/// gateway.
///
/// Source: SDK document, `PGEncryptedSwipedCard`: track data, masked card number, expiration date
/// and cardholder's name.
public struct EncryptedSwipedCard: Hashable, Sendable {
    /// The card number as the reader masked it; `nil` when no track gave one.
    public var maskedCardNumber: MaskedCardNumber?
    /// The expiration date.
    public var expirationDate: ExpirationDate?
    /// The name on track 1, blanks at its ends removed; empty when track 1 was not read.
    public var cardholderName: SafeText
    /// The reader's output as the gateway takes it, encrypted.
    public var trackData: [UInt8]

    /// Creates a card.
    public init(
        maskedCardNumber: MaskedCardNumber?,
        expirationDate: ExpirationDate?,
        cardholderName: SafeText,
        trackData: [UInt8]
    ) {
        self.maskedCardNumber = maskedCardNumber
        self.expirationDate = expirationDate
        self.cardholderName = cardholderName
        self.trackData = trackData
    }
}
