public import CardData
public import ReaderProtocols

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

    /// What a reader at the audio jack read, or `nil` when another one did.
    public var encrypted: EncryptedSwipedCard? {
        if case .encrypted(let card) = self { card } else { nil }
    }

    /// What a MagTek reader read, or `nil` when another one did.
    public var magnesafe: MagnesafeSwipedCard? {
        if case .magnesafe(let card) = self { card } else { nil }
    }
}

/// A card that a reader at the audio jack read: what may be shown, and its tracks, encrypted.
///
/// Source: SDK document, `PGEncryptedSwipedCard`: track data, masked card number, expiration date
/// and cardholder's name.
public struct EncryptedSwipedCard: Hashable, Sendable {
    /// The packet as the library read it, with the gateway's variables.
    public var packet: EncryptedCard

    /// Creates a card.
    public init(_ packet: EncryptedCard) { self.packet = packet }

    /// The card number as the reader masked it; `nil` when no track gave one.
    public var maskedCardNumber: MaskedCardNumber? { packet.maskedCardNumber }

    /// The expiration date; `nil` when the reader hid it or sent none.
    public var expirationDate: ExpirationDate? { packet.expirationDate }

    /// The name on track 1; empty when track 1 was not read.
    public var cardholderName: SafeText { packet.cardholderName ?? SafeText("") }
}
