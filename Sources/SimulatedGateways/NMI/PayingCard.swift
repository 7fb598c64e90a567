import CardData
import GatewayProtocols

/// What the gateway knows of what pays: a card, a bank account, or nothing readable.
struct PayingCard: Hashable {
    var pan: PAN?
    var expirationDate: ExpirationDate?
    /// `Keyed` or `Swiped`; empty for a check.
    var entryMode = ""
    var check: NMICheck?
    /// The stored customer whose it is, or empty.
    var customerID = ""

    /// Where a transaction with it comes from.
    var source: String { entryMode == "Swiped" ? "swipe" : "api" }
}

/// What a gateway makes of the payment data of a request.
enum CardResolution: Hashable {
    case card(PayingCard, CardSecurityCode?)
    /// It cannot be used, for this reason.
    case invalid(String)
    /// A reader's swipe cannot be opened.
    case undecryptable
    /// The customer is not known.
    case unknownCustomer(String)
}
