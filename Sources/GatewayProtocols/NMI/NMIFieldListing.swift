public import CardData

extension FieldListing {
    /// What a request's body says, field by field.
    ///
    /// Numbers are masked; tracks, security codes, keys and passwords are shown as lengths only.
    /// Fields that the manual does not have are named as such; of those whose names are like one of
    /// card data or a key, and of text without `=`, only the length is shown. A body that asks for a report is
    /// read as one of ``NMIRequest/queryPath``, every other as one of
    /// ``NMIRequest/transactPath``. A field's offset and length are those of its value.
    public init(nmiRequest body: [UInt8]) {
        self.init()
        let pairs = FormPair.split(body)
        for pair in pairs {
            guard pair.hasEquals else {
                // The rest of a value that was not escaped, or no form at all.
                add(
                    "no field",
                    at: pair.nameStart,
                    byteCount: pair.nameEnd - pair.nameStart,
                    SafeText(scrubbing: "\(pair.nameEnd - pair.nameStart) characters"),
                    meaning: "text without `=`"
                )
                continue
            }
            guard let value = pair.value(in: body, as: .request) else {
                let name = SafeText(scrubbing: pair.name(in: body)).description
                add(name, at: pair.valueStart, byteCount: pair.byteCount, SafeText("wrong escape"))
                continue
            }
            let name = pair.name(in: body)
            let meaning = NMIFieldMeaning.ofRequest(name, value)
            add(
                meaning == nil ? SafeText(scrubbing: name).description : name,
                at: pair.valueStart,
                byteCount: pair.byteCount,
                NMIFieldMeaning.masked(name, value, isKnown: meaning != nil),
                meaning: meaning ?? "not a field that is known here"
            )
        }
        let isQuery = pairs.contains {
            ["report_type", "order_id", "transaction_id"].contains($0.name(in: body))
        }
        let path = isQuery ? NMIRequest.queryPath : NMIRequest.transactPath
        do throws(NMIRequestError) {
            _ = try NMIRequest(decoding: body, path: path)
        } catch {
            complain(error.description, at: error.offset)
        }
    }

    /// What an answer's body says, field by field; a field's offset and length are those of its
    /// value.
    public init(nmiResponse body: [UInt8]) {
        self.init()
        for pair in FormPair.split(body) {
            let name = pair.name(in: body)
            let value = pair.value(in: body, as: .response) ?? []
            let meaning = NMIFieldMeaning.ofResponse(name, value)
            add(
                meaning == nil ? SafeText(scrubbing: name).description : name,
                at: pair.valueStart,
                byteCount: pair.byteCount,
                NMIFieldMeaning.masked(name, value, isKnown: meaning != nil),
                meaning: meaning ?? "an extra field"
            )
        }
        do throws(NMIResponseError) {
            let response = try NMIResponse(decoding: body)
            if response.kind != response.responseCode.usualKind {
                add(
                    "note",
                    at: body.count,
                    byteCount: 0,
                    SafeText("`response` decides"),
                    meaning: "`response` and `response_code` do not go together"
                )
            }
        } catch {
            complain(error.description, at: error.offset)
        }
    }
}

/// One `name=value` of a body as it stands there.
struct FormPair {
    var nameStart: Int
    var nameEnd: Int
    var valueStart: Int
    var valueEnd: Int

    var byteCount: Int { valueEnd - valueStart }

    var hasEquals: Bool { valueStart > nameEnd }

    /// The pairs of a body, at most as many as a form may have.
    static func split(_ body: [UInt8]) -> [FormPair] {
        var pairs: [FormPair] = []
        var start = 0
        while start <= body.count, pairs.count < FormFields.maximumFieldCount {
            let end = body[start...].firstIndex(of: UInt8(ascii: "&")) ?? body.count
            if end > start {
                let equals = body[start..<end].firstIndex(of: UInt8(ascii: "="))
                pairs.append(
                    FormPair(
                        nameStart: start,
                        nameEnd: equals ?? end,
                        valueStart: equals.map { $0 + 1 } ?? end,
                        valueEnd: end
                    )
                )
            }
            start = end + 1
        }
        return pairs
    }

    func name(in body: [UInt8]) -> String {
        let fields = try? FormFields(decoding: Array(body[nameStart..<nameEnd]), as: .response)
        guard let fields, fields.count > 0 else { return "" }
        return String(decoding: fields.name(at: 0), as: UTF8.self)
    }

    func value(in body: [UInt8], as dialect: FormFields.Dialect) -> [UInt8]? {
        let pair = [UInt8(ascii: "=")] + body[valueStart..<valueEnd]
        guard let fields = try? FormFields(decoding: pair, as: dialect), fields.count == 1 else {
            return nil
        }
        return Array(fields.value(at: 0))
    }
}

/// What the fields of requests and answers mean, and what of them may be shown.
enum NMIFieldMeaning {
    /// Fields of which only the length is shown, and what they are.
    private static let secrets: [(name: String, noun: String, meaning: String)] = [
        ("security_key", "characters", "the merchant's key"),
        ("password", "characters", "the merchant's password"),
        ("cvv", "digits", "the card's security code"),
        ("track_1", "characters", "track 1 in clear"),
        ("track_2", "characters", "track 2 in clear"),
        ("track_3", "characters", "track 3 in clear"),
        ("magnesafe_track_1", "digits", "track 1, encrypted by a MagTek reader"),
        ("magnesafe_track_2", "digits", "track 2, encrypted by a MagTek reader"),
        ("magnesafe_track_3", "digits", "track 3, encrypted by a MagTek reader"),
        ("magnesafe_magneprint", "digits", "the stripe's MagnePrint, encrypted"),
        ("encrypted_track_1", "digits", "track 1, encrypted by the reader"),
        ("encrypted_track_2", "digits", "track 2, encrypted by the reader"),
        ("encrypted_track_3", "digits", "track 3, encrypted by the reader"),
        ("encrypted_payment", "characters", "card fields, encrypted by the SDK"),
        ("encrypted_data", "digits", "keyed card, encrypted by the reader; not read here"),
        ("payment_token", "characters", "a token in place of card data; not read here"),
        ("checkaba", "digits", "a bank's routing number"),
        ("checkaccount", "digits", "an account's number"),
    ]

    private static let others: [(name: String, meaning: String)] = [
        ("username", "the merchant's name"), ("amount", "the money"),
        ("orderid", "the merchant's name for the order"),
        ("transactionid", "the gateway's number of the transaction"),
        ("magnesafe_ksn", "the reader's key serial number"),
        ("encrypted_ksn", "the reader's key serial number"),
        ("magnesafe_magneprint_status", "the MagnePrint's status"),
        ("report_type", "which report"), ("order_id", "the order to report"),
        ("transaction_id", "the transaction to report"), ("entry_mode", "how the card was read"),
        ("emv_device", "the chip reader; not read here"),
        ("customer_vault", "what to do with a stored customer"),
        ("customer_vault_id", "a stored customer"),
        ("checkname", "the name on the account"), ("account_holder_type", "whose account it is"),
        ("account_type", "what kind of account it is"), ("sec_code", "how a check is collected"),
        ("recurring", "what to do with plans and subscriptions"), ("plan_id", "a plan"),
        ("plan_name", "what people call a plan"), ("plan_amount", "what a plan charges each time"),
        ("plan_payments", "how many times a plan charges"),
        ("day_frequency", "every so many days"), ("month_frequency", "every so many months"),
        ("day_of_month", "on which day"), ("start_date", "from when on"),
        ("end_date", "until when"),
        ("subscription_id", "a subscription"), ("condition", "where transactions stand"),
        ("action_type", "what was done with transactions"),
        ("result_limit", "how many on a page"), ("page_number", "which page, from 0"),
        ("result_order", "the oldest or the newest first"),
        ("cc_start_date", "from when on the card is valid"),
        ("cc_issue_number", "the card's issue number"),
    ]

    static func ofRequest(_ name: String, _ value: [UInt8]) -> String? {
        if let secret = secrets.first(where: { $0.name == name }) { return secret.meaning }
        if let other = others.first(where: { $0.name == name }) { return other.meaning }
        switch name {
        case "type": return typeMeaning(String(decoding: value, as: UTF8.self))
        case "ccnumber": return numberMeaning(value)
        case "ccexp":
            let card = NMIKeyedCard(unmaskedNumber: [], expiration: value)
            return card.expirationDate == nil ? "no month of expiry" : "the month of expiry, MMYY"
        case "void_reason":
            let reason = NMIVoidReason(rawValue: String(decoding: value, as: UTF8.self))
            return reason == nil ? "no reason that is known" : "why it is voided"
        case "payment": return "how is paid: `creditcard` unless said otherwise"
        default:
            let isDetail = NMIDetail.allCases.contains { $0.rawValue == name }
            return isDetail ? "a detail of the order" : olderName(name)
        }
    }

    private static func olderName(_ name: String) -> String? {
        switch name {
        case "orderdescription", "authorizationcode", "firstname", "lastname":
            "a detail of the order, under an older name"
        default: nil
        }
    }

    private static func typeMeaning(_ type: String) -> String {
        switch type {
        case "sale": "authorise and flag for settlement"
        case "auth": "authorise only"
        case "credit": "pay out without an earlier payment"
        case "validate": "verify the account"
        case "offline": "record what the issuer authorised by telephone"
        case "capture": "flag an authorisation for settlement"
        case "void": "cancel what has not been settled"
        case "refund": "pay back"
        case "update": "add data to a transaction"
        case "complete_partial_payment": "end a payment in parts"
        default: "no type of payments"
        }
    }

    private static func numberMeaning(_ value: [UInt8]) -> String {
        let card = NMIKeyedCard(unmaskedNumber: value, expiration: [])
        guard let pan = card.pan else { return "no card number: 13 to 19 digits are needed" }
        return pan.isLuhnValid ? "the card's number" : "the check digit of the number is wrong"
    }

    static func ofResponse(_ name: String, _ value: [UInt8]) -> String? {
        let text = String(decoding: value, as: UTF8.self)
        switch name {
        case "response":
            switch value.decimalValue {
            case 1: return "approved"
            case 2: return "declined"
            case 3: return "error"
            default: return "no answer that is known"
            }
        case "responsetext": return "text for people"
        case "authcode": return "the issuer's code"
        case "transactionid":
            return text.isEmpty || text == "0" ? "nothing was stored" : "the gateway's number"
        case "avsresponse":
            return text.isEmpty
                ? "no address check" : NMIAVSCode(text)?.meaning ?? "no letter of the table"
        case "cvvresponse":
            return text.isEmpty
                ? "no security code check"
                : NMICVVCode(rawValue: text)?.meaning ?? "no letter of the table"
        case "orderid": return "the echo of the request's order id"
        case "type": return "the echo of the request's type; often empty"
        case "response_code":
            let code = value.decimalValue.flatMap(Int.init(exactly:))
            return code.flatMap(NMIResponseCode.init(rawValue:))?.meaning ?? "no code"
        case "customer_vault_id": return "a stored customer"
        case "amount_authorized": return "the part of the amount that was authorised"
        case "partial_payment_id": return "the split payment"
        case "partial_payment_balance": return "what is left of a split payment"
        case "emv_auth_response_data": return "the issuer's data for the chip"
        default: return nil
        }
    }

    /// Whether a name that is not known looks like a misspelt one of something secret: another
    /// case, other signs between its words, or the word of another gateway.
    private static func isLikeSecret(_ name: String) -> Bool {
        let letters = name.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case 0x30...0x39, 0x61...0x7A: byte
            case 0x41...0x5A: byte | 0x20
            default: nil
            }
        }
        let words = [
            "cvv", "cvc", "cvn", "cvd", "cid", "csc", "securitycode", "cardcode", "track",
            "ccnum", "cardnum", "password", "securitykey", "magneprint", "encrypted", "account",
            "aba", "routing", "ssn", "socialsecurity", "token", "pinblock",
        ]
        return words.contains { letters.contains($0.utf8) } || letters.elementsEqual("pan".utf8)
            || SecretName.isSecret(name)
    }

    /// A value as it may be shown.
    static func masked(_ name: String, _ value: [UInt8], isKnown: Bool) -> SafeText {
        if !isKnown, isLikeSecret(name) {
            return SafeText(scrubbing: "\(value.count) characters")
        }
        if let secret = secrets.first(where: { $0.name == name }) {
            return SafeText(scrubbing: "\(value.count) \(secret.noun)")
        }
        guard name == "ccnumber" else {
            return SafeText(scrubbing: String(decoding: value, as: UTF8.self))
        }
        let card = NMIKeyedCard(unmaskedNumber: value, expiration: [])
        guard let pan = card.pan else {
            return SafeText(scrubbing: "\(value.count) characters")
        }
        return SafeText(scrubbing: pan.description)
    }
}

extension NMIResponseError: CustomStringConvertible {
    /// One sentence without a full stop, and without the offset.
    public var description: String {
        switch code {
        case .form(let code): code.description
        case .missingResponse: "`response` is missing"
        case .unknownResponse: "expected 1, 2 or 3"
        case .missingResponseCode: "`response_code` is missing"
        case .invalidResponseCode: "expected a code of three digits"
        case .invalidTransactionID: "expected a decimal number, or nothing"
        }
    }
}
