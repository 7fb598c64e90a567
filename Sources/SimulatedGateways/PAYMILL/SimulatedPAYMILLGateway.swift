import CardData
public import EventLoops
import GatewayProtocols
public import Transports

/// PAYMILL in test mode: the bridge that makes tokens of cards, the REST interface of versions 2
/// and 2.1, and webhooks.
///
/// | request | answer |
/// | --- | --- |
/// | a token for a listed test card | a token, good once and for 5 minutes |
/// | a token for any other card | refused: `payment_not_testdata` |
/// | a token for a 3-D Secure card, where the account has it | a token that the issuer's page must confirm |
/// | a charge with a token, or a card that is kept | closed, or failed by the trigger card's expiry |
/// | a token that is unknown, used, too old or not confirmed | 412 in v2, 400 in v2.1 |
/// | money held, taken, given up, paid back | as the reference says |
///
/// The private key is looked at before the path, and its password is ignored.
///
/// Sources: PAYMILL API reference and guides; recorded answers of active_merchant and gringotts.
/// What is answered to a bad token was never published.
public struct SimulatedPAYMILLGateway: Hashable, Sendable {
    /// What becomes of a token that is too old.
    public enum LateTokens: Hashable, Sendable {
        /// The request is refused.
        case refused
        /// A failed transaction with 42410 is entered, as integrators saw in test mode.
        case failedTransaction
    }

    /// What can be set.
    public struct Configuration: Hashable, Sendable {
        /// The merchant's public key: the documentation's example, of test mode.
        public var publicKey = "443368146777979106b2ce2042c289a5"
        /// The merchant's private key; a secret.
        public var privateKey = "cardrig-demo-private-key"
        /// How long an answer takes (assumed).
        public var latency = VirtualDuration.milliseconds(150)
        /// The calendar at the beginning of the run, in seconds since 1970 UTC; 2014-06-01.
        public var startSecondsSince1970: Int64 = 1_401_580_800
        /// How long a token is good.
        public var tokenLife = VirtualDuration.seconds(300)
        /// How many hexadecimal digits a token has: 28 since 2017, 20 in 2013.
        public var tokenDigitCount = 28
        /// What becomes of a token that is too old.
        public var lateTokens = LateTokens.refused
        /// Whether it is reached by https; the address of the issuer's page says so.
        public var isEncrypted = false
        /// Whether the account has 3-D Secure, which apps cannot do.
        public var hasThreeDSecure = false
        /// Whether the money of every token is compared with that of its transaction; else only of
        /// those with 3-D Secure.
        public var comparesTokenAmounts = false
        /// The status of a declined charge: 403, or 200 as some clients saw.
        public var declineStatus = 403
        /// Whether response codes are written as text, as refunds in production were.
        public var writesCodesAsText = false
        /// Whether months and years of expiry are numbers, as until 2013.
        public var writesExpiryAsNumbers = false
        /// Whether the trigger card may be past its expiry.
        public var takesExpiredTriggers = false
        /// How long held money may wait: 7 days.
        public var preauthorizationLife = VirtualDuration.seconds(7 * 86_400)
        /// Whether the account is connected to the app that charges without a merchant's server.
        public var hasMobileApp = true
        /// How often a safe may be asked with a wrong key before it is blocked (assumed).
        public var safeKeyAttemptCount = 3
        /// The pauses before a webhook is tried again: hourly, five attempts in all.
        public var webhookPauses = [VirtualDuration](repeating: .seconds(3_600), count: 4)
        /// Whether the event that something is begun comes after the one that says what became of
        /// it; no order is promised.
        public var tellsBeginningsLast = false
        /// Whether each event comes twice.
        public var tellsTwice = false
        /// From where ids are drawn.
        public var seed: UInt64 = 0
        /// The most entries of each kind.
        public var maximumEntryCount = 1_000_000

        /// Creates the usual configuration.
        public init() {}
    }

    /// What is set.
    public let configuration: Configuration
    /// What was booked.
    public internal(set) var books = PAYMILLBooks()
    /// What merchants' servers are told.
    public var webhooks: WebhookQueue
    /// How many requests came so far; those whose connection was refused did not.
    public private(set) var requestCount = 0
    private var sentCount = 0
    private var faults: [GatewayFault] = []
    var idCount: UInt64 = 0
    /// Which webhook a notification is for, by its number.
    var notices: [PAYMILLNotice] = []

    /// Creates a gateway with empty books.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        webhooks = WebhookQueue(pauses: configuration.webhookPauses, takenStatuses: 200...200)
    }

    /// Adds a fault, after those that wait already; a token is a `validate` to it.
    public mutating func schedule(_ fault: GatewayFault) { faults.append(fault) }

    /// Whether a path is one of the REST interface.
    public static func isREST(_ path: String) -> Bool {
        PAYMILLVersion.allCases.contains { path.hasPrefix("/\($0.rawValue)/") }
    }

    /// Whether a path is one of the gateway's: the bridge, the issuer's page, the REST interface or
    /// the backend for apps.
    public static func hasPath(_ path: String) -> Bool {
        path == PAYMILLTokenRequest.path || path == issuerPath || isREST(path)
            || PAYMILLMobileRequest.isMobile(path)
    }

    /// Takes a request as it comes off the wire and says what to do about it.
    ///
    /// - Complexity: O(*n*) in the bytes of the request and the number of entries.
    public mutating func receive(_ request: HTTPRequest, at now: VirtualInstant) -> PAYMILLReply {
        sentCount += 1
        var call = PAYMILLCall(request, number: sentCount, instant: now)
        let fault = takeFault(call.number, call.kind)
        if let fault, fault.answer == .refused {
            return PAYMILLReply(
                wire: .refused,
                records: [.faultFired(number: call.number, kind: call.kind, fault)]
            )
        }
        requestCount += 1
        call.records = [.requestReceived(record(of: call))]
        let latency = configuration.latency
        guard let fault else {
            let response = carryOut(&call)
            return PAYMILLReply(wire: .answer(response, after: latency), records: call.records)
        }
        call.records.append(.faultFired(number: call.number, kind: call.kind, fault))
        let wire = carryOut(&call, with: fault)
        return PAYMILLReply(wire: wire, records: call.records)
    }

    mutating func forgetCounts() {
        sentCount = 0
        requestCount = 0
    }

    private mutating func takeFault(_ number: Int, _ kind: PAYMILLRequestKind) -> GatewayFault? {
        let index = faults.firstIndex { $0.matches(number: number, kind: kind.faultKind) }
        return index.map { faults.remove(at: $0) }
    }

    private func record(of call: PAYMILLCall) -> PAYMILLRecord.Request {
        var record = PAYMILLRecord.Request(
            number: call.number,
            kind: call.kind,
            amount: nil,
            description: "",
            token: nil
        )
        func add(_ money: PAYMILLRequest.Money) {
            record.amount = money.amount
            record.description = money.description
            if case .token(let id) = money.source { record.token = books.token(id).map { $0 + 1 } }
        }
        if case .mobile(.success(let request)) = call.asked,
            case .create(_, let money, _) = request.operation
        {
            add(money)
        }
        guard case .rest(.success(let request)) = call.asked else { return record }
        switch request.operation {
        case .charge(let money), .preauthorize(let money): add(money)
        case .createPayment(let id, _): record.token = books.token(id).map { $0 + 1 }
        case .refund(_, let amount, let description, _):
            record.amount = amount
            record.description = description
        case .list(_, let list):
            record.description = list.filters.first { $0.name == "description" }?.value ?? ""
        case .createClient, .updateClient, .updateTransaction, .createWebhook, .updateWebhook,
            .show, .remove:
            break
        }
        return record
    }

    private mutating func carryOut(
        _ call: inout PAYMILLCall,
        with fault: GatewayFault
    ) -> GatewayReply.Wire {
        let latency = configuration.latency
        switch fault.answer {
        case .slow(let delay): return .answer(carryOut(&call), after: latency + delay)
        case .otherOrder:
            _ = carryOut(&call)
            return .answer(Self.garbage, after: latency)
        case .decline where fault.phase == .beforeBooking:
            call.decline = fault.paymillCode
            return .answer(carryOut(&call), after: latency)
        case .decline, .error, .timeout, .reset, .httpStatus, .httpApproval, .garbage, .refused:
            break
        }
        let natural = fault.phase == .afterBooking ? carryOut(&call) : nil
        switch fault.answer {
        case .decline, .error:
            return .answer(Self.answer(PAYMILLRefusal(status: 412, "Bad request")), after: latency)
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

    private mutating func carryOut(_ call: inout PAYMILLCall) -> HTTPResponse {
        switch call.asked {
        case .bridge: return bridge(&call)
        case .mobile(let asked):
            do throws(PAYMILLRefusal) {
                return try carryOut(asked, &call)
            } catch {
                return Self.answer(error)
            }
        case .rest(let asked):
            let value = call.request.field("authorization") ?? ""
            let key = PAYMILLPrivateKey.key(authorization: value)
            guard key == configuration.privateKey else { return Self.answer(.accessDenied) }
            do throws(PAYMILLRefusal) {
                let request = try asked.get()
                return try carryOut(request, &call)
            } catch {
                return Self.answer(error)
            }
        }
    }

    /// The answer of a service that is down: a page that is no answer.
    private static let garbage = HTTPResponse(
        contentType: "text/html; charset=UTF-8",
        body: Array("<html><body>Service is being restarted</body></html>".utf8)
    )

    /// The answer for a request that is refused.
    static func answer(_ refusal: PAYMILLRefusal) -> HTTPResponse {
        HTTPResponse(
            status: refusal.status,
            contentType: "application/json; charset=utf-8",
            body: refusal.body
        )
    }

    // MARK: Names and time

    /// A new id: the prefix and so many hexadecimal digits.
    mutating func newID(_ prefix: String, digitCount: Int = 28) -> String {
        idCount += 1
        var generator = SplitMix64(seed: configuration.seed &+ idCount &* 0x9E37_79B9)
        var text = ""
        while text.utf8.count < digitCount {
            let digits = String(generator.next(), radix: 16)
            text += String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return prefix + String(text.prefix(digitCount))
    }

    /// A moment in seconds since 1970 UTC.
    func seconds(at now: VirtualInstant) -> Int64 {
        configuration.startSecondsSince1970 + (now - .zero).nanoseconds / 1_000_000_000
    }
}

/// For which webhook a notification waits.
struct PAYMILLNotice: Hashable, Sendable {
    let number: Int
    let hook: String
}

/// One request at work.
struct PAYMILLCall {
    let request: HTTPRequest
    let number: Int
    let instant: VirtualInstant
    /// What it asks for.
    let asked: Asked
    let kind: PAYMILLRequestKind
    /// What is asked, and of which part of the gateway.
    enum Asked {
        /// A token, or the issuer's page.
        case bridge
        /// Something of the REST interface.
        case rest(Result<PAYMILLRequest, PAYMILLRefusal>)
        /// Something of the backend for apps.
        case mobile(Result<PAYMILLMobileRequest, PAYMILLRefusal>)
    }

    /// The code by which the issuer declines whatever is asked; `nil` declines nothing.
    var decline: PAYMILLResponseCode?
    /// What happened, in order.
    var records: [PAYMILLRecord] = []

    init(_ request: HTTPRequest, number: Int, instant: VirtualInstant) {
        self.request = request
        self.number = number
        self.instant = instant
        if SimulatedPAYMILLGateway.isREST(request.path) {
            let read = Self.reading(request, PAYMILLRequest.init(method:path:query:body:))
            asked = .rest(read)
            kind = (try? read.get()).map { PAYMILLRequestKind($0.operation) } ?? .sale
        } else if PAYMILLMobileRequest.isMobile(request.path) {
            let read = Self.reading(request, PAYMILLMobileRequest.init(method:path:query:body:))
            asked = .mobile(read)
            kind = (try? read.get()).map { PAYMILLRequestKind($0.operation) } ?? .sale
        } else {
            asked = .bridge
            kind = .token
        }
    }

    /// Reads a request whose body is a form.
    private static func reading<Asked>(
        _ request: HTTPRequest,
        _ read: (String, String, String, [UInt8]) throws(PAYMILLRefusal) -> Asked
    ) -> Result<Asked, PAYMILLRefusal> {
        Result { () throws(PAYMILLRefusal) in
            try checkForm(request)
            return try read(request.method, request.path, request.query, request.body)
        }
    }

    /// A body is a form.
    private static func checkForm(_ request: HTTPRequest) throws(PAYMILLRefusal) {
        let type = request.contentType.lowercased()
        guard request.body.isEmpty || type.hasPrefix(FormEncoder.contentType) else {
            throw PAYMILLRefusal(status: 415, "The body is to be a form")
        }
    }
}
