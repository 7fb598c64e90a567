import CardData

extension NMITransactFields {
    /// Reads a request about the vault.
    func vault(at index: Int) throws(NMIRequestError) -> NMIVaultRequest {
        let text = String(decoding: fields.value(at: index), as: UTF8.self)
        guard let action = NMIVaultRequest.Action(rawValue: text) else {
            throw error(.invalidField("customer_vault"), at: index)
        }
        guard action == .add || filledIndex(.customerVaultID) != nil else {
            throw NMIRequestError(code: .missingField("customer_vault_id"), offset: 0)
        }
        return NMIVaultRequest(
            action,
            customerID: self.text(.customerVaultID),
            card: action == .delete ? nil : try payingCard(),
            details: details
        )
    }

    /// Reads a request about plans and subscriptions.
    func recurring(at index: Int) throws(NMIRequestError) -> NMIRecurringRequest {
        switch String(decoding: fields.value(at: index), as: UTF8.self) {
        case "add_plan":
            guard let id = fields.text(of: "plan_id"), !id.isEmpty else {
                throw NMIRequestError(code: .missingField("plan_id"), offset: 0)
            }
            return .addPlan(try plan(id: id))
        case "add_subscription":
            return .subscribe(
                try subscriptionOrder(),
                card: try payingCard(),
                orderID: text(.orderID),
                details: details
            )
        case "update_subscription":
            return .update(
                subscriptionID: try subscriptionID(),
                card: try payingCard(),
                details: details
            )
        case "delete_subscription": return .delete(subscriptionID: try subscriptionID())
        default: throw error(.invalidField("recurring"), at: index)
        }
    }

    /// What pays, where the request has any of it: `payment=check` alone asks for nothing.
    private func payingCard() throws(NMIRequestError) -> NMICardData? {
        if try isCheck(), first(.checkName, .checkAccount) == nil { return try cardOnly() }
        return try card()
    }

    private func subscriptionID() throws(NMIRequestError) -> String {
        guard let id = fields.text(of: "subscription_id"), !id.isEmpty else {
            throw NMIRequestError(code: .missingField("subscription_id"), offset: 0)
        }
        return id
    }

    /// Reads a plan of the gateway's or one of its own, and the first day.
    func subscriptionOrder() throws(NMIRequestError) -> NMISubscriptionOrder {
        var startDate = ""
        if let index = fields.index(of: "start_date"), !fields.value(at: index).isEmpty {
            let digits = fields.value(at: index)
            guard digits.count == 8, let number = digits.decimalValue,
                (1...12).contains(number / 100 % 100), (1...31).contains(number % 100)
            else { throw error(.invalidField("start_date"), at: index) }
            startDate = String(decoding: digits, as: UTF8.self)
        }
        if let id = fields.text(of: "plan_id"), !id.isEmpty {
            return NMISubscriptionOrder(.known(id), startDate: startDate)
        }
        return NMISubscriptionOrder(.own(try plan(id: "")), startDate: startDate)
    }

    private func plan(id: String) throws(NMIRequestError) -> NMIPlan {
        guard let index = fields.index(of: "plan_amount") else {
            throw NMIRequestError(code: .missingField("plan_amount"), offset: 0)
        }
        guard let amount = Amount(fields.value(at: index)), amount.minorUnits > 0 else {
            throw error(.invalidField("plan_amount"), at: index)
        }
        guard let count = try fields.count("plan_payments", 0...10_000) else {
            throw NMIRequestError(code: .missingField("plan_payments"), offset: 0)
        }
        return NMIPlan(
            id: id,
            name: fields.text(of: "plan_name") ?? "",
            amount: amount,
            paymentCount: count,
            schedule: try schedule()
        )
    }

    /// Days, or months with a day, and not both.
    private func schedule() throws(NMIRequestError) -> NMIPlan.Schedule {
        let days = try fields.count("day_frequency", 1...3_660)
        let months = try fields.count("month_frequency", 1...24)
        let day = try fields.count("day_of_month", 1...31)
        switch (days, months, day) {
        case (let days?, nil, nil): return .days(days)
        case (nil, let months?, let day?): return .months(months, day: day)
        case (nil, nil, nil), (nil, nil, _?):
            throw NMIRequestError(code: .missingField("day_frequency"), offset: 0)
        case (nil, _?, nil):
            throw NMIRequestError(code: .missingField("day_of_month"), offset: 0)
        case (_?, _?, _), (_?, _, _?):
            throw NMIRequestError(
                code: .invalidField("day_frequency"),
                offset: fields.index(of: "day_frequency").map { fields.valueOffset(at: $0) } ?? 0
            )
        }
    }
}
