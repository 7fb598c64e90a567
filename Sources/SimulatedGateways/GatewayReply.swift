public import CardData
public import EventLoops
public import GatewayProtocols
public import Transports

/// What a simulated gateway does about one request: on the wire, and in its books.
public struct GatewayReply: Hashable, Sendable {
    /// What the client sees of it.
    public enum Wire: Hashable, Sendable {
        /// This response, so long after the request came.
        case answer(HTTPResponse, after: VirtualDuration)
        /// Nothing, ever.
        case silence
        /// The connection is lost so long after the request came.
        case reset(after: VirtualDuration)
        /// The connection was never made; this shows at once.
        case refused
    }

    /// What the client sees of it.
    public var wire: Wire
    /// What happened at the gateway when the request came, in order.
    public var records: [GatewayRecord]
    /// What was made of the card, where somebody keeps requests; see
    /// ``SimulatedNMIGateway/keepsCardMemory``.
    public var cardMemory: String?

    /// Creates a reply.
    public init(wire: Wire, records: [GatewayRecord]) {
        self.wire = wire
        self.records = records
    }
}

/// An observable fact of a gateway, for the journal.
///
/// `number` counts from 1 what was sent, also what was refused, so that it is the sender's number;
/// 0 is no request: the gateway did it by its calendar.
public enum GatewayRecord: Hashable, Sendable {
    /// A request came; the amount is `nil` where there is none or none that can be read.
    case requestReceived(number: Int, kind: GatewayRequestKind, amount: Amount?, orderID: String)
    /// A fault fired.
    case faultFired(number: Int, kind: GatewayRequestKind, GatewayFault)
    /// A transaction was entered in the ledger; in the state `failed` no money is asked for.
    case booked(
        number: Int,
        transactionID: NMITransactionID,
        type: LedgerEntry.TransactionType,
        amount: Amount,
        orderID: String,
        state: LedgerState
    )
    /// A transaction was canceled.
    case voided(
        number: Int,
        transactionID: NMITransactionID,
        amount: Amount,
        orderID: String
    )
    /// An authorisation was flagged for settlement with this amount.
    case captured(
        number: Int,
        transactionID: NMITransactionID,
        amount: Amount,
        orderID: String
    )
    /// The money of a transaction moved, at a cut-off and by no request.
    case settled(transactionID: NMITransactionID, amount: Amount, orderID: String)
}
