public import CardData
public import EventLoops
public import GatewayProtocols
public import Transports

/// The app's side of an NMI gateway: payments and what follows them, one at a time, none of them
/// sent twice.
///
/// The machine performs no I/O and reads no clock. The driver delivers what ``nextAction()``
/// returns, one at a time, and may call any input from inside a callback.
///
/// | outcome of an exchange | what follows |
/// | --- | --- |
/// | an answer | finished(approved, declined or error) |
/// | refused: it never left | finished(error) |
/// | timeout, reset, garbage, status from 500 on | looked up, never sent again |
///
/// What moves new money (charge, authorisation, credit, offline payment, refund) and a verification
/// are looked up by the order id, what changes a transaction (capture, void) by the transaction's, a
/// customer and a plan by their ids, a subscription by its order or its id. A transaction that an
/// earlier payment of the same order is known by is never taken for a later one's; while the outcome
/// of an earlier one is unknown, what is found may be either's, and the later one ends unknown too.
/// No look-up can tell of an
/// update of a transaction or of a customer: without an answer they end unknown.
///
/// | look-up | what follows |
/// | --- | --- |
/// | found | finished(approved or declined), as the gateway's books say |
/// | not found, unchanged, or failed | the next look-up after its pause |
/// | not found, the last one | finished(notCharged) |
/// | unchanged, the last one | finished(error) |
/// | failed, the last one | finished(unknown) |
///
/// Source: `transact.php` is not idempotent (kicbac-js, README, "Retries"); the pauses and the
/// deadline are assumed.
public struct NMIClient: Hashable, Sendable {
    /// What can be set.
    public struct Configuration: Hashable, Sendable {
        /// Who asks.
        public var credentials: NMICredentials
        /// How long to wait for the answer to a request.
        public var answerTimeout: VirtualDuration = .seconds(30)
        /// The pause before each look-up, so also how many there are.
        public var lookUpPauses: [VirtualDuration] = [.zero, .seconds(2), .seconds(5)]
        /// How many payments may wait for the one at work.
        public var maximumWaitingCount = 256
        /// Whom to ask.
        public var route = Route.gateway
        /// A mistake planted on purpose.
        public var plant: Plant?

        /// Creates the usual configuration for a merchant.
        public init(securityKey: String) { credentials = .securityKey(securityKey) }
    }

    /// What the driver has to do, or to tell the app.
    public enum Action: Hashable, Sendable {
        /// Send a request; its outcome, or ``deadlineReached(at:)``, is awaited.
        case send(
            exchange: Int,
            kind: PaymentExchangeKind,
            HTTPRequest,
            deadline: VirtualInstant
        )
        /// Give an exchange up: its outcome no longer matters.
        case cancel(exchange: Int)
        /// A payment was answered.
        case answered(exchange: Int, kind: PaymentExchangeKind, NMIResponse)
        /// A look-up was answered.
        case lookedUp(exchange: Int, orderID: String, LookUpAnswer)
        /// An exchange ended without an answer that can be used.
        case unanswered(exchange: Int, kind: PaymentExchangeKind, UnansweredReason)
        /// A charge is done with; `payment` is what ``charge(_:at:)`` returned.
        case chargeFinished(payment: Int, amount: Amount, orderID: String, ChargeResult)
        /// A void is done with; `payment` is what ``void(_:at:)`` returned.
        case voidFinished(payment: Int, transactionID: NMITransactionID, VoidResult)
        /// An authorisation is done with.
        case authorizationFinished(
            payment: Int,
            amount: Amount,
            orderID: String,
            ChargeResult
        )
        /// A credit is done with.
        case creditFinished(payment: Int, amount: Amount, orderID: String, ChargeResult)
        /// A capture is done with.
        case captureFinished(
            payment: Int,
            transactionID: NMITransactionID,
            amount: Amount,
            VoidResult
        )
        /// A refund is done with; an approved one has a transaction of its own.
        case refundFinished(payment: Int, RefundRequest, ChargeResult)
        /// A verification is done with; an approved one has a transaction without money.
        case validationFinished(payment: Int, orderID: String, ChargeResult)
        /// An offline payment is done with.
        case offlineFinished(payment: Int, amount: Amount, orderID: String, ChargeResult)
        /// Data for a transaction are done with.
        case updateFinished(payment: Int, transactionID: NMITransactionID, VoidResult)
        /// A change of the customers is done with.
        case customerFinished(
            payment: Int,
            NMIVaultRequest.Action,
            customerID: String,
            RegisterResult
        )
        /// A change of plans or subscriptions is done with.
        case recurringFinished(payment: Int, RecurringChange, RegisterResult)
    }

    private enum State: Hashable {
        case idle
        case paying(Payment, exchange: Int, deadline: VirtualInstant)
        case pausing(Payment, lookUp: Int, until: VirtualInstant)
        case lookingUp(Payment, lookUp: Int, exchange: Int, deadline: VirtualInstant)
    }

    /// What is set.
    public let configuration: Configuration

    private var state = State.idle
    private var waiting: [Payment] = []
    private var actions: [Action] = []
    private var deliveredCount = 0
    private var paymentCount = 0
    private var exchangeCount = 0
    /// What is known of earlier payments, the newest last.
    private var past = Past()

    /// Creates a client that has nothing to do.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// Whether a payment is at work or waits.
    public var isBusy: Bool { state != .idle }

    /// When to call ``deadlineReached(at:)``, or `nil` when nothing is awaited.
    public var nextDeadline: VirtualInstant? {
        switch state {
        case .idle: nil
        case .paying(_, _, let deadline): configuration.plant == .waitsForEver ? nil : deadline
        case .pausing(_, _, let until): until
        case .lookingUp(_, _, _, let deadline): deadline
        }
    }

    /// Charges a card, after the payments that wait already.
    ///
    /// - Returns: The payment's number, counted from 1 over all calls of this kind.
    @discardableResult
    public mutating func charge(_ request: ChargeRequest, at now: VirtualInstant) -> Int {
        take(.charge(request), at: now)
    }

    /// Authorises an amount on a card, to be captured later.
    ///
    /// - Returns: The payment's number; see ``charge(_:at:)``.
    @discardableResult
    public mutating func authorize(_ request: ChargeRequest, at now: VirtualInstant) -> Int {
        take(.authorize(request), at: now)
    }

    /// Pays out to a card without reference to an earlier payment.
    ///
    /// - Returns: The payment's number; see ``charge(_:at:)``.
    @discardableResult
    public mutating func credit(_ request: ChargeRequest, at now: VirtualInstant) -> Int {
        take(.credit(request), at: now)
    }

    /// Captures an authorisation, with at most the amount authorised.
    ///
    /// - Returns: The payment's number; see ``charge(_:at:)``.
    @discardableResult
    public mutating func capture(
        _ id: NMITransactionID,
        amount: Amount,
        at now: VirtualInstant
    ) -> Int {
        take(.capture(id, amount), at: now)
    }

    /// Pays money of an earlier transaction back.
    ///
    /// - Returns: The payment's number; see ``charge(_:at:)``.
    @discardableResult
    public mutating func refund(_ request: RefundRequest, at now: VirtualInstant) -> Int {
        take(.refund(request), at: now)
    }

    /// Cancels a transaction; that of a check is said to be one.
    ///
    /// - Returns: The payment's number; see ``charge(_:at:)``.
    @discardableResult
    public mutating func void(
        _ id: NMITransactionID,
        reason: NMIVoidReason? = nil,
        isCheck: Bool = false,
        at now: VirtualInstant
    ) -> Int {
        take(.void(id, reason, isCheck: isCheck), at: now)
    }

    /// Records how an exchange ended; late ends of exchanges that were given up are ignored.
    public mutating func outcome(
        _ outcome: HTTPOutcome,
        exchange: Int,
        at now: VirtualInstant
    ) {
        switch state {
        case .paying(let payment, exchange, _): paid(payment, exchange, outcome, at: now)
        case .lookingUp(let payment, let lookUp, exchange, _):
            lookedUp(payment, lookUp, exchange, outcome, at: now)
        case .idle, .paying, .pausing, .lookingUp: break
        }
    }

    /// Records that time has passed; earlier than ``nextDeadline`` it changes nothing.
    public mutating func deadlineReached(at now: VirtualInstant) {
        guard let nextDeadline, now >= nextDeadline else { return }
        switch state {
        case .idle: break
        case .paying(let payment, let exchange, _):
            actions.append(.cancel(exchange: exchange))
            paid(payment, exchange, .timedOut, at: now)
        case .pausing(let payment, let lookUp, _): sendLookUp(payment, lookUp, at: now)
        case .lookingUp(let payment, let lookUp, let exchange, _):
            actions.append(.cancel(exchange: exchange))
            lookedUp(payment, lookUp, exchange, .timedOut, at: now)
        }
    }

    /// Returns the next thing to do or to tell, or `nil` when an input is awaited.
    public mutating func nextAction() -> Action? {
        guard deliveredCount < actions.count else {
            if deliveredCount > 0 {
                actions.removeAll(keepingCapacity: true)
                deliveredCount = 0
            }
            return nil
        }
        defer { deliveredCount += 1 }
        return actions[deliveredCount]
    }

    // MARK: - Payments

    mutating func take(_ work: Payment.Work, at now: VirtualInstant) -> Int {
        paymentCount += 1
        let payment = Payment(number: paymentCount, work: work, plant: configuration.plant)
        switch state {
        case .idle: start(payment, at: now)
        case .paying where configuration.plant == .paysTwoAtOnce: start(payment, at: now)
        case .paying, .pausing, .lookingUp:
            if waiting.count < configuration.maximumWaitingCount {
                waiting.append(payment)
            } else {
                actions.append(payment.finished(.error(nil, "too many payments are waiting")))
            }
        }
        return payment.number
    }

    private mutating func start(
        _ payment: Payment,
        hasWaited: Bool = false,
        at now: VirtualInstant
    ) {
        guard
            let (exchange, deadline) = send(
                payment.operation,
                payment.kind,
                hasWaited: hasWaited,
                at: now
            )
        else {
            let text = "the merchant's server takes no such request"
            return finish(payment, .error(nil, text), at: now)
        }
        state = .paying(payment, exchange: exchange, deadline: deadline)
    }

    private mutating func paid(
        _ payment: Payment,
        _ exchange: Int,
        _ outcome: HTTPOutcome,
        at now: VirtualInstant
    ) {
        let kind = payment.kind
        switch payment.reading(outcome) {
        case .answer(let response):
            actions.append(.answered(exchange: exchange, kind: kind, response))
            past.note(response.transactionID, of: payment)
            finish(payment, payment.verdict(of: response), at: now)
        case .none(let reason):
            actions.append(.unanswered(exchange: exchange, kind: kind, reason))
            let isLost = configuration.plant == .looksUpRefused || reason != .refused
            if configuration.plant == .chargesAgain, isLost {
                start(payment, at: now)
            } else if let verdict = payment.plantedVerdict(without: reason) {
                finish(payment, verdict, at: now)
            } else if !isLost {
                finish(payment, .error(nil, "the gateway cannot be reached"), at: now)
            } else {
                lookUp(payment, 0, whenDone: .unknown, at: now)
            }
        }
    }

    private mutating func finish(
        _ payment: Payment,
        _ verdict: Payment.Verdict,
        at now: VirtualInstant
    ) {
        actions.append(payment.finished(verdict))
        if verdict == .unknown { past.doubt(payment) }
        if waiting.isEmpty {
            state = .idle
        } else {
            let isLast = configuration.plant == .paysLastFirst
            start(
                isLast ? waiting.removeLast() : waiting.removeFirst(),
                hasWaited: true,
                at: now
            )
        }
    }

    // MARK: - Look-ups

    /// Goes on to a look-up, or ends with what is known when there is no more of them.
    private mutating func lookUp(
        _ payment: Payment,
        _ lookUp: Int,
        whenDone verdict: Payment.Verdict,
        at now: VirtualInstant
    ) {
        let bound = configuration.plant == .looksUpOnce ? 1 : configuration.lookUpPauses.count
        guard payment.query != nil, lookUp < min(bound, configuration.lookUpPauses.count) else {
            let isSentAgain =
                configuration.plant == .chargesWhatIsUnknown && verdict == .unknown
                && payment.query != nil
            return isSentAgain ? start(payment, at: now) : finish(payment, verdict, at: now)
        }
        let pause = configuration.lookUpPauses[lookUp]
        if pause > .zero, configuration.plant != .looksUpAtOnce {
            state = .pausing(payment, lookUp: lookUp, until: now + pause)
        } else {
            sendLookUp(payment, lookUp, at: now)
        }
    }

    private mutating func sendLookUp(_ payment: Payment, _ lookUp: Int, at now: VirtualInstant) {
        guard let query = payment.query,
            let (exchange, deadline) = send(.query(query), .query, at: now)
        else { return finish(payment, .unknown, at: now) }
        state = .lookingUp(payment, lookUp: lookUp, exchange: exchange, deadline: deadline)
    }

    private mutating func lookedUp(
        _ payment: Payment,
        _ lookUp: Int,
        _ exchange: Int,
        _ outcome: HTTPOutcome,
        at now: VirtualInstant
    ) {
        switch payment.readingLookUp(outcome, except: past.transactionIDs(of: payment)) {
        case .none(let reason):
            actions.append(.unanswered(exchange: exchange, kind: .query, reason))
            let isBelieved =
                configuration.plant == .believesLostLookUps
                || configuration.plant == .believesTwoLostLookUps && lookUp > 0
            if isBelieved { return finish(payment, .notCharged, at: now) }
            if configuration.plant == .chargesAfterLostLookUps { return start(payment, at: now) }
            self.lookUp(payment, lookUp + 1, whenDone: .unknown, at: now)
        case .answer(let answer):
            actions.append(.lookedUp(exchange: exchange, orderID: payment.orderID, answer))
            if case .found(let transaction) = answer {
                // It may be an earlier payment's whose outcome nobody knows.
                if past.doubts(payment) {
                    return self.lookUp(payment, lookUp + 1, whenDone: .unknown, at: now)
                }
                past.note(transaction.transactionID, of: payment)
            }
            switch payment.verdict(of: answer) {
            case .final(let verdict): finish(payment, verdict, at: now)
            case .soFar(let verdict):
                self.lookUp(payment, lookUp + 1, whenDone: verdict, at: now)
            }
        }
    }

    private mutating func send(
        _ operation: NMIRequest.Operation,
        _ kind: PaymentExchangeKind,
        hasWaited: Bool = false,
        at now: VirtualInstant
    ) -> (exchange: Int, deadline: VirtualInstant)? {
        let post: HTTPRequest
        switch configuration.route {
        case .gateway:
            let request = NMIRequest(configuration.credentials, operation: operation)
            post = HTTPRequest(
                path: request.path,
                contentType: FormEncoder.contentType,
                body: request.body
            )
        case .merchantServer:
            guard
                let request = Self.relayed(
                    operation,
                    hasWaited: hasWaited,
                    plant: configuration.plant
                )
            else { return nil }
            post = request
        }
        exchangeCount += 1
        let deadline = now + configuration.answerTimeout
        actions.append(.send(exchange: exchangeCount, kind: kind, post, deadline: deadline))
        return (exchangeCount, deadline)
    }
}
