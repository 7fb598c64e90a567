import CardData
import EventLoops
import GatewayProtocols
import Transports

/// One thing asked about a payment that was made: a capture, a refund, a question, or clearing up
/// what an earlier launch left open.
///
/// A capture and a refund ask first how the payment stands: too much is refused before it is sent,
/// and a look-up after a lost answer can tell what came of this one. No capture is sent of a
/// payment that is not confirmed: its cardholder has not agreed.
///
/// | left open | the books say | what follows |
/// | --- | --- | --- |
/// | any | nothing | settled as failed, nothing charged |
/// | before the confirmation | authorised | reversed |
/// | at the confirmation, to be captured | authorised | reversed |
/// | at the confirmation, to be held | authorised | settled as approved |
/// | any | captured | settled as approved |
struct PaymentFollowUp: Hashable {
    enum Work: Hashable {
        case capture(PaymentRequest, UInt64, Amount?)
        case refund(PaymentRequest, UInt64, Amount?)
        case show(PaymentRequest, UInt64)
        case list(PaymentRequest, externalID: String)
        case settle(SavedPayments.Open)
    }

    let work: Work
    private var errand: AgentCASHErrand?

    init(_ work: Work) { self.work = work }

    var deadline: VirtualInstant? { errand?.deadline }
    var exchange: Int? { errand?.exchange }

    /// The payment that it clears up, if it does that.
    var settledReference: String? {
        if case .settle(let open) = work { open.reference } else { nil }
    }

    /// Whether a planted mistake lets it start before the one at work is over.
    func isPlantedAtOnce(_ plant: Plant?) -> Bool {
        switch (plant, work) {
        case (.capturesTwoAtOnce, .capture), (.refundsTwoAtOnce, .refund): true
        case (_, _): false
        }
    }

    /// Sends what is asked first.
    mutating func start(
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        let first: AgentCASHErrand.Work =
            switch work {
            case .capture(_, let id, _), .refund(_, let id, _), .show(_, let id): .show(id)
            case .list(_, let externalID): .search(.externalID(externalID))
            case .settle(let open): .search(.reference(open.reference))
            }
        errand = AgentCASHErrand(first, configuration, &outbox, at: now)
    }

    /// Takes the end of an exchange; returns whether that was all.
    mutating func outcome(
        _ outcome: HTTPOutcome,
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) -> Bool {
        guard var errand else { return true }
        let verdict = errand.outcome(outcome, configuration, &outbox, at: now)
        self.errand = errand
        return take(verdict, configuration, &outbox, at: now)
    }

    /// Does what is due; returns whether that was all.
    mutating func deadlineReached(
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) -> Bool {
        guard var errand else { return true }
        let verdict = errand.deadlineReached(configuration, &outbox, at: now)
        self.errand = errand
        return take(verdict, configuration, &outbox, at: now)
    }

    private mutating func take(
        _ verdict: AgentCASHErrand.Verdict?,
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) -> Bool {
        guard let verdict, let done = errand?.work else { return false }
        guard case .booked(let found) = verdict else {
            // Without an answer it stays open for the next time, and nothing is told.
            if case .settle = work { return true }
            end(Self.completion(verdict, of: done), &outbox)
            return true
        }
        guard let next = next(after: done, found, outbox.saved.open, configuration) else {
            end(completion(found, of: done), &outbox)
            return true
        }
        switch next {
        case .success(let work):
            errand = AgentCASHErrand(work, configuration, &outbox, at: now)
            return false
        case .failure(let error):
            end(PaymentCompletion(.failed, .refused(error), found), &outbox)
            return true
        }
    }

    /// What is sent after what was done; `nil` when that was all.
    private func next(
        after done: AgentCASHErrand.Work,
        _ found: [AgentCASHTransaction],
        _ open: [SavedPayments.Open],
        _ configuration: PaymentProvider.Configuration
    ) -> Result<AgentCASHErrand.Work, AgentCASHError>? {
        guard done.isQuestion, let payment = found.last else { return nil }
        // A search finds a payment before its cardholder has agreed.
        let isUnconfirmed = open.contains {
            $0.reference == payment.reference && !$0.isConfirmed
        }
        switch work {
        case .show, .list: return nil
        case .settle(let open):
            guard payment.state == .authorised, open.captures || !open.isConfirmed else {
                return nil
            }
            return .success(.reverse(payment.id))
        case .capture where isUnconfirmed:
            return .failure(AgentCASHError(.wrongState))
        case .capture(_, _, let amount):
            if configuration.plant != .capturesUnchecked {
                guard payment.state == .authorised else {
                    return .failure(AgentCASHError(.wrongState))
                }
                guard amount ?? payment.amount <= payment.amount else {
                    return .failure(AgentCASHError(.amountTooHigh, member: "amount"))
                }
            }
            return .success(.capture(payment, amount))
        case .refund(_, _, let amount):
            if configuration.plant == .refundsUnchecked {
                return .success(.refund(payment, amount))
            }
            switch payment.state {
            case .authorised:
                guard amount == nil || amount == payment.amount else {
                    return .failure(AgentCASHError(.wrongState, member: "amount"))
                }
            case .captured:
                guard amount ?? payment.refundableAmount <= payment.refundableAmount else {
                    return .failure(AgentCASHError(.amountTooHigh, member: "amount"))
                }
            case .released, .expired, .reversed, .refunded, .declined, .failed:
                return .failure(AgentCASHError(.wrongState))
            }
            return .success(.refund(payment, amount))
        }
    }

    private func completion(
        _ found: [AgentCASHTransaction],
        of done: AgentCASHErrand.Work
    ) -> PaymentCompletion {
        if case .settle = work { return settled(found) }
        guard let payment = found.last, !done.isQuestion else {
            return PaymentCompletion(.approved, nil, found)
        }
        return done.isDone(in: payment)
            ? PaymentCompletion(.approved, nil, found)
            : PaymentCompletion(.failed, .notCarriedOut, found)
    }

    private func settled(_ found: [AgentCASHTransaction]) -> PaymentCompletion {
        guard let payment = found.last else { return PaymentCompletion(.failed, .notCharged) }
        return switch payment.state {
        case .authorised, .captured, .refunded: PaymentCompletion(.approved, nil, found)
        case .declined: PaymentCompletion(.declined, nil, found)
        case .reversed, .released, .expired, .failed:
            PaymentCompletion(.failed, .notCarriedOut, found)
        }
    }

    private static func completion(
        _ verdict: AgentCASHErrand.Verdict,
        of work: AgentCASHErrand.Work
    ) -> PaymentCompletion {
        switch verdict {
        case .booked(let found): PaymentCompletion(.approved, nil, found)
        case .refused(let error): PaymentCompletion(.failed, PaymentError(error))
        case .unreachable: PaymentCompletion(.failed, .serviceUnreachable)
        case .notBooked: PaymentCompletion(.failed, .notCharged)
        case .unknown:
            work.isQuestion
                ? PaymentCompletion(.failed, .noAnswer)
                : PaymentCompletion(.unknown, .outcomeUnknown)
        }
    }

    private func end(_ completion: PaymentCompletion, _ outbox: inout PaymentOutbox) {
        switch work {
        case .capture(let request, _, _), .refund(let request, _, _), .show(let request, _),
            .list(let request, _):
            outbox.tell(.completed(request, completion))
        case .settle(let open):
            outbox.forget(open.reference)
            outbox.tell(.openPaymentSettled(reference: open.reference, completion))
        }
    }
}
