public import EventLoops
public import GatewayProtocols
public import Transports
import CardData

/// Takes card payments with a Miura reader and an AgentCASH account.
///
/// The machine performs no I/O and reads no clock. Calls and inputs come in; the driver carries out
/// what ``nextAction()`` returns, one at a time, may call anything from inside a callback, and calls
/// ``deadlineReached(at:)`` when ``nextDeadline`` is due.
///
/// | call | what the app is told |
/// | --- | --- |
/// | authorize | progressChanged, any number; at most one userActionRequired; completed |
/// | capture, refund, paymentInfo, payments | completed |
/// | continueWithSignature | misuse, when no signature is awaited |
/// | cancel | nothing of its own |
///
/// One payment and one follow-up are at work at a time; further follow-ups wait, a further payment
/// is refused. Nothing that may move money is sent twice: where an answer was lost, the service's
/// books are asked.
///
/// Source: SDK document, `ACPaymentProvider`; what it leaves open is in `Docs/agentcash.md`.
public struct PaymentProvider: Hashable, Sendable {
    /// The accessory protocol that an app must declare for Bluetooth readers.
    public static let accessoryProtocol = "com.miura.shuttle.agentcash"

    /// What the driver has to do, or to tell the app.
    public enum Action: Hashable, Sendable {
        /// Tell the app.
        case tell(PaymentEvent)
        /// Keep this with the app's settings, before anything else is done.
        case save(SavedPayments)
        /// Open the transport to a reader; ``PaymentProvider/readerOpened(at:)`` or
        /// ``PaymentProvider/readerNotFound(at:)`` is awaited.
        case openReader(CardReader)
        /// Write to the reader's transport.
        case write([UInt8])
        /// Close the reader's transport, or stop opening it; nothing is awaited.
        case closeReader
        /// Send a request; its outcome, or ``PaymentProvider/deadlineReached(at:)``, is awaited.
        indirect case send(
            exchange: Int,
            kind: AgentCASHExchangeKind,
            HTTPRequest,
            deadline: VirtualInstant
        )
        /// Give an exchange up: its outcome no longer matters.
        case cancel(exchange: Int)
        /// An exchange was answered; for the record.
        indirect case answered(exchange: Int, kind: AgentCASHExchangeKind, AgentCASHResponse)
        /// Bytes of the reader were no frame, and why; the link is dropped, or the next whole frame
        /// is looked for. For the record.
        case readerDamaged(String, dropsLink: Bool)
        /// An exchange ended without an answer that can be used; for the record.
        case unanswered(exchange: Int, kind: AgentCASHExchangeKind, UnansweredReason)
    }

    /// What is set.
    public var configuration: Configuration { settings.value }
    let settings: Boxed<Configuration>
    var outbox: PaymentOutbox
    // What is copied with every look at a provider is small.
    var payment: Boxed<CardPayment>?
    var reader: Boxed<PaymentReader>?
    private var mock: Boxed<MockPayment>?
    private var mockLedger = MockLedger()
    private var followUps: [PaymentFollowUp] = []
    private var hasProvenAccount = false
    private var requestCount = 0

    /// Creates a provider, and clears up what an earlier launch left open.
    ///
    /// - Parameters:
    ///   - configuration: What is set.
    ///   - saved: What the last ``Action/save(_:)`` held; new for a new installation.
    ///   - now: The time.
    public init(
        _ configuration: Configuration,
        saved: SavedPayments = SavedPayments(),
        at now: VirtualInstant
    ) {
        settings = Boxed(configuration)
        outbox = PaymentOutbox(saved)
        settleOpenPayments(at: now)
    }

    /// When to call ``deadlineReached(at:)``, or `nil` when nothing is awaited.
    public var nextDeadline: VirtualInstant? {
        var next: VirtualInstant?
        if let payment { next = payment.value.deadline }
        if let deadline = mock?.value.deadline { next = min(next ?? deadline, deadline) }
        if let reader, let deadline = reader.value.deadline {
            next = min(next ?? deadline, deadline)
        }
        for followUp in followUps {
            if let deadline = followUp.deadline { next = min(next ?? deadline, deadline) }
        }
        return next
    }

    /// When to call ``deadlineReached(at:)``, and whether nobody waits for that.
    ///
    /// Mutating, so that who keeps a provider is asked in place: for a getter it is copied.
    public mutating func nextWish() -> (wanted: VirtualInstant?, isIdle: Bool) {
        (nextDeadline, !isBusy)
    }

    /// Whether a payment is at work, or a signature awaited.
    public var isPaying: Bool { payment != nil || mock != nil }

    /// Whether a payment or another request is at work; else only a card that was left in the
    /// reader is waited for.
    public var isBusy: Bool { isPaying || !followUps.isEmpty }

    // MARK: - Calls

    /// Takes a card at a reader for an amount.
    ///
    /// Parameters are checked first, then the account, then the reader is opened.
    public mutating func authorize(
        _ parameters: AuthRequestParams,
        cardReader: CardReader,
        at now: VirtualInstant
    ) -> PaymentRequest {
        let request = makeRequest()
        do throws(PaymentError) {
            let (amount, number) = try parameters.checked()
            if settings.value.type != .mock { try check(cardReader) }
            guard !isPaying else { throw .anotherPaymentRunning }
            let order = CardPayment.Order(
                request: request,
                reference: outbox.makeReference(settings.value.installation),
                amount: amount,
                currency: parameters.currency,
                currencyNumber: number,
                captures: parameters.capture,
                externalID: parameters.externalID,
                webhookURL: parameters.webhookURL,
                cardReader: cardReader
            )
            start(order, at: now)
        } catch {
            outbox.tell(.completed(request, PaymentCompletion(.failed, error)))
        }
        return request
    }

    /// Says what came of collecting the signature.
    ///
    /// - Parameters:
    ///   - request: The request whose ``PaymentEvent/userActionRequired(_:_:)`` came.
    ///   - image: The image, at most ``AgentCASHRequest/maximumSignatureByteCount`` bytes; empty
    ///     when the cardholder cancelled.
    ///   - result: What came of it.
    ///   - now: The time.
    public mutating func continueWithSignature(
        _ request: PaymentRequest,
        image: [UInt8],
        result: SignatureCollectionResult,
        at now: VirtualInstant
    ) {
        if payment?.value.request == request {
            payment?.value.continueWithSignature(image, result, &outbox, at: now)
            settle(at: now)
        } else if mock?.value.request == request {
            mock?.value.continueWithSignature(image, result, &outbox)
            settle(at: now)
        } else {
            outbox.tell(.misuse(.noSignatureAwaited(request)))
        }
    }

    /// Gives a payment up, as far as it can be.
    ///
    /// What was authorised is reversed, what is being confirmed is not. For a request that is over,
    /// and for one about an earlier payment, it does nothing.
    public mutating func cancel(_ request: PaymentRequest, at now: VirtualInstant) {
        if payment?.value.request == request { payment?.value.cancel(&outbox, at: now) }
        if mock?.value.request == request { mock?.value.cancel(&outbox) }
        settle(at: now)
    }

    /// Takes money that was held; `nil` is all of it, and what is not taken is let go.
    public mutating func capture(
        _ paymentID: UInt64,
        amount: String? = nil,
        at now: VirtualInstant
    ) -> PaymentRequest {
        ask(about: amount, at: now) { .capture($0, paymentID, $1) }
    }

    /// Pays money back; `nil` is all that is left.
    ///
    /// Without a capture the whole payment is cancelled.
    public mutating func refund(
        _ paymentID: UInt64,
        amount: String? = nil,
        at now: VirtualInstant
    ) -> PaymentRequest {
        ask(about: amount, at: now) { .refund($0, paymentID, $1) }
    }

    /// Asks for a payment by its id, which works in any launch.
    public mutating func paymentInfo(
        _ paymentID: UInt64,
        at now: VirtualInstant
    ) -> PaymentRequest {
        ask(about: nil, at: now) { (request, _) in .show(request, paymentID) }
    }

    /// Asks for all payments with an external id, oldest first, at most the newest 100.
    public mutating func payments(
        externalID: String,
        at now: VirtualInstant
    ) -> PaymentRequest {
        ask(about: nil, at: now) { (request, _) in .list(request, externalID: externalID) }
    }

    /// Clears up what is left open: payments of an earlier launch, and those that ended unknown.
    ///
    /// A new provider does it by itself. Each that can be cleared up is told with
    /// ``PaymentEvent/openPaymentSettled(reference:_:)``; without an answer it stays open.
    public mutating func settleOpenPayments(at now: VirtualInstant) {
        guard settings.value.type != .mock else { return }
        for open in outbox.saved.open where open.reference != payment?.value.order.reference {
            let isAsked = followUps.contains { $0.settledReference == open.reference }
            if !isAsked { followUps.append(PaymentFollowUp(.settle(open))) }
        }
        startFollowUp(at: now)
    }

    // MARK: - Inputs

    /// Records how an exchange ended; late ends of exchanges that were given up are ignored.
    public mutating func outcome(
        _ outcome: HTTPOutcome,
        exchange: Int,
        at now: VirtualInstant
    ) {
        if payment?.value.awaits(exchange: exchange) == true {
            payment?.value.outcome(outcome, exchange: exchange, &outbox, at: now)
            settle(at: now)
        } else if let index = followUps.firstIndex(where: { $0.exchange == exchange }) {
            if followUps[index].outcome(outcome, settings.value, &outbox, at: now) {
                followUpEnded(index, at: now)
            }
        }
    }

    /// Records that time has passed; earlier than ``nextDeadline`` it changes nothing.
    public mutating func deadlineReached(at now: VirtualInstant) {
        advanceReader(to: now)
        payment?.value.deadlineReached(&outbox, at: now)
        mock?.value.deadlineReached(&outbox, at: now)
        for index in followUps.indices.reversed() {
            guard let deadline = followUps[index].deadline, deadline <= now else { continue }
            if followUps[index].deadlineReached(settings.value, &outbox, at: now) {
                followUpEnded(index, at: now)
            }
        }
        settle(at: now)
    }

    /// Returns the next thing to do or to tell, or `nil` when an input is awaited.
    public mutating func nextAction() -> Action? { outbox.next() }

    // MARK: - Parts

    /// Lets the reader and the payment do what follows for each, and forgets what is over.
    mutating func settle(at now: VirtualInstant) {
        driveReader(at: now)
        if payment?.value.hasProvenAccount == true { hasProvenAccount = true }
        if payment?.value.isFinished == true { payment = nil }
        letReaderGo(at: now)
        if mock?.value.isFinished == true {
            if let booked = mock?.value.booked { mockLedger.book(booked) }
            mock = nil
        }
    }

    private mutating func start(_ order: CardPayment.Order, at now: VirtualInstant) {
        switch settings.value.type {
        case .mock:
            let id = mockLedger.makeID()
            mock = Boxed(MockPayment(order, id: id, settings.value, &outbox, at: now))
        case .test, .production:
            payment = Boxed(
                CardPayment(
                    order,
                    settings,
                    checksAccount: settings.value.profile.checksAccountFirst
                        && !hasProvenAccount,
                    &outbox,
                    at: now
                )
            )
            settle(at: now)
        }
    }

    private func check(_ cardReader: CardReader) throws(PaymentError) {
        guard cardReader.isNamed else { throw .invalidReader }
        if case .bluetooth = cardReader {
            let isDeclared = settings.value.accessoryProtocols.contains(
                Self.accessoryProtocol
            )
            guard isDeclared else { throw .accessoryProtocolNotDeclared }
        }
        let credentials = settings.value.credentials
        guard !credentials.username.isEmpty, !credentials.password.isEmpty else {
            throw .wrongCredentials
        }
    }

    private mutating func ask(
        about amount: String?,
        at now: VirtualInstant,
        _ work: (PaymentRequest, Amount?) -> PaymentFollowUp.Work
    ) -> PaymentRequest {
        let request = makeRequest()
        var checkedAmount: Amount?
        if let amount {
            guard let amount = Amount(amount), amount.minorUnits > 0 else {
                outbox.tell(.completed(request, PaymentCompletion(.failed, .invalidAmount)))
                return request
            }
            checkedAmount = amount
        }
        let work = work(request, checkedAmount)
        if settings.value.type == .mock {
            outbox.tell(.completed(request, mockLedger.carryOut(work)))
        } else if followUps.count > settings.value.maximumWaitingCount {
            outbox.tell(.completed(request, PaymentCompletion(.failed, .tooManyRequests)))
        } else {
            followUps.append(PaymentFollowUp(work))
            let isFirst = followUps.count == 1
            if isFirst
                || followUps[followUps.count - 1].isPlantedAtOnce(settings.value.plant)
            {
                followUps[followUps.count - 1].start(settings.value, &outbox, at: now)
            }
        }
        return request
    }

    private mutating func followUpEnded(_ index: Int, at now: VirtualInstant) {
        followUps.remove(at: index)
        startFollowUp(at: now)
    }

    private mutating func startFollowUp(at now: VirtualInstant) {
        guard let next = followUps.first, next.deadline == nil else { return }
        followUps[0].start(settings.value, &outbox, at: now)
    }

    private mutating func makeRequest() -> PaymentRequest {
        requestCount += 1
        return PaymentRequest(number: requestCount)
    }
}

extension AuthRequestParams {
    /// The amount, and the currency's number.
    fileprivate func checked() throws(PaymentError) -> (amount: Amount, currencyNumber: Int) {
        guard let amount = Amount(amount), amount.minorUnits > 0,
            amount.minorUnits <= Self.maximumMinorUnits
        else { throw .invalidAmount }
        guard let number = CurrencyNumber.number(of: currency) else { throw .invalidCurrency }
        guard installmentCount == 1 else { throw .invalidInstallmentCount }
        guard externalID.utf8.count <= AgentCASHAuthorisation.maximumTextByteCount else {
            throw .invalidExternalID
        }
        guard webhookURL.isEmpty || AgentCASHAuthorisation.isWebAddress(webhookURL) else {
            throw .invalidWebhookURL
        }
        return (amount, number)
    }
}

extension CardReader {
    /// Whether its name can be one: an address has no blank and no port in it.
    fileprivate var isNamed: Bool {
        switch self {
        case .bluetooth(_, let name): !name.isEmpty && name.utf8.count <= 248
        case .network(_, let address, let port):
            !address.isEmpty && address.utf8.count <= 253 && (1...65_535).contains(port)
                && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        case .serial(_, let path): !path.isEmpty && path.utf8.count <= 4_096
        }
    }
}
