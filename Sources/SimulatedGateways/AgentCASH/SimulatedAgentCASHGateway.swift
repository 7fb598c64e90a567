public import CardCrypto
import CardData
public import EventLoops
public import GatewayProtocols
public import Transports

/// The AgentCASH service in test mode: authorisations, what becomes of them, and webhooks.
///
/// | request | answer |
/// | --- | --- |
/// | authorise a card that it can open | authorised; declined (`55`) for a wrong online PIN, and (`75`) for a cardholder whom nothing verified |
/// | authorise a card that it cannot open | in the ledger as failed (`96`) |
/// | confirm an authorisation | as it is, captured if it was to be captured at once |
/// | reverse an authorisation | reversed |
/// | capture at most what is authorised | captured, the rest is let go |
/// | refund at most what is left of a capture | captured, or refunded when nothing is left |
/// | refund an authorisation | released |
/// | anything that the state does not allow | 409, nothing changes |
///
/// It books what it is asked: an external id or a reference that is known is booked again, and a
/// search finds all. An authorisation that is not captured within
/// ``Configuration/authorisationLife`` expires. Each change of a transaction with a webhook address
/// is an event in ``webhooks``.
///
/// Sources: SDK document, sections Charge, Auth & Capture, Signature; the rest is assumed.
public struct SimulatedAgentCASHGateway: Hashable, Sendable {
    /// What can be set.
    public struct Configuration: Hashable, Sendable {
        /// The merchant's account.
        public var credentials = AgentCASHCredentials(
            username: "cardrig",
            password: "cardrig-demo"
        )
        /// How long an answer takes; 150 ms, assumed from the order of what such services take.
        public var latency = VirtualDuration.milliseconds(150)
        /// The first transaction's number (assumed).
        public var firstTransactionID: UInt64 = 7_000_001
        /// The calendar at the beginning of the run, in seconds since 1970 UTC; 2024-06-03 09:00.
        public var startSecondsSince1970: Int64 = 1_717_405_200
        /// How long an authorisation may wait for its capture: 7 days.
        ///
        /// The document says "several days (depending on the acquirer)".
        public var authorisationLife = VirtualDuration.seconds(7 * 86_400)
        /// The base derivation keys of the readers whose blocks the service can open, tried in
        /// order; empty takes every card without opening it.
        public var baseDerivationKeys: [CipherKey] = [.publishedTestKey]
        /// Whether a card that no key opens is taken without opening it, as of a reader whose keys
        /// nobody here has.
        public var takesUnopenedCards = false
        /// The PIN that the issuer knows of every card, in ASCII digits.
        public var issuerPIN: [UInt8] = Array("1234".utf8)
        /// The pauses before a webhook is tried again (assumed).
        public var webhookPauses: [VirtualDuration] = [
            .seconds(10), .seconds(60), .seconds(600),
        ]
        /// The merchant's name on receipts.
        public var merchantName = "CardRig Test Shop"
        /// The address below which signature images are kept.
        public var signatureAddress = "https://agentcash.invalid/signatures/"

        /// Creates the usual configuration.
        public init() {}
    }

    /// What is set.
    public let configuration: Configuration
    /// What was booked.
    public internal(set) var ledger: AgentCASHLedger
    /// What merchants' servers are told.
    public var webhooks: WebhookQueue
    /// How many requests came so far; those whose connection was refused did not.
    public internal(set) var requestCount = 0
    var sentCount = 0
    private var faults: [GatewayFault] = []

    /// Creates a service with an empty ledger.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        ledger = AgentCASHLedger(firstID: configuration.firstTransactionID)
        webhooks = WebhookQueue(pauses: configuration.webhookPauses)
    }

    /// Adds a fault, after those that wait already.
    ///
    /// A confirmation is an `update`, a reversal a `void` to it.
    public mutating func schedule(_ fault: GatewayFault) { faults.append(fault) }

    /// When the next authorisation expires; `nil` when none is open.
    public mutating func nextExpiry() -> VirtualInstant? {
        ledger.oldestOpen().map { $0.instant + configuration.authorisationLife }
    }

    /// Lets authorisations expire whose life is over.
    public mutating func advance(to now: VirtualInstant) -> [AgentCASHRecord] {
        var records: [AgentCASHRecord] = []
        while let expiry = nextExpiry(), expiry <= now, let entry = ledger.oldestOpen() {
            let amount = entry.transaction.amount
            records.append(move(entry.transaction.id, to: .expired, amount, nil, at: now))
        }
        return records
    }

    /// Takes a request as it comes off the wire and says what to do about it.
    ///
    /// - Complexity: O(*n*) in the bytes of the request; a search is O(*m*) in the entries.
    public mutating func receive(
        _ request: HTTPRequest,
        at now: VirtualInstant,
        cache: CryptoCache
    ) -> AgentCASHReply {
        receive(request, at: now, cache: cache, recalling: nil)
    }

    /// Takes a request, or does again what was done about one that was kept without its card.
    ///
    /// - Parameters:
    ///   - request: The request, or what ``keepable(_:)`` returned.
    ///   - now: When it came.
    ///   - cache: The worker's crypto cache.
    ///   - memory: What was made of the card then; `nil` of one that comes now.
    /// - Returns: What the client sees of it, and what happened.
    public mutating func receive(
        _ request: HTTPRequest,
        at now: VirtualInstant,
        cache: CryptoCache,
        recalling memory: String?
    ) -> AgentCASHReply {
        sentCount += 1
        let number = sentCount
        let asked = Result { () throws(AgentCASHError) in
            try AgentCASHRequest(
                method: request.method,
                path: request.path,
                contentType: request.contentType,
                body: request.body
            )
        }
        let kind = (try? asked.get()).map { AgentCASHRequestKind($0) } ?? .authorise
        let fault = takeFault(number, kind)
        if let fault, fault.answer == .refused {
            return AgentCASHReply(
                wire: .refused,
                records: [.faultFired(number: number, kind: kind, fault)]
            )
        }
        requestCount += 1
        var call = AgentCASHCall(number: number, kind: kind, asked: asked, instant: now)
        call.reading = memory.flatMap { AgentCASHCardReading(rawValue: $0) }
        call.records = [
            .requestReceived(number: number, kind: kind, AgentCASHSubject(try? asked.get()))
        ]
        guard request.field("authorization") == configuration.credentials.authorization else {
            return AgentCASHReply(
                wire: .answer(
                    Self.answer(AgentCASHError(.unauthorised)),
                    after: configuration.latency
                ),
                records: call.records
            )
        }
        let wire: GatewayReply.Wire
        if let fault {
            call.records.append(.faultFired(number: number, kind: kind, fault))
            wire = carryOut(&call, with: fault, cache)
        } else {
            wire = .answer(carryOut(&call, cache), after: configuration.latency)
        }
        return AgentCASHReply(
            wire: wire,
            records: call.records,
            cardMemory: call.reading?.rawValue
        )
    }

    private mutating func takeFault(_ number: Int, _ kind: AgentCASHRequestKind) -> GatewayFault? {
        let index = faults.firstIndex { $0.matches(number: number, kind: kind.faultKind) }
        return index.map { faults.remove(at: $0) }
    }

    private mutating func carryOut(
        _ call: inout AgentCASHCall,
        with fault: GatewayFault,
        _ cache: CryptoCache
    ) -> GatewayReply.Wire {
        let latency = configuration.latency
        if case .slow(let delay) = fault.answer {
            return .answer(carryOut(&call, cache), after: latency + delay)
        }
        if case .otherOrder = fault.answer {
            _ = carryOut(&call, cache)
            return .answer(Self.garbage, after: latency)
        }
        if case .decline = fault.answer, fault.phase == .beforeBooking {
            call.isDeclined = true
            return .answer(carryOut(&call, cache), after: latency)
        }
        let natural = fault.phase == .afterBooking ? carryOut(&call, cache) : nil
        switch fault.answer {
        case .decline, .error:
            return .answer(Self.answer(AgentCASHError(.wrongState)), after: latency)
        case .timeout, .slow, .otherOrder: return .silence
        case .reset: return .reset(after: latency)
        case .httpStatus(let status):
            return .answer(
                HTTPResponse(status: status, contentType: "", body: []),
                after: latency
            )
        case .httpApproval(let status):
            var response = natural ?? Self.garbage
            response.status = status
            return .answer(response, after: latency)
        case .garbage: return .answer(Self.garbage, after: latency)
        case .refused: return .refused
        }
    }

    /// The answer of a service that is down: a page that is no answer.
    private static let garbage = HTTPResponse(
        contentType: "text/html; charset=UTF-8",
        body: Array("<html><body>Service is being restarted</body></html>".utf8)
    )
}

/// One request at work.
struct AgentCASHCall {
    let number: Int
    let kind: AgentCASHRequestKind
    let asked: Result<AgentCASHRequest, AgentCASHError>
    let instant: VirtualInstant
    /// What was made of the card, or is to be made of one that was kept.
    var reading: AgentCASHCardReading?
    /// Whether the issuer declines whatever is asked.
    var isDeclined = false
    /// What happened, in order.
    var records: [AgentCASHRecord] = []
}
