import EventLoops
import Exploration
import SDKCore
import ScenarioLanguage
import ScenarioRunner

/// The arguments of `explore`.
struct ExploreOptions: Sendable {
    static let strategyForms = "auto, exhaustive, brute-force, random or pct"

    var endpoint: Endpoint
    var plan: ExplorationPlan
    /// The longest that one scenario is explored, in nanoseconds of real time.
    var timeNanoseconds: Int64?
    var jobs: Int
    var cell: Int?
    var filter: ScenarioFilter?
    var stopsAtFailure: Bool
    var wantsJSON: Bool
    var reproPath: String?
    var recordPath: String?
    var packetByteCount: Int
    /// Whose library plays the SDK; `nil` leaves it to the scenarios.
    var library: SDKPlan.Library?
    /// A mistake planted in the SDK on purpose (`--plant`, which help leaves out).
    var plant: Plant?
    var paths: [String]

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        endpoint = try RunOptions.takeEndpoint(&reader)
        let strategies = try reader.takeValue("--strategy", expected: Self.strategyForms) {
            Self.strategies($0)
        }
        let runs = try Self.takeCount("--runs", &reader, expected: "a number of runs from 1 on")
        let time = try reader.takeValue("--time", expected: "a length of time such as 60s") {
            RunOptions.duration($0)
        }
        let depth = try reader.takeValue("--depth", expected: "a number from 1 to 16") { text in
            RunOptions.number(text).flatMap { (1...16).contains($0) ? Int($0) : nil }
        }
        let seed = try reader.takeValue("--seed", expected: "a whole number from 0 to 2^64-1") {
            RunOptions.number($0)
        }
        let playsTwice = try reader.takeFlag("--check-determinism")
        let isTimed = time != nil
        plan = ExplorationPlan(
            strategies: strategies ?? [],
            budget: SearchBudget(
                runCount: runs ?? (isTimed ? 1_000_000_000 : 20_000),
                depth: depth ?? 3,
                seed: seed ?? 1,
                playsTwice: playsTwice
            )
        )
        timeNanoseconds = time?.nanoseconds
        jobs =
            try reader.takeValue("--jobs", expected: "a number of workers from 1 to 256") { text in
                RunOptions.number(text).flatMap { (1...256).contains($0) ? Int($0) : nil }
            } ?? 1
        cell = try RunOptions.takeCell(&reader)
        filter = try ScenarioFilter.take(&reader)
        stopsAtFailure = try reader.takeFlag("--fail-fast")
        wantsJSON = try reader.takeFlag("--json")
        reproPath = try reader.takeValue("--repro", expected: "a file", RunOptions.word)
        recordPath = try reader.takeValue("--record", expected: "a file", RunOptions.word)
        packetByteCount = try RunOptions.takePacketSize(&reader)
        library = try RunOptions.takeLibrary(&reader)
        plant = try reader.takeValue("--plant", expected: "the name of a planted mistake") { name in
            Plant.named(name)
        }
        paths = try reader.takePositionals()
        guard !paths.isEmpty else { throw .wrong("explore wants scenario files or folders") }
        guard case .simulated = endpoint else {
            throw .wrong("--reader \(endpoint.description): a real reader plays one order only")
        }
    }

    /// What scenarios leave open.
    var rigOptions: RigOptions {
        var kind: ReaderKind?
        if case .simulated(let wanted) = endpoint { kind = wanted }
        var options = RigOptions(
            simulatedAs: kind,
            packetByteCount: packetByteCount,
            plant: plant
        )
        options.library = library
        return options
    }

    /// What the command to play an order again must say besides file and order.
    var repeatOptions: String {
        RunOptions.repeatOptions(endpoint, packetByteCount, library)
            + (plant.map { " --plant \($0.name)" } ?? "")
    }

    private static func strategies(_ text: String) -> [SearchStrategy]? {
        if text == "auto" { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let strategies = parts.compactMap { SearchStrategy(rawValue: String($0)) }
        let isUnique = Set(strategies).count == strategies.count
        return strategies.count == parts.count && isUnique && !parts.isEmpty ? strategies : nil
    }

    private static func takeCount(
        _ name: String,
        _ reader: inout ArgumentReader,
        expected: String
    ) throws(UsageError) -> Int? {
        try reader.takeValue(name, expected: expected) { text in
            RunOptions.number(text).flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
        }
    }
}
