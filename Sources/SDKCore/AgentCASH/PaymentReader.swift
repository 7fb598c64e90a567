import EventLoops
import GatewayProtocols
import ReaderProtocols

/// The reader of a payment: its transport, and the session over it.
///
/// The transport stays open after a payment while the card is in the slot, so that a card that was
/// paid with is not taken for the next payment's.
struct PaymentReader: Hashable {
    let name: CardReader
    /// Whether the transport is open.
    private(set) var isOpen = false
    var session: MiuraSession
    /// Until when a card may stay in the slot; `nil` while a payment is at work.
    var removalDeadline: VirtualInstant?

    init(_ name: CardReader, _ options: MiuraSessionOptions) {
        self.name = name
        session = MiuraSession(options)
    }

    var deadline: VirtualInstant? {
        let session = isOpen ? session.deadline : nil
        guard let removalDeadline else { return session }
        return min(session ?? removalDeadline, removalDeadline)
    }

    mutating func opened(isSessionPlayed: Bool, at now: VirtualInstant) {
        isOpen = true
        if !isSessionPlayed { session.attached(at: now) }
    }

    /// Carries an order out; returns what is to be reported at once.
    mutating func carryOut(
        _ order: PaymentReaderOrder,
        _ text: String,
        _ configuration: PaymentProvider.Configuration,
        at now: VirtualInstant
    ) -> PaymentReaderReport? {
        switch order {
        case .start(let amount, let currency):
            var sale = MiuraSale(
                transaction: MiuraTransaction(
                    amountMinorUnits: Int(clamping: amount),
                    currency: currency,
                    clock: configuration.startSecondsSince1970.flatMap {
                        MiuraClock(
                            secondsSince1970: $0 + (now - .zero).nanoseconds / 1_000_000_000
                        )
                    }
                ),
                text: text
            )
            sale.cardLimit = configuration.cardTimeout
            return session.begin(sale, at: now) ? nil : .failed(.readerFailed)
        case .complete(.approved):
            session.answer(.approved([]), at: now)
            return nil
        case .complete(.declined):
            session.answer(.declined([]), at: now)
            return nil
        case .complete(.unreachable):
            session.answer(.unavailable, at: now)
            return nil
        case .abort: return session.cancel(at: now) ? nil : .failed(.aborted)
        }
    }
}

extension PaymentReaderReport {
    /// What a session's step says to a payment; `nil` for what it need not know.
    init?(_ step: MiuraStep) {
        switch step {
        case .readerReady: self = .progress(.readerReady)
        case .progress(let progress):
            guard let state = PaymentProcessState(progress) else { return nil }
            self = .progress(state)
        case .authorisationRequired(let reading):
            let isChip = reading.card.entryMode != .magstripe && !reading.isApprovedOffline
            self = .authorisationRequired(reading.card, needsCompletion: isChip)
        case .finished(let end): self.init(end)
        case .write, .dropLink, .applicationChoice, .battery, .irregular: return nil
        }
    }

    private init(_ end: MiuraSaleEnd) {
        self =
            switch end {
            case .approved: .completed(isApproved: true)
            case .declinedByIssuer, .declinedByCard: .completed(isApproved: false)
            case .cancelledByApp: .failed(.aborted)
            case .cancelledByCardholder: .failed(.cancelledOnReader)
            case .failed(let failure): .failed(PaymentReaderFailure(failure))
            }
    }
}

extension PaymentReaderFailure {
    fileprivate init(_ failure: MiuraSaleFailure) {
        self =
            switch failure {
            case .timedOut: .timedOut
            case .cardRemoved: .cardRemoved
            case .cardRefused: .cardNotUsable
            case .linkLost: .linkLost
            case .readerRestarted: .readerRestarted
            case .keysMissing, .pinFailed, .notAuthorised, .refused, .readerFailed: .readerFailed
            }
    }
}

extension PaymentProcessState {
    /// What the app is told of a session's progress; `nil` for what the payment tells by itself.
    fileprivate init?(_ progress: MiuraProgress) {
        switch progress {
        case .connectingReader, .authorising, .finalising: return nil
        case .removeCard: self = .removeCard
        case .waitingForCard: self = .waitingForCard
        case .cardInserted: self = .cardInserted
        case .cardSwiped: self = .cardSwiped
        case .cardTapped: self = .cardTapped
        case .chipUnreadable, .badSwipe: self = .cardRetryRequested
        case .insertInstead: self = .insertRequested
        case .swipeInstead: self = .swipeRequested
        case .tapNotPossible: self = .otherInterfaceRequested
        case .seePhone: self = .seePhone
        case .selectingApplication: self = .selectingApplication
        case .pinEntry: self = .pinEntry
        }
    }
}
