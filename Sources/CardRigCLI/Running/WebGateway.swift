import EventLoops
import JSON
import Kernel
import LiveTransports
import Rig
import SimulatedGateways
import Transports

/// The NMI gateway of another process, `cardrig serve gateway`, for a run.
///
/// The SDK's requests go their way without anybody waiting; what the run asks besides, under
/// `/cardrig/`, is waited for, a few milliseconds and at most ``adminLimit``.
final class WebGateway: RemoteGateway {
    /// How long a question under `/cardrig/` may take.
    static let adminLimit = VirtualDuration.seconds(5)

    let securityKey: String
    private(set) var problem: String?

    private let address: GatewayAddress
    private let exchanges: LiveHTTPClient
    private let questions: LiveHTTPClient
    private let poller: Poller
    private var recordCount = 0

    /// Creates a gateway at an address; nothing is sent yet.
    init(_ address: GatewayAddress, environment: (String) -> String?) throws {
        self.address = address
        let certificates = environment("CARDRIG_TRUSTED_CERTIFICATES")
        exchanges = try LiveHTTPClient(trustedCertificates: certificates)
        questions = try LiveHTTPClient(trustedCertificates: certificates)
        poller = try Poller()
        try poller.add(questions.wakeDescriptor, token: 0)
        securityKey =
            GatewayCredentials(environment: environment).nmiSecurityKey
            ?? SimulatedNMIGateway.Configuration().securityKey
    }

    var wakeDescriptor: Int32 { exchanges.wakeDescriptor }

    // MARK: Exchanges

    func send(_ request: HTTPRequest, within limit: VirtualDuration) -> Int {
        exchanges.send(request, to: address.server, within: limit)
    }

    func cancel(_ number: Int) { exchanges.cancel(number) }

    func nextEnd() -> (number: Int, outcome: HTTPOutcome)? {
        exchanges.nextEnd().map { ($0.number, $0.outcome) }
    }

    // MARK: Questions

    func begin() {
        guard let status = ask("GET", AdminPath.status) else { return }
        guard let nmi = status["nmi"], let count = nmi["transactions"]?.integer else {
            problem = "no NMI gateway is served at \(address.server)"
            return
        }
        // Books that no test began may be somebody's.
        guard count == 0 || status["clearedByTest"]?.bool == true else {
            problem =
                "the gateway at \(address.server) has \(count) transactions already: serve another "
                + "one, or empty it with POST \(AdminPath.clear)"
            return
        }
        recordCount = 0
        // Scenarios count on the time that the simulated gateway takes.
        let latency = SimulatedNMIGateway.Configuration().latency
        let words = JSONValue.string("\(latency.nanoseconds)ns")
        _ = ask("POST", AdminPath.clear, .members(("latency", words)))
    }

    func takeRecords() -> [GatewayRecord] {
        var records: [GatewayRecord] = []
        while let answer = ask("GET", AdminPath.records + "?after=\(recordCount)") {
            guard let count = answer["count"]?.integer, let first = answer["first"]?.integer,
                let list = answer["records"]?.values
            else { break }
            guard first == Int64(recordCount) + 1 || list.isEmpty else {
                problem = "the gateway at \(address.server) forgot records of this run"
                break
            }
            recordCount += list.count
            for json in list {
                guard let record = GatewayRecord(json) else {
                    problem = "the gateway at \(address.server) is of another version"
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
            JSONMember("gateway", .string("nmi")),
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
        _ = ask("POST", AdminPath.faults, .object(members))
    }

    func settle() { _ = ask("POST", AdminPath.settle, .object([])) }

    func copy() -> SimulatedNMIGateway? {
        guard let response = response("GET", AdminPath.state, []) else { return nil }
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.securityKey = securityKey
        do throws(GatewayStateError) {
            return try SimulatedNMIGateway(restoring: response.body, configuration)
        } catch {
            problem = "the books of the gateway at \(address.server) cannot be read: \(error)"
            return nil
        }
    }

    private func ask(_ method: String, _ path: String, _ json: JSONValue? = nil) -> JSONValue? {
        guard let response = response(method, path, json?.encoded ?? []) else { return nil }
        guard let answer = try? JSONValue(reading: response.body) else {
            problem = "what listens at \(address.server) is no `cardrig serve gateway`"
            return nil
        }
        return answer
    }

    private func response(_ method: String, _ path: String, _ body: [UInt8]) -> HTTPResponse? {
        guard problem == nil else { return nil }
        let request = HTTPRequest(
            method: method,
            path: path,
            contentType: method == "POST" ? "application/json" : "",
            body: body
        )
        let number = questions.send(request, to: address.server, within: Self.adminLimit)
        let deadline = MonotonicClock.now + Self.adminLimit.nanoseconds + 1_000_000_000
        while MonotonicClock.now < deadline {
            if let end = questions.nextEnd(), end.number == number {
                guard case .answered(let response) = end.outcome else {
                    problem = "the gateway at \(address.server): \(end.reason)"
                    return nil
                }
                guard response.status == 200 else {
                    let reason = (try? JSONValue(reading: response.body))?["error"]?.text
                    problem =
                        "the gateway at \(address.server) answers \(path) with "
                        + "\(response.status)" + (reason.map { ": \($0)" } ?? "")
                    return nil
                }
                return response
            }
            _ = try? poller.wait(untilMonotonicNanoseconds: deadline) { _ in }
        }
        problem = "the gateway at \(address.server) does not answer"
        return nil
    }
}

/// Where a gateway outside of this process is, as `--gateway` names it: `nmi=http://HOST:PORT`.
struct GatewayAddress: Equatable, Sendable {
    static let form = "nmi=http://HOST:PORT or nmi=https://HOST:PORT"

    /// The server, without a path.
    var server: String

    /// Reads an address, or returns `nil` for what is none.
    ///
    /// User and password never stand in it.
    init?(parsing text: String) {
        guard text.hasPrefix("nmi=") else { return nil }
        var server = text.dropFirst(4)
        if server.hasSuffix("/") { server = server.dropLast() }
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { server.hasPrefix($0) }) else { return nil }
        let host = server.dropFirst(scheme.count)
        let isPlain = host.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !"/@?#\\".utf8.contains(byte)
        }
        guard !host.isEmpty, isPlain else { return nil }
        self.server = String(server)
    }

    /// As it is typed.
    var description: String { "nmi=\(server)" }
}
