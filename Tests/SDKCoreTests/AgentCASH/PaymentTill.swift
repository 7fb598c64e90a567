import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import SimulatedReaders
import Testing
import Transports

@testable import SDKCore

/// A shop's till: a provider, the simulated service, and a Miura reader or a played session.
struct PaymentTill {
    /// What the test plays the reader with.
    enum Side { case playedSession, simulatedReader }

    var provider: PaymentProvider
    var gateway: SimulatedAgentCASHGateway
    var reader = SimulatedMiura(MiuraReaderConfiguration())
    var laws = TillLaws()
    let cache: CryptoCache
    var now = VirtualInstant.zero
    /// What the app was told, in order.
    var told: [PaymentEvent] = []
    /// What the provider sent, in order.
    var sent: [AgentCASHExchangeKind] = []
    /// What the session was ordered to do, when the test plays it.
    var orders: [PaymentReaderOrder] = []
    /// What the app's settings hold.
    var saved = SavedPayments()
    /// Exchanges whose connection is never made.
    var refusedExchanges: [Int] = []
    /// How often a reader was opened and closed.
    var openCount = 0
    var closeCount = 0
    /// Whether there is a reader under the name that is asked for.
    var isReaderThere = true
    /// Whether the reader's transport opens, and the service answers, by themselves.
    var isReaderAnswering = true
    var isAnswering = true
    /// The requests that nobody answered by itself.
    private var unanswered: [(exchange: Int, request: HTTPRequest)] = []
    /// Cuts the link when so many bytes of it have passed, in both directions together.
    var cutAfterByteCount: Int?
    private(set) var byteCount = 0
    private var isLinked = false
    private var outcomes: [(exchange: Int, outcome: HTTPOutcome, due: VirtualInstant)] = []
    private var arrivals: [(due: VirtualInstant, bytes: ArraySlice<UInt8>)] = []

    static let card = AgentCASHCard(entryMode: .chip, verification: .offlinePIN)
    static let signatureCard = AgentCASHCard(entryMode: .chip, verification: .signature)
    static let reader = CardReader.bluetooth(.miura, name: "AgentCASH 470")
    static let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    init(
        _ side: Side = .playedSession,
        _ faults: [GatewayFault] = [],
        type: PaymentProviderType = .test,
        plant: Plant? = nil,
        cache: CryptoCache = CryptoCache(),
        _ change: (inout PaymentProvider.Configuration) -> Void = { _ in }
    ) {
        self.cache = cache
        var service = SimulatedAgentCASHGateway.Configuration()
        if side == .playedSession { service.baseDerivationKeys = [] }
        gateway = SimulatedAgentCASHGateway(service)
        for fault in faults { gateway.schedule(fault) }
        var configuration = PaymentProvider.Configuration(
            type,
            username: service.credentials.username,
            password: service.credentials.password
        )
        configuration.plant = plant
        configuration.isSessionPlayed = side == .playedSession
        configuration.profile.checksAccountFirst = false
        change(&configuration)
        provider = PaymentProvider(configuration, at: now)
    }

    // MARK: The app

    static func parameters(
        _ amount: String = "15.00",
        captures: Bool = true
    ) -> AuthRequestParams {
        var parameters = AuthRequestParams(amount: amount, currency: "GBP", capture: captures)
        parameters.externalID = "invoice 7"
        return parameters
    }

    @discardableResult
    mutating func authorize(
        _ amount: String = "15.00",
        captures: Bool = true
    ) -> PaymentRequest {
        let request = provider.authorize(
            Self.parameters(amount, captures: captures),
            cardReader: Self.reader,
            at: now
        )
        carry()
        return request
    }

    mutating func sign(
        _ request: PaymentRequest,
        _ result: SignatureCollectionResult = .successful
    ) {
        laws.signed(result)
        let image = result == .cancelled ? [] : Self.image
        provider.continueWithSignature(request, image: image, result: result, at: now)
        carry()
    }

    mutating func cancel(_ request: PaymentRequest) {
        laws.cancelled()
        provider.cancel(request, at: now)
        carry()
    }

    /// The app is killed and started again.
    mutating func relaunch() {
        outcomes = []
        arrivals = []
        laws.relaunched()
        if isLinked { collect(reader.disconnected(at: now, cache: cache)) }
        isLinked = false
        provider = PaymentProvider(provider.configuration, saved: saved, at: now)
        carry()
    }

    // MARK: The played session

    mutating func report(_ report: PaymentReaderReport) {
        if report == .completed(isApproved: false) { laws.refusedByCard() }
        provider.readerReported(report, at: now)
        carry()
    }

    /// A card is read whose payment the issuer is to be asked about.
    mutating func read(_ card: AgentCASHCard = PaymentTill.card) {
        report(.progress(.cardInserted))
        report(.authorisationRequired(card, needsCompletion: card.entryMode != .magstripe))
    }

    mutating func loseReader() {
        guard openCount > closeCount else { return }
        closeCount += 1
        isLinked = false
        arrivals = []
        provider.readerLost(at: now)
        carry()
    }

    // MARK: Hands

    mutating func insert(_ name: String) throws {
        let card = try #require(TestCard.named(name))
        collect(reader.insert(card, cache: cache, at: now))
    }

    mutating func swipe(_ name: String) throws {
        let card = try #require(TestCard.named(name))
        collect(reader.swipe(card, quality: .good, cache: cache, at: now))
    }

    mutating func press(_ text: String) throws {
        let keys = try #require(MiuraKey.keys(text))
        collect(reader.press(keys, cache: cache, at: now))
    }

    mutating func removeCard() { collect(reader.removeCard(cache: cache, at: now)) }

    mutating func switchOff() { collect(reader.switchOff(cache: cache, at: now)) }

    // MARK: Time

    private var next: VirtualInstant? {
        let due = outcomes.map(\.due).min()
        let all = [due, arrivals.first?.due, provider.nextDeadline, reader.nextDeadline]
        return all.compactMap { $0 }.min()
    }

    /// Lets happen what happens within so long.
    mutating func wait(_ duration: VirtualDuration) {
        let end = now + duration
        while let next, next <= end {
            now = max(now, next)
            if let index = outcomes.firstIndex(where: { $0.due <= now }) {
                let (exchange, outcome, _) = outcomes.remove(at: index)
                provider.outcome(outcome, exchange: exchange, at: now)
                carry()
            } else if let first = arrivals.first, first.due <= now {
                arrivals.removeFirst()
                pass(first.bytes) { (till, bytes) in
                    till.provider.readerReceived(bytes, at: till.now)
                }
                carry()
            } else {
                collect(reader.advance(to: now, cache: cache))
                provider.deadlineReached(at: now)
                carry()
            }
        }
        now = end
    }

    /// Plays until the card is to be told how the issuer answered, or the payment is over.
    mutating func waitForAnswer() {
        for _ in 0..<300 {
            if case .complete = orders.last { return }
            guard provider.isPaying else { return }
            wait(.seconds(1))
        }
    }

    /// Plays until the payment is over and all that follows is done, at most ten minutes.
    mutating func finish() { wait(.seconds(600)) }

    // MARK: The driver

    mutating func carry() {
        while true {
            if provider.configuration.isSessionPlayed, let order = provider.nextReaderOrder() {
                orders.append(order)
            } else if let action = provider.nextAction() {
                perform(action)
            } else {
                return
            }
        }
    }

    private mutating func perform(_ action: PaymentProvider.Action) {
        switch action {
        case .tell(let event):
            told.append(event)
            laws.told(event)
        case .save(let saved): self.saved = saved
        case .openReader:
            guard isReaderThere else { return provider.readerNotFound(at: now) }
            openCount += 1
            guard isReaderAnswering else { return }
            isLinked = !provider.configuration.isSessionPlayed
            provider.readerOpened(at: now)
            if isLinked { collect(reader.connected(at: now, cache: cache)) }
        case .closeReader:
            guard openCount > closeCount else { return }
            closeCount += 1
            guard isLinked else { return }
            isLinked = false
            arrivals = []
            collect(reader.disconnected(at: now, cache: cache))
        case .write(let bytes):
            guard isLinked else { return }
            pass(bytes[...]) { (till, bytes) in
                till.collect(till.reader.receive(bytes, cache: till.cache, at: till.now))
            }
        case .send(let exchange, let kind, let request, _): send(exchange, kind, request)
        case .cancel(let exchange): outcomes.removeAll { $0.exchange == exchange }
        case .answered(let exchange, let kind, _): laws.answered(exchange, kind)
        case .unanswered(let exchange, _, let reason): laws.unanswered(exchange, reason)
        case .readerDamaged: break
        }
    }

    private mutating func send(
        _ exchange: Int,
        _ kind: AgentCASHExchangeKind,
        _ request: HTTPRequest
    ) {
        sent.append(kind)
        laws.sent(exchange, kind, request, gateway)
        guard isAnswering else { return unanswered.append((exchange, request)) }
        if refusedExchanges.contains(exchange) {
            return outcomes.append((exchange, .refused, now))
        }
        switch gateway.receive(request, at: now, cache: cache).wire {
        case .answer(let response, let delay):
            outcomes.append((exchange, .answered(response), now + delay))
        case .reset(let delay): outcomes.append((exchange, .reset, now + delay))
        case .refused: outcomes.append((exchange, .refused, now))
        case .silence: break
        }
    }

    private mutating func pass(
        _ bytes: ArraySlice<UInt8>,
        _ deliver: (inout Self, ArraySlice<UInt8>) -> Void
    ) {
        guard let limit = cutAfterByteCount, byteCount + bytes.count > limit else {
            byteCount += bytes.count
            return deliver(&self, bytes)
        }
        let rest = bytes.prefix(max(0, limit - byteCount))
        cutAfterByteCount = nil
        byteCount = limit
        if !rest.isEmpty { deliver(&self, rest) }
        cut()
    }

    /// The link breaks.
    mutating func cut() {
        guard isLinked else { return }
        isLinked = false
        closeCount += 1
        arrivals = []
        collect(reader.disconnected(at: now, cache: cache))
        arrivals = []
        provider.readerLost(at: now)
        carry()
    }

    private mutating func collect(_ effects: [MiuraReaderEffect]) {
        for effect in effects {
            switch effect {
            case .send(let transmission):
                let due = max(now + transmission.offset, arrivals.last?.due ?? now)
                if isLinked { arrivals.append((due, transmission.unit.payload)) }
            case .dropLink: cut()
            case .reachable, .noted: break
            }
        }
    }

    // MARK: The played service

    /// What the test lets the service say.
    enum Answer {
        case state(AgentCASHTransaction.State)
        case unauthorised
        case reset
    }

    /// Answers the newest request, if its answer is awaited, with what the service would say in the
    /// state that is named.
    mutating func answer(_ answer: Answer) {
        guard let (exchange, request) = unanswered.popLast() else { return }
        let outcome: HTTPOutcome
        switch answer {
        case .reset: outcome = .reset
        case .unauthorised: outcome = .answered(Self.response(AgentCASHError(.unauthorised)))
        case .state(let state):
            if state == .declined {
                gateway.schedule(
                    GatewayFault(kind: .auth, phase: .beforeBooking, answer: .decline(.declined))
                )
            }
            guard
                case .answer(let response, _) = gateway.receive(request, at: now, cache: cache).wire
            else { return }
            outcome = .answered(response)
        }
        provider.outcome(outcome, exchange: exchange, at: now)
        carry()
    }

    private static func response(_ error: AgentCASHError) -> HTTPResponse {
        HTTPResponse(
            status: error.code.status,
            contentType: AgentCASHRequest.contentType,
            body: Array(#"{"error":{"code":"\#(error.code.rawValue)"}}"#.utf8)
        )
    }

    // MARK: What came of it

    /// The completions of requests, in order.
    var completions: [PaymentCompletion] {
        told.compactMap { if case .completed(_, let completion) = $0 { completion } else { nil } }
    }

    var results: [PaymentResult] { completions.map(\.result) }

    var progress: [PaymentProcessState] {
        told.compactMap { if case .progressChanged(_, let state) = $0 { state } else { nil } }
    }

    var misuses: [PaymentMisuse] {
        told.compactMap { if case .misuse(let misuse) = $0 { misuse } else { nil } }
    }

    var actionCount: Int {
        told.count { if case .userActionRequired = $0 { true } else { false } }
    }

    /// The states in the service's books.
    var states: [AgentCASHTransaction.State] { gateway.ledger.entries.map(\.transaction.state) }

    /// The laws that were broken, judged now.
    var brokenLaws: [String] {
        var laws = laws
        laws.judge(gateway.ledger)
        return laws.broken
    }
}
