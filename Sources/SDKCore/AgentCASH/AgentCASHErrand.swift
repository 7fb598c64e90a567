import CardData
import EventLoops
import GatewayProtocols
import Transports

/// One thing asked of the service, until its outcome is known as well as it can be.
///
/// | outcome of an exchange | what follows |
/// | --- | --- |
/// | an answer | the verdict |
/// | refused: it never left | the verdict unreachable; a reversal goes on as if lost |
/// | timeout, reset, garbage, status from 500 on | looked up, never sent again |
///
/// What moves no money is asked again instead of looked up. A reversal that a look-up shows not to
/// have been booked is sent again: the service takes one for an authorised payment only, so that a
/// second one can do no harm.
struct AgentCASHErrand: Hashable {
    /// What is asked.
    indirect enum Work: Hashable {
        case account(reference: String)
        case authorise(AgentCASHAuthorisation)
        case confirm(UInt64, signature: [UInt8], captures: Bool)
        case reverse(UInt64)
        case capture(AgentCASHTransaction, Amount?)
        case refund(AgentCASHTransaction, Amount?)
        case show(UInt64)
        case search(AgentCASHSearch)
    }

    /// How it ended.
    enum Verdict: Hashable {
        /// As the books show: carried out, or declined by the issuer; what a search found.
        case booked([AgentCASHTransaction])
        /// The service refused it; nothing changed.
        case refused(AgentCASHError)
        /// It never left.
        case unreachable
        /// The books say that it was not carried out.
        case notBooked
        /// Nobody answers.
        case unknown
    }

    private enum Phase: Hashable {
        case asking(exchange: Int, deadline: VirtualInstant)
        case pausing(until: VirtualInstant)
        case lookingUp(exchange: Int, deadline: VirtualInstant)
    }

    private enum Reading {
        case answer(AgentCASHResponse)
        case none(UnansweredReason)
    }

    let work: Work
    private var phase: Phase
    private var lookUpCount = 0
    private var plant: Plant?

    /// Sends what is asked.
    init(
        _ work: Work,
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        self.work = work
        plant = configuration.plant
        let sent = outbox.send(work.request, work.kind, configuration, at: now)
        phase = .asking(exchange: sent.exchange, deadline: sent.deadline)
    }

    var deadline: VirtualInstant {
        switch phase {
        case .asking(_, let deadline), .lookingUp(_, let deadline): deadline
        case .pausing(let until): until
        }
    }

    /// Whether the first answer was lost.
    var isInDoubt: Bool {
        switch phase {
        case .asking: false
        case .pausing, .lookingUp: true
        }
    }

    /// The exchange whose end is awaited; `nil` in a pause.
    var exchange: Int? {
        switch phase {
        case .asking(let exchange, _), .lookingUp(let exchange, _): exchange
        case .pausing: nil
        }
    }

    /// Takes the end of the exchange that is awaited; returns the verdict if that settles it.
    mutating func outcome(
        _ outcome: HTTPOutcome,
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) -> Verdict? {
        switch phase {
        case .asking(let exchange, _):
            switch read(outcome) {
            case .answer(let response):
                outbox.add(.answered(exchange: exchange, kind: work.kind, response))
                if let verdict = verdict(of: response) { return verdict }
            case .none(let reason):
                outbox.add(.unanswered(exchange: exchange, kind: work.kind, reason))
                if let verdict = plantedVerdict(without: reason) { return verdict }
                if reason == .refused, !work.mustBeDone { return .unreachable }
                if reason != .refused, isPlantedAgain {
                    self = AgentCASHErrand(work, configuration, &outbox, at: now)
                    return nil
                }
            }
            return lookUp(whenDone: .unknown, configuration, &outbox, at: now)
        case .lookingUp(let exchange, _):
            let kind = work.isQuestion ? work.kind : .lookUp
            switch read(outcome) {
            case .answer(let response):
                outbox.add(.answered(exchange: exchange, kind: kind, response))
                return lookedUp(response, configuration, &outbox, at: now)
            case .none(let reason):
                outbox.add(.unanswered(exchange: exchange, kind: kind, reason))
                let isBelieved = plant == .believesLostSearches && work.kind == .authorise
                return isBelieved
                    ? .notBooked : lookUp(whenDone: .unknown, configuration, &outbox, at: now)
            }
        case .pausing: return nil
        }
    }

    /// Does what is due; returns the verdict if that settles it.
    mutating func deadlineReached(
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) -> Verdict? {
        switch phase {
        case .asking(let exchange, let deadline), .lookingUp(let exchange, let deadline):
            guard deadline <= now else { return nil }
            outbox.add(.cancel(exchange: exchange))
            return outcome(.timedOut, configuration, &outbox, at: now)
        case .pausing(let until):
            if until <= now { sendLookUp(configuration, &outbox, at: now) }
            return nil
        }
    }

    // MARK: - Look-ups

    private mutating func lookUp(
        whenDone verdict: Verdict,
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) -> Verdict? {
        guard lookUpCount < configuration.lookUpPauses.count else {
            guard plant == .authorisesWhatIsUnknown, work.kind == .authorise, verdict == .unknown
            else { return verdict }
            self = AgentCASHErrand(work, configuration, &outbox, at: now)
            return nil
        }
        let pause = configuration.lookUpPauses[lookUpCount]
        lookUpCount += 1
        if pause > .zero {
            phase = .pausing(until: now + pause)
        } else {
            sendLookUp(configuration, &outbox, at: now)
        }
        return nil
    }

    private mutating func sendLookUp(
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        let kind = work.isQuestion ? work.kind : .lookUp
        let sent = outbox.send(work.lookUp, kind, configuration, at: now)
        phase = .lookingUp(exchange: sent.exchange, deadline: sent.deadline)
    }

    private mutating func lookedUp(
        _ response: AgentCASHResponse,
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) -> Verdict? {
        if work.isQuestion { return verdict(of: response) ?? .unknown }
        let found: AgentCASHTransaction? =
            switch response {
            case .transaction(let transaction): work.isAbout(transaction) ? transaction : nil
            case .transactions(let transactions): transactions.last { work.isAbout($0) }
            case .refused: nil
            }
        switch (response, found) {
        case (.refused, _): return lookUp(whenDone: .unknown, configuration, &outbox, at: now)
        case (_, let transaction?) where work.isSettled(by: transaction):
            return .booked([transaction])
        case (.transaction, _), (.transactions, _):
            if case .reverse = work, lookUpCount < configuration.lookUpPauses.count {
                let sent = outbox.send(work.request, work.kind, configuration, at: now)
                phase = .asking(exchange: sent.exchange, deadline: sent.deadline)
                return nil
            }
            return lookUp(whenDone: .notBooked, configuration, &outbox, at: now)
        }
    }

    // MARK: - Reading

    private func read(_ outcome: HTTPOutcome) -> Reading {
        switch outcome {
        case .timedOut: return .none(.timedOut)
        case .reset: return .none(.reset)
        case .refused: return .none(.refused)
        case .answered(let response):
            // Below 500 the body decides, since refusals come with a status of their own.
            if response.status < 500, let answer = AgentCASHResponse(decoding: response.body),
                isAnswer(answer)
            {
                return .answer(answer)
            }
            let isGarbage = (200...299).contains(response.status)
            return .none(isGarbage ? .garbage : .httpError(status: response.status))
        }
    }

    /// Whether a response can be the one to what is asked.
    private func isAnswer(_ response: AgentCASHResponse) -> Bool {
        switch response {
        case .refused: true
        case .transaction(let transaction):
            !work.isListAwaited(inDoubt: isInDoubt) && work.isAbout(transaction)
        case .transactions: work.isListAwaited(inDoubt: isInDoubt)
        }
    }

    /// What the answer to what was asked says; `nil` when only a look-up can tell.
    private func verdict(of response: AgentCASHResponse) -> Verdict? {
        switch response {
        case .refused(let error):
            // The state may be what an earlier request of ours made it.
            error.code == .wrongState && work.changesState ? nil : .refused(error)
        case .transactions(let transactions): .booked(transactions)
        case .transaction(let transaction):
            work.isSettled(by: transaction) ? .booked([transaction]) : nil
        }
    }

    /// Whether a planted mistake sends what had no answer again.
    private var isPlantedAgain: Bool {
        switch (plant, work.kind) {
        case (.authorisesAgain, .authorise), (.capturesAgain, .capture), (.refundsAgain, .refund):
            true
        case (_, _): false
        }
    }

    /// How a planted mistake ends what had no answer; `nil` without one.
    private func plantedVerdict(without reason: UnansweredReason) -> Verdict? {
        switch (plant, work.kind) {
        case (.givesUpLostAuthorisations, .authorise) where reason != .refused: .unknown
        case (.takesGarbageForNothing, .authorise) where reason == .garbage: .notBooked
        case (_, _): nil
        }
    }
}
