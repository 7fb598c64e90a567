public import CardData
public import GatewayProtocols

/// An observable fact of the simulated PAYMILL, for the journal.
///
/// Tokens are told by their numbers, counted from 1 as they were made; an amount is `nil` where
/// there is none.
public enum PAYMILLRecord: Hashable, Sendable {
    /// A request came.
    case requestReceived(Request)
    /// A fault fired.
    case faultFired(number: Int, kind: PAYMILLRequestKind, GatewayFault)
    /// A card became a token.
    case tokenCreated(number: Int, token: Int)
    /// A card became none.
    case tokenRefused(number: Int, PAYMILLBridgeError)
    /// A token was used up, by a payment or for a card that is kept.
    case tokenUsed(number: Int, token: Int)
    /// A token was not taken; its number is `nil` when there is none such.
    case tokenRejected(number: Int, token: Int?, TokenRejection)
    /// Money was taken or held, or was not (`failed`).
    case booked(number: Int, Booking)
    /// Held money was taken.
    case captured(number: Int, Booking)
    /// Held money was given up.
    case canceled(number: Int, Booking)
    /// Held money was not taken in its time.
    case expired(Booking)
    /// Money was paid back.
    case refunded(number: Int, Booking)
    /// An app said that what was paid for is done.
    case consumed(number: Int, Booking)

    /// A request as it was understood.
    public struct Request: Hashable, Sendable {
        /// Its number, counted from 1 over all that was sent.
        public var number: Int
        /// What it asked for.
        public var kind: PAYMILLRequestKind
        /// The money.
        public var amount: Amount?
        /// What it is called; empty without.
        public var description: String
        /// The token in it.
        public var token: Int?
    }

    /// Money, and what it is of.
    public struct Booking: Hashable, Sendable {
        /// Whether it was only held.
        public var isHeld: Bool
        /// The money.
        public var amount: Amount
        /// The transaction.
        public var transactionID: String
        /// What it is called.
        public var description: String
        /// What became of it.
        public var code: PAYMILLResponseCode
    }
}

/// Why a token is not taken.
public enum TokenRejection: String, Hashable, Sendable, CaseIterable {
    /// There is none such.
    case unknown
    /// It was used before.
    case used
    /// Its 5 minutes are over.
    case expired
    /// The issuer's page was not seen to its end.
    case unconfirmed
}

/// What a request to PAYMILL is about.
public enum PAYMILLRequestKind: String, Hashable, Sendable, CaseIterable {
    /// A token for a card, at the bridge.
    case token
    /// A charge, or a request that cannot be read.
    case sale
    /// Money is held.
    case auth
    /// Held money is taken.
    case capture
    /// Held money is given up.
    case void
    /// Money is paid back.
    case refund
    /// A look at something.
    case query
    /// A card is kept or forgotten, or a client made or changed.
    case vault
    /// A webhook or a text is changed.
    case update

    init(_ operation: PAYMILLRequest.Operation) {
        switch operation {
        case .createPayment, .createClient, .updateClient: self = .vault
        case .preauthorize: self = .auth
        case .charge(let money):
            if case .preauthorization = money.source { self = .capture } else { self = .sale }
        case .refund: self = .refund
        case .updateTransaction, .createWebhook, .updateWebhook: self = .update
        case .show, .list: self = .query
        case .remove(.preauthorizations, _): self = .void
        case .remove(.payments, _), .remove(.clients, _): self = .vault
        case .remove(.transactions, _), .remove(.refunds, _), .remove(.webhooks, _): self = .update
        }
    }

    init(_ operation: PAYMILLMobileRequest.Operation) {
        switch operation {
        case .createDevice, .savePayment, .deletePayment, .resetPayments: self = .vault
        case .create(.transactions, _, _): self = .sale
        case .create(.preauthorizations, _, _): self = .auth
        case .consume: self = .update
        case .show, .list, .listNotConsumed, .listPayments, .arePaymentsAvailable: self = .query
        }
    }

    /// The kind as faults of gateways name it; a token is a `validate` to them.
    public var faultKind: GatewayRequestKind {
        switch self {
        case .token: .validate
        case .sale: .sale
        case .auth: .auth
        case .capture: .capture
        case .void: .void
        case .refund: .refund
        case .query: .query
        case .vault: .vault
        case .update: .update
        }
    }
}

/// What the simulated PAYMILL does about one request: on the wire, and in its books.
public struct PAYMILLReply: Hashable, Sendable {
    /// What the client sees of it.
    public var wire: GatewayReply.Wire
    /// What happened when the request came, in order.
    public var records: [PAYMILLRecord]
}
