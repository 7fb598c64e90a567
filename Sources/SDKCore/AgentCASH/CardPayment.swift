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

    indirect enum State: Hashable {
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

    private let boxedOrder: Boxed<Order>
    private let settings: Boxed<PaymentProvider.Configuration>
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

    /// How long the reader may take to carry out an abort before its transport is closed.
    static let abortTimeout = VirtualDuration.seconds(5)

    /// The reader's own limit for a card comes first.
    var cardLimit: VirtualDuration { configuration.cardTimeout + Self.abortTimeout }

    var order: Order { _read { yield boxedOrder.value } }

    var configuration: PaymentProvider.Configuration {
        _read { yield settings.value }
    }

    var request: PaymentRequest { order.request }

    var isFinished: Bool { if case .finished = state { true } else { false } }

    /// Begins a payment whose parameters are right.
    init(
        _ order: Order,
        _ configuration: Boxed<PaymentProvider.Configuration>,
        checksAccount: Bool,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        boxedOrder = Boxed(order)
        settings = configuration
        state = .opening(until: now + configuration.value.connectTimeout)
        progress(.connectingReader, &outbox)
        if checksAccount {
            let work = AgentCASHErrand.Work.account(reference: order.reference)
            state = .checking(AgentCASHErrand(work, configuration.value, &outbox, at: now))
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

    // MARK: - Parts

    mutating func openReader(at now: VirtualInstant) {
        awaitsReader = true
        state = .opening(until: now + configuration.connectTimeout)
    }

    mutating func progress(_ state: PaymentProcessState, _ outbox: inout PaymentOutbox) {
        guard lastProgress != state else { return }
        lastProgress = state
        outbox.tell(.progressChanged(request, state))
    }

    mutating func finish(_ end: End, _ outbox: inout PaymentOutbox) {
        if end.result != .unknown { outbox.forget(order.reference) }
        if configuration.plant != .tellsProgressAfterTheEnd { progress(.finished, &outbox) }
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
