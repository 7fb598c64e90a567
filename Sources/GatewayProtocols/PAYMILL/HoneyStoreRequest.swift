public import CardData
public import JSON

/// What the HoneyStore app asks of its backend, a Parse application.
///
/// | request | method and path |
/// | --- | --- |
/// | sign up | `POST /1/users` |
/// | log in | `POST /1/login`; Parse's `GET` has the password in the address (ours) |
/// | save the user | `PUT /1/users/me` |
/// | the products | `GET /1/classes/Product` |
/// | a cloud function | `POST /1/functions/NAME` |
///
/// Bodies are JSON, the user is told by the header field `X-Parse-Session-Token`. A card has no
/// place in any of them.
///
/// Source: the HoneyStore example, `Parse/main.js` and `productDB.json`; Parse REST API guide for
/// paths and bodies. `getTransactions` and `createPreauthorizationWithToken` are ours: the
/// example cannot look a purchase up, and only charges.
public enum HoneyStoreRequest: Hashable, Sendable {
    /// Make a user.
    case signUp(username: String, password: String, email: String)
    /// Begin a session of a user.
    case logIn(username: String, password: String)
    /// Save the user with another e-mail address.
    case saveUser(email: String)
    /// List the products.
    case products
    /// The id of the user's client at PAYMILL.
    case currentUserID
    /// Charge the card of a token, and keep it for the user.
    case createTransactionWithToken(String, HoneyStoreOrder)
    /// Hold money on the card of a token (ours).
    case createPreauthorizationWithToken(String, HoneyStoreOrder)
    /// Charge a card that is kept.
    case createTransactionWithPayment(String, HoneyStoreOrder)
    /// List the user's cards.
    case payments
    /// Find the user's transactions with a description; with a reference, only that of the order
    /// with it.
    case transactions(description: String, reference: String = "")

    /// The header field that tells the user.
    public static let sessionField = "X-Parse-Session-Token"
    /// The media type of bodies.
    public static let contentType = "application/json"
    /// The path of everything.
    public static let root = "/1/"

    /// The method, in capitals.
    public var method: String {
        switch self {
        case .products: "GET"
        case .saveUser: "PUT"
        case .signUp, .logIn, .currentUserID, .createTransactionWithToken,
            .createPreauthorizationWithToken, .createTransactionWithPayment, .payments,
            .transactions:
            "POST"
        }
    }

    /// The path, without secrets.
    public var path: String {
        switch self {
        case .signUp: "/1/users"
        case .logIn: "/1/login"
        case .saveUser: "/1/users/me"
        case .products: "/1/classes/Product"
        case .currentUserID: "/1/functions/getCurrentUserID"
        case .createTransactionWithToken: "/1/functions/createTransactionWithToken"
        case .createPreauthorizationWithToken: "/1/functions/createPreauthorizationWithToken"
        case .createTransactionWithPayment: "/1/functions/createTransactionWithPayment"
        case .payments: "/1/functions/getPayments"
        case .transactions: "/1/functions/getTransactions"
        }
    }

    /// The body; empty for the products.
    public var body: [UInt8] { json?.encoded ?? [] }

    /// The body with a text beside what belongs into it, as an app with a mistake sends it.
    ///
    /// - Parameters:
    ///   - text: The text; may be a secret.
    ///   - name: The name of its member.
    /// - Returns: The bytes; empty for the products, which have no body.
    public func body(adding text: String, as name: String) -> [UInt8] {
        guard case .object(let members)? = json else { return body }
        return JSONValue.object(members + [JSONMember(name, .string(text))]).encoded
    }

    /// The body as a value; `nil` for the products.
    public var json: JSONValue? {
        switch self {
        case .products: nil
        case .currentUserID, .payments: .object([])
        case .signUp(let username, let password, let email):
            .members(
                ("username", .string(username)),
                ("password", .string(password)),
                ("email", .string(email))
            )
        case .logIn(let username, let password):
            .members(("username", .string(username)), ("password", .string(password)))
        case .saveUser(let email): .members(("email", .string(email)))
        case .createTransactionWithToken(let token, let order),
            .createPreauthorizationWithToken(let token, let order):
            order.json(JSONMember("token", .string(token)))
        case .createTransactionWithPayment(let payment, let order):
            order.json(JSONMember("paymillPaymentId", .string(payment)))
        case .transactions(let description, let reference):
            .object(
                [JSONMember("description", .string(description))]
                    + (reference.isEmpty ? [] : [JSONMember("reference", .string(reference))])
            )
        }
    }

    /// Whether something with a body is at a path.
    private static func knows(_ method: String, _ path: String) -> Bool {
        switch (method, path) {
        case ("POST", "/1/users"), ("POST", "/1/login"), ("PUT", "/1/users/me"): true
        case ("POST", let path):
            [
                "getCurrentUserID", "createTransactionWithToken",
                "createPreauthorizationWithToken", "createTransactionWithPayment", "getPayments",
                "getTransactions",
            ]
            .contains { path == "/1/functions/" + $0 }
        default: false
        }
    }

    /// Reads a request.
    ///
    /// - Throws: ``HoneyStoreError`` for a path or a body that is none.
    public init(method: String, path: String, body: [UInt8]) throws(HoneyStoreError) {
        if method == "GET", path == "/1/classes/Product" {
            self = .products
            return
        }
        guard Self.knows(method, path) else {
            throw HoneyStoreError(.noSuchFunction, "nothing is at this path")
        }
        guard let json = try? JSONValue(reading: body), json.members != nil else {
            throw HoneyStoreError(.invalidJSON, "invalid JSON")
        }
        func text(_ name: String) throws(HoneyStoreError) -> String {
            guard let text = json[name]?.text, !text.isEmpty else {
                throw HoneyStoreError(.scriptFailed, "\(name) is missing")
            }
            return text
        }
        switch (method, path) {
        case ("POST", "/1/users"):
            self = .signUp(
                username: try text("username"),
                password: try text("password"),
                email: json["email"]?.text ?? ""
            )
        case ("POST", "/1/login"):
            self = .logIn(username: try text("username"), password: try text("password"))
        case ("PUT", "/1/users/me"): self = .saveUser(email: json["email"]?.text ?? "")
        case ("POST", "/1/functions/getCurrentUserID"): self = .currentUserID
        case ("POST", "/1/functions/createTransactionWithToken"):
            self = .createTransactionWithToken(try text("token"), try HoneyStoreOrder(json))
        case ("POST", "/1/functions/createPreauthorizationWithToken"):
            self = .createPreauthorizationWithToken(try text("token"), try HoneyStoreOrder(json))
        case ("POST", "/1/functions/createTransactionWithPayment"):
            let payment = try text("paymillPaymentId")
            self = .createTransactionWithPayment(payment, try HoneyStoreOrder(json))
        case ("POST", "/1/functions/getPayments"): self = .payments
        case ("POST", "/1/functions/getTransactions"):
            self = .transactions(
                description: try text("description"),
                reference: json["reference"]?.text ?? ""
            )
        default: throw HoneyStoreError(.noSuchFunction, "nothing is at this path")
        }
    }
}

/// What the app wants to buy, as it tells the backend.
public struct HoneyStoreOrder: Hashable, Sendable {
    /// The money.
    public var amount: Amount
    /// The currency.
    public var currency: String
    /// What the transaction is called; the app numbers its orders in it.
    public var description: String
    /// The product, by which a careful backend checks the amount; empty without (ours).
    public var product: String
    /// What no other call has, by which a lost answer is looked up; empty without (ours).
    ///
    /// Descriptions are the app's, and two orders may have the same.
    public var reference: String

    /// Creates an order.
    public init(
        amount: Amount,
        currency: String,
        description: String,
        product: String = "",
        reference: String = ""
    ) {
        self.amount = amount
        self.currency = currency
        self.description = description
        self.product = product
        self.reference = reference
    }

    /// The members, after the one that says what pays.
    fileprivate func json(_ source: JSONMember) -> JSONValue {
        var members = [
            source, JSONMember("amount", .integer(amount.minorUnits)),
            JSONMember("currency", .string(currency)),
            JSONMember("description", .string(description)),
        ]
        if !product.isEmpty { members.append(JSONMember("product", .string(product))) }
        if !reference.isEmpty { members.append(JSONMember("reference", .string(reference))) }
        return .object(members)
    }

    /// Reads an order; the tutorial spells the description `descrition`.
    fileprivate init(_ json: JSONValue) throws(HoneyStoreError) {
        guard let number = json["amount"]?.integer ?? json["amount"]?.text.flatMap({ Int64($0) }),
            number > 0
        else { throw HoneyStoreError(.scriptFailed, "amount is missing or none") }
        guard let currency = json["currency"]?.text, !currency.isEmpty else {
            throw HoneyStoreError(.scriptFailed, "currency is missing")
        }
        self.init(
            amount: Amount(minorUnits: number),
            currency: currency,
            description: json["description"]?.text ?? json["descrition"]?.text ?? "",
            product: json["product"]?.text ?? "",
            reference: json["reference"]?.text ?? ""
        )
    }
}

/// Why the backend did not do what it was asked.
///
/// Source: Parse REST API guide, "Errors".
public struct HoneyStoreError: Error, Hashable, Sendable {
    /// The kind of mistake; the raw value is Parse's code.
    public enum Code: Int, Hashable, Sendable, CaseIterable {
        /// A wrong name or password.
        case objectNotFound = 101
        /// The body is no JSON.
        case invalidJSON = 107
        /// It took longer than a function may.
        case timeout = 124
        /// The function failed, or said no; its text tells why.
        case scriptFailed = 141
        /// The hook before a user is saved said no.
        case validationError = 142
        /// There is such a user.
        case usernameTaken = 202
        /// No user is logged in.
        case invalidSession = 209
        /// Nothing is at the path.
        case noSuchFunction = 1
    }

    /// The kind of mistake.
    public var code: Code
    /// What went wrong, for people.
    public var text: String

    /// Creates an error.
    public init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }

    /// The status of the answer.
    public var status: Int {
        switch code {
        case .objectNotFound, .noSuchFunction: 404
        case .invalidSession: 401
        case .invalidJSON, .timeout, .scriptFailed, .validationError, .usernameTaken: 400
        }
    }

    /// The body of the answer.
    public var body: [UInt8] {
        JSONValue.members(("code", .integer(Int64(code.rawValue))), ("error", .string(text)))
            .encoded
    }
}
