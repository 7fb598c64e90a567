import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import JSON
import Kernel
import SimulatedGateways
import Transports

/// What happened to the served gateways, in the form in which the state file keeps it.
enum GatewayStep {
    /// A request came, a gateway's or a test's, of which only what may be kept is left; and what
    /// was made of its card.
    case request(HTTPRequest, query: String, cardMemory: String?)
    /// A webhook was sent for the first time or again.
    case webhookBegan(ServedGateway)
    /// It ended with a status, or without a response.
    case webhookEnded(ServedGateway, number: Int, status: Int?)

    var json: JSONValue {
        switch self {
        case .request(let request, let query, let cardMemory):
            let fields = request.fields.filter { Self.keptFields.contains($0.name.lowercased()) }
            return .members(
                ("method", .string(request.method)),
                ("path", .string(request.path)),
                ("query", .string(query)),
                ("type", .string(request.contentType)),
                (
                    "fields",
                    .array(fields.map { .array([.string($0.name), .string($0.value)]) })
                ),
                ("body", .string(Base64.text(of: request.body))),
                ("card", cardMemory.map { .string($0) } ?? .null)
            )
        case .webhookBegan(let gateway):
            return .members(("began", .string(gateway.rawValue)))
        case .webhookEnded(let gateway, let number, let status):
            return .members(
                ("ended", .string(gateway.rawValue)),
                ("number", .integer(Int64(number))),
                ("status", status.map { .integer(Int64($0)) } ?? .null)
            )
        }
    }

    /// The fields on which a gateway's answer depends.
    private static let keptFields = ["authorization"]

    init?(_ json: JSONValue) {
        if let word = json["began"]?.text {
            guard let gateway = ServedGateway(rawValue: word) else { return nil }
            self = .webhookBegan(gateway)
            return
        }
        if let word = json["ended"]?.text {
            guard let gateway = ServedGateway(rawValue: word),
                let number = json["number"]?.integer
            else { return nil }
            let status = json["status"]?.integer.map { Int($0) }
            self = .webhookEnded(gateway, number: Int(number), status: status)
            return
        }
        guard let method = json["method"]?.text, let path = json["path"]?.text,
            let query = json["query"]?.text, let type = json["type"]?.text,
            let fields = json["fields"]?.values,
            let body = json["body"]?.text.flatMap({ Base64.decode($0.utf8) })
        else { return nil }
        let pairs = fields.compactMap { field -> HTTPField? in
            guard let parts = field.values, parts.count == 2, let name = parts[0].text,
                let value = parts[1].text
            else { return nil }
            return HTTPField(name, value)
        }
        self = .request(
            HTTPRequest(method: method, path: path, contentType: type, fields: pairs, body: body),
            query: query,
            cardMemory: json["card"]?.text
        )
    }
}

/// Why a state file cannot be used: one line with the file and, where it is about one, the line.
struct GatewayStateProblem: Error, Equatable, CustomStringConvertible {
    var description: String
}

/// The served gateways' state in a file that a process killed at any moment leaves whole.
///
/// | line | holds |
/// | --- | --- |
/// | first | `cardrig-gateways 2`, the calendar's beginning, which gateways |
/// | `test` | how a test set the accounts up, where one did, sealed |
/// | `nmi`, `agentcash` | a gateway's state at the last checkpoint, sealed |
/// | `clock` | how far the clock was moved, and the moment, in nanoseconds, sealed |
/// | `step` | one thing that happened since, sealed |
///
/// Every request is on the medium before it is answered. What follows the last line feed belongs to
/// nobody who was answered, and is dropped. Every line but the first is sealed under the merchant's
/// secrets together with its word and the code of the line before it, so that a line that was
/// changed, moved or taken out of the middle is seen.
final class GatewayStateFile {
    /// The largest file that is read, in bytes.
    static let maximumByteCount = 1_073_741_824
    /// How many bytes of steps are kept at least before they become a checkpoint.
    static let checkpointByteCount = 8_388_608

    private static let kind = "cardrig-gateways"
    private static let version = "2"
    /// The calendars that can be kept: the years 0 to 9999.
    private static let epochs: ClosedRange<Int64> = -62_167_219_200...253_402_300_799
    /// The longest time that a clock is moved, and that lies behind a start, in nanoseconds.
    private static let longestSpan: Int64 = 100 * 366 * 86_400 * 1_000_000_000
    /// The longest time that gateways are served, in nanoseconds.
    private static let longestRun: Int64 = 366 * 86_400 * 1_000_000_000

    private let path: String
    private var file: StateFile
    private let seal: TextSeal
    /// What the next line is bound to: the line before it.
    private var link = ""
    private var pending: [UInt8] = []
    /// How many bytes of a line that was not finished were dropped when the file was opened.
    private(set) var droppedByteCount = 0
    private var stepNumber: Int64 = 0
    private var checkpointedByteCount = 0
    private var stepByteCount = 0

    /// Opens the file and brings the gateways to the state that it holds.
    ///
    /// - Parameters:
    ///   - path: Where it is; it is made when it is not there.
    ///   - gateways: With empty ledgers; the calendar's beginning becomes that of the file.
    ///   - lastInstant: Becomes the last moment of the file.
    /// - Throws: ``GatewayStateProblem`` when another process has it, or it is no state of these
    ///   gateways.
    init(
        path: String,
        gateways: inout ServedGateways,
        lastInstant: inout VirtualInstant
    ) throws(GatewayStateProblem) {
        self.path = path
        seal = TextSeal(secret: gateways.settings.secret)
        file = try Self.open(path)
        let bytes: [UInt8]
        do throws(KernelError) {
            bytes = try FileBytes.read(path: path, limit: Self.maximumByteCount)
        } catch {
            throw GatewayStateProblem(description: "the state file: \(error)")
        }
        if !bytes.isEmpty { try restore(bytes, &gateways, &lastInstant) }
        try checkpoint(&gateways, at: lastInstant)
    }

    private static func open(_ path: String) throws(GatewayStateProblem) -> StateFile {
        do throws(KernelError) {
            return try StateFile(path: path)
        } catch {
            throw GatewayStateProblem(description: "the state file: \(error)")
        }
    }

    // MARK: Writing

    /// Notes a step; it is in the file after ``flush()``.
    func note(_ step: GatewayStep, at now: VirtualInstant) {
        stepNumber += 1
        let json = JSONValue.members(
            ("number", .integer(stepNumber)),
            ("at", .integer(now.nanoseconds)),
            ("step", step.json)
        )
        pending += sealedLine("step", json.encoded)
    }

    /// A line with its line feed, bound to the one before it; the next is bound to this one.
    private func sealedLine(_ word: String, _ content: [UInt8]) -> [UInt8] {
        let sealed = seal.seal(binding(word) + content)
        link = Self.link(word, sealed)
        return Array("\(word) \(sealed)\n".utf8)
    }

    /// What stands in a sealed line before its content.
    private func binding(_ word: String) -> [UInt8] { Array("\(link)\n\(word)\n".utf8) }

    /// What binds the line behind a sealed one to it: its word and its code.
    private static func link(_ word: String, _ sealed: String) -> String {
        "\(word) \(sealed.prefix(24))"
    }

    /// Whether something waits for ``flush()``.
    var hasPending: Bool { !pending.isEmpty }

    /// Brings all steps that were noted onto the medium.
    func flush() throws(KernelError) {
        guard !pending.isEmpty else { return }
        try file.append(pending)
        try file.sync()
        stepByteCount += pending.count
        pending.removeAll(keepingCapacity: true)
    }

    /// Whether the steps are so long that a checkpoint is worth its while.
    var wantsCheckpoint: Bool {
        stepByteCount > max(Self.checkpointByteCount, 2 * checkpointedByteCount)
    }

    /// Replaces the steps by the state to which they led.
    func checkpoint(
        _ gateways: inout ServedGateways,
        at now: VirtualInstant
    ) throws(GatewayStateProblem) {
        let names = gateways.served.map(\.rawValue).joined(separator: ",")
        link = "\(Self.kind) \(Self.version) \(gateways.settings.epochSeconds) \(names)"
        var bytes = Array("\(link)\n".utf8)
        func add(_ word: String, _ state: [UInt8]?) {
            if let state { bytes += sealedLine(word, state) }
        }
        add("test", gateways.testSetup?.encoded)
        add("nmi", gateways.nmi?.snapshot())
        add("agentcash", gateways.agentcash?.snapshot())
        add("clock", Array("\(gateways.skew.nanoseconds) \(now.nanoseconds)".utf8))
        do throws(KernelError) {
            try file.replace(with: bytes)
        } catch {
            throw GatewayStateProblem(description: "the state file: \(error)")
        }
        stepNumber = 0
        stepByteCount = 0
        checkpointedByteCount = bytes.count
    }

    // MARK: Reading

    private func restore(
        _ bytes: [UInt8],
        _ gateways: inout ServedGateways,
        _ lastInstant: inout VirtualInstant
    ) throws(GatewayStateProblem) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        // What follows the last line feed: nothing, or a line that was cut.
        droppedByteCount = lines.removeLast().count
        guard let first = lines.first.map({ String(decoding: $0, as: UTF8.self) }),
            first.hasPrefix(Self.kind + " ")
        else { throw problem(1, "this is no state of served gateways") }
        let words = first.split(separator: " ")
        let names = gateways.served.map(\.rawValue).joined(separator: ",")
        guard words.count == 4 else { throw problem(1, "this line cannot be read") }
        guard words[1] == Self.version else {
            throw problem(
                1,
                "the state is of another version than \(Self.version), which is read here; begin "
                    + "with a new file"
            )
        }
        guard let epoch = Int64(words[2]), Self.epochs.contains(epoch) else {
            throw problem(1, "the calendar begins in none of the years 0 to 9999")
        }
        guard words[3] == names else {
            throw problem(1, "the state is that of \(words[3]), and \(names) is to be served")
        }
        var settings = gateways.settings
        settings.epochSeconds = epoch
        gateways = ServedGateways(settings)
        link = first
        var hasClock = false
        var underWay: [(ServedGateway, Int)] = []
        for (index, line) in lines.enumerated().dropFirst() {
            try read(line, index + 1, &gateways, &lastInstant, &underWay)
            hasClock = hasClock || line.starts(with: Array("clock ".utf8))
        }
        guard hasClock else { throw problem(lines.count + 1, "the line `clock` is missing") }
        for (gateway, number) in underWay {
            gateways.webhookEnded(gateway, number: number, status: nil, at: lastInstant)
        }
    }

    private func read(
        _ line: ArraySlice<UInt8>,
        _ number: Int,
        _ gateways: inout ServedGateways,
        _ lastInstant: inout VirtualInstant,
        _ underWay: inout [(ServedGateway, Int)]
    ) throws(GatewayStateProblem) {
        let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 2, var content = seal.open(words[1]) else {
            throw problem(number, "this line was changed, or written under other credentials")
        }
        let binding = binding(words[0])
        guard content.starts(with: binding) else {
            throw problem(number, "this line does not follow the one before it")
        }
        content.removeFirst(binding.count)
        link = Self.link(words[0], words[1])
        switch words[0] {
        case "clock":
            let numbers = content.split(separator: 0x20).map {
                Int64(String(decoding: $0, as: UTF8.self))
            }
            guard numbers.count == 2, let skew = numbers[0], let instant = numbers[1],
                (0...Self.longestSpan).contains(skew), instant >= 0,
                instant - skew <= Self.longestSpan + Self.longestRun
            else { throw problem(number, "this line cannot be read") }
            gateways.skew = VirtualDuration(nanoseconds: skew)
            lastInstant = VirtualInstant(nanoseconds: instant)
        case "test":
            guard let setup = try? JSONValue(reading: content) else {
                throw problem(number, "this line cannot be read")
            }
            do throws(AdminRefusal) {
                try gateways.clear(settingUp: setup)
            } catch {
                throw problem(number, error.reason)
            }
        case "nmi":
            guard let configuration = gateways.settings.nmi else { break }
            do throws(GatewayStateError) {
                gateways.nmi = try SimulatedNMIGateway(restoring: content, configuration)
            } catch {
                throw problem(number, "\(error)")
            }
        case "agentcash":
            guard let configuration = gateways.settings.agentcash else { break }
            do throws(GatewayStateError) {
                gateways.agentcash = try SimulatedAgentCASHGateway(
                    restoring: content,
                    configuration
                )
            } catch {
                throw problem(number, "\(error)")
            }
        case "step":
            guard let json = try? JSONValue(reading: content),
                json["number"]?.integer == stepNumber + 1,
                let instant = json["at"]?.integer,
                let step = json["step"].flatMap({ GatewayStep($0) })
            else { throw problem(number, "this line cannot be read, or one before it is missing") }
            stepNumber += 1
            lastInstant = VirtualInstant(nanoseconds: instant)
            gateways.replay(step, at: lastInstant, underWay: &underWay)
        default: throw problem(number, "this line cannot be read")
        }
    }

    private func problem(_ line: Int, _ text: String) -> GatewayStateProblem {
        GatewayStateProblem(description: "\(path):\(line):1: error: \(text)")
    }
}

extension ServedGateways {
    /// Does again what was done before.
    mutating func replay(
        _ step: GatewayStep,
        at now: VirtualInstant,
        underWay: inout [(ServedGateway, Int)]
    ) {
        switch step {
        case .request(let request, let query, let cardMemory):
            _ = handle(request, query: query, at: now, recalling: cardMemory)
        case .webhookBegan(let gateway):
            if let delivery = beginWebhook(gateway, at: now) {
                underWay.append((gateway, delivery.number))
            }
        case .webhookEnded(let gateway, let number, let status):
            underWay.removeAll { $0 == (gateway, number) }
            webhookEnded(gateway, number: number, status: status, at: now)
        }
    }
}
