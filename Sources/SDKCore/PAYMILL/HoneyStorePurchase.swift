public import CardData
public import GatewayProtocols

/// What the app's user buys, and with what.
public struct HoneyStorePurchase: Hashable, Sendable {
    /// What pays.
    public enum Payer: Hashable, Sendable {
        /// The card that was typed in, by a token of its own.
        case card
        /// The token that was made last, by itself.
        case token
        /// The user's card that is kept, the newest.
        case storedCard
        /// A card that is kept, by its id.
        case payment(String)
        /// The card that was typed in, by the SDK alone: ``VoucherMillApp``, not the store.
        case sdk
    }

    /// The money.
    public var amount: Amount
    /// The currency.
    public var currency = "EUR"
    /// The app's name for the order, which is the transaction's description.
    public var orderID: String
    /// The product; empty for a free amount.
    public var product = ""
    /// What pays.
    public var payer: Payer
    /// Whether the money is only held.
    public var isHeld = false

    /// The token that pays, of a purchase by ``Payer/token``.
    var boundToken = ""
    /// What no other purchase has, by which it is looked up.
    var reference = ""

    /// Creates a purchase of a free amount.
    public init(amount: Amount, orderID: String, payer: Payer = .card) {
        self.amount = amount
        self.orderID = orderID
        self.payer = payer
    }

    var order: HoneyStoreOrder {
        HoneyStoreOrder(
            amount: amount,
            currency: currency,
            description: orderID,
            product: product,
            reference: reference
        )
    }
}

/// What the app knows of a purchase when it has done all it can.
public enum PurchaseResult: Hashable, Sendable {
    /// The money is as it was asked for.
    case approved
    /// The issuer said no.
    case declined(PAYMILLResponseCode)
    /// Nothing was asked of the issuer.
    case error(String)
    /// The answer was lost, and the last look-up found no such transaction.
    case notCharged
    /// Nobody knows.
    case unknown
}

/// What an exchange of the app is about.
public enum HoneyStoreExchangeKind: String, Hashable, Sendable, CaseIterable {
    /// A card becomes a token.
    case token
    /// A user is made.
    case signUp
    /// A session begins.
    case logIn
    /// The user is saved.
    case saveUser
    /// The products are listed.
    case products
    /// The user's cards are listed.
    case cards
    /// A purchase.
    case sale
    /// Money is held.
    case auth
    /// A purchase whose outcome is unknown is looked up.
    case query
}

/// Whom the app asks.
public enum HoneyStoreHost: Hashable, Sendable {
    /// PAYMILL's bridge.
    case bridge
    /// The merchant's backend.
    case backend
}

/// What an answer came to, as far as the app is concerned.
public enum HoneyStoreReading: Hashable, Sendable {
    /// Done.
    case approved
    /// The issuer said no.
    case declined(PAYMILLResponseCode)
    /// It was not done, and why.
    case error(String)
    /// A look-up found a transaction, with this code.
    case found(PAYMILLResponseCode)
    /// A look-up found none.
    case notFound
}

/// What the app does beside purchases.
public enum HoneyStoreCall: Hashable, Sendable {
    /// Make a user.
    case signUp(username: String, password: String, email: String)
    /// Begin a session.
    case logIn(username: String, password: String)
    /// Save the user with another address.
    case saveUser(email: String)
    /// List the products.
    case products
    /// List the user's cards.
    case cards
    /// Make a token of the card that was typed in, for this money.
    case token(Amount)
}
