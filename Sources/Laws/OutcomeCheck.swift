public import CardData
public import Journal

/// A transaction of the gateway's ledger, as the outcome sees it.
public struct LedgerFact: Hashable, Sendable {
    /// The transaction's type, such as `sale`.
    public var type: Symbol
    /// Its amount.
    public var amount: Amount
    /// Its condition, such as `pendingsettlement`.
    public var state: Symbol

    /// Creates a fact.
    public init(type: Symbol, amount: Amount, state: Symbol) {
        self.type = type
        self.amount = amount
        self.state = state
    }
}

/// A part of the outcome that did not come about.
public struct OutcomeFailure: Hashable, Sendable {
    /// Where the file says what was expected.
    public var location: SourceLocation
    /// What was expected and what was found, in one line.
    public var description: String
}

/// Compares the money at the end of a run with what the scenario says of it.
///
/// The charges are the ledger's transactions in the order in which they were booked. A transaction
/// with the state `failed` or `declined` moved no money and is no charge, and neither is one of the
/// type `void`; where the scenario lists a charge with that state or type, all those entries are
/// compared too. A charge that was voided stays one, with the state `canceled`: `charges: none`
/// does not hold then.
public enum OutcomeCheck {
    /// Compares what the scenario says with what the gateway ended up with.
    ///
    /// - Parameters:
    ///   - plan: What the scenario says.
    ///   - ledger: The gateway's transactions in the order in which they were booked.
    ///   - requestCount: How many requests the gateway received.
    ///   - webhookCount: How many webhooks it sent, each counted once.
    ///   - tokenCount: How many of PAYMILL's tokens were used.
    /// - Returns: What does not hold, in the order of the file; empty when all does.
    public static func failures(
        of plan: OutcomePlan,
        ledger: [LedgerFact],
        requestCount: Int,
        webhookCount: Int = 0,
        tokenCount: Int = 0
    ) -> [OutcomeFailure] {
        var failures: [OutcomeFailure] = []
        if let charges = plan.charges {
            failures = compare(charges, with: ledger, at: plan.location)
        }
        if let expected = plan.requestCount, expected != requestCount {
            failures.append(
                OutcomeFailure(
                    location: plan.location,
                    description:
                        "expected \(count(expected, "request")), found \(requestCount)"
                )
            )
        }
        if let expected = plan.webhookCount, expected != webhookCount {
            failures.append(
                OutcomeFailure(
                    location: plan.location,
                    description:
                        "expected \(count(expected, "webhook")), found \(webhookCount)"
                )
            )
        }
        if let expected = plan.tokenCount, expected != tokenCount {
            failures.append(
                OutcomeFailure(
                    location: plan.location,
                    description:
                        "expected \(count(expected, "used token")), found \(tokenCount)"
                )
            )
        }
        return failures
    }

    private static func compare(
        _ charges: [ChargePattern],
        with ledger: [LedgerFact],
        at location: SourceLocation
    ) -> [OutcomeFailure] {
        let hasVoid = charges.contains { $0.type == .void }
        let facts = ledger.filter { fact in
            let isMoneyless = fact.state == .failed || fact.state == .declined
            let isListed = charges.contains { $0.state == fact.state }
            return (!isMoneyless || isListed) && (hasVoid || fact.type != .void)
        }
        guard facts.count == charges.count else {
            var text = "expected \(count(charges.count, "charge")), found "
            text += facts.isEmpty ? "none" : "\(facts.count): "
            text += facts.map(describe).joined(separator: ", ")
            return [OutcomeFailure(location: location, description: text)]
        }
        var failures: [OutcomeFailure] = []
        for (index, charge) in charges.enumerated() where !charge.matches(facts[index]) {
            failures.append(
                OutcomeFailure(
                    location: charge.location,
                    description:
                        "expected charge \(index + 1) to be \(describe(charge)), found "
                        + describe(facts[index])
                )
            )
        }
        return failures
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        switch number {
        case 0: "no \(noun)s"
        case 1: "1 \(noun)"
        default: "\(number) \(noun)s"
        }
    }

    private static func describe(_ fact: LedgerFact) -> String {
        "\(Vocabulary.spelling(of: fact.type)) \(fact.amount) "
            + Vocabulary.spelling(of: fact.state)
    }

    private static func describe(_ charge: ChargePattern) -> String {
        var words: [String] = []
        if let type = charge.type { words.append(Vocabulary.spelling(of: type)) }
        if let amount = charge.amount { words.append(amount.description) }
        if let state = charge.state { words.append(Vocabulary.spelling(of: state)) }
        return words.joined(separator: " ")
    }
}

extension ChargePattern {
    fileprivate func matches(_ fact: LedgerFact) -> Bool {
        (type == nil || type == fact.type) && (amount == nil || amount == fact.amount)
            && (state == nil || state == fact.state)
    }
}
