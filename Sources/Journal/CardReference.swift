/// A field of a card as a reader reports it.
public enum CardField: String, CaseIterable, Hashable, Sendable {
    /// The card number as the reader masks it.
    case masked
    /// The expiration date as MMYY.
    case expires
    /// The name on track 1.
    case holder

    /// What it is, in one sentence.
    public var meaning: String {
        switch self {
        case .masked: "The card number as the reader masks it."
        case .expires: "The expiration date as MMYY."
        case .holder: "The cardholder's name on track 1."
        }
    }

    /// The attribute of `didSwipeCard` that holds it.
    public var attribute: AttributeName {
        switch self {
        case .masked: .maskedCardNumber
        case .expires: .expirationDate
        case .holder: .cardholderName
        }
    }
}

/// A field of whatever card lies on the desk under a name: `$card.masked`, `$visa.expires`.
public struct CardReference: Hashable, Sendable {
    /// The card's name in scenarios.
    public var card: String
    /// Which field of it.
    public var field: CardField
    /// Where the file says it.
    public var location: SourceLocation

    /// Creates a reference.
    public init(card: String, field: CardField, location: SourceLocation) {
        self.card = card
        self.field = field
        self.location = location
    }
}
