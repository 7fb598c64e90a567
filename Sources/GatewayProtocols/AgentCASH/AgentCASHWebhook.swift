public import JSON

/// What AgentCASH tells a merchant's server when a transaction changes.
///
/// The vendor names an address for it and publishes nothing of what comes there; this is our own.
public struct AgentCASHWebhook: Hashable, Sendable {
    /// What happened, such as `transaction.captured`.
    public var event: String
    /// When, in UTC, such as `2024-06-03T09:00:00Z`.
    public var date: String
    /// The transaction as it then stood.
    public var transaction: AgentCASHTransaction

    /// Creates what is told of a transaction.
    public init(event: String, date: String, transaction: AgentCASHTransaction) {
        self.event = event
        self.date = date
        self.transaction = transaction
    }

    /// The body that is posted.
    public var json: JSONValue {
        .members(
            ("event", .string(event)),
            ("date", .string(date)),
            ("transaction", transaction.json)
        )
    }

    /// Reads a body; `nil` when it is none of these.
    public init?(decoding body: [UInt8]) {
        guard let json = try? JSONValue(reading: body), let event = json["event"]?.text,
            let transaction = json["transaction"].flatMap({ AgentCASHTransaction($0) })
        else { return nil }
        self.init(event: event, date: json["date"]?.text ?? "", transaction: transaction)
    }
}
