import CardData
public import JSON

/// A card or a bank account that the gateway keeps, so that it pays again without being typed in.
///
/// Source: PAYMILL API reference, "Payments".
public struct PAYMILLPayment: PAYMILLObject {
    /// A bank account as it is shown; a payment with one is of the type `debit`.
    public struct Debit: Hashable, Sendable {
        /// The bank's code.
        public var code: String
        /// The account's number, hidden but for its last four digits.
        public var account: String
        /// The holder.
        public var holder: String
        /// The IBAN, some of its digits hidden; `nil` where none was named.
        public var iban: String?
        /// The BIC; `nil` where none was named.
        public var bic: String?

        /// Creates an account without IBAN and BIC.
        public init(code: String, account: String, holder: String) {
            self.code = code
            self.account = account
            self.holder = holder
        }
    }

    /// `pay_` and hexadecimal digits.
    public var id: String
    /// The client's id; `nil` without.
    public var clientID: String?
    /// The bank account, beside which what is of cards is empty; `nil` of a card.
    public var debit: Debit?
    /// The brand as the gateway writes it.
    public var cardType: String
    /// The month of the expiry.
    public var expireMonth: String
    /// The year of the expiry.
    public var expireYear: String
    /// The holder; `nil` where none is told.
    public var cardHolder: String?
    /// The last four digits.
    public var lastFour: String
    /// The issuer's country; `nil` in test mode of old.
    public var country: String?
    /// When it was made, in seconds since 1970 UTC.
    public var createdAt: Int64
    /// When it was changed.
    public var updatedAt: Int64
    /// Whether month and year are numbers in v2, as they were until 2013.
    public var hasNumericExpiry = false

    /// Creates a payment of a card.
    public init(
        id: String,
        clientID: String?,
        cardType: String,
        expireMonth: String,
        expireYear: String,
        cardHolder: String?,
        lastFour: String,
        country: String?,
        at seconds: Int64
    ) {
        self.id = id
        self.clientID = clientID
        self.cardType = cardType
        self.expireMonth = expireMonth
        self.expireYear = expireYear
        self.cardHolder = cardHolder
        self.lastFour = lastFour
        self.country = country
        createdAt = seconds
        updatedAt = seconds
    }

    /// Creates a payment of a bank account.
    public init(id: String, clientID: String?, debit: Debit, at seconds: Int64) {
        self.init(
            id: id,
            clientID: clientID,
            cardType: "",
            expireMonth: "",
            expireYear: "",
            cardHolder: nil,
            lastFour: "",
            country: nil,
            at: seconds
        )
        self.debit = debit
    }

    /// Reads an object of either version; `nil` when it is none.
    public init?(_ json: JSONValue) {
        guard let id = json["id"]?.text else { return nil }
        self.id = id
        debit = Debit(json)
        clientID = json["client"]?.text ?? json["client"]?["id"]?.text
        cardType = json["card_type"]?.text ?? ""
        hasNumericExpiry = json["expire_month"]?.integer != nil
        expireMonth = PAYMILLJSON.number(json["expire_month"]).map { String($0) } ?? ""
        expireYear = PAYMILLJSON.number(json["expire_year"]).map { String($0) } ?? ""
        cardHolder = json["card_holder"]?.text
        lastFour = json["last4"]?.text ?? ""
        country = json["country"]?.text
        createdAt = PAYMILLJSON.number(json["created_at"]) ?? 0
        updatedAt = PAYMILLJSON.number(json["updated_at"]) ?? createdAt
    }

    /// The object as a version writes it.
    public func json(_ version: PAYMILLVersion) -> JSONValue {
        var members = [
            JSONMember("id", .string(id)),
            JSONMember("type", .string(debit == nil ? "creditcard" : "debit")),
            JSONMember("client", PAYMILLJSON.text(clientID)),
        ]
        members +=
            debit?.members ?? [
                JSONMember("card_type", .string(cardType)),
                JSONMember("country", PAYMILLJSON.text(country)),
                JSONMember("expire_month", expiry(expireMonth)),
                JSONMember("expire_year", expiry(expireYear)),
                JSONMember("card_holder", PAYMILLJSON.text(cardHolder)),
                JSONMember("last4", .string(lastFour)),
            ]
        members += [
            JSONMember("created_at", .integer(createdAt)),
            JSONMember("updated_at", .integer(updatedAt)),
            JSONMember("app_id", .null),
        ]
        if version == .v2point1 {
            members.append(JSONMember("is_recurring", .bool(true)))
            members.append(JSONMember("is_usable_for_preauthorization", .bool(debit == nil)))
        }
        return PAYMILLJSON.object(members, version)
    }

    private func expiry(_ text: String) -> JSONValue {
        if hasNumericExpiry, let number = Int64(text) { return .integer(number) }
        return .string(text)
    }
}

extension PAYMILLPayment.Debit {
    /// Reads what a payment says of its account; `nil` when it is of another type.
    fileprivate init?(_ json: JSONValue) {
        guard json["type"]?.text == "debit" else { return nil }
        self.init(
            code: json["code"]?.text ?? "",
            account: json["account"]?.text ?? "",
            holder: json["holder"]?.text ?? ""
        )
        iban = json["iban"]?.text
        bic = json["bic"]?.text
    }

    /// What a payment says of its account.
    ///
    /// Source: PAYMILL API reference, "Payments", direct debit.
    fileprivate var members: [JSONMember] {
        var members = [
            JSONMember("code", .string(code)),
            JSONMember("account", .string(account)),
            JSONMember("holder", .string(holder)),
        ]
        if let iban { members.append(JSONMember("iban", .string(iban))) }
        if let bic { members.append(JSONMember("bic", .string(bic))) }
        return members
    }
}

/// A person who pays: the owner of payments.
///
/// Source: PAYMILL API reference, "Clients".
public struct PAYMILLClient: PAYMILLObject {
    /// `client_` and hexadecimal digits.
    public var id: String
    /// The e-mail address; `nil` without.
    public var email: String?
    /// What the merchant calls the person; `nil` without.
    public var description: String?
    /// When it was made, in seconds since 1970 UTC.
    public var createdAt: Int64
    /// When it was changed.
    public var updatedAt: Int64
    /// The payments: whole ones at the top, ids inside of another object.
    public var payments: [PAYMILLReference<PAYMILLPayment>]

    /// Creates a client without payments.
    public init(id: String, email: String?, description: String?, at seconds: Int64) {
        self.id = id
        self.email = email
        self.description = description
        createdAt = seconds
        updatedAt = seconds
        payments = []
    }

    /// Reads an object of either version; `nil` when it is none.
    public init?(_ json: JSONValue) {
        guard let id = json["id"]?.text else { return nil }
        self.id = id
        email = json["email"]?.text
        description = json["description"]?.text
        createdAt = PAYMILLJSON.number(json["created_at"]) ?? 0
        updatedAt = PAYMILLJSON.number(json["updated_at"]) ?? createdAt
        payments = json["payment"]?.values?.compactMap { PAYMILLReference($0) } ?? []
    }

    /// The object as a version writes it.
    public func json(_ version: PAYMILLVersion) -> JSONValue {
        PAYMILLJSON.object(
            [
                JSONMember("id", .string(id)),
                JSONMember("email", PAYMILLJSON.text(email)),
                JSONMember("description", PAYMILLJSON.text(description)),
                JSONMember("created_at", .integer(createdAt)),
                JSONMember("updated_at", .integer(updatedAt)),
                JSONMember("app_id", .null),
                JSONMember("payment", .array(payments.map { $0.json(version) })),
                JSONMember("subscription", .null),
            ],
            version
        )
    }
}
