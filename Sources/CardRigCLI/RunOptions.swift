import EventLoops
import Exploration
import Kernel
import SDKCore
import ScenarioLanguage

/// Who does what only hands can do, as `--operator` names it.
enum OperatorChoice: Equatable, Sendable {
    /// A person at this terminal.
    case terminal
    /// A program that is run for each act.
    case program(String)
    /// A program of this path that is run for each act (`--assume-operator`).
    case script(String)
    /// The other end of a socket, as `serve --control` has it.
    case socket(ControlPlace)

    static let forms =
        "terminal, program:COMMAND, or control:PLACE, the path of a unix socket or 127.0.0.1:PORT"

    /// Reads the value of `--operator`.
    init?(parsing text: String) {
        if text == "terminal" {
            self = .terminal
        } else if text.hasPrefix("program:"), text.utf8.count > 8 {
            self = .program(String(text.dropFirst(8)))
        } else if text.hasPrefix("socket:"), text.utf8.count > 7 {
            self = .socket(.path(String(text.dropFirst(7))))
        } else if text.hasPrefix("control:"),
            let place = ControlPlace(parsing: String(text.dropFirst(8)))
        {
            self = .socket(place)
        } else {
            return nil
        }
    }
}

/// The arguments of `run`.
struct RunOptions: Sendable {
    var endpoint: Endpoint
    /// Where the gateways outside are; without any they are simulated in this process.
    var gateways: RunGateways
    /// What simulated readers of a kind do, as a real one was seen to do it.
    var profile: ReaderProfile?
    /// What lies on the desk, when a bench file says it.
    var desk: Desk?
    var seed: UInt64
    /// The choices to make, instead of the seed's; from its end on the natural ones.
    var choices: [Int]?
    /// The order to play, instead of the seed's; events are named by keys.
    var schedule: Schedule?
    /// How many workers play simulated scenarios; `nil` lets the number of files decide.
    var jobs: Int?
    var wantsJSON: Bool
    var junitPath: String?
    var filter: ScenarioFilter?
    /// The only cell of the file's matrix to play, counted from 1.
    var cell: Int?
    var isTwice: Bool
    var stopsAtFailure: Bool
    var recordPath: String?
    /// Whether recordings hold card data as it was, instead of stand-ins.
    var keepsCardData: Bool
    var operatorChoice: OperatorChoice?
    var handTimeout: VirtualDuration
    /// Whether the reader is to be unplugged before a scenario that begins with `plug in`.
    var isCold: Bool
    var isStrict: Bool
    var skipsPath: String?
    var packetByteCount: Int
    /// Whose library plays the SDK; `nil` leaves it to the scenarios.
    var library: SDKPlan.Library?
    /// A mistake planted in the SDK on purpose (`--plant`, which help leaves out).
    var plant: Plant?
    var paths: [String]

    static let defaultHandTimeout = VirtualDuration.seconds(60)

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        let benchPath = try reader.takeValue("--bench", expected: "a bench file", Self.word)
        if let benchPath {
            let name = try reader.takeValue("--reader", expected: Desk.readerForm, Self.word)
            let desk = try Desk(file: benchPath, readerName: name)
            self.desk = desk
            endpoint = desk.endpoint
        } else {
            desk = nil
            endpoint = try Self.takeEndpoint(&reader)
        }
        let profilePath = try reader.takeValue(
            "--reader-profile",
            expected: "a file",
            Self.word
        )
        profile = try profilePath.map { path throws(UsageError) in try ProfileFile.read(path) }
        gateways =
            try reader.takeValue("--gateway", expected: RunGateways.form) {
                RunGateways(parsing: $0)
            } ?? RunGateways()
        if !gateways.isEmpty { try CredentialsCheck.run { ProcessEnvironment.value(of: $0) } }
        let seed = try reader.takeValue("--seed", expected: "a whole number from 0 to 2^64-1") {
            Self.number($0)
        }
        choices = try reader.takeValue("--choices", expected: "natural, or numbers such as 0,2,1") {
            Self.choiceList($0)
        }
        guard seed == nil || choices == nil else {
            throw .wrong("--seed and --choices answer the same questions; give one of them")
        }
        schedule = try Self.takeSchedule(&reader)
        guard schedule == nil || (seed == nil && choices == nil) else {
            throw .wrong("--schedule answers what --seed and --choices do; give one of them")
        }
        self.seed = seed ?? 1
        jobs = try reader.takeValue("--jobs", expected: "a number of workers from 1 to 256") {
            Self.number($0).flatMap { (1...256).contains($0) ? Int($0) : nil }
        }
        wantsJSON = try reader.takeFlag("--json")
        junitPath = try reader.takeValue("--junit", expected: "a file", Self.word)
        filter = try ScenarioFilter.take(&reader)
        cell = try Self.takeCell(&reader)
        isTwice = try reader.takeFlag("--twice")
        stopsAtFailure = try reader.takeFlag("--fail-fast")
        recordPath = try reader.takeValue("--record", expected: "a file or a folder", Self.word)
        keepsCardData = try reader.takeFlag("--unsafe-keep-card-data")
        operatorChoice = try reader.takeValue("--operator", expected: OperatorChoice.forms) {
            OperatorChoice(parsing: $0)
        }
        let script = try reader.takeValue("--assume-operator", expected: "a program", Self.word)
        if let script {
            guard operatorChoice == nil else {
                throw .wrong("--operator and --assume-operator: one of them plays the hands")
            }
            operatorChoice = .script(script)
        }
        isCold = try reader.takeFlag("--cold")
        handTimeout =
            try reader.takeValue("--hand-timeout", expected: "a length of time such as 60s") {
                Self.duration($0)
            } ?? Self.defaultHandTimeout
        isStrict = try reader.takeFlag("--strict")
        skipsPath = try reader.takeValue("--skips", expected: "a file", Self.word)
        packetByteCount = try Self.takePacketSize(&reader)
        library = try Self.takeLibrary(&reader)
        plant = try reader.takeValue("--plant", expected: "the name of a planted mistake") { name in
            Plant.named(name)
        }
        paths = try reader.takePositionals()
        if keepsCardData, recordPath == nil {
            throw .wrong("--unsafe-keep-card-data: nothing is recorded; it goes with --record")
        }
        if isCold, !endpoint.isLive {
            throw .wrong("--cold: a simulated reader is unplugged at the start anyway")
        }
        if schedule != nil, endpoint.isLive {
            throw .wrong("--schedule: at a real reader the world chooses the order")
        }
        if isTwice, endpoint.isLive {
            throw .wrong("--twice: a real reader never does the same at the same time again")
        }
        if !gateways.isEmpty, schedule != nil || isTwice {
            throw .wrong(
                "--gateway: with a gateway outside time is real, and no run is like another; "
                    + "leave --schedule and --twice out"
            )
        }
    }

    /// Whether something outside of this process is there, so that time is real.
    var isRealTime: Bool { endpoint.isLive || !gateways.isEmpty }

    /// Where reader and gateway are, for reports.
    var placeDescription: String {
        endpoint.description + (gateways.isEmpty ? "" : " with \(gateways.description)")
    }

    /// Returns why a scenario cannot be played there; empty when it can.
    func refusals(of scenario: Scenario) -> [Refusal] {
        let refusals = endpoint.refusals(of: scenario) + (desk?.refusals(of: scenario) ?? [])
        guard !gateways.isEmpty else { return refusals }
        let own = scenario.refusals.filter { $0.level == .http }
        guard own.isEmpty, let kind = scenario.rig.gateway, !gateways.contains(kind),
            let place = scenario.steps.first?.location
        else { return refusals + own }
        let reason = "--gateway does not say where \(kind.rawValue) is"
        return refusals + [Refusal(level: .http, location: place, reason: reason)]
    }

    /// Who answers where a scenario leaves something open.
    var choiceSource: ChoiceSource {
        if let schedule { return .keyed(schedule.deviations) }
        return choices.map { .recorded($0) } ?? .seeded(seed)
    }

    /// What the command to repeat a run must say besides file and seed.
    var repeatOptions: String {
        (desk.map { " --bench \($0.bench.file) --reader \($0.reader.name)" } ?? "")
            + Self.repeatOptions(desk == nil ? endpoint : .simulated(nil), packetByteCount, library)
            + (profile.map { " --reader-profile \($0.file)" } ?? "")
            + (gateways.isEmpty ? "" : " --gateway \(gateways.description)")
            + (plant.map { " --plant \($0.name)" } ?? "")
    }

    /// The words behind `run` with which the same run comes again, without the file.
    var wordsToRepeat: [String] {
        var words = repeatOptions.split(separator: " ").map(String.init)
        if let schedule {
            words += ["--schedule", schedule.text]
        } else if let choices {
            words += [
                "--choices",
                choices.isEmpty ? "natural" : choices.map { "\($0)" }.joined(separator: ","),
            ]
        } else {
            words += ["--seed", "\(seed)"]
        }
        return words
    }

    static func repeatOptions(
        _ endpoint: Endpoint,
        _ packetByteCount: Int,
        _ library: SDKPlan.Library?
    ) -> String {
        var text = ""
        if endpoint != .simulated(nil) { text += " --reader \(endpoint.description)" }
        if packetByteCount != 8 { text += " --packet-size \(packetByteCount)" }
        if let library { text += " --sdk-profile \(library.rawValue)" }
        return text
    }

    private static func takeSchedule(
        _ reader: inout ArgumentReader
    ) throws(UsageError) -> Schedule? {
        let form = "VERSION:HASH:DEVIATIONS, as explore prints it"
        guard let text = try reader.takeValue("--schedule", expected: form, word) else {
            return nil
        }
        do throws(ScheduleError) {
            return try Schedule(parsing: text)
        } catch {
            throw .wrong("--schedule: \(error)")
        }
    }

    static func takeEndpoint(_ reader: inout ArgumentReader) throws(UsageError) -> Endpoint {
        let text = try reader.takeValue("--reader", expected: Endpoint.forms, word)
        return try Endpoint(parsing: text ?? "sim:")
    }

    static func takePacketSize(_ reader: inout ArgumentReader) throws(UsageError) -> Int {
        try reader.takeValue("--packet-size", expected: "8 or 64") {
            $0 == "8" ? 8 : $0 == "64" ? 64 : nil
        } ?? 8
    }

    static func takeLibrary(
        _ reader: inout ArgumentReader
    ) throws(UsageError) -> SDKPlan.Library? {
        try reader.takeValue("--sdk-profile", expected: "careful or observed") {
            SDKPlan.Library(rawValue: $0)
        }
    }

    static func takeCell(_ reader: inout ArgumentReader) throws(UsageError) -> Int? {
        try reader.takeValue("--cell", expected: "a number from 1 on") {
            number($0).flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
        }
    }

    static func word(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// Reads plain decimal digits; a sign is none of them.
    static func number(_ text: String) -> UInt64? {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        return isPlain ? UInt64(text) : nil
    }

    private static func choiceList(_ text: String) -> [Int]? {
        if text == "natural" { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let list = parts.compactMap { number(String($0)).flatMap { Int(exactly: $0) } }
        return list.count == parts.count && !text.isEmpty ? list : nil
    }

    static func duration(_ text: String) -> VirtualDuration? {
        guard case .success(let duration) = DurationText.parse(text), duration > .zero else {
            return nil
        }
        return duration
    }
}
