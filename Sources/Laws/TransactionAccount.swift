import CardData
import EventLoops
import Journal

/// The service's newest transactions as its records tell of them, in flat memory.
struct TransactionAccount: Sendable {
    /// One transaction.
    struct Transaction: Sendable {
        let id: AttributeValue
        /// The payment that it is for; `nil` when nobody asked for it.
        let payment: Int?
        /// What is held, in minor units, before anything was taken or let go.
        let authorised: Int64
        /// Whether the card wants a signature.
        let wantsSignature: Bool
        var captured: Int64 = 0
        var refunded: Int64 = 0
        /// What was let go.
        var released: Int64 = 0
        /// Whether its time is over: whoever asks for it may not know.
        var isExpired = false
        /// When the service was told that reader and cardholder are done.
        var confirmInstant: VirtualInstant?

        /// What can still be taken.
        var available: Int64 { max(0, authorised - captured - released) }
        /// What can still be paid back.
        var refundable: Int64 { max(0, captured - refunded) }
    }

    static let keptCount = 256

    private(set) var transactions: [Transaction] = []

    /// Adopts a new one.
    mutating func book(_ transaction: Transaction) {
        if transactions.count == Self.keptCount {
            transactions.removeFirst(Self.keptCount / 2)
        }
        transactions.append(transaction)
    }

    /// The newest transaction with an id, if it is remembered.
    func index(of id: AttributeValue?) -> Int? {
        guard let id else { return nil }
        return transactions.lastIndex { $0.id == id }
    }

    /// The newest transaction of a payment.
    func index(ofPayment serial: Int) -> Int? {
        transactions.lastIndex { $0.payment == serial }
    }

    /// Changes a transaction.
    mutating func change(_ index: Int, _ change: (inout Transaction) -> Void) {
        change(&transactions[index])
    }
}
