import CardData

extension NMIRequest {
    /// Reads a request from its path and body.
    ///
    /// A request to ``transactPath`` without a type is a sale (assumed: the manual's ASP sample
    /// sends none) unless it is about the vault or about plans. Fields that no operation here uses
    /// are ignored.
    ///
    /// - Throws: ``NMIRequestError`` with the kind of mistake and its place in the body.
    public init(decoding body: [UInt8], path: String) throws(NMIRequestError) {
        let fields: FormFields
        do {
            fields = try FormFields(decoding: body, as: .request)
        } catch {
            throw NMIRequestError(code: .form(error.code), offset: error.offset)
        }
        try self.init(fields, path: path)
    }

    /// Reads a request from its path and its decoded fields.
    ///
    /// - Throws: ``NMIRequestError`` with the kind of mistake and its place in the body.
    public init(_ fields: FormFields, path: String) throws(NMIRequestError) {
        switch path {
        case Self.transactPath: operation = try NMITransactFields(fields).operation()
        case Self.queryPath: operation = .query(try NMIQuery(fields))
        default: throw NMIRequestError(code: .unknownPath, offset: 0)
        }
        credentials = NMICredentials(fields)
    }
}

extension NMITransactFields {
    /// Reads what is asked for.
    func operation() throws(NMIRequestError) -> NMIRequest.Operation {
        guard let index = filledIndex(.type) else {
            if let index = filledIndex(.customerVault) { return .vault(try vault(at: index)) }
            if let index = filledIndex(.recurring) { return .recurring(try recurring(at: index)) }
            return .payment(try payment(.sale))
        }
        for type in NMIPayment.PaymentType.allCases where fields.hasValue(type.rawValue, at: index)
        {
            return .payment(try payment(type))
        }
        for type in NMIFollowUp.FollowUpType.allCases
        where fields.hasValue(type.rawValue, at: index) {
            return .followUp(try followUp(type))
        }
        if fields.hasValue("complete_partial_payment", at: index) {
            guard let id = details[.partialPaymentID] else {
                throw NMIRequestError(code: .missingField("partial_payment_id"), offset: 0)
            }
            return .completePartialPayment(id: id)
        }
        throw error(.unsupportedType, at: index)
    }

    private func payment(
        _ type: NMIPayment.PaymentType
    ) throws(NMIRequestError) -> NMIPayment {
        // First, so that a request that pays by nothing known says so whatever else it lacks.
        _ = try isCheck()
        let amount = try amount(isNeeded: type != .validate)
        if type == .offline, details[.authorizationCode] == nil {
            throw NMIRequestError(code: .missingAuthorizationCode, offset: 0)
        }
        if let index = duplicateSecondsIndex, let text = details[.duplicateSeconds] {
            guard let seconds = text.utf8.decimalValue, seconds <= 7_862_400 else {
                throw error(.invalidDuplicateSeconds, at: index)
            }
        }
        return NMIPayment(
            type,
            amount: amount ?? Amount(minorUnits: 0),
            orderID: text(.orderID),
            card: try card(),
            cvv: cvv,
            details: details,
            vault: try vaultOrder(),
            subscription: try subscription()
        )
    }

    private func vaultOrder() throws(NMIRequestError) -> NMIVaultOrder? {
        guard let index = filledIndex(.customerVault) else { return nil }
        let isNew = fields.hasValue(NMIVaultRequest.Action.add.rawValue, at: index)
        guard isNew || fields.hasValue(NMIVaultRequest.Action.update.rawValue, at: index) else {
            throw error(.invalidField("customer_vault"), at: index)
        }
        return NMIVaultOrder(isNew: isNew, customerID: text(.customerVaultID))
    }

    private func subscription() throws(NMIRequestError) -> NMISubscriptionOrder? {
        guard let index = filledIndex(.recurring) else { return nil }
        guard fields.hasValue("add_subscription", at: index) else {
            throw error(.invalidField("recurring"), at: index)
        }
        return try subscriptionOrder()
    }

    private func followUp(
        _ type: NMIFollowUp.FollowUpType
    ) throws(NMIRequestError) -> NMIFollowUp {
        let isCheck = try isCheck()
        guard let id = index(.transactionID) else {
            throw NMIRequestError(code: .missingTransactionID, offset: 0)
        }
        guard
            let transactionID = fields.value(at: id).decimalValue.flatMap(NMITransactionID.init)
        else { throw error(.invalidTransactionID, at: id) }
        var amount: Amount?
        switch type {
        case .capture: amount = try self.amount(isNeeded: true)
        case .refund: amount = try self.amount(isNeeded: false)
        case .void, .update: amount = nil
        }
        return NMIFollowUp(
            type,
            transactionID: transactionID,
            amount: amount,
            orderID: text(.orderID),
            voidReason: type == .void ? try voidReason() : nil,
            isCheck: isCheck,
            details: details
        )
    }

    private func amount(isNeeded: Bool) throws(NMIRequestError) -> Amount? {
        guard let index = index(.amount) else {
            guard isNeeded else { return nil }
            throw NMIRequestError(code: .missingAmount, offset: 0)
        }
        let value = fields.value(at: index)
        if value.isEmpty, !isNeeded { return nil }
        guard let amount = Amount(value) else { throw error(.invalidAmount, at: index) }
        return amount
    }

    private func voidReason() throws(NMIRequestError) -> NMIVoidReason? {
        guard let index = filledIndex(.voidReason) else { return nil }
        for reason in NMIVoidReason.allCases where fields.hasValue(reason.rawValue, at: index) {
            return reason
        }
        throw error(.invalidVoidReason, at: index)
    }
}
