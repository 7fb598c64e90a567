public import CardData
public import GatewayProtocols

/// An observable fact of the simulated AgentCASH service, for the journal.
public enum AgentCASHRecord: Hashable, Sendable {
    /// A request came; what it asks is `nil` where it cannot be read.
    case requestReceived(number: Int, kind: AgentCASHRequestKind, AgentCASHRequest?)
    /// A fault fired.
    case faultFired(number: Int, kind: AgentCASHRequestKind, GatewayFault)
    /// A transaction was entered in the ledger: authorised, declined or failed.
    case booked(number: Int, AgentCASHTransaction)
    /// A transaction changed its state or its amounts; `amount` is the money that moved or was let
    /// go.
    case changed(number: Int?, AgentCASHTransaction, to: AgentCASHTransaction.State, amount: Amount)
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
}
