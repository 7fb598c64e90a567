public import CardData
public import EventLoops
public import GatewayProtocols

/// What a gateway has booked, in the order of booking; where the money is at the end of a run.
public struct GatewayLedger: Hashable, Sendable {
    /// The entries, oldest first; their transaction ids follow one another.
    public private(set) var entries: [LedgerEntry] = []

    /// How many entries await settlement.
    private(set) var awaitingSettlementCount = 0

    let firstTransactionID: NMITransactionID

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

    /// The id of the next entry.
    var nextTransactionID: NMITransactionID {
        let number = firstTransactionID.number &+ UInt64(entries.count)
        return NMITransactionID(number) ?? firstTransactionID
    }

    /// Adds an entry, which carries ``nextTransactionID``.
    mutating func book(_ entry: LedgerEntry) {
        entries.append(entry)
        if entry.state == .pendingsettlement { awaitingSettlementCount += 1 }
    }

    /// Changes the entry with a transaction id, if there is one.
    mutating func change(_ id: NMITransactionID, _ change: (inout LedgerEntry) -> Void) {
        guard let index = index(of: id) else { return }
        if entries[index].state == .pendingsettlement { awaitingSettlementCount -= 1 }
        change(&entries[index])
        if entries[index].state == .pendingsettlement { awaitingSettlementCount += 1 }
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
    /// Sold or captured, and awaiting settlement.
    case pendingsettlement
    /// Voided.
    case canceled
    /// Declined.
    case failed
    /// Settled.
    case complete
}

/// One transaction of the ledger.
///
/// The card's number is kept so that duplicates can be told; only its masked form leaves.
public struct LedgerEntry: Hashable, Sendable {
    /// What a transaction began as.
    public enum TransactionType: String, Hashable, Sendable, CaseIterable {
        /// Authorised and flagged for settlement in one.
        case sale
        /// Authorised only, until it is captured.
        case auth
        /// Paid out without reference to an earlier payment.
        case credit
        /// An account was verified; no money.
        case validate
        /// The issuer authorised it by telephone.
        case offline
        /// Paid back of an earlier transaction.
        case refund

        init(_ type: NMIPayment.PaymentType) {
            switch type {
            case .sale: self = .sale
            case .auth: self = .auth
            case .credit: self = .credit
            case .validate: self = .validate
            case .offline: self = .offline
            }
        }

        /// The action with which it begins.
        var action: NMIAction.ActionType {
            switch self {
            case .sale: .sale
            case .auth: .auth
            case .credit: .credit
            case .validate: .validate
            case .offline: .other("offline")
            case .refund: .refund
            }
        }
    }

    /// The gateway's number.
    public let transactionID: NMITransactionID
    /// What it began as.
    public let type: TransactionType
    /// The amount asked for; for an authorisation, the most that can be captured.
    public let amount: Amount
    /// Where it stands.
    public internal(set) var state: LedgerState
    /// The merchant's name for the order; empty when there was none.
    public let orderID: String
    /// The issuer's code; empty for what needs none.
    public internal(set) var authCode = ""
    /// The card as reports show it, such as `4xxxxxxxxxxx1111`; `nil` where the gateway could not
    /// read it.
    public internal(set) var maskedCardNumber: MaskedCardNumber?
    /// The card's month of expiry, where the gateway could read it.
    public internal(set) var expirationDate: ExpirationDate?
    /// The address check's letter, or empty.
    public internal(set) var avsResponse = ""
    /// The security code check's letter, or empty.
    public internal(set) var cvvResponse = ""
    /// How the card was read: `Swiped` or `Keyed`.
    public internal(set) var entryMode = ""
    /// What was sent with it, and added by updates.
    public internal(set) var details = NMIDetails()
    /// What was captured of an authorisation, or `nil`.
    public internal(set) var capturedAmount: Amount?
    /// What was paid back of it, refunds that were voided taken off.
    public internal(set) var refundedAmount = Amount(minorUnits: 0)
    /// The transaction of which a refund pays back, or `nil`.
    public internal(set) var originalID: NMITransactionID?
    /// The bank account that pays, or `nil` where a card does.
    public internal(set) var check: NMICheck?
    /// Where it came from: `api`, `swipe` or `recurring`.
    public internal(set) var source = "api"
    /// The stored customer who pays, or empty.
    public internal(set) var customerID = ""
    /// The subscription that it is a payment of, or empty.
    public internal(set) var subscriptionID = ""
    /// The payment in parts that it belongs to, or empty.
    public internal(set) var partialPaymentID = ""
    /// What was asked for where only a part was approved, or `nil`.
    public internal(set) var requestedAmount: Amount?
    /// What was done, oldest first.
    public internal(set) var actions: [LedgerAction] = []

    /// The card's number, to tell duplicates.
    var pan: PAN?

    init(
        transactionID: NMITransactionID,
        type: TransactionType,
        amount: Amount,
        state: LedgerState,
        orderID: String
    ) {
        self.transactionID = transactionID
        self.type = type
        self.amount = amount
        self.state = state
        self.orderID = orderID
    }

    /// The amount that moves at settlement.
    public var settlementAmount: Amount { capturedAmount ?? amount }

    /// What can still be paid back: nothing unless it took money and was not voided.
    func balance(beforeSettlement: Bool) -> Amount {
        let isPaid = state == .complete || state == .pendingsettlement && beforeSettlement
        switch type {
        case .sale, .auth, .offline:
            let rest = settlementAmount.minorUnits - refundedAmount.minorUnits
            return Amount(minorUnits: isPaid ? rest : 0)
        case .credit, .validate, .refund: return Amount(minorUnits: 0)
        }
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
    /// Why it was voided, where the request said so.
    public var voidReason: NMIVoidReason?
    /// The number of the settlement batch; 0 where there is none.
    public internal(set) var batchNumber = 0

    init(
        type: NMIAction.ActionType,
        amount: Amount,
        instant: VirtualInstant,
        responseCode: NMIResponseCode = .approved,
        voidReason: NMIVoidReason? = nil
    ) {
        self.type = type
        self.amount = amount
        self.instant = instant
        self.responseCode = responseCode
        self.voidReason = voidReason
    }

    /// Whether it succeeded.
    public var isSuccess: Bool { responseCode == .approved }
}
