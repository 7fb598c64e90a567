import CardData
import GatewayProtocols

extension AgentCASHErrand.Work {
    /// What is sent first.
    var request: AgentCASHRequest {
        switch self {
        case .account(let reference): .search(.reference(reference))
        case .authorise(let authorisation): .authorise(authorisation)
        case .confirm(let id, let signature, _): .confirm(id, signature: signature)
        case .reverse(let id): .reverse(id)
        case .capture(let transaction, let amount): .capture(transaction.id, amount)
        case .refund(let transaction, let amount): .refund(transaction.id, amount)
        case .show(let id): .transaction(id)
        case .search(let search): .search(search)
        }
    }

    /// What is sent when the answer to that was lost.
    var lookUp: AgentCASHRequest {
        switch self {
        case .account, .show, .search: request
        case .authorise(let authorisation): .search(.reference(authorisation.reference))
        case .confirm(let id, _, _), .reverse(let id): .transaction(id)
        case .capture(let transaction, _), .refund(let transaction, _):
            .transaction(transaction.id)
        }
    }

    /// Whether what is sent, at first or in doubt, is answered by a list.
    func isListAwaited(inDoubt: Bool) -> Bool {
        switch self {
        case .account, .search: true
        case .authorise: inDoubt
        case .confirm, .reverse, .capture, .refund, .show: false
        }
    }

    var kind: AgentCASHExchangeKind {
        switch self {
        case .account: .account
        case .authorise: .authorise
        case .confirm: .confirm
        case .reverse: .reverse
        case .capture: .capture
        case .refund: .refund
        case .show, .search: .query
        }
    }

    /// Whether it changes nothing, so that it can be asked again.
    var isQuestion: Bool {
        switch self {
        case .account, .show, .search: true
        case .authorise, .confirm, .reverse, .capture, .refund: false
        }
    }

    /// Whether it takes a transaction from one state to another.
    var changesState: Bool {
        switch self {
        case .confirm, .reverse, .capture, .refund: true
        case .account, .authorise, .show, .search: false
        }
    }

    /// Whether it must go on even when the service cannot be reached.
    var mustBeDone: Bool { if case .reverse = self { true } else { false } }

    /// Whether a transaction is the one that this is about.
    func isAbout(_ transaction: AgentCASHTransaction) -> Bool {
        switch self {
        case .authorise(let authorisation):
            transaction.reference == authorisation.reference
                && transaction.amount == authorisation.amount
                && transaction.currency == authorisation.currency
        case .confirm(let id, _, _), .reverse(let id), .show(let id): transaction.id == id
        case .capture(let known, _), .refund(let known, _): transaction.id == known.id
        case .account, .search: false
        }
    }

    /// Whether the books show that nothing more will come of it: it was carried out, or never can
    /// be.
    func isSettled(by transaction: AgentCASHTransaction) -> Bool {
        switch self {
        case .account, .search, .show, .authorise: true
        case .confirm(_, let signature, let captures):
            transaction.state != .authorised
                || !captures && (signature.isEmpty || !transaction.signatureURL.isEmpty)
        case .reverse, .capture: transaction.state != .authorised
        case .refund(let known, _):
            transaction.state != known.state
                || transaction.refundedAmount != known.refundedAmount
        }
    }

    /// Whether the books show that it was carried out as asked.
    func isDone(in transaction: AgentCASHTransaction) -> Bool {
        switch self {
        case .account, .search, .show: return true
        case .authorise: return transaction.state == .authorised
        case .confirm(_, _, let captures):
            let isCaptured = transaction.state == .captured || transaction.state == .refunded
            return captures ? isCaptured : transaction.state == .authorised
        case .reverse:
            switch transaction.state {
            case .reversed, .released, .expired: return true
            case .authorised, .captured, .refunded, .declined, .failed: return false
            }
        case .capture(let known, let amount):
            return transaction.state == .captured
                && transaction.capturedAmount == amount ?? known.amount
        case .refund(let known, let amount):
            if known.state == .authorised { return transaction.state == .released }
            let asked = (amount ?? known.refundableAmount).minorUnits
            return transaction.refundedAmount.minorUnits - known.refundedAmount.minorUnits == asked
        }
    }
}
