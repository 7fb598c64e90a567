public import CardData

/// A request to an NMI gateway: who asks, and for what.
///
/// Source: Direct Post API manual, "Transaction variables"; Query API manual, "Variables".
public struct NMIRequest: Hashable, Sendable {
    /// The path of payments.
    public static let transactPath = "/api/transact.php"
    /// The path of reports.
    public static let queryPath = "/api/query.php"

    /// What is asked for.
    public enum Operation: Hashable, Sendable {
        /// Authorise and flag for settlement (`type=sale`).
        case sale(NMISale)
        /// Cancel what has not been settled (`type=void`).
        case void(NMIVoid)
        /// Report transactions (`report_type=transaction`).
        case query(NMIQuery)
    }

    /// The merchant's key, `security_key`; 32 characters in the published example.
    public var securityKey: String
    /// What is asked for.
    public var operation: Operation

    /// Creates a request.
    public init(securityKey: String, operation: Operation) {
        self.securityKey = securityKey
        self.operation = operation
    }

    /// The path to post the body to.
    public var path: String {
        switch operation {
        case .sale, .void: Self.transactPath
        case .query: Self.queryPath
        }
    }

    /// The body of type ``FormEncoder/contentType``.
    public var body: [UInt8] {
        switch operation {
        case .sale(let sale):
            let swipeByteCount = sale.swipe?.encodedByteCount ?? 0
            var form = FormEncoder(
                reserving: 96 + securityKey.utf8.count + sale.orderID.utf8.count + swipeByteCount
            )
            form.append("security_key", securityKey)
            form.append("type", "sale")
            form.append("amount", sale.amount.description)
            if !sale.orderID.isEmpty { form.append("orderid", sale.orderID) }
            sale.swipe?.append(to: &form)
            return form.bytes
        case .void(let void):
            var form = FormEncoder()
            form.append("security_key", securityKey)
            form.append("type", "void")
            form.append("transactionid", void.transactionID.number)
            return form.bytes
        case .query(let query):
            var form = FormEncoder()
            form.append("security_key", securityKey)
            form.append("report_type", "transaction")
            switch query {
            case .orderID(let orderID): form.append("order_id", orderID)
            case .transactionID(let id): form.append("transaction_id", id.number)
            }
            return form.bytes
        }
    }
}

/// What a sale asks for.
public struct NMISale: Hashable, Sendable {
    /// The amount, `amount`.
    public var amount: Amount
    /// The merchant's own name for the order, `orderid`; empty when there is none.
    ///
    /// It is echoed in the answer and is the key of look-ups.
    public var orderID: String
    /// The swipe that pays, or `nil` when the request has no payment data.
    public var swipe: MagneSafeSwipeFields?

    /// Creates a sale.
    public init(amount: Amount, orderID: String, swipe: MagneSafeSwipeFields?) {
        self.amount = amount
        self.orderID = orderID
        self.swipe = swipe
    }
}

/// What a void asks for.
public struct NMIVoid: Hashable, Sendable {
    /// The transaction to cancel, `transactionid`.
    public var transactionID: NMITransactionID

    /// Creates a void.
    public init(transactionID: NMITransactionID) { self.transactionID = transactionID }
}

/// Which transactions a report is about.
public enum NMIQuery: Hashable, Sendable {
    /// All that carry this order id, `order_id`.
    case orderID(String)
    /// The one with this number, `transaction_id`.
    case transactionID(NMITransactionID)
}
