import EventLoops
import GatewayProtocols
import JSON
import ScenarioLanguage
import SimulatedGateways

/// A fault as a test arms it, in the words of scenarios.
struct ArmedFault {
    /// Which gateway, or both layers of it.
    enum Kind {
        case gateway(ServedGateway, GatewayFault)
        case wire(WireFault)
    }

    static let answers =
        "decline [CODE], error [CODE], timeout, reset, refused, garbage, http [STATUS], "
        + "http STATUS approved, other order, slow [DURATION], broken, cut [BYTES]"

    var kind: Kind

    /// Reads `{ "answer": …, "gateway": …, "request": …, "kind": …, "when": … }`.
    ///
    /// - Throws: The sentence that says what would be right.
    init(_ json: JSONValue, served: [ServedGateway]) throws(AdminRefusal) {
        let known = ["answer", "gateway", "request", "kind", "when"]
        try json.checkNames(known)
        let gateway = try ServedGateway(json, served: served)
        let isAfter = try Self.isAfterBooking(json)
        guard let text = json["answer"]?.text else {
            throw AdminRefusal("`answer` is missing; there is " + Self.answers)
        }
        let words = text.split(separator: " ").map(String.init)
        if let answer = try Self.wireAnswer(words) {
            guard json["request"] == nil, json["kind"] == nil else {
                throw AdminRefusal("`\(words[0])` is for the next request: no `request`, no `kind`")
            }
            // Bytes of a body are there only once the request was handled.
            if case .cut = answer, !isAfter, json["when"] != nil {
                throw AdminRefusal("`cut` is `after booking`: before it there is no body to cut")
            }
            var isAfterBooking = isAfter
            if case .cut = answer { isAfterBooking = true }
            kind = .wire(
                WireFault(gateway: gateway, isAfterBooking: isAfterBooking, answer: answer)
            )
            return
        }
        let paymillCode = try Self.paymillCode(words, gateway)
        var fault = GatewayFault(
            phase: isAfter ? .afterBooking : .beforeBooking,
            answer: paymillCode == nil ? try Self.answer(words, text) : .decline(.declined)
        )
        if let paymillCode { fault.paymillCode = paymillCode }
        if let number = json["request"] {
            guard let value = number.integer, (1...1_000_000_000).contains(value) else {
                throw AdminRefusal("`request` is the number of a request, counted from 1")
            }
            fault.request = Int(value)
        }
        if let word = json["kind"] {
            guard let kind = word.text.flatMap({ gateway.requestKind($0) }) else {
                let names = gateway.requestKindNames.joined(separator: ", ")
                throw AdminRefusal("`kind` is one of \(names)")
            }
            fault.kind = kind
        }
        kind = .gateway(gateway, fault)
    }

    private static func isAfterBooking(_ json: JSONValue) throws(AdminRefusal) -> Bool {
        guard let when = json["when"] else { return false }
        switch when.text {
        case "before booking": return false
        case "after booking": return true
        default: throw AdminRefusal("`when` is `before booking` or `after booking`")
        }
    }

    private static func wireAnswer(
        _ words: [String]
    ) throws(AdminRefusal) -> WireFault.Answer? {
        switch words.first {
        case "broken" where words.count == 1: return .broken
        case "cut" where words.count <= 2:
            guard let count = words.count == 1 ? 0 : Int(words[1]), count >= 0 else {
                throw AdminRefusal("behind `cut` stands how many bytes of the body are sent")
            }
            return .cut(count)
        default: return nil
        }
    }

    /// The code behind `decline` for PAYMILL, whose codes have five digits; `nil` where it is not
    /// meant.
    private static func paymillCode(
        _ words: [String],
        _ gateway: ServedGateway
    ) throws(AdminRefusal) -> PAYMILLResponseCode? {
        guard gateway == .paymill, words.first == "decline", words.count == 2 else { return nil }
        let number = try number(words[1], "decline", in: 40_000...51_200)
        let code = PAYMILLResponseCode(rawValue: number)
        guard code.text != nil else {
            throw AdminRefusal("'\(words[1])' is no response code of PAYMILL's reference")
        }
        return code
    }

    private static func answer(
        _ words: [String],
        _ text: String
    ) throws(AdminRefusal) -> GatewayFault.Answer {
        if words == ["other", "order"] { return .otherOrder }
        if words.count == 3, words[0] == "http", words[2] == "approved" {
            return .httpApproval(try number(words[1], "http", in: 500...599))
        }
        guard let name = words.first, words.count <= 2 else { throw unknown(text) }
        let second = words.count == 2 ? words[1] : nil
        switch name {
        case "decline": return .decline(try code(second ?? "200", name, in: 200...264))
        case "error": return .error(try code(second ?? "300", name, in: 300...461))
        case "http": return .httpStatus(try number(second ?? "500", name, in: 300...599))
        case "slow":
            guard case .success(let delay) = DurationText.parse(second ?? "3s"), delay > .zero,
                delay <= .seconds(600)
            else { throw AdminRefusal("behind `slow` stands a duration of at most 600s") }
            return .slow(delay)
        case "timeout" where second == nil: return .timeout
        case "reset" where second == nil: return .reset
        case "refused" where second == nil: return .refused
        case "garbage" where second == nil: return .garbage
        default: throw unknown(text)
        }
    }

    private static func unknown(_ text: String) -> AdminRefusal {
        AdminRefusal("there is no answer '\(text.prefix(40))'; there is " + answers)
    }

    private static func number(
        _ text: String,
        _ name: String,
        in range: ClosedRange<Int>
    ) throws(AdminRefusal) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw AdminRefusal(
                "behind `\(name)` stands a number of \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return value
    }

    private static func code(
        _ text: String,
        _ name: String,
        in range: ClosedRange<Int>
    ) throws(AdminRefusal) -> NMIResponseCode {
        guard let code = NMIResponseCode(rawValue: try number(text, name, in: range)) else {
            throw AdminRefusal("'\(text)' is no response code of the manual")
        }
        return code
    }
}

extension ServedGateway {
    /// The kinds of its requests, as scenarios name them.
    fileprivate var requestKindNames: [String] {
        switch self {
        case .nmi: GatewayRequestKind.allCases.map(\.rawValue)
        case .agentcash: AgentCASHRequestKind.allCases.map(\.rawValue)
        case .paymill: PAYMILLRequestKind.allCases.map(\.rawValue)
        }
    }

    /// The kind of request that a word of scenarios, or of the faults themselves, means here.
    fileprivate func requestKind(_ word: String) -> GatewayRequestKind? {
        switch self {
        case .nmi: GatewayRequestKind(rawValue: word)
        case .agentcash:
            AgentCASHRequestKind(rawValue: word)?.faultKind
                ?? AgentCASHRequestKind.allCases.map(\.faultKind).first { $0.rawValue == word }
        case .paymill:
            PAYMILLRequestKind(rawValue: word)?.faultKind
                ?? PAYMILLRequestKind.allCases.map(\.faultKind).first { $0.rawValue == word }
        }
    }

    /// Reads `gateway`, which may be left out where one is served.
    init(_ json: JSONValue, served: [ServedGateway]) throws(AdminRefusal) {
        let names = served.map(\.rawValue).joined(separator: " or ")
        guard let value = json["gateway"] else {
            guard served.count == 1, let only = served.first else {
                throw AdminRefusal("`gateway` is missing: \(names)")
            }
            self = only
            return
        }
        guard let gateway = value.text.flatMap({ ServedGateway(rawValue: $0) }),
            served.contains(gateway)
        else { throw AdminRefusal("`gateway` is \(names)") }
        self = gateway
    }
}

/// Why an admin request is refused, in one sentence without a full stop.
struct AdminRefusal: Error, Equatable, CustomStringConvertible {
    var status = 400
    var reason: String

    init(_ reason: String, status: Int = 400) {
        self.reason = reason
        self.status = status
    }

    /// The reason, which is all that people are shown.
    var description: String { reason }
}

extension JSONValue {
    /// Refuses members that nobody knows.
    func checkNames(_ known: [String]) throws(AdminRefusal) {
        for member in members ?? [] where !known.contains(member.name) {
            throw AdminRefusal(
                "there is no member '\(member.name.prefix(40))'; there is "
                    + (known.isEmpty ? "none" : known.map { "`\($0)`" }.joined(separator: ", "))
            )
        }
    }
}
