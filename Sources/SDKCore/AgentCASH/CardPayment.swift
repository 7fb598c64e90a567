import CardData
import EventLoops
import GatewayProtocols
import Transports

/// One `authorize` from its start to its one completed, in test and production mode.
///
/// | state | goes on with |
/// | --- | --- |
/// | checking | the service knows the account: the reader is opened |
/// | opening | the reader is open: the session starts |
/// | reading | a card: the issuer is asked |
/// | authorising | approved: the card is told, or, where it is gone, what the profile says |
/// | completing | the card's yes: the signature where it asks for one, or the confirmation |
/// | signing | the signature matches: the confirmation |
/// | confirming | booked: approved |
/// | reversing | booked: the end that the reversal was for |
/// | leaving | the reader's last word: the end that is known already |
///
/// Before the authorisation left, whatever fails ends the payment with nothing charged. After that
/// it ends by what the service's books say, whatever becomes of the reader. An authorisation without
/// confirmation is never captured.
struct CardPayment: Hashable {
    /// What was asked for, checked.
    struct Order: Hashable {
        let request: PaymentRequest
        let reference: String
        let amount: Amount
        let currency: String
        let currencyNumber: Int
        let captures: Bool
        let externalID: String
        let webhookURL: String
        let cardReader: CardReader
    }

    /// How it will end.
    struct End: Hashable {
        var result: PaymentResult
        var error: PaymentError?
        var payment: AgentCASHTransaction?

        init(
            _ result: PaymentResult,
            _ error: PaymentError? = nil,
            _ payment: AgentCASHTransaction? = nil
        ) {
            self.result = result
            self.error = error
            self.payment = payment
        }
    }

    /// The reader once the card was read.
    enum ReaderSide: Hashable {
        /// It waits to be told how the issuer answered.
        case awaitsAnswer
        /// It has nothing more to do.
        case done
        /// It, or the card, is gone.
        case lost
    }

    enum State: Hashable {
        case checking(AgentCASHErrand)
        case opening(until: VirtualInstant)
        case reading(isCardPresent: Bool, until: VirtualInstant)
        case authorising(
            AgentCASHErrand,
            AgentCASHCard.Verification,
            ReaderSide,
            isCancelled: Bool
        )
        case completing(AgentCASHTransaction, isCancelled: Bool, until: VirtualInstant)
        case signing(AgentCASHTransaction, until: VirtualInstant)
        case confirming(AgentCASHErrand, AgentCASHTransaction)
        case reversing(AgentCASHErrand, End)
        case leaving(End, until: VirtualInstant)
        case finished
    }

    let order: Order
    let configuration: PaymentProvider.Configuration
    var state: State
    /// Whether the reader is wanted, and was not asked for yet.
    var awaitsReader = false
    /// What the app was told last.
    private var lastProgress: PaymentProcessState?
    /// What the session with the reader is to do, in order.
    var readerOrders: [PaymentReaderOrder] = []
    /// Whether a signature was asked for.
    var hasAskedForSignature = false
    /// The service has answered with something else than that it does not know the account.
    var hasProvenAccount = false
    /// How it ended, once it has.
    private(set) var end: End?

    /// How long the reader may take to carry out an abort before its transport is closed.
    static let abortTimeout = VirtualDuration.seconds(5)

    /// The reader's own limit for a card comes first.
    var cardLimit: VirtualDuration { configuration.cardTimeout + Self.abortTimeout }

    var request: PaymentRequest { order.request }

    var isFinished: Bool { state == .finished }

    /// Begins a payment whose parameters are right.
    init(
        _ order: Order,
        _ configuration: PaymentProvider.Configuration,
        checksAccount: Bool,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        self.order = order
        self.configuration = configuration
        state = .opening(until: now + configuration.connectTimeout)
        progress(.connectingReader, &outbox)
        if checksAccount {
            let work = AgentCASHErrand.Work.account(reference: order.reference)
            state = .checking(AgentCASHErrand(work, configuration, &outbox, at: now))
        } else {
            openReader(at: now)
        }
    }

    var deadline: VirtualInstant? {
        switch state {
        case .checking(let errand), .authorising(let errand, _, _, _), .confirming(let errand, _),
            .reversing(let errand, _):
            errand.deadline
        case .opening(let until), .reading(_, let until), .completing(_, _, let until),
            .signing(_, let until), .leaving(_, let until):
            until
        case .finished: nil
        }
    }

    /// Whether the end of this exchange is awaited.
    func awaits(exchange: Int) -> Bool {
        switch state {
        case .checking(let errand), .authorising(let errand, _, _, _), .confirming(let errand, _),
            .reversing(let errand, _):
            errand.exchange == exchange
        case .opening, .reading, .completing, .signing, .leaving, .finished: false
        }
    }

    // MARK: - Steps

    private mutating func openReader(at now: VirtualInstant) {
        awaitsReader = true
        state = .opening(until: now + configuration.connectTimeout)
    }

    mutating func checked(
        _ verdict: AgentCASHErrand.Verdict,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch verdict {
        case .booked:
            hasProvenAccount = true
            openReader(at: now)
        case .refused(let error): finish(End(.failed, PaymentError(error)), &outbox)
        case .unreachable: finish(End(.failed, .serviceUnreachable), &outbox)
        case .notBooked, .unknown: finish(End(.failed, .noAnswer), &outbox)
        }
    }

    mutating func authorise(
        _ card: AgentCASHCard,
        _ reader: ReaderSide,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        progress(.onlineAuthorisation, &outbox)
        outbox.keep(order.reference, captures: order.captures, isConfirmed: false)
        let work = AgentCASHErrand.Work.authorise(
            AgentCASHAuthorisation(
                amount: order.amount,
                currency: order.currency,
                capturesAtOnce: order.captures,
                externalID: order.externalID,
                webhookURL: order.webhookURL,
                reference: order.reference,
                card: card
            )
        )
        let errand = AgentCASHErrand(work, configuration, &outbox, at: now)
        state = .authorising(errand, card.verification, reader, isCancelled: false)
    }

    mutating func authorised(
        _ verdict: AgentCASHErrand.Verdict,
        _ reader: ReaderSide,
        isCancelled: Bool,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        let given = End(.cancelled, .cancelled)
        switch verdict {
        case .booked(let found):
            guard let payment = found.last else { return }
            switch payment.state {
            case .authorised:
                approved(payment, reader, isCancelled: isCancelled, &outbox, at: now)
            case .declined:
                leave(.declined, reader, declined(payment), &outbox, at: now)
            case .captured, .released, .expired, .reversed, .refunded, .failed:
                let end = End(.failed, .notCarriedOut, payment)
                leave(.unreachable, reader, end, &outbox, at: now)
            }
        case .refused(let error):
            let end = isCancelled ? given : End(.failed, PaymentError(error))
            leave(.unreachable, reader, end, &outbox, at: now)
        case .unreachable:
            let end = isCancelled ? given : End(.failed, .serviceUnreachable)
            leave(.unreachable, reader, end, &outbox, at: now)
        case .notBooked:
            let end = isCancelled ? given : End(.failed, .notCharged)
            leave(.unreachable, reader, end, &outbox, at: now)
        case .unknown:
            leave(.unreachable, reader, End(.unknown, .outcomeUnknown), &outbox, at: now)
        }
    }

    private mutating func approved(
        _ payment: AgentCASHTransaction,
        _ reader: ReaderSide,
        isCancelled: Bool,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        let isCancelled = isCancelled && configuration.plant != .forgetsCancelWhileAuthorising
        if isCancelled {
            if reader != .lost { readerOrders.append(.complete(.declined)) }
            return reverse(payment, End(.cancelled, .cancelled), &outbox, at: now)
        }
        switch reader {
        case .awaitsAnswer:
            progress(.finalising, &outbox)
            readerOrders.append(.complete(.approved))
            let until = now + configuration.completionTimeout
            state = .completing(payment, isCancelled: false, until: until)
        case .done:
            readerOrders.append(.complete(.approved))
            cardIsDone(payment, &outbox, at: now)
        case .lost: readerIsLost(payment, &outbox, at: now)
        }
    }

    /// Goes on after the reader or the card was lost, with an authorisation in the books.
    mutating func readerIsLost(
        _ payment: AgentCASHTransaction,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch configuration.profile.lostReader {
        case .completes: cardIsDone(payment, &outbox, at: now)
        case .reverses:
            reverse(payment, End(.failed, .readerDisconnected), &outbox, at: now)
        }
    }

    /// Goes on after the card's last word.
    mutating func cardIsDone(
        _ payment: AgentCASHTransaction,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        if payment.verification == .signature, configuration.plant != .confirmsUnsigned {
            progress(.signatureRequested, &outbox)
            askForSignature(&outbox)
            state = .signing(payment, until: now + configuration.signatureTimeout)
        } else {
            confirm(payment, signature: [], &outbox, at: now)
        }
    }

    mutating func askForSignature(_ outbox: inout PaymentOutbox) {
        hasAskedForSignature = true
        outbox.tell(.userActionRequired(request, .collectSignature))
    }

    mutating func confirm(
        _ payment: AgentCASHTransaction,
        signature: [UInt8],
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        progress(.finalising, &outbox)
        outbox.keep(order.reference, captures: order.captures, isConfirmed: true)
        let work = AgentCASHErrand.Work.confirm(
            payment.id,
            signature: signature,
            captures: order.captures
        )
        state = .confirming(AgentCASHErrand(work, configuration, &outbox, at: now), payment)
    }

    mutating func confirmed(
        _ verdict: AgentCASHErrand.Verdict,
        _ payment: AgentCASHTransaction,
        _ errand: AgentCASHErrand,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch verdict {
        case .booked(let found):
            let payment = found.last ?? payment
            let isDone = errand.work.isDone(in: payment)
            finish(
                isDone ? End(.approved, nil, payment) : End(.failed, .notCarriedOut, payment),
                &outbox
            )
        case .refused(let error):
            reverse(payment, End(.failed, PaymentError(error)), &outbox, at: now)
        case .unreachable:
            reverse(payment, End(.failed, .serviceUnreachable), &outbox, at: now)
        case .notBooked: reverse(payment, End(.failed, .notCharged), &outbox, at: now)
        case .unknown: finish(End(.unknown, .outcomeUnknown, payment), &outbox)
        }
    }

    mutating func reverse(
        _ payment: AgentCASHTransaction,
        _ end: End,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        progress(.finalising, &outbox)
        outbox.keep(order.reference, captures: order.captures, isConfirmed: false)
        let work = AgentCASHErrand.Work.reverse(payment.id)
        state = .reversing(AgentCASHErrand(work, configuration, &outbox, at: now), end)
    }

    mutating func reversed(
        _ verdict: AgentCASHErrand.Verdict,
        _ end: End,
        _ errand: AgentCASHErrand,
        _ outbox: inout PaymentOutbox
    ) {
        var end = end
        switch verdict {
        case .booked(let found):
            end.payment = found.last
            if let payment = found.last, !errand.work.isDone(in: payment) {
                // A confirmation that was thought lost came after all.
                end =
                    payment.state == .captured
                    ? End(.approved, nil, payment) : End(.failed, .notCarriedOut, payment)
            }
        case .refused, .unreachable, .notBooked, .unknown: end = End(.unknown, .outcomeUnknown)
        }
        finish(end, &outbox)
    }

    /// Tells the card how it ended, waits for its last word, and then ends.
    mutating func leave(
        _ answer: PaymentReaderOrder.IssuerAnswer,
        _ reader: ReaderSide,
        _ end: End,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        guard reader != .lost else { return finish(end, &outbox) }
        progress(.finalising, &outbox)
        readerOrders.append(.complete(answer))
        state = .leaving(end, until: now + configuration.completionTimeout)
    }

    /// Tells the reader to stop, waits for it, and then ends.
    mutating func stop(_ end: End, at now: VirtualInstant) {
        readerOrders.append(.abort)
        state = .leaving(end, until: now + Self.abortTimeout)
    }

    /// A decline as the profile tells it.
    func declined(_ payment: AgentCASHTransaction?) -> End {
        switch configuration.profile.decline {
        case .finished: End(.declined, nil, payment)
        case .error: End(.declined, .declined)
        }
    }

    mutating func progress(_ state: PaymentProcessState, _ outbox: inout PaymentOutbox) {
        guard lastProgress != state else { return }
        lastProgress = state
        outbox.tell(.progressChanged(request, state))
    }

    mutating func finish(_ end: End, _ outbox: inout PaymentOutbox) {
        if end.result != .unknown { outbox.forget(order.reference) }
        if configuration.plant != .tellsProgressAfterTheEnd { progress(.finished, &outbox) }
        self.end = end
        state = .finished
        outbox.tell(
            .completed(
                request,
                PaymentCompletion(end.result, end.error, end.payment.map { [$0] } ?? [])
            )
        )
        if configuration.plant == .tellsProgressAfterTheEnd { progress(.finished, &outbox) }
    }
}

extension PaymentError {
    /// A refusal as the app is told.
    init(_ error: AgentCASHError) {
        self = error.code == .unauthorised ? .wrongCredentials : .refused(error)
    }
}
