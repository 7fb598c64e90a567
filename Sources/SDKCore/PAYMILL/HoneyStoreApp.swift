public import CardData
public import EventLoops
public import GatewayProtocols
public import Transports

/// The HoneyStore app: its user, the cards that are typed in, and purchases, one at a time, none of
/// them sent twice.
///
/// The machine performs no I/O and reads no clock. The driver delivers what ``nextAction()``
/// returns, one at a time, and may call any input from inside a callback.
///
/// | of a purchase | what follows |
/// | --- | --- |
/// | by a card | a token, then the backend with the token |
/// | by a card that is kept | the list of cards, then the backend with the card's id |
/// | no token | finished(error): the backend was not asked |
/// | the backend's answer | finished(approved, declined or error) |
/// | refused: it never left | finished(error) |
/// | a time-out, a lost connection, no answer, Parse's time-out | looked up, never sent again |
///
/// | look-up | what follows |
/// | --- | --- |
/// | found | finished(approved or declined), as the gateway's books say |
/// | not found, or failed | the next look-up after its pause |
/// | not found, the last one | finished(notCharged) |
/// | failed, the last one | finished(unknown) |
///
/// Source: SDK document, "Application internals"; the look-up is ours.
public struct HoneyStoreApp: Hashable, Sendable {
    /// What can be set.
    public struct Configuration: Hashable, Sendable {
        /// The merchant's public key; there is no private one in an app.
        public var publicKey: String
        /// Whether real cards are refused; the example has it fixed.
        public var testMode = true
        /// The calendar at the beginning of the run, in seconds since 1970 UTC.
        public var startSecondsSince1970: Int64 = 1_401_580_800
        /// How long to wait for an answer (assumed).
        public var answerTimeout: VirtualDuration = .seconds(30)
        /// The pause before each look-up, so also how many there are.
        public var lookUpPauses: [VirtualDuration] = [.zero, .seconds(2), .seconds(5)]
        /// Whether prices become amounts as in the published app, which may lose a cent.
        public var cutsPrices = false
        /// Whether purchases can be looked up; the published app cannot.
        public var canLookUp = true
        /// How many calls may wait for the one at work.
        public var maximumWaitingCount = 256
        /// A mistake planted on purpose.
        public var plant: Plant?

        /// Creates the usual configuration for a merchant.
        public init(publicKey: String) { self.publicKey = publicKey }
    }

    /// What the driver has to do, or to tell the user.
    public enum Action: Hashable, Sendable {
        /// Send a request; its outcome, or ``deadlineReached(at:)``, is awaited.
        case send(exchange: Int, kind: HoneyStoreExchangeKind, to: HoneyStoreHost, HTTPRequest)
        /// Give an exchange up: its outcome no longer matters.
        case cancel(exchange: Int)
        /// An exchange was answered.
        case answered(exchange: Int, kind: HoneyStoreExchangeKind, HoneyStoreReading)
        /// An exchange ended without an answer that can be used.
        case unanswered(exchange: Int, kind: HoneyStoreExchangeKind, UnansweredReason)
        /// A call is done with; `count` is how many were listed.
        case finished(HoneyStoreCall, error: String?, count: Int)
        /// A token was made, or was not.
        case tokenFinished(PMError?)
        /// A purchase is done with.
        case purchaseFinished(HoneyStorePurchase, PurchaseResult)
    }

    enum Work: Hashable {
        case call(HoneyStoreCall)
        case purchase(HoneyStorePurchase, hasWaited: Bool)
    }

    enum State: Hashable {
        case idle
        case asking(Work, HoneyStoreExchangeKind, exchange: Int, deadline: VirtualInstant)
        case pausing(HoneyStorePurchase, lookUp: Int, until: VirtualInstant)
    }

    /// What is set.
    public let configuration: Configuration
    /// The card or the bank account that was typed in last.
    public var instrument: PAYMILLInstrument?
    /// The session of the user; the app saves it.
    public var session = ""
    /// The token that was made last by itself, not for a purchase.
    public internal(set) var token = ""
    /// The token of the purchase at work, or of the last one.
    var purchaseToken = ""
    var state = State.idle
    var waiting: [Work] = []
    var actions: [Action] = []
    private var exchangeCount = 0
    private var purchaseCount = 0
    /// The number of the look-up at work.
    var lookUp = 0
    /// Whether the look-up before had no answer.
    var hasLostLookUp = false

    /// Creates an app without a user.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// Whether something is at work or waits.
    public var isBusy: Bool { state != .idle }

    /// When to call ``deadlineReached(at:)``, or `nil` when nothing is awaited.
    public var nextDeadline: VirtualInstant? {
        switch state {
        case .idle: nil
        case .asking(_, _, _, let deadline): deadline
        case .pausing(_, _, let until): until
        }
    }

    /// The money that the app makes of a price.
    public func amount(ofPrice price: Amount) -> Amount {
        configuration.cutsPrices ? HoneyStoreProduct.observedAmount(ofPrice: price) : price
    }

    /// Does something, after what waits already.
    public mutating func call(_ call: HoneyStoreCall, at now: VirtualInstant) {
        take(.call(call), at: now)
    }

    /// Buys something, after what waits already.
    public mutating func buy(_ purchase: HoneyStorePurchase, at now: VirtualInstant) {
        var purchase = purchase
        if configuration.canLookUp {
            purchaseCount += 1
            let start = configuration.startSecondsSince1970
            let milliseconds = (now - .zero).nanoseconds / 1_000_000
            // Letters part the digits, so that nobody takes them for a card number.
            purchase.reference = "s\(start)t\(milliseconds)n\(purchaseCount)"
        }
        // What is meant is the token of now, whatever is made until its turn comes.
        if purchase.payer == .token { purchase.boundToken = token }
        take(.purchase(purchase, hasWaited: isBusy), at: now)
    }

    /// Returns the next thing to do or to tell, or `nil` when an input is awaited.
    public mutating func nextAction() -> Action? {
        actions.isEmpty ? nil : actions.removeFirst()
    }

    /// Records how an exchange ended; late ends of exchanges that were given up are ignored.
    public mutating func outcome(
        _ outcome: HTTPOutcome,
        exchange: Int,
        at now: VirtualInstant
    ) {
        guard case .asking(let work, let kind, exchange, _) = state else { return }
        switch outcome {
        case .refused: lost(work, kind, exchange, .refused, at: now)
        case .reset: lost(work, kind, exchange, .reset, at: now)
        case .timedOut: lost(work, kind, exchange, .timedOut, at: now)
        case .answered(let response): answered(work, kind, exchange, response, at: now)
        }
    }

    /// Records that time has passed; earlier than ``nextDeadline`` it changes nothing.
    public mutating func deadlineReached(at now: VirtualInstant) {
        guard let nextDeadline, now >= nextDeadline else { return }
        switch state {
        case .idle: break
        case .asking(let work, let kind, let exchange, _):
            actions.append(.cancel(exchange: exchange))
            lost(work, kind, exchange, .timedOut, at: now)
        case .pausing(let purchase, let lookUp, _): sendLookUp(purchase, lookUp, at: now)
        }
    }

    // MARK: Work

    private mutating func take(_ work: Work, at now: VirtualInstant) {
        guard state != .idle else { return start(work, at: now) }
        if waiting.count < configuration.maximumWaitingCount {
            waiting.append(work)
            return
        }
        let text = "too many calls are waiting"
        switch work {
        case .call(let call): actions.append(.finished(call, error: text, count: 0))
        case .purchase(let purchase, _):
            actions.append(.purchaseFinished(purchase, .error(text)))
        }
    }

    mutating func next(at now: VirtualInstant) {
        state = .idle
        if !waiting.isEmpty { start(waiting.removeFirst(), at: now) }
    }

    mutating func start(_ work: Work, at now: VirtualInstant) {
        switch work {
        case .call(.token(let amount)):
            makeToken(work, amount, "EUR", "token", at: now)
        case .call(let call):
            let (kind, request) = call.request
            ask(work, kind, request, at: now)
        case .purchase(let purchase, _):
            switch purchase.payer {
            case .card where configuration.plant == .keepsTokens && !purchaseToken.isEmpty:
                pay(work, purchase, .token(purchaseToken), at: now)
            case .card:
                makeToken(work, purchase.amount, purchase.currency, purchase.orderID, at: now)
            case .token:
                guard !purchase.boundToken.isEmpty else {
                    return finish(purchase, .error("there is no token"), at: now)
                }
                pay(work, purchase, .token(purchase.boundToken), at: now)
            case .storedCard: ask(work, .cards, .payments, at: now)
            case .payment(let id): pay(work, purchase, .payment(id), at: now)
            case .sdk: finish(purchase, .error("the store's app does not charge"), at: now)
            }
        }
    }

    /// Sends a purchase to the backend; this is what must not happen twice.
    mutating func pay(
        _ work: Work,
        _ purchase: HoneyStorePurchase,
        _ source: PAYMILLRequest.Source,
        at now: VirtualInstant
    ) {
        let request: HoneyStoreRequest =
            switch source {
            case .payment(let id): .createTransactionWithPayment(id, purchase.order)
            case .token(let id), .preauthorization(let id):
                purchase.isHeld
                    ? .createPreauthorizationWithToken(id, purchase.order)
                    : .createTransactionWithToken(id, purchase.order)
            }
        ask(work, purchase.isHeld ? .auth : .sale, request, at: now)
    }

    // MARK: Requests

    /// Makes a token of the card, or ends what needs one.
    private mutating func makeToken(
        _ work: Work,
        _ amount: Amount,
        _ currency: String,
        _ description: String,
        at now: VirtualInstant
    ) {
        do throws(PMError) {
            guard let instrument else {
                throw PMError(.wrongParameters, "there is no card")
            }
            let method = try PMPaymentMethod(typed: instrument)
            let parameters = try PMFactory.genPaymentParams(
                currency: currency,
                amount: amount.minorUnits,
                description: description
            )
            let http = try PMManager.tokenExchange(
                publicKey: configuration.publicKey,
                testMode: configuration.testMode,
                method: method,
                parameters: parameters,
                startSecondsSince1970: configuration.startSecondsSince1970,
                at: now
            )
            send(work, .token, to: .bridge, http, at: now)
        } catch {
            noToken(work, error, at: now)
        }
    }

    private mutating func ask(
        _ work: Work,
        _ kind: HoneyStoreExchangeKind,
        _ request: HoneyStoreRequest,
        at now: VirtualInstant
    ) {
        var http = HTTPRequest(
            method: request.method,
            path: request.path,
            contentType: request.body.isEmpty ? "" : HoneyStoreRequest.contentType,
            body: body(of: request, work)
        )
        if !session.isEmpty {
            http.fields.append(HTTPField(HoneyStoreRequest.sessionField, session))
        }
        send(work, kind, to: .backend, http, at: now)
    }

    /// The body, and the card beside it where a mistake is planted.
    private func body(of request: HoneyStoreRequest, _ work: Work) -> [UInt8] {
        guard case .purchase(let purchase, let hasWaited) = work, let card = instrument?.card else {
            return request.body
        }
        let isPlanted: Bool
        switch (request, configuration.plant) {
        case (.createTransactionWithToken, .sendsCardsToMerchant): isPlanted = true
        case (.createPreauthorizationWithToken, .authorizesCardsAtMerchant): isPlanted = true
        case (.createTransactionWithToken, .sendsWaitingCardsToMerchant): isPlanted = hasWaited
        default: isPlanted = false
        }
        guard isPlanted, purchase.payer == .card else { return request.body }
        return request.body(adding: card.unmaskedNumber, as: "cardNumber")
    }

    private mutating func send(
        _ work: Work,
        _ kind: HoneyStoreExchangeKind,
        to host: HoneyStoreHost,
        _ request: HTTPRequest,
        at now: VirtualInstant
    ) {
        exchangeCount += 1
        state = .asking(
            work,
            kind,
            exchange: exchangeCount,
            deadline: now + configuration.answerTimeout
        )
        actions.append(.send(exchange: exchangeCount, kind: kind, to: host, request))
    }

    // MARK: Look-ups

    /// Looks a purchase up whose outcome is unknown, or ends with what is known.
    mutating func lookUp(_ purchase: HoneyStorePurchase, _ number: Int, at now: VirtualInstant) {
        guard configuration.canLookUp else { return finish(purchase, .unknown, at: now) }
        guard number < configuration.lookUpPauses.count else {
            if hasLostLookUp {
                if configuration.plant == .chargesWhatIsUnknown {
                    return start(.purchase(purchase, hasWaited: false), at: now)
                }
                return finish(purchase, .unknown, at: now)
            }
            if configuration.plant == .sendsUnfoundTokensAgain, !purchaseToken.isEmpty {
                let work = Work.purchase(purchase, hasWaited: false)
                return pay(work, purchase, .token(purchaseToken), at: now)
            }
            return finish(purchase, .notCharged, at: now)
        }
        let pause = configuration.lookUpPauses[number]
        if pause > .zero {
            state = .pausing(purchase, lookUp: number, until: now + pause)
        } else {
            sendLookUp(purchase, number, at: now)
        }
    }

    private mutating func sendLookUp(
        _ purchase: HoneyStorePurchase,
        _ number: Int,
        at now: VirtualInstant
    ) {
        lookUp = number
        let work = Work.purchase(purchase, hasWaited: false)
        let request = HoneyStoreRequest.transactions(
            description: purchase.orderID,
            reference: purchase.reference
        )
        ask(work, .query, request, at: now)
    }

    mutating func finish(
        _ purchase: HoneyStorePurchase,
        _ result: PurchaseResult,
        at now: VirtualInstant
    ) {
        actions.append(.purchaseFinished(purchase, result))
        next(at: now)
    }

    mutating func noToken(_ work: Work, _ error: PMError, at now: VirtualInstant) {
        actions.append(.tokenFinished(error))
        switch work {
        case .call: next(at: now)
        case .purchase(let purchase, _): finish(purchase, .error(error.message), at: now)
        }
    }
}

extension HoneyStoreCall {
    /// What is asked of the backend; a token is not.
    fileprivate var request: (HoneyStoreExchangeKind, HoneyStoreRequest) {
        switch self {
        case .signUp(let name, let password, let email):
            (.signUp, .signUp(username: name, password: password, email: email))
        case .logIn(let name, let password): (.logIn, .logIn(username: name, password: password))
        case .saveUser(let email): (.saveUser, .saveUser(email: email))
        case .products: (.products, .products)
        case .cards, .token: (.cards, .payments)
        }
    }
}
