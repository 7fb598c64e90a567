public import CardData
public import GatewayProtocols

/// An observable fact of the simulated AgentCASH service, for the journal.
public enum AgentCASHRecord: Hashable, Sendable {
    /// A request came, about this.
    case requestReceived(number: Int, kind: AgentCASHRequestKind, AgentCASHSubject)
    /// A fault fired.
    case faultFired(number: Int, kind: AgentCASHRequestKind, GatewayFault)
    /// A transaction was entered in the ledger: authorised, declined or failed.
    case booked(number: Int, AgentCASHTransaction, capturesAtOnce: Bool)
    /// A transaction changed its state or its amounts; `amount` is the money that moved or was let
    /// go.
    case changed(number: Int?, AgentCASHTransaction, to: AgentCASHTransaction.State, amount: Amount)
}

/// What a request names: nothing for one that cannot be read, and never a card.
public struct AgentCASHSubject: Hashable, Sendable {
    /// The money.
    public var amount: Amount?
    /// The app's name for the payment; empty without one.
    public var externalID: String
    /// The SDK's name for the payment; `nil` where none is asked.
    public var reference: String?
    /// The service's number of the payment.
    public var transactionID: UInt64?

    /// Creates the subject of a request.
    public init(
        amount: Amount? = nil,
        externalID: String = "",
        reference: String? = nil,
        transactionID: UInt64? = nil
    ) {
        self.amount = amount
        self.externalID = externalID
        self.reference = reference
        self.transactionID = transactionID
    }

    init(_ request: AgentCASHRequest?) {
        self.init()
        switch request {
        case nil: break
        case .authorise(let authorisation):
            amount = authorisation.amount
            externalID = authorisation.externalID
            reference = authorisation.reference
        case .confirm(let id, _), .reverse(let id), .transaction(let id): transactionID = id
        case .capture(let id, let amount), .refund(let id, let amount):
            self.amount = amount
            transactionID = id
        case .search(.reference(let text)): reference = text
        case .search(.externalID(let text)): externalID = text
        }
    }
}

/// What a request to AgentCASH is about.
public enum AgentCASHRequestKind: String, Hashable, Sendable, CaseIterable {
    /// An authorisation, or a request that cannot be read.
    case authorise
    /// A confirmation.
    case confirm
    /// A reversal.
    case reverse
    /// A capture.
    case capture
    /// A refund.
    case refund
    /// A look-up of one transaction or of several.
    case query

    init(_ request: AgentCASHRequest) {
        switch request {
        case .authorise: self = .authorise
        case .confirm: self = .confirm
        case .reverse: self = .reverse
        case .capture: self = .capture
        case .refund: self = .refund
        case .transaction, .search: self = .query
        }
    }

    /// The kind as faults of gateways name it.
    public var faultKind: GatewayRequestKind {
        switch self {
        case .authorise: .auth
        case .confirm: .update
        case .reverse: .void
        case .capture: .capture
        case .refund: .refund
        case .query: .query
        }
    }
}

/// What the simulated AgentCASH service does about one request: on the wire, and in its books.
public struct AgentCASHReply: Hashable, Sendable {
    /// What the client sees of it.
    public var wire: GatewayReply.Wire
    /// What happened when the request came, in order.
    public var records: [AgentCASHRecord]
    /// What was made of the card of an authorisation.
    public var cardMemory: String?
}
