public import CardData
public import JSON

/// A charge, or a pre-authorisation as it looks among the charges.
///
/// Source: PAYMILL API reference, "Transactions"; recorded answers of active_merchant and gringotts
/// where they differ.
public struct PAYMILLTransaction: PAYMILLObject {
    /// Where the money is.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// Begun; nothing is known.
        case open
        /// Waits.
        case pending
        /// Taken.
        case closed
        /// Not taken.
        case failed
        /// Some was paid back.
        case partialRefunded = "partial_refunded"
        /// All was paid back.
        case refunded
        /// The cardholder had it reversed.
        case chargeback
        /// Held, not taken; the reference says `preauthorize`.
        case preauth
    }

    /// `tran_` and hexadecimal digits.
    public var id: String
    /// What is left after refunds.
    public var amount: Amount
    /// What was asked for.
    public var originAmount: Amount
    /// Where the money is.
    public var status: Status
    /// What the merchant calls it; `nil` where none is told.
    public var description: String?
    /// Whether real money moves.
    public var isLive = false
    /// The ids of refunds; `nil` where none are listed.
    public var refunds: [String]?
    /// The currency.
    public var currency: String
    /// When it was made, in seconds since 1970 UTC.
    public var createdAt: Int64
    /// When it was changed.
    public var updatedAt: Int64
    /// What became of it.
    public var responseCode: PAYMILLResponseCode
    /// A number for telephone support; `nil` where nothing was taken.
    public var shortID: String?
    /// The card.
    public var payment: PAYMILLReference<PAYMILLPayment>?
    /// The person who pays.
    public var client: PAYMILLReference<PAYMILLClient>?
    /// The pre-authorisation that it is of; `nil` without.
    public var preauthorization: PAYMILLReference<PAYMILLPreauthorization>?
    /// The fees that were taken of it for an app.
    public var fees: [PAYMILLFee] = []
    /// The mandate of a direct debit; `nil` without.
    public var mandateReference: String?
    /// Whether the code is written as text, as refunds in production did.
    public var hasTextCode = false

    /// Creates a transaction.
    public init(
        id: String,
        amount: Amount,
        currency: String,
        status: Status,
        description: String?,
        responseCode: PAYMILLResponseCode,
        at seconds: Int64
    ) {
        self.id = id
        self.amount = amount
        originAmount = amount
        self.currency = currency
        self.status = status
        self.description = description
        self.responseCode = responseCode
        createdAt = seconds
        updatedAt = seconds
    }

    /// Whether money can be asked back.
    public var isRefundable: Bool { status == .closed || status == .partialRefunded }

    /// Reads an object of either version; `nil` when it is none.
    public init?(_ json: JSONValue) {
        guard let id = json["id"]?.text, let amount = PAYMILLJSON.amount(json["amount"]),
            let word = json["status"]?.text,
            let status = word == "preauthorize" ? .preauth : Status(rawValue: word),
            let code = PAYMILLJSON.number(json["response_code"])
        else { return nil }
        self.id = id
        self.amount = amount
        originAmount = PAYMILLJSON.amount(json["origin_amount"]) ?? amount
        self.status = status
        description = json["description"]?.text
        isLive = json["livemode"]?.bool ?? false
        refunds = json["refunds"]?.values?.compactMap(\.text)
        currency = json["currency"]?.text ?? ""
        createdAt = PAYMILLJSON.number(json["created_at"]) ?? 0
        updatedAt = PAYMILLJSON.number(json["updated_at"]) ?? createdAt
        responseCode = PAYMILLResponseCode(rawValue: Int(clamping: code))
        hasTextCode = json["response_code"]?.text != nil
        shortID = json["short_id"]?.text
        payment = PAYMILLReference(json["payment"])
        client = PAYMILLReference(json["client"])
        preauthorization = PAYMILLReference(json["preauthorization"])
        fees = json["fees"]?.values?.compactMap { PAYMILLFee($0) } ?? []
        mandateReference = json["mandate_reference"]?.text
    }

    /// The object as a version writes it.
    public func json(_ version: PAYMILLVersion) -> JSONValue {
        let code = Int64(responseCode.rawValue)
        var members = [
            JSONMember("id", .string(id)),
            JSONMember("amount", PAYMILLJSON.amount(amount, version)),
            JSONMember("origin_amount", .integer(originAmount.minorUnits)),
            JSONMember("status", .string(status.rawValue)),
            JSONMember("description", PAYMILLJSON.text(description)),
            JSONMember("livemode", .bool(isLive)),
            JSONMember("refunds", PAYMILLJSON.ids(refunds)),
            JSONMember("currency", .string(currency)),
            JSONMember("created_at", .integer(createdAt)),
            JSONMember("updated_at", .integer(updatedAt)),
            JSONMember("response_code", hasTextCode ? .string(String(code)) : .integer(code)),
            JSONMember("short_id", PAYMILLJSON.text(shortID)),
            JSONMember("is_fraud", .bool(false)),
            JSONMember("invoices", .array([])),
            JSONMember("app_id", .null),
            JSONMember("fees", .array(fees.map { $0.json(version) })),
            JSONMember("payment", payment?.json(version) ?? .null),
            JSONMember("client", client?.json(version) ?? .null),
            JSONMember("preauthorization", preauthorization?.json(version) ?? .null),
        ]
        if version == .v2point1 {
            members.append(JSONMember("is_refundable", .bool(isRefundable)))
            members.append(JSONMember("is_markable_as_fraud", .bool(true)))
            members.append(JSONMember("mandate_reference", PAYMILLJSON.text(mandateReference)))
        }
        return PAYMILLJSON.object(members, version)
    }
}

/// What an app that charges for a merchant takes of a charge.
///
/// Source: PAYMILL API reference, "Transactions", fees.
public struct PAYMILLFee: Hashable, Sendable {
    /// The payment of the merchant that the fee is taken of.
    public var payment: String
    /// The money.
    public var amount: Amount
    /// Its currency.
    public var currency: String

    /// Creates a fee that is not billed yet.
    public init(payment: String, amount: Amount, currency: String) {
        self.payment = payment
        self.amount = amount
        self.currency = currency
    }

    init?(_ json: JSONValue) {
        guard let payment = json["payment"]?.text, let amount = PAYMILLJSON.amount(json["amount"])
        else { return nil }
        self.init(payment: payment, amount: amount, currency: json["currency"]?.text ?? "")
    }

    func json(_ version: PAYMILLVersion) -> JSONValue {
        PAYMILLJSON.object(
            [
                JSONMember("type", .string("application")),
                JSONMember("application", .null),
                JSONMember("payment", .string(payment)),
                JSONMember("amount", .integer(amount.minorUnits)),
                JSONMember("currency", .string(currency)),
                JSONMember("billed_at", .null),
            ],
            version
        )
    }
}

/// Money that is held on a card for 7 days.
///
/// Source: PAYMILL API reference, "Preauthorizations".
public struct PAYMILLPreauthorization: PAYMILLObject {
    /// Where it stands.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// Begun.
        case open
        /// Waits.
        case pending
        /// The money is held, or was taken.
        case closed
        /// Not held.
        case failed
        /// Given up.
        case deleted
        /// Held, as some answers say.
        case preauth
    }

    /// `preauth_` and hexadecimal digits.
    public var id: String
    /// What is held.
    public var amount: Amount
    /// The currency.
    public var currency: String
    /// What the merchant calls it; `nil` where none is told.
    public var description: String?
    /// Where it stands.
    public var status: Status
    /// Whether real money is held.
    public var isLive = false
    /// When it was made, in seconds since 1970 UTC.
    public var createdAt: Int64
    /// When it was changed.
    public var updatedAt: Int64
    /// The card.
    public var payment: PAYMILLReference<PAYMILLPayment>?
    /// The person who pays.
    public var client: PAYMILLReference<PAYMILLClient>?
    /// How it looks among the charges; v2.1 only.
    public var transaction: PAYMILLReference<PAYMILLTransaction>?

    /// Creates a pre-authorisation.
    public init(
        id: String,
        amount: Amount,
        currency: String,
        status: Status,
        description: String?,
        at seconds: Int64
    ) {
        self.id = id
        self.amount = amount
        self.currency = currency
        self.status = status
        self.description = description
        createdAt = seconds
        updatedAt = seconds
    }

    /// Reads an object of either version; `nil` when it is none.
    public init?(_ json: JSONValue) {
        guard let id = json["id"]?.text, let amount = PAYMILLJSON.amount(json["amount"]),
            let status = json["status"]?.text.flatMap({ Status(rawValue: $0) })
        else { return nil }
        self.id = id
        self.amount = amount
        self.status = status
        currency = json["currency"]?.text ?? ""
        description = json["description"]?.text
        isLive = json["livemode"]?.bool ?? false
        createdAt = PAYMILLJSON.number(json["created_at"]) ?? 0
        updatedAt = PAYMILLJSON.number(json["updated_at"]) ?? createdAt
        payment = PAYMILLReference(json["payment"])
        client = PAYMILLReference(json["client"])
        transaction = PAYMILLReference(json["transaction"])
    }

    /// The object as a version writes it.
    public func json(_ version: PAYMILLVersion) -> JSONValue {
        var members = [
            JSONMember("id", .string(id)),
            JSONMember("amount", PAYMILLJSON.text(of: amount)),
            JSONMember("currency", .string(currency)),
            JSONMember("status", .string(status.rawValue)),
            JSONMember("livemode", .bool(isLive)),
            JSONMember("created_at", .integer(createdAt)),
            JSONMember("updated_at", .integer(updatedAt)),
            JSONMember("app_id", .null),
            JSONMember("payment", payment?.json(version) ?? .null),
            JSONMember("client", client?.json(version) ?? .null),
        ]
        if version == .v2point1 {
            members.append(JSONMember("description", PAYMILLJSON.text(description)))
            members.append(JSONMember("transaction", transaction?.json(version) ?? .null))
        }
        return PAYMILLJSON.object(members, version)
    }
}

/// Money that was paid back.
///
/// Source: PAYMILL API reference, "Refunds".
public struct PAYMILLRefund: PAYMILLObject {
    /// `refund_` and hexadecimal digits.
    public var id: String
    /// What was paid back.
    public var amount: Amount
    /// `open`, `pending`, `refunded` or `failed`.
    public var status: String
    /// What the merchant calls it; `nil` where none is told.
    public var description: String?
    /// Whether real money moves.
    public var isLive = false
    /// When it was made, in seconds since 1970 UTC.
    public var createdAt: Int64
    /// What became of it.
    public var responseCode: PAYMILLResponseCode
    /// Whether the code is written as text, as in production.
    public var hasTextCode = false
    /// Why; `nil` where nobody said.
    public var reason: PAYMILLRequest.RefundReason?
    /// The charge.
    public var transaction: PAYMILLReference<PAYMILLTransaction>?

    /// Creates a refund that is done.
    public init(
        id: String,
        amount: Amount,
        description: String?,
        transaction: PAYMILLTransaction,
        at seconds: Int64
    ) {
        self.id = id
        self.amount = amount
        status = "refunded"
        self.description = description
        createdAt = seconds
        responseCode = .success
        self.transaction = .object(transaction)
    }

    /// Reads an object of either version; `nil` when it is none.
    public init?(_ json: JSONValue) {
        guard let id = json["id"]?.text, let amount = PAYMILLJSON.amount(json["amount"]),
            let status = json["status"]?.text
        else { return nil }
        self.id = id
        self.amount = amount
        self.status = status
        description = json["description"]?.text
        isLive = json["livemode"]?.bool ?? false
        createdAt = PAYMILLJSON.number(json["created_at"]) ?? 0
        let code = PAYMILLJSON.number(json["response_code"]) ?? 20_000
        responseCode = PAYMILLResponseCode(rawValue: Int(clamping: code))
        hasTextCode = json["response_code"]?.text != nil
        reason = json["reason"]?.text.flatMap { PAYMILLRequest.RefundReason(rawValue: $0) }
        transaction = PAYMILLReference(json["transaction"])
    }

    /// The object as a version writes it.
    public func json(_ version: PAYMILLVersion) -> JSONValue {
        let code = Int64(responseCode.rawValue)
        var members = [
            JSONMember("id", .string(id)),
            JSONMember("amount", PAYMILLJSON.amount(amount, version)),
            JSONMember("status", .string(status)),
            JSONMember("description", PAYMILLJSON.text(description)),
            JSONMember("livemode", .bool(isLive)),
            JSONMember("created_at", .integer(createdAt)),
            JSONMember("updated_at", .integer(createdAt)),
            JSONMember("response_code", hasTextCode ? .string(String(code)) : .integer(code)),
            JSONMember("transaction", transaction?.json(version) ?? .null),
        ]
        if version == .v2point1 {
            members.append(JSONMember("app_id", .null))
            members.append(JSONMember("reason", PAYMILLJSON.text(reason?.rawValue)))
            members.append(JSONMember("short_id", .string("0000.9999.0000")))
        }
        return PAYMILLJSON.object(members, version)
    }
}
