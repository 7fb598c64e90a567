import EventLoops
import Kernel
import ScenarioLanguage

/// Who does what only hands can do, as `--operator` names it.
enum OperatorChoice: Equatable, Sendable {
    /// A person at this terminal.
    case terminal
    /// A program that is run for each act.
    case program(String)
    /// The other end of a unix socket.
    case socket(String)

    static let forms = "terminal, program:COMMAND or socket:PATH"

    /// Reads the value of `--operator`.
    init?(parsing text: String) {
        if text == "terminal" {
            self = .terminal
        } else if text.hasPrefix("program:"), text.utf8.count > 8 {
            self = .program(String(text.dropFirst(8)))
        } else if text.hasPrefix("socket:"), text.utf8.count > 7 {
            self = .socket(String(text.dropFirst(7)))
        } else {
            return nil
        }
    }
}

/// The arguments of `run`.
struct RunOptions: Sendable {
    var endpoint: Endpoint
    var seed: UInt64
    /// How many workers play simulated scenarios; `nil` lets the number of files decide.
    var jobs: Int?
    var wantsJSON: Bool
    var recordPath: String?
    var operatorChoice: OperatorChoice?
    var handTimeout: VirtualDuration
    var isStrict: Bool
    var skipsPath: String?
    var packetByteCount: Int
    var paths: [String]

    static let defaultHandTimeout = VirtualDuration.seconds(60)

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        endpoint = try Endpoint(
            parsing: try reader.takeValue("--reader", expected: Endpoint.forms, Self.word)
                ?? "sim:"
        )
        seed =
            try reader.takeValue("--seed", expected: "a whole number from 0 to 2^64-1") {
                Self.number($0)
            } ?? 1
        jobs = try reader.takeValue("--jobs", expected: "a number of workers from 1 to 256") {
            Self.number($0).flatMap { (1...256).contains($0) ? Int($0) : nil }
        }
        wantsJSON = try reader.takeFlag("--json")
        recordPath = try reader.takeValue("--record", expected: "a file or a folder", Self.word)
        operatorChoice = try reader.takeValue("--operator", expected: OperatorChoice.forms) {
            OperatorChoice(parsing: $0)
        }
        handTimeout =
            try reader.takeValue("--hand-timeout", expected: "a length of time such as 60s") {
                Self.duration($0)
            } ?? Self.defaultHandTimeout
        isStrict = try reader.takeFlag("--strict")
        skipsPath = try reader.takeValue("--skips", expected: "a file", Self.word)
        packetByteCount =
            try reader.takeValue("--packet-size", expected: "8 or 64") {
                $0 == "8" ? 8 : $0 == "64" ? 64 : nil
            } ?? 8
        paths = try reader.takePositionals()
    }

    /// What the command to repeat a run must say besides file and seed.
    var repeatOptions: String {
        var text = ""
        if endpoint != .simulated(nil) { text += " --reader \(endpoint.description)" }
        if packetByteCount != 8 { text += " --packet-size \(packetByteCount)" }
        return text
    }

    static func word(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// Reads plain decimal digits; a sign is none of them.
    static func number(_ text: String) -> UInt64? {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        return isPlain ? UInt64(text) : nil
    }

    private static func duration(_ text: String) -> VirtualDuration? {
        guard case .success(let duration) = DurationText.parse(text), duration > .zero else {
            return nil
        }
        return duration
    }
}
