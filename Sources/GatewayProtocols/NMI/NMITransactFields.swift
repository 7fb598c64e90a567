import CardData

/// The places of a payment request's fields in its body, found in one pass.
struct NMITransactFields {
    /// The fields that decide; of one that comes twice the last counts.
    enum Name: UInt8 {
        case type, amount, orderID, transactionID, voidReason, payment
        case cardNumber, cardExpiration, cvv
        case track1, track2, track3
        case magneSafeTrack1, magneSafeTrack2, magneSafeTrack3, magneSafeKSN
        case magnePrint, magnePrintStatus
        case encryptedTrack1, encryptedTrack2, encryptedTrack3, encryptedKSN
        case encryptedPayment
        case checkName, checkRouting, checkAccount
        case customerVault, customerVaultID, recurring
        /// Known here only so that it is not looked for among the details.
        case securityKey
    }

    let fields: FormFields
    private var places = InlineArray<30, Int16>(repeating: -1)
    private(set) var details = NMIDetails()
    private(set) var duplicateSecondsIndex: Int?

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

    /// The position of a field, or `nil`.
    func index(_ name: Name) -> Int? {
        let place = places[Int(name.rawValue)]
        return place < 0 ? nil : Int(place)
    }

    /// The position of a field that has a value, or `nil`.
    func filledIndex(_ name: Name) -> Int? {
        index(name).flatMap { fields.value(at: $0).isEmpty ? nil : $0 }
    }

    func bytes(_ name: Name) -> [UInt8] { index(name).map { Array(fields.value(at: $0)) } ?? [] }

    func text(_ name: Name) -> String {
        index(name).map { String(decoding: fields.value(at: $0), as: UTF8.self) } ?? ""
    }

    /// The earliest place in the body of any of the fields from one to another.
    func first(_ start: Name, _ end: Name) -> Int? {
        var first: Int?
        for name in start.rawValue...end.rawValue {
            let place = Int(places[Int(name)])
            if place >= 0, place < first ?? .max { first = place }
        }
        return first
    }

    func error(_ code: NMIRequestError.Code, at index: Int) -> NMIRequestError {
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
        case 8:
            fields.hasName("ccnumber", at: index)
                ? .cardNumber : fields.hasName("checkaba", at: index) ? .checkRouting : nil
        case 9:
            fields.hasName("checkname", at: index)
                ? .checkName : fields.hasName("recurring", at: index) ? .recurring : nil
        case 11: fields.hasName("void_reason", at: index) ? .voidReason : nil
        case 12:
            fields.hasName("security_key", at: index)
                ? .securityKey : fields.hasName("checkaccount", at: index) ? .checkAccount : nil
        case 13:
            fields.hasName("magnesafe_ksn", at: index)
                ? .magneSafeKSN
                : fields.hasName("transactionid", at: index)
                    ? .transactionID
                    : fields.hasName("encrypted_ksn", at: index) ? .encryptedKSN : nil
        case 14: fields.hasName("customer_vault", at: index) ? .customerVault : nil
        case 17: seventeenLetterName(fields, at: index)
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

    private static func seventeenLetterName(_ fields: FormFields, at index: Int) -> Name? {
        if fields.hasName("magnesafe_track_1", at: index) { return .magneSafeTrack1 }
        if fields.hasName("magnesafe_track_2", at: index) { return .magneSafeTrack2 }
        if fields.hasName("magnesafe_track_3", at: index) { return .magneSafeTrack3 }
        if fields.hasName("encrypted_track_1", at: index) { return .encryptedTrack1 }
        if fields.hasName("encrypted_track_2", at: index) { return .encryptedTrack2 }
        if fields.hasName("encrypted_track_3", at: index) { return .encryptedTrack3 }
        if fields.hasName("encrypted_payment", at: index) { return .encryptedPayment }
        return fields.hasName("customer_vault_id", at: index) ? .customerVaultID : nil
    }
}
