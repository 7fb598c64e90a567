import CardCrypto
import EventLoops
import GatewayProtocols
import JSON
import LiveTransports
import SimulatedGateways
import Transports

/// A gateway that `serve gateway` knows.
enum ServedGateway: String, CaseIterable {
    case nmi, agentcash, paymill
}

/// The simulated gateways behind one address, and what a test may ask of them besides.
///
/// It does no I/O and reads no clock, and every change comes from ``handle(_:query:at:)`` or a
/// webhook's end: the same calls at the same moments make the same state, which is how a state file
/// is read.
struct ServedGateways {
    /// What a request does to the server itself.
    enum Effect: Equatable {
        case none
        /// It is not there for so long.
        case goDown(VirtualDuration)
        /// So many connections are reset when they are made.
        case resetConnections(Int)
        /// It ends, once all is answered.
        case stop
    }

    /// What comes of a request.
    struct Handling {
        var reply: LiveHTTPServer.Reply
        /// Whether the state is another one now, so that the request belongs in the state file.
        var isChange = false
        /// What a gateway made of the request's card, for the state file.
        var cardMemory: String?
        var effect = Effect.none
    }

    /// What is set now: a test may set accounts up.
    private(set) var settings: ServedGatewaySettings
    /// What was set when it began.
    private let ownSettings: ServedGatewaySettings
    var nmi: SimulatedNMIGateway?
    var agentcash: SimulatedAgentCASHGateway?
    var paymill: SimulatedPAYMILLGateway?
    /// The HoneyStore's functions, which ask ``paymill``.
    var store: HoneyStoreBackend?
    /// How many calls the HoneyStore's app made.
    var storeCallCount = 0
    /// How far the clock was moved ahead.
    var skew = VirtualDuration.zero
    /// The records of the gateways, the last ones.
    var records = RecordHistory<GatewayRecord>()
    var agentcashRecords = RecordHistory<AgentCASHRecord>()
    var paymillRecords = RecordHistory<PAYMILLRecord>()
    /// What is done to the next answers on the wire.
    var wireFaults: [WireFault] = []
    /// How a test that emptied the ledgers set the accounts up; `nil` when none did.
    ///
    /// What is in the ledgers since belongs to tests.
    private(set) var testSetup: JSONValue?
    /// Whether requests are kept in a state file.
    var keepsRequests = false { didSet { nmi?.keepsCardMemory = keepsRequests } }
    let cache = CryptoCache()

    /// Creates gateways with empty ledgers.
    init(_ settings: ServedGatewaySettings) {
        self.settings = settings
        ownSettings = settings
        clear()
    }

    /// Sets accounts up for a test, and empties every ledger.
    ///
    /// - Parameter setup: `latency`, and by the gateway's name what ``WebService`` has of its
    ///   account; what is left out is as it was when the gateways began.
    /// - Throws: ``AdminRefusal`` for a member or a value that is none; then nothing is changed.
    mutating func clear(settingUp setup: JSONValue) throws(AdminRefusal) {
        // Nothing of a PAYMILL account can be set yet.
        let names = served.filter { $0 != .paymill }.map(\.rawValue)
        try setup.checkNames(["latency"] + names)
        var settings = ownSettings
        if let latency = try setup.duration("latency") {
            guard latency <= .seconds(60) else {
                throw AdminRefusal("`latency` is at most \(VirtualDuration.seconds(60).text)")
            }
            settings.nmi?.latency = latency
            settings.agentcash?.latency = latency
            settings.paymill?.latency = latency
        }
        try Self.adopt(setup, as: SimulatedNMIGateway.self, &settings.nmi)
        try Self.adopt(setup, as: SimulatedAgentCASHGateway.self, &settings.agentcash)
        self.settings = settings
        testSetup = setup
        clear()
    }

    private static func adopt<Service: WebService>(
        _ setup: JSONValue,
        as service: Service.Type,
        _ configuration: inout Service.Configuration?
    ) throws(AdminRefusal) {
        guard let account = setup[Service.served.rawValue], var changed = configuration else {
            return
        }
        guard account.members != nil else {
            throw AdminRefusal("`\(Service.served.rawValue)` is to be a JSON object")
        }
        try Service.adopt(account: account, &changed)
        configuration = changed
    }

    private mutating func clear() {
        nmi = settings.nmi.map { SimulatedNMIGateway($0) }
        nmi?.keepsCardMemory = keepsRequests
        agentcash = settings.agentcash.map { SimulatedAgentCASHGateway($0) }
        paymill = settings.paymill.map { SimulatedPAYMILLGateway($0) }
        store = settings.paymill.map { _ in HoneyStoreBackend(settings.store) }
        records.clear()
        agentcashRecords.clear()
        paymillRecords.clear()
        wireFaults.removeAll()
    }

    /// The gateways that are served.
    var served: [ServedGateway] {
        (nmi == nil ? [] : [.nmi]) + (agentcash == nil ? [] : [.agentcash])
            + (paymill == nil ? [] : [.paymill])
    }

    // MARK: Requests

    /// Takes a request; the path says to whom it goes.
    ///
    /// One out of a state file comes with what was made of its card.
    mutating func handle(
        _ request: HTTPRequest,
        query: String,
        at now: VirtualInstant,
        recalling memory: String? = nil
    ) -> Handling {
        if request.path == AdminPath.root || request.path.hasPrefix(AdminPath.root + "/") {
            return handleAdmin(request, query: query, at: now)
        }
        switch Self.gateway(at: request.path) {
        case .nmi? where nmi != nil:
            guard let request = Self.nmiRequest(request, query) else {
                let isQuery = request.path == "/api/query.php"
                return Handling(
                    reply: Self.text(
                        405,
                        isQuery ? "this path takes POST and GET" : "this path takes POST"
                    )
                )
            }
            return handle(request, for: .nmi, at: now, recalling: memory)
        case .agentcash? where agentcash != nil:
            return handle(request, for: .agentcash, at: now, recalling: memory)
        case .paymill? where paymill != nil:
            var asked = request
            asked.query = query
            // A query of the bridge has a card in it: nothing of it goes into a state file.
            var handling =
                asked.path.hasPrefix(HoneyStoreRequest.root)
                ? handleStore(asked, at: now)
                : handle(asked, for: .paymill, at: now, recalling: nil)
            handling.isChange = false
            return handling
        case .nmi?, .agentcash?, .paymill?, nil:
            return Handling(reply: Self.text(404, "nothing is at this path"))
        }
    }

    /// What the state file keeps of a request that was handled: nothing of a card that must not
    /// outlive its authorisation.
    func step(
        _ request: HTTPRequest,
        query: String,
        _ handling: Handling
    ) -> GatewayStep {
        var kept = request
        switch Self.gateway(at: request.path) {
        case .nmi?: kept = nmi?.keepable(request, memory: handling.cardMemory) ?? request
        case .agentcash?: kept = SimulatedAgentCASHGateway.keepable(request)
        // Nothing of PAYMILL's goes into a state file.
        case .paymill?, nil: break
        }
        return .request(kept, query: query, cardMemory: handling.cardMemory)
    }

    /// Does what the calendars of the gateways want done up to a moment.
    mutating func advance(to now: VirtualInstant) {
        if let made = nmi?.advance(to: now) { records.add(made) }
        if let made = agentcash?.advance(to: now) { agentcashRecords.add(made) }
        if let made = paymill?.advance(to: now) { paymillRecords.add(made) }
    }

    /// When ``advance(to:)`` has something to do.
    mutating func nextCalendarInstant() -> VirtualInstant? {
        [nmi?.nextCalendarInstant, agentcash?.nextExpiry(), paymill?.nextExpiry]
            .compactMap { $0 }.min()
    }

    /// Which gateway answers at a path.
    static func gateway(at path: String) -> ServedGateway? {
        if path == NMIRequest.transactPath || path == NMIRequest.queryPath { return .nmi }
        if path.hasPrefix("/v1/") { return .agentcash }
        let isPAYMILL =
            path.hasPrefix(HoneyStoreRequest.root) || SimulatedPAYMILLGateway.hasPath(path)
        return isPAYMILL ? .paymill : nil
    }

    /// The Query API is asked by GET as well; payments are not, since addresses end up in logs.
    ///
    /// Source: Query API manual of 2016.
    private static func nmiRequest(_ request: HTTPRequest, _ query: String) -> HTTPRequest? {
        if request.method == "POST" { return request }
        guard request.method == "GET", request.path == NMIRequest.queryPath else { return nil }
        var asked = request
        asked.contentType = "application/x-www-form-urlencoded"
        asked.body = Array(query.utf8)
        return asked
    }

    private mutating func handle(
        _ request: HTTPRequest,
        for gateway: ServedGateway,
        at now: VirtualInstant,
        recalling memory: String?
    ) -> Handling {
        advance(to: now)
        let fault = wireFaults.firstIndex { $0.gateway == gateway }
            .map { wireFaults.remove(at: $0) }
        if let fault, !fault.isAfterBooking {
            return Handling(reply: fault.reply(instead: nil), isChange: true)
        }
        var handling = Handling(reply: .silence, isChange: true)
        let wire: GatewayReply.Wire
        switch gateway {
        case .nmi:
            guard
                let reply = nmi?.receive(request, at: now, cache: cache, recalling: memory)
            else { return Handling(reply: .silence) }
            records.add(reply.records)
            handling.cardMemory = reply.cardMemory
            wire = reply.wire
        case .agentcash:
            guard
                let reply = agentcash?.receive(request, at: now, cache: cache, recalling: memory)
            else { return Handling(reply: .silence) }
            agentcashRecords.add(reply.records)
            handling.cardMemory = reply.cardMemory
            wire = reply.wire
        case .paymill:
            guard let reply = paymill?.receive(request, at: now) else {
                return Handling(reply: .silence)
            }
            paymillRecords.add(reply.records)
            wire = reply.wire
        }
        handling.reply = fault.map { $0.reply(instead: wire) } ?? Self.reply(wire)
        return handling
    }

    static func reply(_ wire: GatewayReply.Wire) -> LiveHTTPServer.Reply {
        switch wire {
        case .answer(let response, let after): .answer(response, after: after)
        case .silence: .silence
        case .reset(let after): .reset(after: after)
        // The connection is made already; all that can be done is to cut it without a word.
        case .refused: .reset(after: .zero)
        }
    }

    static func text(_ status: Int, _ text: String) -> LiveHTTPServer.Reply {
        .answer(
            HTTPResponse(
                status: status,
                contentType: "text/plain; charset=utf-8",
                body: Array((text + "\n").utf8)
            ),
            after: .zero
        )
    }
}

/// The last records of a gateway, numbered from 1.
struct RecordHistory<Record> {
    /// How many are kept.
    static var bound: Int { 4_096 }

    private(set) var count = 0
    private var kept: [Record] = []

    mutating func add(_ made: [Record]) {
        count += made.count
        kept += made
        if kept.count > 2 * Self.bound { kept.removeFirst(kept.count - Self.bound) }
    }

    mutating func clear() {
        count = 0
        kept.removeAll()
    }

    /// The records after the one with a number that are still kept, and the number of the first.
    func records(after number: Int) -> (first: Int, records: ArraySlice<Record>) {
        let oldest = count - kept.count + 1
        let first = max(min(number, count) + 1, oldest)
        return (first, kept[(first - oldest)...])
    }
}

/// A fault that no gateway plays, because it is one of the wire alone.
struct WireFault: Equatable {
    /// What the client sees.
    enum Answer: Equatable {
        /// Bytes that are no response.
        case broken
        /// So many bytes of the response's body, and the end.
        case cut(Int)
    }

    var gateway: ServedGateway
    var isAfterBooking: Bool
    var answer: Answer

    /// What the client sees in place of what the gateway says.
    func reply(instead wire: GatewayReply.Wire?) -> LiveHTTPServer.Reply {
        switch answer {
        case .broken: return .bytes(Array("\u{1}\u{2}SSH-2.0-nobody\r\n\r\n".utf8), after: .zero)
        case .cut(let byteCount):
            guard case .answer(let response, let after)? = wire else {
                return .bytes([], after: .zero)
            }
            let head = """
                HTTP/1.1 \(response.status) OK\r
                Content-Type: \(response.contentType)\r
                Content-Length: \(response.body.count)\r
                \r

                """
            let body = response.body.prefix(min(byteCount, response.body.count - 1))
            return .bytes(Array(head.utf8) + body, after: after)
        }
    }
}
