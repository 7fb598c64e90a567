import JSON

/// What AgentCASH answers, read.
public enum AgentCASHResponse: Hashable, Sendable {
    /// A transaction as it now stands.
    case transaction(AgentCASHTransaction)
    /// What a search found, oldest first.
    case transactions([AgentCASHTransaction])
    /// A refusal: nothing was booked.
    case refused(AgentCASHError)

    /// Reads a body; `nil` when it is no answer at all.
    ///
    /// A list with one entry that is no transaction is none.
    public init?(decoding body: [UInt8]) {
        guard let json = try? JSONValue(reading: body) else { return nil }
        if let error = AgentCASHError(json) {
            self = .refused(error)
        } else if let items = json["transactions"]?.values {
            let transactions = items.compactMap { AgentCASHTransaction($0) }
            guard transactions.count == items.count else { return nil }
            self = .transactions(transactions)
        } else if let transaction = AgentCASHTransaction(json) {
            self = .transaction(transaction)
        } else {
            return nil
        }
    }
}
