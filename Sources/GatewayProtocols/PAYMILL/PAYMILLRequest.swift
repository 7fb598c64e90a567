public import CardData

/// A request to the REST interface, which a merchant's server makes with its private key.
///
/// Bodies are forms. A card is never in one: a token, a payment or a pre-authorisation stands for
/// it.
///
/// Source: PAYMILL API reference, sections of the resources; offers, subscriptions and checksums
/// are left out.
public struct PAYMILLRequest: Hashable, Sendable {
    /// What pays.
    public enum Source: Hashable, Sendable {
        /// A token, once.
        case token(String)
        /// A card that is kept.
        case payment(String)
        /// Money that is held.
        case preauthorization(String)

        /// The name of the parameter.
        public var name: String {
            switch self {
            case .token: "token"
            case .payment: "payment"
            case .preauthorization: "preauthorization"
            }
        }

        /// The value of the parameter.
        public var value: String {
            switch self {
            case .token(let value), .payment(let value), .preauthorization(let value): value
            }
        }
    }

    /// What is charged or held.
    public struct Money: Hashable, Sendable {
        /// The amount, more than 0.
        public var amount: Amount
        /// The currency, three capitals.
        public var currency: String
        /// What pays.
        public var source: Source
        /// Who pays, beside a payment that belongs to nobody; empty without.
        public var client: String
        /// What the merchant calls it, up to 128 characters (255 for a pre-authorisation).
        public var description: String
        /// The merchant's share for the app that charges; `nil` without.
        public var fee: PAYMILLFee?
        /// The mandate of a direct debit, 1 to 35 characters; empty without.
        public var mandateReference = ""

        /// Creates an order.
        public init(
            amount: Amount,
            currency: String,
            source: Source,
            client: String = "",
            description: String = ""
        ) {
            self.amount = amount
            self.currency = currency
            self.source = source
            self.client = client
            self.description = description
        }
    }

    /// Which objects of a kind are listed.
    public struct List: Hashable, Sendable {
        /// The most objects; the reference says 20 by default.
        public var count = 20
        /// How many are passed over.
        public var offset = 0
        /// A field, with `_asc` or `_desc`; empty is the order of making.
        public var order = ""
        /// Fields and what they must be.
        public var filters: [Filter] = []

        /// One field and what it must be.
        public struct Filter: Hashable, Sendable {
            /// The field.
            public var name: String
            /// The value; numbers may begin with `<` or `>`.
            public var value: String

            /// Creates a filter.
            public init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
            }
        }

        /// Lists everything.
        public init() {}
    }

    /// A kind of object.
    public enum Resource: String, Hashable, Sendable, CaseIterable {
        /// Cards that are kept.
        case payments
        /// Money that is held.
        case preauthorizations
        /// Charges.
        case transactions
        /// What was paid back.
        case refunds
        /// Persons.
        case clients
        /// Addresses that are told of events.
        case webhooks
    }

    /// Why money is paid back.
    ///
    /// Source: PAYMILL API reference, "Refunds".
    public enum RefundReason: String, Hashable, Sendable, CaseIterable {
        /// It was charged twice.
        case duplicate
        /// The cardholder did not pay it.
        case fraudulent
        /// The cardholder wants it back.
        case requestedByCustomer = "requested_by_customer"
    }

    /// What is asked.
    public enum Operation: Hashable, Sendable {
        /// Keep a token's card, for a client or nobody (empty).
        case createPayment(token: String, client: String)
        /// Hold money.
        case preauthorize(Money)
        /// Charge.
        case charge(Money)
        /// Pay back of a charge.
        case refund(transaction: String, Amount, description: String, reason: RefundReason? = nil)
        /// Make a client.
        case createClient(email: String, description: String)
        /// Change a client.
        case updateClient(String, email: String, description: String)
        /// Change what a charge is called; `nil` leaves it.
        case updateTransaction(String, description: String?)
        /// Tell an address of events.
        case createWebhook(url: String, eventTypes: [String])
        /// Change a webhook's address or events, or switch it on or off; `nil` leaves it.
        case updateWebhook(
            String,
            url: String? = nil,
            eventTypes: [String]? = nil,
            isActive: Bool? = nil
        )
        /// Show one object.
        case show(Resource, String)
        /// List objects.
        case list(Resource, List)
        /// Remove an object; of a pre-authorisation, give the money up.
        case remove(Resource, String)
    }

    /// The version of the interface.
    public var version: PAYMILLVersion
    /// What is asked.
    public var operation: Operation

    /// Creates a request.
    public init(_ operation: Operation, version: PAYMILLVersion = .v2) {
        self.version = version
        self.operation = operation
    }

    // MARK: Encoding

    /// The method, in capitals.
    public var method: String {
        switch operation {
        case .createPayment, .preauthorize, .charge, .refund, .createClient, .createWebhook: "POST"
        case .updateClient, .updateTransaction, .updateWebhook: "PUT"
        case .show, .list: "GET"
        case .remove: "DELETE"
        }
    }

    /// The path, without secrets.
    public var path: String {
        "/\(version.rawValue)/\(resourcePath)"
    }

    private var resourcePath: String {
        switch operation {
        case .createPayment: "payments"
        case .preauthorize: "preauthorizations"
        case .charge: "transactions"
        case .refund(let id, _, _, _): "refunds/\(id)"
        case .createClient: "clients"
        case .updateClient(let id, _, _): "clients/\(id)"
        case .updateTransaction(let id, _): "transactions/\(id)"
        case .createWebhook: "webhooks"
        case .updateWebhook(let id, _, _, _): "webhooks/\(id)"
        case .show(let resource, let id), .remove(let resource, let id):
            "\(resource.rawValue)/\(id)"
        case .list(let resource, _): resource.rawValue
        }
    }

    /// The query; empty for all but lists.
    public var query: String {
        guard case .list(_, let list) = operation else { return "" }
        var form = FormEncoder()
        if list.count != 20 { form.append("count", UInt64(max(0, list.count))) }
        if list.offset > 0 { form.append("offset", UInt64(list.offset)) }
        if !list.order.isEmpty { form.append("order", list.order) }
        for filter in list.filters { form.append(filter.name, filter.value) }
        return String(decoding: form.bytes, as: UTF8.self)
    }

    /// The body, a form; empty where there is nothing to say.
    public var body: [UInt8] {
        var form = FormEncoder()
        func add(_ name: String, _ value: String) {
            if !value.isEmpty { form.append(name, value) }
        }
        switch operation {
        case .createPayment(let token, let client):
            add("token", token)
            add("client", client)
        case .preauthorize(let money), .charge(let money):
            add("amount", String(money.amount.minorUnits))
            add("currency", money.currency)
            add(money.source.name, money.source.value)
            add("client", money.client)
            add("description", money.description)
            if let fee = money.fee {
                add("fee_amount", String(fee.amount.minorUnits))
                add("fee_payment", fee.payment)
                add("fee_currency", fee.currency)
            }
            add("mandate_reference", money.mandateReference)
        case .refund(_, let amount, let description, let reason):
            add("amount", String(amount.minorUnits))
            add("description", description)
            add("reason", reason?.rawValue ?? "")
        case .createClient(let email, let description),
            .updateClient(_, let email, let description):
            add("email", email)
            add("description", description)
        case .updateTransaction(_, let description):
            if let description { form.append("description", description) }
        case .createWebhook(let url, let types):
            // The documented sample leaves address and brackets as they are.
            return Array(
                (["url=" + url] + types.map { "event_types[]=" + $0 }).joined(separator: "&").utf8
            )
        case .updateWebhook(_, let url, let types, let isActive):
            add("url", url ?? "")
            for type in types ?? [] { form.append("event_types[]", type) }
            if let isActive { add("active", isActive ? "true" : "false") }
        case .show, .list, .remove: break
        }
        return form.bytes
    }

    // MARK: Decoding

    /// Reads a request; the key is looked at before.
    ///
    /// - Throws: ``PAYMILLRefusal`` for a path that is none, and then for a parameter.
    public init(
        method: String,
        path: String,
        query: String,
        body: [UInt8]
    ) throws(PAYMILLRefusal) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: true).map { String($0) }
        guard let first = parts.first, let version = PAYMILLVersion(rawValue: first) else {
            throw .noSuchMethod
        }
        parts.removeFirst()
        guard let name = parts.first, let resource = Resource(rawValue: name), parts.count <= 2
        else { throw .noSuchMethod }
        self.version = version
        let id = parts.count == 2 ? parts[1] : nil
        let text = method == "GET" || method == "DELETE" ? Array(query.utf8) : body
        let parameters = try PAYMILLParameters(reading: text, version)
        switch (method, id) {
        case ("GET", let id?): operation = .show(resource, id)
        case ("GET", nil): operation = .list(resource, try parameters.list(of: resource))
        case ("DELETE", let id?) where resource != .transactions && resource != .refunds:
            operation = .remove(resource, id)
        case ("POST", nil): operation = try parameters.creation(of: resource)
        case ("POST", let id?) where resource == .refunds:
            operation = .refund(
                transaction: id,
                try parameters.amount(),
                description: parameters.text("description"),
                reason: try parameters.refundReason()
            )
        case ("PUT", let id?): operation = try parameters.change(of: resource, id)
        default: throw .noSuchMethod
        }
    }
}

/// The private key of a merchant as it travels: the user of HTTP Basic; the password is ignored.
///
/// Source: PAYMILL API reference, "Authentication"; active_merchant sends `X` as the password.
public enum PAYMILLPrivateKey {
    /// The value of the header field `Authorization`.
    public static func authorization(_ key: String, password: String = "") -> String {
        "Basic " + Base64.text(of: Array("\(key):\(password)".utf8))
    }

    /// The key in a value of the header field `Authorization`, or `nil`.
    public static func key(authorization: String) -> String? {
        guard authorization.lowercased().hasPrefix("basic "),
            let bytes = Base64.decode(authorization.dropFirst(6).utf8)
        else { return nil }
        let user = bytes.prefix { $0 != UInt8(ascii: ":") }
        return user.isEmpty ? nil : String(decoding: user, as: UTF8.self)
    }
}
