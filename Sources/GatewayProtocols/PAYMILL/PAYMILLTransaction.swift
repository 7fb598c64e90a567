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
            JSONMember("fees", .array([])),
            JSONMember("payment", payment?.json(version) ?? .null),
            JSONMember("client", client?.json(version) ?? .null),
            JSONMember("preauthorization", preauthorization?.json(version) ?? .null),
        ]
        if version == .v2point1 {
            members.append(JSONMember("is_refundable", .bool(isRefundable)))
            members.append(JSONMember("is_markable_as_fraud", .bool(true)))
            members.append(JSONMember("mandate_reference", .null))
        }
        return PAYMILLJSON.object(members, version)
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

/// An address that is told of events.
///
/// Source: PAYMILL API reference, "Webhooks".
public struct PAYMILLWebhook: PAYMILLObject {
    /// `hook_` and hexadecimal digits.
    public var id: String
    /// The address.
    public var url: String
    /// The events that it is told of.
    public var eventTypes: [String]
    /// Whether it is told; one that failed too often is not.
    public var isActive = true
    /// When it was made, in seconds since 1970 UTC.
    public var createdAt: Int64

    /// Creates a webhook.
    public init(id: String, url: String, eventTypes: [String], at seconds: Int64) {
        self.id = id
        self.url = url
        self.eventTypes = eventTypes
        createdAt = seconds
    }

    /// Reads an object of either version; `nil` when it is none.
    public init?(_ json: JSONValue) {
        guard let id = json["id"]?.text, let url = json["url"]?.text,
            let types = json["event_types"]?.values
        else { return nil }
        self.id = id
        self.url = url
        eventTypes = types.compactMap(\.text)
        isActive = json["active"]?.bool ?? true
        createdAt = PAYMILLJSON.number(json["created_at"]) ?? 0
    }

    /// The object as a version writes it.
    public func json(_ version: PAYMILLVersion) -> JSONValue {
        PAYMILLJSON.object(
            [
                JSONMember("id", .string(id)),
                JSONMember("url", .string(url)),
                JSONMember("livemode", .bool(false)),
                JSONMember("event_types", PAYMILLJSON.ids(eventTypes)),
                JSONMember("created_at", .integer(createdAt)),
                JSONMember("updated_at", .integer(createdAt)),
                JSONMember("active", .bool(isActive)),
                JSONMember("app_id", .null),
            ],
            version
        )
    }

    /// The events there are.
    ///
    /// Source: PAYMILL API reference, "Webhooks", "Event types".
    public static let knownEventTypes = [
        "chargeback.executed", "transaction.created", "transaction.pending",
        "transaction.succeeded", "transaction.failed", "client.updated", "subscription.created",
        "subscription.updated", "subscription.deleted", "subscription.succeeded",
        "subscription.failed", "subscription.expiring", "subscription.deactivated",
        "subscription.activated", "subscription.canceled", "refund.created", "refund.succeeded",
        "refund.failed", "payout.transferred", "invoice.available", "app.merchant.activated",
        "app.merchant.deactivated", "app.merchant.rejected",
        "app.merchant.live_requests_allowed", "app.merchant.live_requests_not_allowed",
        "app.merchant.app.disabled", "payment.expired",
    ]
}

/// What the gateway posts to a webhook.
///
/// There is no signature: who is told reads the object again by its id.
///
/// Source: PAYMILL API reference, "Webhooks"; paymill-java, test resources.
public struct PAYMILLEvent: Hashable, Sendable {
    /// What happened.
    public var type: String
    /// The object that it happened to.
    public var resource: JSONValue
    /// When, in seconds since 1970 UTC.
    public var createdAt: Int64

    /// Creates an event.
    public init(type: String, resource: JSONValue, at seconds: Int64) {
        self.type = type
        self.resource = resource
        createdAt = seconds
    }

    /// Reads a body; `nil` when it is no event.
    public init?(decoding body: [UInt8]) {
        guard let json = try? JSONValue(reading: body), let event = json["event"],
            let type = event["event_type"]?.text, let resource = event["event_resource"]
        else { return nil }
        self.type = type
        self.resource = resource
        createdAt = PAYMILLJSON.number(event["created_at"]) ?? 0
    }

    /// The transaction that it is about, or `nil`.
    public var transaction: PAYMILLTransaction? {
        PAYMILLTransaction(resource) ?? resource["transaction"].flatMap { PAYMILLTransaction($0) }
    }

    /// The body.
    public var body: [UInt8] {
        JSONValue.members(
            (
                "event",
                .members(
                    ("event_type", .string(type)),
                    ("event_resource", resource),
                    ("created_at", .integer(createdAt)),
                    ("app_id", .null)
                )
            )
        ).encoded
    }
}
