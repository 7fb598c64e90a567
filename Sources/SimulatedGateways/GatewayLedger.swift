public import CardData
public import EventLoops
public import GatewayProtocols

/// What a gateway has booked, in the order of booking; where the money is at the end of a run.
public struct GatewayLedger: Hashable, Sendable {
    /// The entries, oldest first; their transaction ids follow one another.
    public private(set) var entries: [LedgerEntry] = []

    private let firstTransactionID: NMITransactionID

    /// Creates an empty ledger that counts its transactions from a number.
    public init(firstTransactionID: NMITransactionID) {
        self.firstTransactionID = firstTransactionID
    }

    /// The entry with a transaction id, or `nil`.
    ///
    /// - Complexity: O(1).
    public func entry(_ id: NMITransactionID) -> LedgerEntry? { index(of: id).map { entries[$0] } }

    /// All entries of an order, oldest first; order ids are free strings and need not be unique.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    public func entries(orderID: String) -> [LedgerEntry] {
        entries.filter { $0.orderID == orderID }
    }

    /// Adds an entry and gives it the next transaction id.
    mutating func book(_ action: LedgerAction, state: LedgerState, orderID: String) -> LedgerEntry {
        let number = firstTransactionID.number &+ UInt64(entries.count)
        let entry = LedgerEntry(
            transactionID: NMITransactionID(number) ?? firstTransactionID,
            amount: action.amount,
            state: state,
            orderID: orderID,
            actions: [action]
        )
        entries.append(entry)
        return entry
    }

    /// Moves an entry to another state by an action.
    mutating func apply(_ action: LedgerAction, to id: NMITransactionID, state: LedgerState) {
        guard let index = index(of: id) else { return }
        entries[index].state = state
        entries[index].actions.append(action)
    }

    private func index(of id: NMITransactionID) -> Int? {
        guard id >= firstTransactionID else { return nil }
        let distance = id.number - firstTransactionID.number
        return distance < UInt64(entries.count) ? Int(distance) : nil
    }
}

/// Where a transaction of the ledger stands; the names are those of the Query API's conditions.
public enum LedgerState: String, Hashable, Sendable, CaseIterable {
    /// Authorised and awaiting capture.
    case pending
    /// Sold, and awaiting settlement.
    case pendingsettlement
    /// Voided.
    case canceled
    /// Declined.
    case failed
    /// Settled.
    case complete
}

/// One transaction of the ledger.
public struct LedgerEntry: Hashable, Sendable {
    /// What a transaction began as.
    public enum TransactionType: String, Hashable, Sendable {
        /// Authorised and flagged for settlement in one.
        case sale
    }

    /// The gateway's number.
    public let transactionID: NMITransactionID
    /// What it began as.
    public let type: TransactionType
    /// The amount asked for.
    public let amount: Amount
    /// Where it stands.
    public internal(set) var state: LedgerState
    /// The merchant's name for the order; empty when there was none.
    public let orderID: String
    /// The card; `nil` as long as swipes are taken without being decrypted.
    public let maskedCardNumber: MaskedCardNumber?
    /// What was done, oldest first.
    public internal(set) var actions: [LedgerAction]

    init(
        transactionID: NMITransactionID,
        type: TransactionType = .sale,
        amount: Amount,
        state: LedgerState,
        orderID: String,
        maskedCardNumber: MaskedCardNumber? = nil,
        actions: [LedgerAction]
    ) {
        self.transactionID = transactionID
        self.type = type
        self.amount = amount
        self.state = state
        self.orderID = orderID
        self.maskedCardNumber = maskedCardNumber
        self.actions = actions
    }
}

/// One thing that was done to a transaction.
public struct LedgerAction: Hashable, Sendable {
    /// What was done.
    public let type: NMIAction.ActionType
    /// The amount it was about.
    public let amount: Amount
    /// When.
    public let instant: VirtualInstant
    /// The code of the result.
    public let responseCode: NMIResponseCode

    /// Whether it succeeded.
    public var isSuccess: Bool { responseCode == .approved }
}
