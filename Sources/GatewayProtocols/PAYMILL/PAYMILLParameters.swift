import CardData

/// The parameters of one request to the REST interface, with their checks.
struct PAYMILLParameters {
    let fields: FormFields
    let version: PAYMILLVersion

    /// The value of a parameter, empty without.
    func text(_ name: String) -> String { fields.text(of: name) ?? "" }

    /// What is to be made of a resource.
    func creation(
        of resource: PAYMILLRequest.Resource
    ) throws(PAYMILLRefusal) -> PAYMILLRequest.Operation {
        switch resource {
        case .payments: .createPayment(token: try token(), client: text("client"))
        case .preauthorizations: .preauthorize(try money(isHeld: true))
        case .transactions: .charge(try money(isHeld: false))
        case .clients:
            .createClient(email: text("email"), description: text("description"))
        case .webhooks: try webhook()
        case .refunds: throw .noSuchMethod
        }
    }

    /// How an object is to be changed.
    func change(
        of resource: PAYMILLRequest.Resource,
        _ id: String
    ) throws(PAYMILLRefusal) -> PAYMILLRequest.Operation {
        switch resource {
        case .transactions: .updateTransaction(id, description: text("description"))
        case .clients:
            .updateClient(id, email: text("email"), description: text("description"))
        case .webhooks: .updateWebhook(id, isActive: text("active") != "false")
        case .payments, .preauthorizations, .refunds: throw .noSuchMethod
        }
    }

    /// Which objects are to be listed.
    func list() throws(PAYMILLRefusal) -> PAYMILLRequest.List {
        var list = PAYMILLRequest.List()
        for index in 0..<fields.count {
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            let value = String(decoding: fields.value(at: index), as: UTF8.self)
            switch name {
            case "count", "offset":
                guard let number = Int(value), number >= 0 else {
                    throw .invalid(name, rule: "notDigits", "'\(value)' is no number", version)
                }
                if name == "count" { list.count = number } else { list.offset = number }
            case "order": list.order = value
            case "source": break
            default: list.filters.append(PAYMILLRequest.List.Filter(name, value))
            }
        }
        return list
    }

    /// The amount, a whole number of the smallest unit, more than 0.
    func amount() throws(PAYMILLRefusal) -> Amount {
        let text = text("amount")
        guard let number = Int64(text), PAYMILLCard.isDigits(text), number > 0 else {
            throw .invalid("amount", rule: "notGreaterThan", "'\(text)' is not above 0", version)
        }
        return Amount(minorUnits: number)
    }

    private func money(isHeld: Bool) throws(PAYMILLRefusal) -> PAYMILLRequest.Money {
        let amount = try amount()
        let currency = text("currency")
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else {
            let text = "'\(currency)' was not found in the haystack"
            throw .invalid("currency", rule: "notInArray", text, version)
        }
        let names = isHeld ? ["token", "payment"] : ["token", "payment", "preauthorization"]
        let given = names.filter { !text($0).isEmpty }
        guard given.count == 1, let name = given.first else {
            let text = "exactly one of \(names.joined(separator: ", ")) is needed"
            throw .invalid(given.isEmpty ? "token" : given[1], rule: "isEmpty", text, version)
        }
        let source: PAYMILLRequest.Source
        switch name {
        case "token": source = .token(try token())
        case "payment": source = .payment(text(name))
        default: source = .preauthorization(text(name))
        }
        guard text("fee_amount").isEmpty == text("fee_payment").isEmpty else {
            let text = "fee_amount and fee_payment go together"
            throw .invalid("fee_amount", rule: "isEmpty", text, version)
        }
        let description = text("description")
        let limit = isHeld ? 255 : 128
        guard description.count <= limit else {
            let text = "the text is longer than \(limit) characters"
            throw .invalid("description", rule: "stringLengthTooLong", text, version)
        }
        return PAYMILLRequest.Money(
            amount: amount,
            currency: currency,
            source: source,
            client: text("client"),
            description: description
        )
    }

    /// The token; v2.1 wants 32 characters.
    private func token() throws(PAYMILLRefusal) -> String {
        let token = text("token")
        let isText = token.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
            default: false
            }
        }
        guard !token.isEmpty, version == .v2 || isText && token.utf8.count == 32 else {
            let pattern = "/^[a-zA-Z0-9_]{32}$/"
            let text = "'\(token)' does not match against pattern '\(pattern)'"
            throw .invalid("token", rule: "regexNotMatch", text, version)
        }
        return token
    }

    private func webhook() throws(PAYMILLRefusal) -> PAYMILLRequest.Operation {
        let url = text("url")
        guard !url.isEmpty else { throw .invalid("url", rule: "isEmpty", "url is empty", version) }
        var types: [String] = []
        for index in 0..<fields.count where fields.hasName("event_types[]", at: index) {
            let type = String(decoding: fields.value(at: index), as: UTF8.self)
            guard PAYMILLWebhook.knownEventTypes.contains(type) else {
                let text = "'\(type)' was not found in the haystack"
                throw .invalid("event_types", rule: "notInArray", text, version)
            }
            types.append(type)
        }
        guard !types.isEmpty else {
            throw .invalid("event_types", rule: "isEmpty", "event_types is empty", version)
        }
        return .createWebhook(url: url, eventTypes: types)
    }
}
