import CardData
import GatewayProtocols

/// What mock mode has booked, in this launch only.
struct MockLedger: Hashable {
    /// How many payments are kept; beyond that the oldest is forgotten.
    static let maximumCount = 1_000

    private var payments: [AgentCASHTransaction] = []
    private var lastID: UInt64 = 0

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func book(_ payment: AgentCASHTransaction) {
        payments.append(payment)
        if payments.count > Self.maximumCount { payments.removeFirst() }
    }

    /// Carries a follow-up out as the service would.
    mutating func carryOut(_ work: PaymentFollowUp.Work) -> PaymentCompletion {
        switch work {
        case .show(_, let id): return change(id) { (_) throws(AgentCASHError) in }
        case .list(_, let externalID):
            let found = payments.filter { $0.externalID == externalID }
            return PaymentCompletion(.approved, nil, Array(found.suffix(100)))
        case .settle: return PaymentCompletion(.failed, .notCharged)
        case .capture(_, let id, let amount):
            return change(id) { (payment) throws(AgentCASHError) in
                guard payment.state == .authorised else { throw AgentCASHError(.wrongState) }
                let amount = amount ?? payment.amount
                guard amount <= payment.amount else {
                    throw AgentCASHError(.amountTooHigh, member: "amount")
                }
                payment.state = .captured
                payment.capturedAmount = amount
            }
        case .refund(_, let id, let amount):
            return change(id) { (payment) throws(AgentCASHError) in
                switch payment.state {
                case .authorised:
                    guard amount == nil || amount == payment.amount else {
                        throw AgentCASHError(.wrongState, member: "amount")
                    }
                    payment.state = .released
                case .captured:
                    let amount = amount ?? payment.refundableAmount
                    guard amount <= payment.refundableAmount else {
                        throw AgentCASHError(.amountTooHigh, member: "amount")
                    }
                    payment.refundedAmount.minorUnits += amount.minorUnits
                    if payment.refundableAmount.minorUnits == 0 { payment.state = .refunded }
                case .released, .expired, .reversed, .refunded, .declined, .failed:
                    throw AgentCASHError(.wrongState)
                }
            }
        }
    }

    private mutating func change(
        _ id: UInt64,
        _ change: (inout AgentCASHTransaction) throws(AgentCASHError) -> Void
    ) -> PaymentCompletion {
        guard let index = payments.firstIndex(where: { $0.id == id }) else {
            return PaymentCompletion(.failed, .refused(AgentCASHError(.noSuchTransaction)))
        }
        do throws(AgentCASHError) {
            try change(&payments[index])
            return PaymentCompletion(.approved, nil, [payments[index]])
        } catch {
            return PaymentCompletion(.failed, .refused(error), [payments[index]])
        }
    }
}
