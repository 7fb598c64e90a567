public import CardData

/// What the HoneyStore app and its user do.
public enum StoreAct: Hashable, Sendable {
    /// Make a user.
    case signUp(user: String, email: String)
    /// Begin a session.
    case logIn(user: String, hasRightPassword: Bool)
    /// Save the user with another address.
    case saveUser(email: String)
    /// Type a bank account in.
    case enterAccount(EnteredAccountPlan)
    /// Make a token for this money.
    case makeToken(Amount)
    /// List the user's cards.
    case listCards
    /// List the products.
    case listProducts
    /// Buy a product.
    case buy(BuyPlan)
}

/// A German bank account that somebody types in: the one of test mode, with mistakes.
public struct EnteredAccountPlan: Hashable, Sendable {
    /// Whether it is named by IBAN and BIC, else by its number and the bank's code.
    public var isByIBAN = false
    /// Whether its number can be none.
    public var hasWrongNumber = false
    /// Whether there is no such bank.
    public var hasUnknownBank = false
    /// The holder.
    public var holder = "Chris Hansen"

    /// Creates the account of test mode.
    public init() {}
}

/// What pays at the HoneyStore.
public enum StorePayer: String, CaseIterable, Hashable, Sendable {
    /// The card that was typed in, by a token of its own.
    case card
    /// The token that was made last.
    case token
    /// The user's card that is kept.
    case stored
    /// A card that another user keeps.
    case foreign
    /// The card that was typed in, by the SDK alone, without the store's backend.
    case sdk
}

/// A purchase of a product.
public struct BuyPlan: Hashable, Sendable {
    /// The product.
    public var product: String
    /// What the table of products has in place of the price; `nil` is the price.
    public var price: Amount?
    /// The money that the app asks for in place of the price; `nil` is the price.
    public var amount: Amount?
    /// What pays.
    public var payer: StorePayer
    /// The order; `nil` lets the app number its orders.
    public var orderID: String?

    /// Creates a purchase with the card that was typed in.
    public init(
        product: String,
        amount: Amount? = nil,
        payer: StorePayer = .card,
        orderID: String? = nil
    ) {
        self.product = product
        self.amount = amount
        self.payer = payer
        self.orderID = orderID
    }
}

/// PAYMILL and the HoneyStore of the run (`rig: { gateway: { kind: paymill, … } }`).
public struct StorePlan: Hashable, Sendable {
    /// The version of the REST interface that the backend uses.
    public enum API: String, CaseIterable, Hashable, Sendable {
        /// Of 2012 and 2013, as the published backend.
        case v2
        /// Of 2014 and later.
        case v2point1 = "v2.1"
    }

    /// What is wrong with the published backend.
    public enum Defect: String, CaseIterable, Hashable, Sendable {
        /// A charge that fails by its status is never answered.
        case forgetsRejections = "forgets rejections"
        /// A refused token ends in an exception.
        case namesNoError = "names no error"
        /// A charge of a kept card is success whatever its code.
        case ignoresResponseCodes = "ignores response codes"
        /// Each save of a user makes another client.
        case clientForEverySave = "client for every save"
        /// The app's amount is taken whatever the product costs.
        case trustsAmounts = "trusts amounts"
        /// A card may be anybody's.
        case takesAnyPayment = "takes any payment"
        /// Nothing can be looked up.
        case hasNoLookUp = "no look-up"
        /// The app makes amounts of prices by cutting.
        case cutsPrices = "cuts prices"
    }

    /// The version of the REST interface.
    public var api = API.v2
    /// What is wrong with backend and app.
    public var defects: [Defect] = []
    /// Whether a user is logged in at the beginning.
    public var hasUser = true
    /// The status of a declined charge: 403, or 200.
    public var declineStatus = 403
    /// Whether response codes are written as text.
    public var writesCodesAsText = false
    /// Whether the account has 3-D Secure.
    public var hasThreeDSecure = false
    /// Whether webhooks tell what is begun after what became of it.
    public var tellsBeginningsLast = false
    /// Whether webhooks tell each event twice.
    public var tellsTwice = false
    /// Whether an order without a product is taken.
    public var takesFreeAmounts = true
    /// Whether tokens have the length of 2013.
    public var hasShortTokens = false
    /// Whether a token that is too old makes a failed transaction (42410); else it is refused.
    public var failsLateTokens = false
    /// Whether every token's money must be that of its transaction (40301).
    public var comparesTokenAmounts = false

    /// Creates the usual store.
    public init() {}
}
