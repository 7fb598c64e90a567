import EventLoops
import JSON
import Kernel
import LiveTransports
import Rig
import SimulatedGateways
import Transports

/// A gateway of another process, `cardrig serve gateway`, for a run.
///
/// The SDK's requests go their way without anybody waiting; what the run asks besides, under
/// `/cardrig/`, is waited for, a few milliseconds and at most ``WebQuestions/limit``.
final class WebGateway<Service: WebService>: RemoteGateway {
    private let server: String
    private let credentials: GatewayCredentials
    private let exchanges: LiveHTTPClient
    private let questions: WebQuestions
    private var configuration: Service.Configuration?
    private var recordCount = 0
    /// How many requests were sent in this run, without those that never left.
    private var sentCount = 0
    /// What ended while somebody waited for something else.
    private var ended: [(number: Int, outcome: HTTPOutcome)] = []
    private var ownProblem: String?

    /// Creates a gateway at a server, `http://HOST:PORT`; nothing is sent yet.
    init(at server: String, environment: (String) -> String?) throws {
        self.server = server
        let certificates = environment("CARDRIG_TRUSTED_CERTIFICATES")
        exchanges = try LiveHTTPClient(trustedCertificates: certificates)
        questions = try WebQuestions(server, trustedCertificates: certificates)
        credentials = GatewayCredentials(environment: environment)
    }

    var wakeDescriptor: Int32 { exchanges.wakeDescriptor }

    var problem: String? { ownProblem ?? questions.problem }

    func adoptCredentials(_ configuration: inout Service.Configuration) {
        Service.adopt(credentials, &configuration)
    }

    // MARK: Exchanges

    func send(_ request: HTTPRequest, within limit: VirtualDuration) -> Int {
        sentCount += 1
        return exchanges.send(request, to: server, within: limit)
    }

    func cancel(_ number: Int) { exchanges.cancel(number) }

    func nextEnd() -> (number: Int, outcome: HTTPOutcome)? {
        ended.isEmpty ? takeEnd() : ended.removeFirst()
    }

    private func takeEnd() -> (number: Int, outcome: HTTPOutcome)? {
        guard let end = exchanges.nextEnd() else { return nil }
        if end.outcome == .refused { sentCount -= 1 }
        return (end.number, end.outcome)
    }

    func awaitArrivals() {
        let deadline = MonotonicClock.now + 1_000_000_000
        repeat {
            while let end = takeEnd() { ended.append(end) }
            let status = questions.ask("GET", AdminPath.status)
            let count = status?[Service.served.rawValue]?["requests"]?.integer ?? .max
            if count >= Int64(sentCount) { return }
        } while MonotonicClock.now < deadline
    }

    // MARK: Questions

    func begin(_ configuration: Service.Configuration) {
        self.configuration = configuration
        guard let status = questions.ask("GET", AdminPath.status) else { return }
        let name = Service.served.rawValue
        guard let count = status[name]?["transactions"]?.integer else {
            ownProblem = "no \(name) is served at \(server)"
            return
        }
        // Books that no test began may be somebody's.
        guard count == 0 || status["clearedByTest"]?.bool == true else {
            ownProblem =
                "\(name) at \(server) has \(count) transactions already: serve another one, or "
                + "empty it with POST \(AdminPath.clear)"
            return
        }
        recordCount = 0
        sentCount = 0
        // Scenarios count on the time that the simulated gateway takes, and on their account.
        let latency = JSONValue.string("\(configuration.latency.nanoseconds)ns")
        let account = Service.account(configuration)
        _ = questions.ask("POST", AdminPath.clear, .members(("latency", latency), (name, account)))
    }

    func takeRecords() -> [Service.Record] {
        var records: [Service.Record] = []
        let path = AdminPath.records + Service.served.rawValue
        while let answer = questions.ask("GET", path + "?after=\(recordCount)") {
            guard let count = answer["count"]?.integer, let first = answer["first"]?.integer,
                let list = answer["records"]?.values
            else { break }
            guard first == Int64(recordCount) + 1 || list.isEmpty else {
                ownProblem = "the gateway at \(server) forgot records of this run"
                break
            }
            recordCount += list.count
            for json in list {
                guard let record = Service.Record(json) else {
                    ownProblem = "the gateway at \(server) is of another version"
                    return records
                }
                records.append(record)
            }
            if Int64(recordCount) >= count { break }
        }
        return records
    }

    func arm(_ fault: GatewayFault) {
        var members: [JSONMember] = [
            JSONMember("gateway", .string(Service.served.rawValue)),
            JSONMember("answer", .string(fault.answer.words)),
            JSONMember(
                "when",
                .string(fault.phase == .afterBooking ? "after booking" : "before booking")
            ),
        ]
        if let request = fault.request {
            members.append(JSONMember("request", .integer(Int64(request))))
        }
        if let kind = fault.kind { members.append(JSONMember("kind", .string(kind.rawValue))) }
        _ = questions.ask("POST", AdminPath.faults, .object(members))
    }

    func settle() { _ = questions.ask("POST", AdminPath.settle, .object([])) }

    func copy() -> Service? {
        let path = AdminPath.state + Service.served.rawValue
        guard let configuration, let response = questions.response("GET", path, []) else {
            return nil
        }
        do throws(GatewayStateError) {
            return try Service(restoring: response.body, configuration)
        } catch {
            ownProblem = "the books of the gateway at \(server) cannot be read: \(error)"
            return nil
        }
    }
}

/// What is asked of `cardrig serve gateway` under `/cardrig/`, one question at a time.
///
/// After the first that is not answered no other is asked.
final class WebQuestions {
    /// How long one may take.
    static let limit = VirtualDuration.seconds(5)

    /// Why there is no answer, in one sentence; `nil` while there is.
    private(set) var problem: String?
    private let server: String
    private let client: LiveHTTPClient
    private let poller: Poller

    init(_ server: String, trustedCertificates: String?) throws {
        self.server = server
        client = try LiveHTTPClient(trustedCertificates: trustedCertificates)
        poller = try Poller()
        try poller.add(client.wakeDescriptor, token: 0)
    }

    /// Returns the answer, or `nil`; then ``problem`` says why.
    func ask(_ method: String, _ path: String, _ json: JSONValue? = nil) -> JSONValue? {
        guard let response = response(method, path, json?.encoded ?? []) else { return nil }
        guard let answer = try? JSONValue(reading: response.body) else {
            problem = "what listens at \(server) is no `cardrig serve gateway`"
            return nil
        }
        return answer
    }

    /// Returns the response with the status 200, or `nil`; then ``problem`` says why.
    func response(_ method: String, _ path: String, _ body: [UInt8]) -> HTTPResponse? {
        guard problem == nil else { return nil }
        let request = HTTPRequest(
            method: method,
            path: path,
            contentType: method == "POST" ? "application/json" : "",
            body: body
        )
        let number = client.send(request, to: server, within: Self.limit)
        let deadline = MonotonicClock.now + Self.limit.nanoseconds + 1_000_000_000
        while MonotonicClock.now < deadline {
            if let end = client.nextEnd(), end.number == number {
                guard case .answered(let response) = end.outcome else {
                    problem = "the gateway at \(server): \(end.reason)"
                    return nil
                }
                guard response.status == 200 else {
                    let reason = (try? JSONValue(reading: response.body))?["error"]?.text
                    problem =
                        "the gateway at \(server) answers \(path) with "
                        + "\(response.status)" + (reason.map { ": \($0)" } ?? "")
                    return nil
                }
                return response
            }
            _ = try? poller.wait(untilMonotonicNanoseconds: deadline) { _ in }
        }
        problem = "the gateway at \(server) does not answer"
        return nil
    }
}
