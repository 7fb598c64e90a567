import CardData

extension NMIQuery {
    /// Reads the fields of a request to ``NMIRequest/queryPath``.
    init(_ fields: FormFields) throws(NMIRequestError) {
        if let index = fields.index(of: "report_type"), !fields.value(at: index).isEmpty,
            !fields.hasValue("transaction", at: index)
        {
            for report in NMIReport.allCases where fields.hasValue(report.rawValue, at: index) {
                let id = report.idName.flatMap { fields.text(of: $0) } ?? ""
                self = .report(report, id: id)
                return
            }
            throw NMIRequestError(code: .unsupportedReport, offset: fields.valueOffset(at: index))
        }
        let filter = try NMITransactionFilter(fields)
        var onlyOrder = NMITransactionFilter()
        onlyOrder.orderID = filter.orderID
        var onlyID = NMITransactionFilter()
        onlyID.transactionIDs = filter.transactionIDs
        if !filter.orderID.isEmpty, filter == onlyOrder {
            self = .orderID(filter.orderID)
        } else if let id = filter.transactionIDs.first, filter.transactionIDs.count == 1,
            filter == onlyID
        {
            self = .transactionID(id)
        } else {
            self = .transactions(filter)
        }
    }
}

extension NMITransactionFilter {
    /// Reads the fields of a query; `transaction_id` may also name a subscription (Query API
    /// manual), which only a number that the gateway gave to one can.
    init(_ fields: FormFields) throws(NMIRequestError) {
        self.init()
        conditions = try fields.list("condition") { NMICondition(rawValue: $0) }
        actions = try fields.list("action_type") {
            let type = NMIAction.ActionType(name: $0)
            return Self.actionNames.contains($0) ? type : nil
        }
        transactionIDs = try fields.list("transaction_id") {
            $0.utf8.decimalValue.flatMap(NMITransactionID.init)
        }
        orderID = fields.text(of: "order_id") ?? ""
        transactionType =
            try fields.list("transaction_type") { ["cc", "ck", "cs"].contains($0) ? $0 : nil }
            .joined(separator: ",")
        sources = try fields.list("source") { Self.sourceNames.contains($0) ? $0 : nil }
        if let index = fields.index(of: "cc_number"), !fields.value(at: index).isEmpty {
            let digits = fields.value(at: index)
            guard digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), (4...19).contains(digits.count)
            else { throw fields.invalid("cc_number", at: index) }
            cardLastFour = String(decoding: digits.suffix(4), as: UTF8.self)
        }
        for (name, detail) in Self.detailNames { details[detail] = fields.text(of: name) }
        customerID = fields.text(of: "customer_vault_id") ?? ""
        subscriptionID = fields.text(of: "subscription_id") ?? ""
        partialPaymentID = fields.text(of: "partial_payment_id") ?? ""
        startDate = try fields.date("start_date")
        endDate = try fields.date("end_date")
        if let text = fields.text(of: "date_search"), !text.isEmpty {
            datesAreOfCreation = !text.split(separator: ",").contains("updated")
        }
        resultLimit =
            try fields.count("result_limit", 1...Self.maximumResultCount)
            ?? Self.maximumResultCount
        pageNumber = try fields.count("page_number", 0...1_000_000) ?? 0
        if let index = fields.index(of: "result_order"), !fields.value(at: index).isEmpty {
            isNewestFirst = fields.hasValue("reverse", at: index)
            guard isNewestFirst || fields.hasValue("standard", at: index) else {
                throw fields.invalid("result_order", at: index)
            }
        }
    }

    private static let actionNames = [
        "sale", "refund", "credit", "auth", "capture", "void", "return", "validate", "offline",
        "settle",
    ]

    private static let sourceNames = [
        "api", "batch_upload", "mobile", "quickclick", "quickbooks", "recurring", "swipe",
        "virtual_terminal", "internal",
    ]
}

extension FormFields {
    /// The greatest number of values between commas in one field.
    private static let maximumListCount = 100

    func invalid(_ name: String, at index: Int) -> NMIRequestError {
        NMIRequestError(code: .invalidField(name), offset: valueOffset(at: index))
    }

    /// The values between the commas of a field; empty without the field.
    fileprivate func list<Value>(
        _ name: String,
        _ read: (String) -> Value?
    ) throws(NMIRequestError) -> [Value] {
        guard let index = index(of: name) else { return [] }
        let text = String(decoding: value(at: index), as: UTF8.self)
        if text.isEmpty, name == "transaction_id" {
            // A client that lost its id must not be answered with every transaction.
            throw NMIRequestError(code: .invalidTransactionID, offset: valueOffset(at: index))
        }
        var values: [Value] = []
        for part in text.split(separator: ",") {
            guard values.count < Self.maximumListCount, let value = read(String(part)) else {
                throw name == "transaction_id"
                    ? NMIRequestError(code: .invalidTransactionID, offset: valueOffset(at: index))
                    : invalid(name, at: index)
            }
            values.append(value)
        }
        return values
    }

    /// `YYYYMMDDhhmmss`, or a day alone, which stands for its first second; empty without the field.
    fileprivate func date(_ name: String) throws(NMIRequestError) -> String {
        guard let index = index(of: name), !value(at: index).isEmpty else { return "" }
        let digits = value(at: index)
        guard digits.count == 14 || digits.count == 8, digits.decimalValue != nil else {
            throw invalid(name, at: index)
        }
        let text = String(decoding: digits, as: UTF8.self)
        return digits.count == 14 ? text : text + "000000"
    }

    /// A whole number within bounds; `nil` without the field or with an empty one.
    func count(_ name: String, _ bounds: ClosedRange<Int>) throws(NMIRequestError) -> Int? {
        guard let index = index(of: name), !value(at: index).isEmpty else { return nil }
        guard let number = value(at: index).decimalValue.flatMap(Int.init(exactly:)),
            bounds.contains(number)
        else { throw invalid(name, at: index) }
        return number
    }
}
