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
/// | first | `cardrig-gateways 1`, the calendar's beginning, which gateways |
/// | `test` | how a test set the accounts up, where one did, sealed |
/// | `nmi`, `agentcash` | a gateway's state at the last checkpoint, sealed |
/// | `clock` | how far the clock was moved, and the moment, in nanoseconds |
/// | `step` | one thing that happened since, sealed |
///
/// Every request is on the medium before it is answered. A last line that is cut belongs to nobody
/// who was answered, and is dropped. Everything that may hold card data is sealed under the
/// merchant's secrets.
final class GatewayStateFile {
    /// The largest file that is read, in bytes.
    static let maximumByteCount = 1_073_741_824
    /// How many bytes of steps are kept at least before they become a checkpoint.
    static let checkpointByteCount = 8_388_608

    private static let word = "cardrig-gateways 1"

    private let path: String
    private var file: StateFile
    private let seal: TextSeal
    private var pending: [UInt8] = []
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
        pending += Array("step ".utf8) + Array(seal.seal(json.encoded).utf8)
        pending.append(0x0A)
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
        var bytes = Array("\(Self.word) \(gateways.settings.epochSeconds) \(names)\n".utf8)
        func add(_ word: String, _ state: [UInt8]?) {
            guard let state else { return }
            bytes += Array("\(word) ".utf8) + Array(seal.seal(state).utf8)
            bytes.append(0x0A)
        }
        add("test", gateways.testSetup?.encoded)
        add("nmi", gateways.nmi?.snapshot())
        add("agentcash", gateways.agentcash?.snapshot())
        bytes += Array("clock \(gateways.skew.nanoseconds) \(now.nanoseconds)\n".utf8)
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
        lines.removeLast()
        guard let first = lines.first.map({ String(decoding: $0, as: UTF8.self) }),
            first.hasPrefix(Self.word + " ")
        else { throw problem(1, "this is no state of served gateways") }
        let words = first.split(separator: " ")
        let names = gateways.served.map(\.rawValue).joined(separator: ",")
        guard words.count == 4, let epoch = Int64(words[2]) else {
            throw problem(1, "this line cannot be read")
        }
        guard words[3] == names else {
            throw problem(1, "the state is that of \(words[3]), and \(names) is to be served")
        }
        var settings = gateways.settings
        settings.epochSeconds = epoch
        gateways = ServedGateways(settings)
        var underWay: [(ServedGateway, Int)] = []
        for (index, line) in lines.enumerated().dropFirst() {
            let isLast = index == lines.count - 1
            do throws(GatewayStateProblem) {
                try read(line, index + 1, &gateways, &lastInstant, &underWay)
            } catch {
                // A power failure may leave the last line's length and not its content.
                guard isLast, index > 1, line.starts(with: Array("step ".utf8)) || line.isEmpty
                else {
                    throw error
                }
            }
        }
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
        guard words.count >= 2 else { throw problem(number, "this line cannot be read") }
        if words[0] == "clock" {
            guard words.count == 3, let skew = Int64(words[1]), let instant = Int64(words[2]) else {
                throw problem(number, "this line cannot be read")
            }
            gateways.skew = VirtualDuration(nanoseconds: skew)
            lastInstant = VirtualInstant(nanoseconds: instant)
            return
        }
        guard words.count == 2, let content = seal.open(words[1]) else {
            throw problem(number, "this line was changed, or written under other credentials")
        }
        switch words[0] {
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
