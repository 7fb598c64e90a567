public import CardData

/// The gateway's report of transactions, an XML document with the root `nm_response`.
///
/// Source: Query API manual, "Response".
public struct NMIQueryResponse: Hashable, Sendable {
    /// The text of `error_response`, or `nil`.
    ///
    /// A report with one is an error even when it holds transactions as well.
    public var errorText: String?
    /// The transactions found, oldest first; empty when nothing matched.
    public var transactions: [NMITransaction]
    /// The merchant's key string for ``CardCrypto/PGEncrypt``, `sdk_key`, or `nil`.
    ///
    /// That it stands directly under the root is assumed.
    public var sdkKey: String?
    /// The customers that the gateway keeps, `customer` in `customer_vault`.
    public var customers: [NMIReportItem] = []
    /// The subscriptions, `subscription`.
    public var subscriptions: [NMIReportItem] = []
    /// The plans, `plan`.
    public var plans: [NMIReportItem] = []
    /// What the report says of the account, the elements of `account_details`.
    public var accountDetails: [NMIResponse.Field] = []

    /// Creates a report.
    public init(
        errorText: String? = nil,
        transactions: [NMITransaction] = [],
        sdkKey: String? = nil
    ) {
        self.errorText = errorText
        self.transactions = transactions
        self.sdkKey = sdkKey
    }
}

/// One customer, subscription or plan of a report: its elements in their order.
public struct NMIReportItem: Hashable, Sendable {
    /// The elements; those inside another element have its name and a stroke before their own.
    public var fields: [NMIResponse.Field]

    /// Creates an item; elements without a value are left out.
    public init(_ fields: [(String, String)]) {
        self.fields = fields.filter { !$0.1.isEmpty }
            .map { NMIResponse.Field(name: $0.0, value: $0.1) }
    }

    /// The value of the first element of a name, or `nil`.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// Where a transaction stands, the element `condition`.
///
/// Source: Query API manual, "Transaction conditions".
public enum NMICondition: String, Hashable, Sendable, CaseIterable {
    /// Authorised and awaiting capture.
    case pending
    /// Captured or sold, and awaiting settlement.
    case pendingsettlement
    /// Not finished (three-step payments only).
    case inProgress = "in_progress"
    /// Never finished (three-step payments only, after 24 hours).
    case abandoned
    /// Declined or in error.
    case failed
    /// Voided.
    case canceled
    /// Settled.
    case complete
    /// The gateway's own `unknown`, and any word that the manual does not have.
    case unknown
}

/// One `transaction` of a report, as far as a payment needs it.
public struct NMITransaction: Hashable, Sendable {
    /// The gateway's number, `transaction_id`; `nil` when missing.
    public var transactionID: NMITransactionID?
    /// Where it stands, `condition`.
    public var condition: NMICondition
    /// The merchant's name for the order, `order_id`.
    public var orderID: String
    /// The issuer's code, `authorization_code`.
    public var authCode: String
    /// The card as the report masks it, `cc_number` such as `4xxxxxxxxxxx1111`.
    public var maskedCardNumber: MaskedCardNumber?
    /// The month of expiry, `cc_exp`.
    public var expirationDate: ExpirationDate?
    /// The address check's letter, `avs_response`.
    public var avsResponse: String
    /// The security code check's letter, `csc_response`.
    public var cvvResponse: String
    /// How the card was read, `entry_mode`, such as `Keyed` or `Swiped`.
    public var entryMode: String
    /// What was done with it, in the order of time.
    public var actions: [NMIAction]
    /// `cc` for a card, `ck` for a check; empty when missing.
    public var transactionType = ""
    /// Every other element that has a value, in the order of the report.
    public var otherFields: [NMIResponse.Field] = []

    /// Creates a transaction.
    public init(
        transactionID: NMITransactionID?,
        condition: NMICondition,
        orderID: String = "",
        authCode: String = "",
        maskedCardNumber: MaskedCardNumber? = nil,
        expirationDate: ExpirationDate? = nil,
        avsResponse: String = "",
        cvvResponse: String = "",
        entryMode: String = "",
        actions: [NMIAction] = []
    ) {
        self.transactionID = transactionID
        self.condition = condition
        self.orderID = orderID
        self.authCode = authCode
        self.maskedCardNumber = maskedCardNumber
        self.expirationDate = expirationDate
        self.avsResponse = avsResponse
        self.cvvResponse = cvvResponse
        self.entryMode = entryMode
        self.actions = actions
    }

    /// The sum of the settled amounts.
    ///
    /// Only the action `settle` moves money: `level3` and `sale` repeat the amount.
    public var settledAmount: Amount {
        var sum: Int64 = 0
        for action in actions where action.type == .settle && action.isSuccess {
            sum = sum.addingReportingOverflow(action.amount?.minorUnits ?? 0).partialValue
        }
        return Amount(minorUnits: sum)
    }
}

/// One `action` of a transaction.
public struct NMIAction: Hashable, Sendable {
    /// What was done, `action_type`.
    public enum ActionType: Hashable, Sendable {
        /// Money was asked for, or a transaction changed.
        case sale, auth, capture, void, refund, credit, validate
        /// The money moved.
        case settle
        /// Level 3 data was passed on; its amount is not money.
        case level3
        /// Any other word.
        case other(String)

        /// The word on the wire.
        public var name: String {
            switch self {
            case .sale: "sale"
            case .auth: "auth"
            case .capture: "capture"
            case .void: "void"
            case .refund: "refund"
            case .credit: "credit"
            case .validate: "validate"
            case .settle: "settle"
            case .level3: "level3"
            case .other(let name): name
            }
        }

        /// Reads the word on the wire.
        public init(name: String) {
            switch name {
            case "sale": self = .sale
            case "auth": self = .auth
            case "capture": self = .capture
            case "void": self = .void
            case "refund": self = .refund
            case "credit": self = .credit
            case "validate": self = .validate
            case "settle": self = .settle
            case "level3": self = .level3
            default: self = .other(name)
            }
        }
    }

    /// What was done, `action_type`.
    public var type: ActionType
    /// The amount, `amount`; `nil` when missing or not a plain decimal number.
    public var amount: Amount?
    /// Whether it succeeded, `success`: `1` or `0`.
    public var isSuccess: Bool
    /// When, `date`: `YYYYMMDDhhmmss` in UTC.
    public var date: String
    /// The text for people, `response_text`.
    public var responseText: String
    /// The code of the result, `response_code`; `nil` when missing or no code.
    public var responseCode: NMIResponseCode?
    /// The settlement batch, `batch_id`; empty when there is none.
    public var batchID: String
    /// Every other element that has a value, in the order of the report.
    public var otherFields: [NMIResponse.Field] = []

    /// Creates an action.
    public init(
        type: ActionType,
        amount: Amount?,
        isSuccess: Bool,
        date: String = "",
        responseText: String = "",
        responseCode: NMIResponseCode? = nil,
        batchID: String = ""
    ) {
        self.type = type
        self.amount = amount
        self.isSuccess = isSuccess
        self.date = date
        self.responseText = responseText
        self.responseCode = responseCode
        self.batchID = batchID
    }
}
