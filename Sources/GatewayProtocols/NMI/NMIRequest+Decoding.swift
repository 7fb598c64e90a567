import CardData

extension NMIRequest {
    /// Reads a request from its path and body.
    ///
    /// A request to ``transactPath`` without a type is a sale (assumed: the manual's ASP sample
    /// sends none). Fields that no operation here uses are ignored.
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
        case Self.queryPath: operation = .query(try Self.query(fields))
        default: throw NMIRequestError(code: .unknownPath, offset: 0)
        }
        credentials = NMICredentials(fields)
    }

    private static func query(_ fields: FormFields) throws(NMIRequestError) -> NMIQuery {
        if let index = fields.index(of: "report_type"), !fields.hasValue("transaction", at: index) {
            throw NMIRequestError(code: .unsupportedReport, offset: fields.valueOffset(at: index))
        }
        if let orderID = fields.text(of: "order_id"), !orderID.isEmpty { return .orderID(orderID) }
        guard let index = fields.index(of: "transaction_id") else {
            throw NMIRequestError(code: .missingFilter, offset: 0)
        }
        return .transactionID(try fields.transactionID(at: index))
    }
}

/// The places of a payment request's fields in its body, found in one pass.
struct NMITransactFields {
    /// The fields that decide; of one that comes twice the last counts.
    private enum Name: UInt8 {
        case type, amount, orderID, transactionID, voidReason, payment
        case cardNumber, cardExpiration, cvv
        case track1, track2, track3
        case magneSafeTrack1, magneSafeTrack2, magneSafeTrack3, magneSafeKSN
        case magnePrint, magnePrintStatus
        case encryptedTrack1, encryptedTrack2, encryptedTrack3, encryptedKSN
        /// Known here only so that it is not looked for among the details.
        case securityKey

    }

    private let fields: FormFields
    private var places = InlineArray<23, Int16>(repeating: -1)
    private var details = NMIDetails()
    private var duplicateSecondsIndex: Int?

    /// Finds the fields.
    init(_ fields: FormFields) {
        self.fields = fields
        for index in 0..<fields.count {
            if let name = Self.name(fields, at: index) {
                places[Int(name.rawValue)] = Int16(truncatingIfNeeded: index)
            } else if let detail = NMIDetail.named(fields, at: index) {
                details[detail] = String(decoding: fields.value(at: index), as: UTF8.self)
                if detail == .duplicateSeconds { duplicateSecondsIndex = index }
            }
        }
    }

    /// Reads what is asked for.
    func operation() throws(NMIRequestError) -> NMIRequest.Operation {
        try checkPayment()
        guard let index = index(.type) else { return .payment(try payment(.sale)) }
        for type in NMIPayment.PaymentType.allCases where fields.hasValue(type.rawValue, at: index)
        {
            return .payment(try payment(type))
        }
        for type in NMIFollowUp.FollowUpType.allCases
        where fields.hasValue(type.rawValue, at: index) {
            return .followUp(try followUp(type))
        }
        throw error(.unsupportedType, at: index)
    }

    private func payment(
        _ type: NMIPayment.PaymentType
    ) throws(NMIRequestError) -> NMIPayment {
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
            orderID: orderID,
            card: try card(),
            cvv: index(.cvv).map { CardSecurityCode(unmasked: Array(fields.value(at: $0))) },
            details: details
        )
    }

    private func followUp(
        _ type: NMIFollowUp.FollowUpType
    ) throws(NMIRequestError) -> NMIFollowUp {
        guard let id = index(.transactionID) else {
            throw NMIRequestError(code: .missingTransactionID, offset: 0)
        }
        let transactionID = try fields.transactionID(at: id)
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
            orderID: orderID,
            voidReason: type == .void ? try voidReason() : nil,
            details: details
        )
    }

    private var orderID: String {
        index(.orderID).map { String(decoding: fields.value(at: $0), as: UTF8.self) } ?? ""
    }

    private func checkPayment() throws(NMIRequestError) {
        guard let index = index(.payment), !fields.value(at: index).isEmpty else { return }
        guard fields.hasValue("creditcard", at: index) else {
            throw error(.unsupportedPayment, at: index)
        }
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
        guard let index = index(.voidReason), !fields.value(at: index).isEmpty else { return nil }
        for reason in NMIVoidReason.allCases where fields.hasValue(reason.rawValue, at: index) {
            return reason
        }
        throw error(.invalidVoidReason, at: index)
    }

    // MARK: Cards

    /// What pays; an encrypted swipe counts before a clear one, and a swipe before what was typed
    /// (assumed).
    private func card() throws(NMIRequestError) -> NMICardData? {
        if let first = first(.magneSafeTrack1, .magnePrintStatus) {
            let swipe = MagneSafeSwipeFields(
                track1: bytes(.magneSafeTrack1),
                track2: bytes(.magneSafeTrack2),
                track3: bytes(.magneSafeTrack3),
                ksn: bytes(.magneSafeKSN),
                magnePrint: bytes(.magnePrint),
                magnePrintStatus: bytes(.magnePrintStatus)
            )
            guard swipe.isWellFormed else { throw error(.invalidSwipe, at: first) }
            return .magneSafe(swipe)
        }
        if let first = first(.encryptedTrack1, .encryptedKSN) {
            let tracks = NMIEncryptedTracks(
                track1: bytes(.encryptedTrack1),
                track2: bytes(.encryptedTrack2),
                track3: bytes(.encryptedTrack3),
                ksn: bytes(.encryptedKSN)
            )
            guard tracks.isWellFormed else { throw error(.invalidSwipe, at: first) }
            return .encrypted(tracks)
        }
        if first(.track1, .track3) != nil {
            let tracks = NMITracks(
                unmaskedTrack1: bytes(.track1),
                unmaskedTrack2: bytes(.track2),
                unmaskedTrack3: bytes(.track3)
            )
            if !tracks.isEmpty { return .tracks(tracks) }
        }
        guard index(.cardNumber) != nil || index(.cardExpiration) != nil else { return nil }
        return .keyed(
            NMIKeyedCard(
                unmaskedNumber: bytes(.cardNumber),
                expiration: bytes(.cardExpiration)
            )
        )
    }

    /// The earliest place in the body of any of the fields from one to another.
    private func first(_ start: Name, _ end: Name) -> Int? {
        var first: Int?
        for name in start.rawValue...end.rawValue {
            let place = Int(places[Int(name)])
            if place >= 0, place < first ?? .max { first = place }
        }
        return first
    }

    private func bytes(_ name: Name) -> [UInt8] {
        index(name).map { Array(fields.value(at: $0)) } ?? []
    }

    private func index(_ name: Name) -> Int? {
        let place = places[Int(name.rawValue)]
        return place < 0 ? nil : Int(place)
    }

    private func error(_ code: NMIRequestError.Code, at index: Int) -> NMIRequestError {
        NMIRequestError(code: code, offset: fields.valueOffset(at: index))
    }

    // MARK: Names

    /// The name of the field at a position; told apart by length first.
    private static func name(_ fields: FormFields, at index: Int) -> Name? {
        switch fields.nameLength(at: index) {
        case 3: fields.hasName("cvv", at: index) ? .cvv : nil
        case 4: fields.hasName("type", at: index) ? .type : nil
        case 5: fields.hasName("ccexp", at: index) ? .cardExpiration : nil
        case 6: fields.hasName("amount", at: index) ? .amount : nil
        case 7: sevenLetterName(fields, at: index)
        case 8: fields.hasName("ccnumber", at: index) ? .cardNumber : nil
        case 11: fields.hasName("void_reason", at: index) ? .voidReason : nil
        case 12: fields.hasName("security_key", at: index) ? .securityKey : nil
        case 13:
            fields.hasName("magnesafe_ksn", at: index)
                ? .magneSafeKSN
                : fields.hasName("transactionid", at: index)
                    ? .transactionID
                    : fields.hasName("encrypted_ksn", at: index) ? .encryptedKSN : nil
        case 17: trackName(fields, at: index)
        case 20: fields.hasName("magnesafe_magneprint", at: index) ? .magnePrint : nil
        case 27:
            fields.hasName("magnesafe_magneprint_status", at: index) ? .magnePrintStatus : nil
        default: nil
        }
    }

    private static func sevenLetterName(_ fields: FormFields, at index: Int) -> Name? {
        if fields.hasName("orderid", at: index) { return .orderID }
        if fields.hasName("payment", at: index) { return .payment }
        if fields.hasName("track_1", at: index) { return .track1 }
        if fields.hasName("track_2", at: index) { return .track2 }
        return fields.hasName("track_3", at: index) ? .track3 : nil
    }

    private static func trackName(_ fields: FormFields, at index: Int) -> Name? {
        if fields.hasName("magnesafe_track_1", at: index) { return .magneSafeTrack1 }
        if fields.hasName("magnesafe_track_2", at: index) { return .magneSafeTrack2 }
        if fields.hasName("magnesafe_track_3", at: index) { return .magneSafeTrack3 }
        if fields.hasName("encrypted_track_1", at: index) { return .encryptedTrack1 }
        if fields.hasName("encrypted_track_2", at: index) { return .encryptedTrack2 }
        return fields.hasName("encrypted_track_3", at: index) ? .encryptedTrack3 : nil
    }
}

extension FormFields {
    /// The transaction that the field at a position names.
    fileprivate func transactionID(at index: Int) throws(NMIRequestError) -> NMITransactionID {
        guard let id = value(at: index).decimalValue.flatMap(NMITransactionID.init) else {
            throw NMIRequestError(code: .invalidTransactionID, offset: valueOffset(at: index))
        }
        return id
    }
}
