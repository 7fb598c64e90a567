import CardData
import EventLoops
import JSON
import LiveTransports
import ScenarioLanguage
import SimulatedGateways
import Transports

/// Where a test finds what is no gateway's; `Docs/http.md` lists all of it.
enum AdminPath {
    static let root = "/cardrig"
    static let status = "/cardrig/status"
    static let faults = "/cardrig/faults"
    static let clock = "/cardrig/clock"
    static let settle = "/cardrig/settle"
    static let clear = "/cardrig/clear"
    static let down = "/cardrig/down"
    static let resets = "/cardrig/resets"
    static let stop = "/cardrig/stop"
    static let records = "/cardrig/records/"
    static let ledger = "/cardrig/ledger/"
    static let state = "/cardrig/state/"
}

extension ServedGateways {
    /// The longest way by which the clock is moved at once.
    static let longestClockMove = VirtualDuration.seconds(30 * 86_400)

    /// Takes a request of a test; only `POST` changes anything.
    mutating func handleAdmin(
        _ request: HTTPRequest,
        query: String,
        at now: VirtualInstant
    ) -> Handling {
        do throws(AdminRefusal) {
            guard settings.allowsAdmin else {
                throw AdminRefusal(
                    "this is for this machine only; `serve gateway --admin` allows it",
                    status: 403
                )
            }
            try Self.checkHost(request)
            switch request.method {
            case "GET": return Handling(reply: try read(request.path, query, at: now))
            case "POST": return try change(request, at: now)
            default: throw AdminRefusal("GET reads and POST changes", status: 405)
            }
        } catch {
            let json = JSONValue.members(("error", .string(error.reason)))
            return Handling(reply: Self.json(json, status: error.status))
        }
    }

    /// Members whose text is the merchant's own: nobody holds a card number off them.
    private static let merchantTexts = [
        "orderId", "originalId", "externalId", "reference", "description",
    ]

    /// The same without what could be a card number in the merchant's own texts.
    private static func scrubbed(_ json: JSONValue) -> JSONValue {
        switch json {
        case .object(let members):
            .object(
                members.map { member in
                    if merchantTexts.contains(member.name), case .string(let text) = member.value {
                        return JSONMember(
                            member.name,
                            .string(SafeText(scrubbing: text).description)
                        )
                    }
                    return JSONMember(member.name, scrubbed(member.value))
                }
            )
        case .array(let values): .array(values.map(scrubbed))
        default: json
        }
    }

    static func json(_ json: JSONValue, status: Int = 200) -> LiveHTTPServer.Reply {
        .answer(
            HTTPResponse(
                status: status,
                contentType: "application/json",
                body: scrubbed(json).encoded + [UInt8(ascii: "\n")]
            ),
            after: .zero
        )
    }

    /// A page in a browser must not reach it under a name of its own.
    private static func checkHost(_ request: HTTPRequest) throws(AdminRefusal) {
        guard let host = request.field("host") else { return }
        let name =
            host.hasPrefix("[")
            ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        let isDigits = name.utf8.allSatisfy { (0x2E...0x39).contains($0) }
        guard isDigits || name.hasPrefix("[") || name == "localhost" else {
            throw AdminRefusal("the address is to be in digits, or localhost", status: 403)
        }
    }

    // MARK: Reading

    private mutating func read(
        _ path: String,
        _ query: String,
        at now: VirtualInstant
    ) throws(AdminRefusal) -> LiveHTTPServer.Reply {
        switch path {
        case AdminPath.root, AdminPath.status: return Self.json(status(at: now))
        case AdminPath.clock: return Self.json(clock(at: now))
        case AdminPath.ledger + "nmi" where nmi != nil:
            advance(to: now)
            return Self.json(try nmiLedger(after: try Self.number("after", in: query)))
        case AdminPath.ledger + "agentcash" where agentcash != nil:
            advance(to: now)
            return Self.json(try agentcashLedger(after: try Self.number("after", in: query)))
        case AdminPath.ledger + "paymill" where paymill != nil:
            advance(to: now)
            return Self.json(paymillLedger(after: try Self.number("after", in: query)))
        case AdminPath.records + "nmi" where nmi != nil:
            advance(to: now)
            return Self.json(recordList(records, after: try Self.number("after", in: query)))
        case AdminPath.records + "agentcash" where agentcash != nil:
            advance(to: now)
            let number = try Self.number("after", in: query)
            return Self.json(recordList(agentcashRecords, after: number))
        case AdminPath.state + "nmi" where nmi != nil:
            advance(to: now)
            return Self.snapshot(nmi?.snapshot())
        case AdminPath.state + "agentcash" where agentcash != nil:
            advance(to: now)
            return Self.snapshot(agentcash?.snapshot())
        case AdminPath.records + "paymill" where paymill != nil:
            advance(to: now)
            let number = try Self.number("after", in: query)
            return Self.json(recordList(paymillRecords, after: number))
        case AdminPath.state + "paymill" where paymill != nil:
            advance(to: now)
            return Self.json(paymill?.books.stateJSON ?? .null)
        default: throw AdminRefusal("there is nothing at this path; see Docs/http.md", status: 404)
        }
    }

    private static func snapshot(_ state: [UInt8]?) -> LiveHTTPServer.Reply {
        .answer(HTTPResponse(contentType: "text/plain", body: state ?? []), after: .zero)
    }

    /// The number behind `name=` in a query, 0 without it.
    private static func number(_ name: String, in query: String) throws(AdminRefusal) -> Int {
        if query.isEmpty { return 0 }
        let parts = query.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == name, let number = Int(parts[1]), number >= 0 else {
            throw AdminRefusal("the query is `\(name)=NUMBER`")
        }
        return number
    }

    private func status(at now: VirtualInstant) -> JSONValue {
        .members(
            ("version", .string(CardRigCommand.version)),
            ("gateways", .array(served.map { .string($0.rawValue) })),
            ("time", .integer(settings.epochSeconds + now.nanoseconds / 1_000_000_000)),
            ("clearedByTest", .bool(testSetup != nil)),
            ("nmi", nmi.map(Self.status) ?? .null),
            ("agentcash", agentcash.map(Self.status) ?? .null),
            ("paymill", paymill.map(Self.status) ?? .null)
        )
    }

    private static func status(_ gateway: SimulatedNMIGateway) -> JSONValue {
        .members(
            ("requests", .integer(Int64(gateway.requestCount))),
            ("transactions", .integer(Int64(gateway.ledger.entries.count))),
            ("webhooksWaiting", .integer(Int64(gateway.waitingWebhookCount))),
            ("webhooksGivenUp", .integer(Int64(gateway.givenUpWebhookCount)))
        )
    }

    private static func status(_ gateway: SimulatedAgentCASHGateway) -> JSONValue {
        .members(
            ("requests", .integer(Int64(gateway.requestCount))),
            ("transactions", .integer(Int64(gateway.ledger.entries.count))),
            ("webhooksGivenUp", .integer(Int64(gateway.webhooks.lostCount)))
        )
    }

    private static func status(_ gateway: SimulatedPAYMILLGateway) -> JSONValue {
        .members(
            ("requests", .integer(Int64(gateway.requestCount))),
            ("tokens", .integer(Int64(gateway.books.tokens.count))),
            ("transactions", .integer(Int64(gateway.books.transactions.count))),
            ("webhooksGivenUp", .integer(Int64(gateway.webhooks.lostCount)))
        )
    }

    private func clock(at now: VirtualInstant) -> JSONValue {
        .members(
            ("time", .integer(settings.epochSeconds + now.nanoseconds / 1_000_000_000)),
            ("movedSeconds", .integer(skew.nanoseconds / 1_000_000_000))
        )
    }

    // MARK: Changing

    private mutating func change(
        _ request: HTTPRequest,
        at now: VirtualInstant
    ) throws(AdminRefusal) -> Handling {
        // A page in a browser can post a form to this machine unasked, but not this.
        guard request.contentType.lowercased().hasPrefix("application/json") else {
            throw AdminRefusal("the Content-Type is to be application/json", status: 415)
        }
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue(reading: request.body.isEmpty ? Array("{}".utf8) : request.body)
        } catch {
            throw AdminRefusal("the body is no JSON: \(error)")
        }
        guard json.members != nil else { throw AdminRefusal("the body is to be a JSON object") }
        switch request.path {
        case AdminPath.faults: return try arm(json)
        case AdminPath.clock: return try moveClock(json, at: now)
        case AdminPath.settle:
            try json.checkNames([])
            advance(to: now)
            let made = nmi?.settle(at: now) ?? []
            records.add(made)
            let count = JSONValue.integer(Int64(made.count))
            return Handling(reply: Self.json(.members(("settled", count))), isChange: true)
        case AdminPath.clear:
            try clear(settingUp: json)
            return Handling(reply: Self.json(.object([])), isChange: true)
        case AdminPath.down:
            try json.checkNames(["for"])
            let pause = try Self.pause(json, "for", atMost: .seconds(3_600))
            return Handling(reply: Self.json(.object([])), effect: .goDown(pause))
        case AdminPath.resets:
            try json.checkNames(["count"])
            guard let count = json["count"]?.integer, (0...1_000_000).contains(count) else {
                throw AdminRefusal("`count` is how many connections are reset, 0 to 1,000,000")
            }
            return Handling(reply: Self.json(.object([])), effect: .resetConnections(Int(count)))
        case AdminPath.stop:
            try json.checkNames([])
            return Handling(reply: Self.json(.object([])), effect: .stop)
        default: throw AdminRefusal("there is nothing at this path; see Docs/http.md", status: 404)
        }
    }

    private mutating func arm(_ json: JSONValue) throws(AdminRefusal) -> Handling {
        switch try ArmedFault(json, served: served).kind {
        case .gateway(.nmi, let fault): nmi?.schedule(fault)
        case .gateway(.agentcash, let fault): agentcash?.schedule(fault)
        case .gateway(.paymill, let fault): paymill?.schedule(fault)
        case .wire(let fault):
            guard wireFaults.count < 1_000 else { throw AdminRefusal("1,000 faults wait already") }
            wireFaults.append(fault)
        }
        return Handling(reply: Self.json(.object([])), isChange: true)
    }

    private mutating func moveClock(
        _ json: JSONValue,
        at now: VirtualInstant
    ) throws(AdminRefusal) -> Handling {
        try json.checkNames(["advance"])
        let step = try Self.pause(json, "advance", atMost: Self.longestClockMove)
        guard skew + step <= .seconds(100 * 366 * 86_400) else {
            throw AdminRefusal("the clock was moved by 100 years already")
        }
        skew = skew + step
        advance(to: now + step)
        return Handling(reply: Self.json(clock(at: now + step)), isChange: true)
    }

    private static func pause(
        _ json: JSONValue,
        _ name: String,
        atMost limit: VirtualDuration
    ) throws(AdminRefusal) -> VirtualDuration {
        guard let duration = try json.duration(name, atMost: limit), duration > .zero,
            duration <= limit
        else {
            throw AdminRefusal(
                "`\(name)` is a duration such as \"90s\" or \"24h\", at most \(limit.text)"
            )
        }
        return duration
    }
}

extension JSONValue {
    /// The duration of a member in the words of scenarios, `nil` without it.
    ///
    /// The limit is for the text of the refusal; 720 h is the longest that scenarios can say.
    func duration(
        _ name: String,
        atMost limit: VirtualDuration = .seconds(720 * 3_600)
    ) throws(AdminRefusal) -> VirtualDuration? {
        guard let json = self[name] else { return nil }
        guard let text = json.text, case .success(let duration) = DurationText.parse(text),
            duration >= .zero
        else {
            throw AdminRefusal(
                "`\(name)` is a duration such as \"90s\" or \"150ms\", at most \(limit.text)"
            )
        }
        return duration
    }
}
