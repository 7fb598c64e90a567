import CardData

/// The parameters of one request to the REST interface, with their checks.
struct PAYMILLParameters {
    let fields: FormFields
    let version: PAYMILLVersion

    /// Reads the parameters of a request.
    ///
    /// - Throws: A refusal for what is no form, is not UTF-8, has a NUL, or has a parameter twice
    ///   that is no list.
    init(reading text: [UInt8], _ version: PAYMILLVersion) throws(PAYMILLRefusal) {
        self.version = version
        do throws(FormError) {
            fields = try FormFields(decoding: text, as: .request)
            try fields.checkText { _ in FormFields.maximumByteCount }
        } catch {
            let text = "The request is no form: \(error)"
            throw PAYMILLRefusal(status: version.invalidStatus, text)
        }
        var names: [[UInt8]] = []
        for index in 0..<fields.count {
            let name = Array(fields.name(at: index))
            if names.contains(name), !name.suffix(2).elementsEqual("[]".utf8) {
                let text =
                    "The request has a parameter twice: \(String(decoding: name.prefix(40), as: UTF8.self))"
                throw PAYMILLRefusal(status: version.invalidStatus, text)
            }
            names.append(name)
        }
    }

    /// The value of a parameter, empty without.
    func text(_ name: String) -> String { fields.text(of: name) ?? "" }

    /// The value of a parameter that must be there.
    func needed(_ name: String) throws(PAYMILLRefusal) -> String {
        let text = text(name)
        guard !text.isEmpty else { throw .invalid(name, rule: "isEmpty", "it is empty", version) }
        return text
    }

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
        case .transactions: .updateTransaction(id, description: try description(upTo: 128))
        case .clients:
            .updateClient(id, email: text("email"), description: text("description"))
        case .webhooks:
            .updateWebhook(
                id,
                url: fields.text(of: "url") == nil ? nil : try url(),
                eventTypes: hasEventTypes ? try eventTypes() : nil,
                isActive: try flag("active")
            )
        case .payments, .preauthorizations, .refunds: throw .noSuchMethod
        }
    }

    /// Which objects are to be listed.
    func list(
        of resource: PAYMILLRequest.Resource
    ) throws(PAYMILLRefusal) -> PAYMILLRequest.List {
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
            case "order":
                let order = PAYMILLRequest.List.Order(value)
                guard value.isEmpty || resource.listFields.contains(order.field) else {
                    throw notInHaystack("order", value)
                }
                list.order = value
            case "source": break
            default:
                guard resource.listFields.contains(name) else {
                    throw notInHaystack("filter", name)
                }
                guard PAYMILLRequest.List.isValue(value, of: name) else {
                    let text =
                        name == "amount"
                        ? "'\(value)' is no whole number, with < or > before it or not"
                        : "'\(value)' is no moment and no span of moments, in seconds since 1970"
                    throw .invalid(name, rule: "notDigits", text, version)
                }
                list.filters.append(PAYMILLRequest.List.Filter(name, value))
            }
        }
        return list
    }

    private func notInHaystack(_ field: String, _ value: String) -> PAYMILLRefusal {
        let text = "'\(value)' was not found in the haystack"
        return .invalid(field, rule: "notInArray", text, version)
    }

    /// Why money is paid back, `nil` without.
    func refundReason() throws(PAYMILLRefusal) -> PAYMILLRequest.RefundReason? {
        guard let text = fields.text(of: "reason") else { return nil }
        guard let reason = PAYMILLRequest.RefundReason(rawValue: text) else {
            throw notInHaystack("reason", text)
        }
        return reason
    }

    /// A description, `nil` without.
    private func description(upTo limit: Int) throws(PAYMILLRefusal) -> String? {
        guard let text = fields.text(of: "description") else { return nil }
        guard text.count <= limit else {
            let reason = "the text is longer than \(limit) characters"
            throw .invalid("description", rule: "stringLengthTooLong", reason, version)
        }
        return text
    }

    func flag(_ name: String) throws(PAYMILLRefusal) -> Bool? {
        switch fields.text(of: name) {
        case nil: return nil
        case "true"?, "1"?: return true
        case "false"?, "0"?: return false
        case let text?: throw notInHaystack(name, text)
        }
    }

    /// The amount, a whole number of the smallest unit, more than 0.
    func amount(_ name: String = "amount") throws(PAYMILLRefusal) -> Amount {
        let text = text(name)
        guard let number = Int64(text), PAYMILLCard.isDigits(text), number > 0 else {
            throw .invalid(name, rule: "notGreaterThan", "'\(text)' is not above 0", version)
        }
        return Amount(minorUnits: number)
    }

    func money(isHeld: Bool) throws(PAYMILLRefusal) -> PAYMILLRequest.Money {
        let amount = try amount()
        let currency = try checked(text("currency"), "currency")
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
        let fee = try fee(currency)
        if let mandate = fields.text(of: "mandate_reference"), !(1...35).contains(mandate.count) {
            let text = "the reference has 1 to 35 characters"
            throw .invalid("mandate_reference", rule: "stringLengthTooLong", text, version)
        }
        let description = try description(upTo: isHeld ? 255 : 128) ?? ""
        var money = PAYMILLRequest.Money(
            amount: amount,
            currency: currency,
            source: source,
            client: text("client"),
            description: description
        )
        money.fee = fee
        money.mandateReference = text("mandate_reference")
        return money
    }

    /// The fee of a charge, in its own currency or that of the charge.
    private func fee(_ currency: String) throws(PAYMILLRefusal) -> PAYMILLFee? {
        guard !text("fee_payment").isEmpty else { return nil }
        let own = text("fee_currency")
        return PAYMILLFee(
            payment: text("fee_payment"),
            amount: try amount("fee_amount"),
            currency: own.isEmpty ? currency : try checked(own, "fee_currency")
        )
    }

    /// A currency, three capitals.
    private func checked(_ currency: String, _ name: String) throws(PAYMILLRefusal) -> String {
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else { throw notInHaystack(name, currency) }
        return currency
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
        .createWebhook(url: try url(), eventTypes: try eventTypes())
    }

    /// The address of a webhook: one of the web.
    private func url() throws(PAYMILLRefusal) -> String {
        guard text("email").isEmpty else {
            let text = "webhooks by e-mail are for live mode only; url is an address of the web"
            throw .invalid("email", rule: "notUri", text, version)
        }
        let url = text("url")
        guard !url.isEmpty else { throw .invalid("url", rule: "isEmpty", "url is empty", version) }
        let scheme = ["http://", "https://"].first { url.lowercased().hasPrefix($0) }
        let host = url.utf8.dropFirst(scheme?.utf8.count ?? 0).prefix { $0 != UInt8(ascii: "/") }
        guard scheme != nil, !host.isEmpty, url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .invalid("url", rule: "notUri", "the value is no address of the web", version)
        }
        return url
    }

    private var hasEventTypes: Bool {
        (0..<fields.count).contains { fields.hasName("event_types[]", at: $0) }
    }

    private func eventTypes() throws(PAYMILLRefusal) -> [String] {
        var types: [String] = []
        for index in 0..<fields.count where fields.hasName("event_types[]", at: index) {
            let type = String(decoding: fields.value(at: index), as: UTF8.self)
            guard PAYMILLWebhook.knownEventTypes.contains(type) else {
                throw notInHaystack("event_types", type)
            }
            if !types.contains(type) { types.append(type) }
        }
        guard !types.isEmpty else {
            throw .invalid("event_types", rule: "isEmpty", "event_types is empty", version)
        }
        return types
    }
}

extension PAYMILLRequest.Resource {
    /// By which fields a list is filtered and ordered.
    ///
    /// Source: PAYMILL API reference, the lists of the resources: fields of the objects.
    var listFields: [String] {
        switch self {
        case .payments: ["id", "type", "client", "card_type", "last4"] + Self.times
        case .preauthorizations:
            ["id", "amount", "currency", "status", "client", "payment"] + Self.times
        case .transactions:
            ["amount", "currency", "status", "description", "client", "payment"] + Self.times
        case .refunds: ["id", "amount", "status", "transaction"] + Self.times
        case .clients: ["id", "email", "description"] + Self.times
        case .webhooks: ["id", "url", "active"] + Self.times
        }
    }

    private static let times = ["created_at", "updated_at"]
}

extension PAYMILLRequest.List {
    /// Whether a text can be the value of a filter.
    static func isValue(_ text: String, of name: String) -> Bool {
        if name == "amount" {
            let digits =
                text.first.map { "<>".contains($0) } ?? false ? text.dropFirst() : text[...]
            return Int64(digits) != nil
        }
        guard name.hasSuffix("_at") else { return true }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy { PAYMILLCard.isDigits(String($0)) && Int64($0) != nil }
    }

    /// A field, and whether its greatest value comes first.
    public struct Order: Hashable, Sendable {
        /// The field.
        public var field: String
        /// Whether the greatest comes first.
        public var isDescending: Bool

        /// Reads `created_at`, `created_at_asc` or `created_at_desc`.
        public init(_ text: String) {
            isDescending = text.hasSuffix("_desc")
            let isAscending = text.hasSuffix("_asc")
            field = String(text.dropLast(isDescending ? 5 : isAscending ? 4 : 0))
        }
    }
}
