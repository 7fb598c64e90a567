public import CardData
public import GatewayProtocols

/// A card that a MagTek reader read: what may be shown, and what a gateway needs.
///
/// Source: SDK document, `PGMagnesafeSwipedCard`: track data, masked card number, expiration date
/// and cardholder's name.
public struct MagnesafeSwipedCard: Hashable, Sendable {
    /// The card number as the reader masked it; `nil` when no track gave one.
    public var maskedCardNumber: MaskedCardNumber?
    /// The expiration date.
    public var expirationDate: ExpirationDate?
    /// The name on track 1, blanks at its ends removed; empty when track 1 was not read.
    public var cardholderName: SafeText
    /// The encrypted tracks, as the gateway takes them.
    public var swipe: MagneSafeSwipeFields

    /// Creates a card.
    public init(
        maskedCardNumber: MaskedCardNumber?,
        expirationDate: ExpirationDate?,
        cardholderName: SafeText,
        swipe: MagneSafeSwipeFields
    ) {
        self.maskedCardNumber = maskedCardNumber
        self.expirationDate = expirationDate
        self.cardholderName = cardholderName
        self.swipe = swipe
    }
}
