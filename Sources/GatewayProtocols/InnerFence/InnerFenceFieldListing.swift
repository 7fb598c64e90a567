public import CardData

extension FieldListing {
    /// What a request to Inner Fence's terminal app says, field by field.
    ///
    /// A field's offset and length are those of its value. Card numbers are masked wherever they
    /// stand, and of security codes, keys and other secrets only the length is shown; fields that are unknown, twice there or longer than the class's header allows are
    /// named as such.
    public init(innerFenceRequest url: [UInt8]) {
        self.init()
        list(url) { name, value in
            guard let field = InnerFenceRequestField(rawValue: name) else {
                return "not a field that is known here; the terminal app leaves it out"
            }
            if let limit = field.characterLimit, value.count > limit {
                return "\(field.meaning); the header allows \(limit) characters"
            }
            return field.meaning
        }
        do throws(InnerFenceRequestError) {
            _ = try InnerFenceChargeRequest(decoding: url)
        } catch {
            complain(error.description, at: error.offset)
        }
    }

    /// What an answer of Inner Fence's terminal app says, field by field.
    ///
    /// A field's offset and length are those of its value; the nonce is not held against a request.
    public init(innerFenceResponse url: [UInt8]) {
        self.init()
        var isFileMaker = false
        list(url) { name, _ in
            let isNonce =
                name == InnerFenceVersion.corrected.nonceName
                || name == InnerFenceVersion.windows.nonceName
            if isNonce { return "the nonce of the request" }
            let hasDollar = name.hasPrefix("$" + InnerFenceResponseField.prefix)
            isFileMaker = isFileMaker || hasDollar
            let bare = hasDollar ? String(name.dropFirst()) : name
            guard bare.hasPrefix(InnerFenceResponseField.prefix) else {
                return "a parameter of the app"
            }
            let field = InnerFenceResponseField(
                rawValue: String(bare.dropFirst(InnerFenceResponseField.prefix.count))
            )
            guard let field else { return "not a field that is known here" }
            return hasDollar ? "\(field.meaning); FileMaker's form" : field.meaning
        }
        do throws(InnerFenceResponseError) {
            _ = try InnerFenceChargeResponse(decoding: url, as: .corrected)
        } catch {
            // No class reads FileMaker's form, so that nothing more can be said of it.
            if !isFileMaker || error.code != .unknownType {
                complain(error.description, at: error.offset)
            }
        }
    }

    /// Lists what stands before the query, and its pairs.
    private mutating func list(_ url: [UInt8], meaning: (String, String) -> String) {
        guard let parts = try? InnerFenceURL(url) else { return }
        add(
            "address",
            at: 0,
            byteCount: parts.path.endIndex,
            SecretName.masked(String(decoding: url[..<parts.path.endIndex], as: UTF8.self))
        )
        for piece in parts.query.split(separator: UInt8(ascii: "&")).prefix(
            InnerFenceQuery.maximumPairCount
        ) {
            let equals = piece.firstIndex(of: UInt8(ascii: "="))
            let end = equals ?? piece.endIndex
            let start = equals.map { $0 + 1 } ?? piece.endIndex
            guard case .success(let name) = InnerFenceEscaping.decode(piece[..<end]),
                case .success(let value) = InnerFenceEscaping.decode(piece[start...])
            else {
                add(
                    "no field",
                    at: piece.startIndex,
                    byteCount: piece.count,
                    SafeText("wrong escape")
                )
                continue
            }
            add(
                SecretName.masked(name).description,
                at: start,
                byteCount: piece.endIndex - start,
                SecretName.masked(name, Array(value.utf8)),
                meaning: equals == nil ? "no `=`: the classes leave it out" : meaning(name, value)
            )
        }
    }
}

extension InnerFenceRequestField {
    /// What a value means, in words.
    fileprivate var meaning: String {
        switch self {
        case .returnAppName: "the name of the app that asks"
        case .returnURL: "where the answer goes"
        case .returnImmediately: "1: the answer comes without a tap on Done"
        case .amount: "the amount, before tax and tip"
        case .amountFixed: "1: the user cannot change the amount"
        case .currency: "the currency of the amount"
        case .description: "what is sold"
        case .invoiceNumber: "the merchant's number"
        case .taxRate: "the sales tax in percent, or default"
        case .fm: "1: the answer has FileMaker's form"
        case .email: "where the receipt goes"
        case .address, .city, .company, .country, .firstName, .lastName, .phone, .state, .zip:
            "the customer's"
        }
    }
}

extension InnerFenceResponseField {
    /// What a value means, in words.
    fileprivate var meaning: String {
        switch self {
        case .amount: "what was charged, tax and tip included"
        case .cardType: "the kind of card"
        case .currency: "the currency of the amount"
        case .redactedCardNumber: "the card number, hidden but for its end"
        case .responseType: "how the charge ended"
        case .taxAmount: "the tax in the amount"
        case .taxRate: "the tax rate in percent"
        case .tipAmount: "the tip in the amount"
        case .transactionId: "the transaction of the gateway behind the terminal app"
        case .errorMessage: "why there was an error"
        }
    }
}
