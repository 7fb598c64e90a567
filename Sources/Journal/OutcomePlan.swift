public import CardData

/// What must have become of the money at the end.
public struct OutcomePlan: Hashable, Sendable {
    /// The charges of the gateway's ledger, in order; empty for `charges: none`.
    public var charges: [ChargePattern]?
    /// How many requests the gateway received, when the file says it.
    public var requestCount: Int?
    /// How many webhooks the gateway sent, each counted once however often it was tried, when the
    /// file says it.
    public var webhookCount: Int?
    /// How many of PAYMILL's tokens paid or had their card kept, when the file says it.
    public var tokenCount: Int?
    /// Where the file says it.
    public var location: SourceLocation

    /// Creates an outcome.
    public init(
        charges: [ChargePattern]? = nil,
        requestCount: Int? = nil,
        webhookCount: Int? = nil,
        tokenCount: Int? = nil,
        location: SourceLocation
    ) {
        self.charges = charges
        self.requestCount = requestCount
        self.webhookCount = webhookCount
        self.tokenCount = tokenCount
        self.location = location
    }
}

/// What one charge of the ledger must be; what is `nil` is free.
public struct ChargePattern: Hashable, Sendable {
    /// The transaction's type.
    public var type: Symbol?
    /// Its amount.
    public var amount: Amount?
    /// Its condition.
    public var state: Symbol?
    /// Where the file says it.
    public var location: SourceLocation

    /// Creates a pattern.
    public init(
        type: Symbol? = nil,
        amount: Amount? = nil,
        state: Symbol? = nil,
        location: SourceLocation
    ) {
        self.type = type
        self.amount = amount
        self.state = state
        self.location = location
    }
}
