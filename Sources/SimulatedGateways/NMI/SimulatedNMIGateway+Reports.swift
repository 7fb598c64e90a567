import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Transports

/// The reports of the Query API.
extension SimulatedNMIGateway {
    func report(_ query: NMIQuery) -> HTTPResponse {
        let report: NMIQueryResponse =
            switch query {
            case .orderID(let orderID): transactions(ledger.entries(orderID: orderID))
            case .transactionID(let id): transactions(ledger.entry(id).map { [$0] } ?? [])
            case .transactions(let filter): transactions(filtered(filter))
            case .report(let report, let id): self.report(report, id)
            }
        return HTTPResponse(contentType: "text/xml; charset=UTF-8", body: report.body)
    }

    private func report(_ report: NMIReport, _ id: String) -> NMIQueryResponse {
        var response = NMIQueryResponse()
        switch report {
        case .sdkKey: response.sdkKey = configuration.keyPair?.key.text ?? ""
        case .customerVault:
            response.customers = vault.customers.filter { id.isEmpty || $0.id == id }
                .prefix(NMITransactionFilter.maximumResultCount).map(Self.item)
        case .recurring:
            response.subscriptions = recurring.subscriptions.filter { id.isEmpty || $0.id == id }
                .prefix(NMITransactionFilter.maximumResultCount).map(Self.item)
        case .recurringPlans:
            response.plans = recurring.plans.prefix(NMITransactionFilter.maximumResultCount)
                .map { NMIReportItem(Self.fields($0)) }
        case .testModeStatus, .profile:
            response.accountDetails = [
                .init(name: "account_status", value: "active"),
                .init(
                    name: "test_mode_enabled",
                    value: configuration.isTestMode ? "true" : "false"
                ),
            ]
        }
        return response
    }

    // MARK: Transactions

    private func filtered(_ filter: NMITransactionFilter) -> [LedgerEntry] {
        let first = Self.offset(filter.pageNumber, filter.resultLimit)
        var found: [LedgerEntry] = []
        var passedCount = 0
        func take(_ entry: LedgerEntry) -> Bool {
            guard passes(entry, filter) else { return true }
            passedCount += 1
            if passedCount > first { found.append(entry) }
            return found.count < filter.resultLimit
        }
        if filter.isNewestFirst {
            for entry in ledger.entries.reversed() where !take(entry) { break }
        } else {
            for entry in ledger.entries where !take(entry) { break }
        }
        return found
    }

    private static func offset(_ page: Int, _ limit: Int) -> Int { page * limit }

    private func passes(_ entry: LedgerEntry, _ filter: NMITransactionFilter) -> Bool {
        func isOne<Value: Equatable>(_ value: Value, of values: [Value]) -> Bool {
            values.isEmpty || values.contains(value)
        }
        func isSame(_ value: String, _ wanted: String) -> Bool {
            wanted.isEmpty || value.lowercased() == wanted.lowercased()
        }
        guard
            isOne(NMICondition(rawValue: entry.state.rawValue) ?? .unknown, of: filter.conditions),
            filter.actions.isEmpty
                || entry.actions.contains(where: { filter.actions.contains($0.type) }),
            isOne(entry.transactionID, of: filter.transactionIDs),
            filter.orderID.isEmpty || entry.orderID == filter.orderID,
            filter.transactionType.isEmpty
                || filter.transactionType.split(separator: ",").contains(entry.transactionType[...]),
            isOne(entry.source, of: filter.sources),
            filter.cardLastFour.isEmpty
                || entry.maskedCardNumber?.lastFour == filter.cardLastFour,
            filter.customerID.isEmpty || entry.customerID == filter.customerID,
            filter.subscriptionID.isEmpty || entry.subscriptionID == filter.subscriptionID,
            filter.partialPaymentID.isEmpty || entry.partialPaymentID == filter.partialPaymentID
        else { return false }
        for (name, value) in filter.details.all
        where !isSame(entry.details[name] ?? "", value) {
            return false
        }
        guard !filter.startDate.isEmpty || !filter.endDate.isEmpty else { return true }
        let action = filter.datesAreOfCreation ? entry.actions.first : entry.actions.last
        guard let action else { return false }
        let date = date(action.instant)
        return (filter.startDate.isEmpty || date >= filter.startDate)
            && (filter.endDate.isEmpty || date <= filter.endDate)
    }

    private func transactions(_ entries: [LedgerEntry]) -> NMIQueryResponse {
        NMIQueryResponse(transactions: entries.map(transaction))
    }

    private func transaction(_ entry: LedgerEntry) -> NMITransaction {
        var transaction = NMITransaction(
            transactionID: entry.transactionID,
            condition: NMICondition(rawValue: entry.state.rawValue) ?? .unknown,
            orderID: entry.orderID,
            authCode: entry.authCode,
            maskedCardNumber: entry.maskedCardNumber,
            expirationDate: entry.expirationDate,
            avsResponse: entry.avsResponse,
            cvvResponse: entry.cvvResponse,
            entryMode: entry.entryMode,
            actions: entry.actions.map { action($0, of: entry) }
        )
        transaction.transactionType = entry.transactionType
        transaction.otherFields = otherFields(of: entry)
        return transaction
    }

    private func action(_ action: LedgerAction, of entry: LedgerEntry) -> NMIAction {
        var reported = NMIAction(
            type: action.type,
            amount: action.amount,
            isSuccess: action.isSuccess,
            date: date(action.instant),
            responseText: action.responseText,
            responseCode: action.responseCode,
            batchID: action.batchNumber == 0 ? "" : String(action.batchNumber)
        )
        reported.otherFields = [.init(name: "source", value: entry.source)]
        if let requested = entry.requestedAmount, action == entry.actions.first {
            reported.otherFields.append(
                .init(name: "requested_amount", value: requested.description)
            )
        }
        return reported
    }

    /// The names of the Query API for what was sent with a payment.
    private static let detailNames: [(NMIDetail, String)] = [
        (.purchaseOrder, "ponumber"), (.orderDescription, "order_description"),
        (.firstName, "first_name"), (.lastName, "last_name"), (.address1, "address_1"),
        (.address2, "address_2"), (.company, "company"), (.city, "city"), (.state, "state"),
        (.zip, "postal_code"), (.country, "country"), (.email, "email"), (.phone, "phone"),
        (.fax, "fax"), (.shippingFirstName, "shipping_first_name"),
        (.shippingLastName, "shipping_last_name"), (.shippingAddress1, "shipping_address_1"),
        (.shippingAddress2, "shipping_address_2"), (.shippingCompany, "shipping_company"),
        (.shippingCity, "shipping_city"), (.shippingState, "shipping_state"),
        (.shippingZip, "shipping_postal_code"), (.shippingCountry, "shipping_country"),
        (.shippingEmail, "shipping_email"), (.shippingCarrier, "shipping_carrier"),
        (.trackingNumber, "tracking_number"), (.shippingDate, "shipping_date"),
        (.shipping, "shipping"), (.processor, "processor_id"), (.tax, "tax"),
        (.currency, "currency"), (.tip, "tip"),
        (.merchantField1, "merchant_defined_field_1"),
        (.merchantField2, "merchant_defined_field_2"),
        (.merchantField3, "merchant_defined_field_3"),
    ]

    private func otherFields(of entry: LedgerEntry) -> [NMIResponse.Field] {
        var fields: [(String, String)] = Self.detailNames.map { ($1, entry.details[$0] ?? "") }
        fields.append(("customerid", entry.customerID))
        fields.append(("subscription_id", entry.subscriptionID))
        fields.append(("partial_payment_id", entry.partialPaymentID))
        if let pan = entry.pan {
            fields.append(("cc_bin", pan.issuerDigits))
            fields.append(("cc_type", pan.brand))
        }
        if let check = entry.check { fields += Self.fields(check) }
        return NMIReportItem(fields).fields
    }

    // MARK: Customers and plans

    private static func fields(_ check: NMICheck) -> [(String, String)] {
        [
            ("check_account", check.maskedAccount.description),
            ("check_aba", String(decoding: check.routingNumber, as: UTF8.self)),
            ("check_name", check.name), ("account_holder_type", check.holderType.rawValue),
            ("account_type", check.accountType.rawValue),
            ("sec_code", check.standardEntryClass.rawValue),
        ]
    }

    private static func fields(_ plan: NMIPlan) -> [(String, String)] {
        let count = plan.paymentCount == 0 ? "until_canceled" : String(plan.paymentCount)
        var fields = [
            ("plan_id", plan.id), ("plan_name", plan.name),
            ("plan_amount", plan.amount.description), ("plan_payments", count),
        ]
        switch plan.schedule {
        case .days(let count): fields.append(("day_frequency", String(count)))
        case .months(let count, let day):
            fields.append(("month_frequency", String(count)))
            fields.append(("day_of_month", String(day)))
        }
        return fields
    }

    private static func item(_ customer: StoredCustomer) -> NMIReportItem {
        var fields: [(String, String)] = detailNames.map { ($1, customer.details[$0] ?? "") }
        fields += [
            ("cc_number", customer.card.pan?.maskedInReports?.description ?? ""),
            ("cc_exp", customer.card.expirationDate?.description ?? ""),
        ]
        if let check = customer.card.check { fields += Self.fields(check) }
        return NMIReportItem(fields + [("customer_vault_id", customer.id)])
    }

    private static func item(_ subscription: Subscription) -> NMIReportItem {
        let plan = subscription.plan
        var fields: [(String, String)] = [("subscription_id", subscription.id)]
        fields += Self.fields(plan).map { ("plan/\($0.0)", $0.1) }
        if let day = subscription.nextDay { fields.append(("next_charge_date", Self.date(day))) }
        fields += [
            ("completed_payments", String(subscription.completedCount)),
            ("attempted_payments", String(subscription.attemptedCount)),
        ]
        if plan.paymentCount > 0 {
            let rest = max(0, plan.paymentCount - subscription.attemptedCount)
            fields.append(("remaining_payments", String(rest)))
        }
        fields += [
            ("orderid", subscription.orderID),
            ("cc_number", subscription.card.pan?.maskedInReports?.description ?? ""),
            ("cc_exp", subscription.card.expirationDate?.description ?? ""),
        ]
        return NMIReportItem(fields)
    }

    /// `YYYY-MM-DD` of a day counted from 1970.
    private static func date(_ day: Int64) -> String {
        let digits = Array(UTCDate.digits(secondsSince1970: day &* 86_400))
        return String(digits[..<4]) + "-" + String(digits[4..<6]) + "-" + String(digits[6..<8])
    }
}
