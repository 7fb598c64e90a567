public import JSON

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
