public import CardData
public import EventLoops
public import GatewayProtocols

/// What the simulated PAYMILL knows: tokens, cards, persons and money, in the order of making.
public struct PAYMILLBooks: Hashable, Sendable {
    /// One token.
    public struct Token: Hashable, Sendable {
        /// The token itself.
        public var id: String
        /// The card or the account; a secret.
        public var instrument: PAYMILLInstrument
        /// The money for which it was made.
        public var amount: Amount?
        /// Its currency.
        public var currency: String
        /// When it was made.
        public var instant: VirtualInstant
        /// Whether it was used.
        public var isUsed = false
        /// The issuer's page, which must be seen first; `nil` where there is none.
        public var issuerPage: IssuerPage?
    }

    /// How the issuer's page of a token ended, which it does once.
    public enum IssuerPage: Hashable, Sendable {
        /// Not yet.
        case isOpen
        /// The cardholder is who he says.
        case confirmed
        /// The cardholder gave up, or could not say.
        case cancelled
    }

    /// A card that is kept, and what it does.
    public struct Payment: Hashable, Sendable {
        /// The card as it is shown.
        public var payment: PAYMILLPayment
        /// What becomes of a transaction; `nil` approves.
        public var trigger: PAYMILLResponseCode?
        /// The money for which its token was made, which its first charge must be of; `nil` where
        /// nothing is compared, or not any more.
        public var tokenMoney: TokenMoney?
    }

    /// The money for which a token was made.
    public struct TokenMoney: Hashable, Sendable {
        /// The amount.
        public var amount: Amount
        /// The currency; empty is any.
        public var currency: String
    }

    /// Money that was taken, or was to be.
    public struct Transaction: Hashable, Sendable {
        /// The transaction; what is kept of card and client are their ids.
        public var transaction: PAYMILLTransaction
        /// When it was made.
        public var instant: VirtualInstant
        /// Whether held money was taken by it, which is booked already.
        public var isCapture: Bool
        /// Whether money was only held.
        public var isHeld: Bool
        /// What became of money that was held: what was taken of it, when it was.
        public var capturedAmount: Amount?
        /// The device whose app made it without a merchant's server; `nil` of all others.
        public var device: String?
        /// Whether what was paid for is done; `nil` where nobody wants to know.
        public var isConsumed: Bool?
        /// Whether money that was held was given up, or not taken in time.
        public var isLetGo = false
    }

    /// The tokens.
    public internal(set) var tokens: [Token] = []
    /// The cards.
    public internal(set) var payments: [Payment] = []
    /// The persons.
    public internal(set) var clients: [PAYMILLClient] = []
    /// The money.
    public internal(set) var transactions: [Transaction] = []
    /// What was held.
    public internal(set) var preauthorizations: [PAYMILLPreauthorization] = []
    /// What was paid back.
    public internal(set) var refunds: [PAYMILLRefund] = []
    /// The apps that charge without a merchant's server.
    public internal(set) var installations: [PAYMILLInstallation] = []
    /// Who is told.
    public internal(set) var webhooks: [PAYMILLWebhook] = []

    func token(_ id: String) -> Int? { tokens.lastIndex { $0.id == id } }
    func payment(_ id: String) -> Int? { payments.lastIndex { $0.payment.id == id } }
    func client(_ id: String) -> Int? { clients.lastIndex { $0.id == id } }
    func transaction(_ id: String) -> Int? { transactions.lastIndex { $0.transaction.id == id } }
    func preauthorization(_ id: String) -> Int? { preauthorizations.lastIndex { $0.id == id } }
    func webhook(_ id: String) -> Int? { webhooks.lastIndex { $0.id == id } }
}
