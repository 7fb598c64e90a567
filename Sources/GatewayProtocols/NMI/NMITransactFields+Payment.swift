import CardData

extension NMITransactFields {
    /// What pays; `encrypted_payment` counts before all else, an encrypted swipe before a clear
    /// one, a swipe before what was typed, and that before a stored customer (assumed).
    func card() throws(NMIRequestError) -> NMICardData? {
        let card = try cardOnly()
        let hasCheck = first(.checkName, .checkAccount) != nil
        guard try isCheck() else {
            guard !hasCheck else {
                throw error(.mixedPayment, at: first(.checkName, .checkAccount) ?? 0)
            }
            return card
        }
        guard card == nil || card?.isStored == true else {
            throw error(.mixedPayment, at: index(.payment) ?? 0)
        }
        return hasCheck || card == nil ? .check(try check()) : card
    }

    /// Whether `payment` says that a bank account pays.
    func isCheck() throws(NMIRequestError) -> Bool {
        guard let index = filledIndex(.payment) else { return false }
        if fields.hasValue("check", at: index) { return true }
        guard fields.hasValue("creditcard", at: index) else {
            throw error(.unsupportedPayment, at: index)
        }
        return false
    }

    /// The card, or a stored customer; no check.
    func cardOnly() throws(NMIRequestError) -> NMICardData? {
        if filledIndex(.encryptedPayment) != nil {
            return .encryptedPayment(bytes(.encryptedPayment))
        }
        if let card = try swipe() { return card }
        if index(.cardNumber) != nil || index(.cardExpiration) != nil {
            return .keyed(
                NMIKeyedCard(
                    unmaskedNumber: bytes(.cardNumber),
                    expiration: bytes(.cardExpiration)
                )
            )
        }
        guard filledIndex(.customerVaultID) != nil, filledIndex(.customerVault) == nil else {
            return nil
        }
        return .stored(NMIStoredPayment(customerID: text(.customerVaultID)))
    }

    var cvv: CardSecurityCode? {
        index(.cvv).map { CardSecurityCode(unmasked: Array(fields.value(at: $0))) }
    }

    private func swipe() throws(NMIRequestError) -> NMICardData? {
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
        guard first(.track1, .track3) != nil else { return nil }
        let tracks = NMITracks(
            unmaskedTrack1: bytes(.track1),
            unmaskedTrack2: bytes(.track2),
            unmaskedTrack3: bytes(.track3)
        )
        return tracks.isEmpty ? nil : .tracks(tracks)
    }

    private func check() throws(NMIRequestError) -> NMICheck {
        for (name, word) in [
            (Name.checkName, "checkname"), (.checkRouting, "checkaba"),
            (.checkAccount, "checkaccount"),
        ] where filledIndex(name) == nil {
            throw NMIRequestError(code: .missingField(word), offset: 0)
        }
        for (name, word, counts) in [
            (Name.checkRouting, "checkaba", 9...9), (.checkAccount, "checkaccount", 1...17),
        ] {
            let digits = bytes(name)
            guard counts.contains(digits.count),
                digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
            else { throw error(.invalidField(word), at: index(name) ?? 0) }
        }
        return NMICheck(
            name: text(.checkName),
            routingNumber: bytes(.checkRouting),
            unmaskedAccount: bytes(.checkAccount),
            holderType: try word("account_holder_type") ?? .personal,
            accountType: try word("account_type") ?? .checking,
            standardEntryClass: try word("sec_code") ?? .internet
        )
    }

    private func word<Word: RawRepresentable<String>>(
        _ name: String
    ) throws(NMIRequestError) -> Word? {
        guard let index = fields.index(of: name), !fields.value(at: index).isEmpty else {
            return nil
        }
        let text = String(decoding: fields.value(at: index), as: UTF8.self)
        guard let word = Word(rawValue: text) else { throw error(.invalidField(name), at: index) }
        return word
    }
}

extension NMICardData {
    fileprivate var isStored: Bool { if case .stored = self { true } else { false } }
}

extension NMICardData {
    /// Reads the card fields that an `encrypted_payment` held; other fields are passed over.
    ///
    /// - Parameters:
    ///   - text: What was encrypted, in clear.
    ///   - dialect: Whether the text counts as escaped; the SDK does not escape it.
    /// - Returns: What pays and the security code; `nil` where there is none.
    /// - Throws: ``NMIRequestError`` when the text is no form or a swipe in it is none.
    public static func decrypted(
        _ text: [UInt8],
        as dialect: FormFields.Dialect
    ) throws(NMIRequestError) -> (card: NMICardData?, cvv: CardSecurityCode?) {
        let fields: FormFields
        do {
            fields = try FormFields(decoding: text, as: dialect)
        } catch {
            throw NMIRequestError(code: .form(error.code), offset: error.offset)
        }
        let found = NMITransactFields(fields)
        let card = try found.cardOnly()
        switch card {
        case .encryptedPayment, .stored, .check, nil: return (nil, found.cvv)
        case .keyed, .tracks, .magneSafe, .encrypted: return (card, found.cvv)
        }
    }
}
