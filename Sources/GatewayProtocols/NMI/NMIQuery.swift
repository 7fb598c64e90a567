/// What a report is to hold.
///
/// Source: Query API manual, "Variables"; SDK document for `sdk_key`.
public enum NMIQuery: Hashable, Sendable {
    /// All transactions that carry this order id, `order_id`.
    case orderID(String)
    /// The one with this number, `transaction_id`.
    case transactionID(NMITransactionID)
    /// The transactions that pass a filter; an empty one lets all pass.
    case transactions(NMITransactionFilter)
    /// Another report, about one customer or subscription where an id is given.
    case report(NMIReport, id: String)

    func append(to form: inout FormEncoder) {
        switch self {
        case .orderID(let orderID):
            form.append("report_type", "transaction")
            form.append("order_id", orderID)
        case .transactionID(let id):
            form.append("report_type", "transaction")
            form.append("transaction_id", id.number)
        case .transactions(let filter):
            form.append("report_type", "transaction")
            filter.append(to: &form)
        case .report(let report, let id):
            form.append("report_type", report.rawValue)
            if !id.isEmpty, let name = report.idName { form.append(name, id) }
        }
    }
}

/// A report that is not about transactions; the raw values are those of `report_type`.
public enum NMIReport: String, CaseIterable, Hashable, Sendable {
    /// The merchant's key for ``CardCrypto/PGEncrypt``.
    case sdkKey = "sdk_key"
    /// The customers that the gateway keeps.
    case customerVault = "customer_vault"
    /// Subscriptions.
    case recurring
    /// Plans.
    case recurringPlans = "recurring_plans"
    /// Whether the account is in test mode.
    case testModeStatus = "test_mode_status"
    /// The merchant's account.
    case profile

    /// The field that names one of what is reported.
    var idName: String? {
        switch self {
        case .customerVault: "customer_vault_id"
        case .recurring: "subscription_id"
        case .sdkKey, .recurringPlans, .testModeStatus, .profile: nil
        }
    }
}

/// Which transactions a report holds; what is empty or `nil` lets all pass.
public struct NMITransactionFilter: Hashable, Sendable {
    /// The greatest number of transactions in one report; assumed, the manual names none.
    public static let maximumResultCount = 1_000

    /// `condition`: any of these.
    public var conditions: [NMICondition] = []
    /// `action_type`: a transaction with any of these.
    public var actions: [NMIAction.ActionType] = []
    /// `transaction_id`: any of these.
    public var transactionIDs: [NMITransactionID] = []
    /// `order_id`.
    public var orderID = ""
    /// `transaction_type`: `cc` for cards, `ck` for checks.
    public var transactionType = ""
    /// `source`: any of these words, such as `api` or `swipe`.
    public var sources: [String] = []
    /// `cc_number`: a number's last four digits; of a whole number only they are looked at.
    public var cardLastFour = ""
    /// Names and addresses that must be the same, letter case aside.
    public var details = NMIDetails()
    /// `customer_vault_id`.
    public var customerID = ""
    /// `subscription_id`.
    public var subscriptionID = ""
    /// `partial_payment_id`.
    public var partialPaymentID = ""
    /// `start_date`, `YYYYMMDDhhmmss` in UTC: changed then or later.
    public var startDate = ""
    /// `end_date`, `YYYYMMDDhhmmss` in UTC: changed then or earlier.
    public var endDate = ""
    /// `date_search` without `updated`: the dates are about the first action and not the last.
    public var datesAreOfCreation = false
    /// `result_limit`: at most so many on a page.
    public var resultLimit = maximumResultCount
    /// `page_number`, from 0.
    public var pageNumber = 0
    /// `result_order=reverse`: the newest first.
    public var isNewestFirst = false

    /// Creates a filter that lets all pass.
    public init() {}

    /// The details that a report can be filtered by, under the names of the Query API.
    static let detailNames: [(name: String, detail: NMIDetail)] = [
        ("first_name", .firstName), ("last_name", .lastName), ("address1", .address1),
        ("city", .city), ("state", .state), ("zip", .zip), ("phone", .phone), ("fax", .fax),
        ("email", .email), ("order_description", .orderDescription),
    ]

    func append(to form: inout FormEncoder) {
        func add(_ name: String, _ values: [String]) {
            let text = values.filter { !$0.isEmpty }.joined(separator: ",")
            if !text.isEmpty { form.append(name, text) }
        }
        add("condition", conditions.map(\.rawValue))
        add("action_type", actions.map(\.name))
        add("transaction_id", transactionIDs.map(\.description))
        add("order_id", [orderID])
        add("transaction_type", [transactionType])
        add("source", sources)
        add("cc_number", [cardLastFour])
        for (name, detail) in Self.detailNames { add(name, [details[detail] ?? ""]) }
        add("customer_vault_id", [customerID])
        add("subscription_id", [subscriptionID])
        add("partial_payment_id", [partialPaymentID])
        add("start_date", [startDate])
        add("end_date", [endDate])
        if datesAreOfCreation { add("date_search", ["created"]) }
        if resultLimit != Self.maximumResultCount { add("result_limit", [String(resultLimit)]) }
        if pageNumber != 0 { add("page_number", [String(pageNumber)]) }
        if isNewestFirst { add("result_order", ["reverse"]) }
    }
}
