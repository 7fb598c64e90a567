import CardCrypto
import CardData
import EventLoops
import Journal
import Kernel
import Rig
import ScenarioLanguage
import ScenarioRunner
import Testing

/// The scenarios of the repository, and how tests play them.
enum ScenarioFolder {
    private static let root = String(
        #filePath.dropLast("Tests/ScenarioRunnerTests/ScenarioFolder.swift".count)
    )

    /// The files, by their path from the root, sorted; a cell of a matrix as `path#003`.
    static let files: [String] = {
        let paths = try? Paths.files(under: root + "Scenarios", withSuffix: ".yaml")
        return (paths ?? []).flatMap { path in
            let file = String(path.dropFirst(root.count))
            let count = (try? parse(file).scenarios.count) ?? 0
            return count < 2
                ? [file]
                : (0..<count).map { file + "#" + String(String(1_000 + $0).dropFirst()) }
        }
    }()

    static func scenario(_ name: String) throws -> Scenario {
        let parts = name.split(separator: "#")
        let scenarios = try parse(String(parts[0])).scenarios
        let cell = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        try #require(scenarios.indices.contains(cell), "\(name) is no scenario")
        return scenarios[cell]
    }

    private static func parse(_ file: String) throws -> ParsedFile {
        let bytes = try FileBytes.read(path: root + file, limit: 1 << 20)
        return ScenarioParser.parse(file: file, bytes: bytes)
    }

    static func play(
        _ scenario: Scenario,
        _ options: RigOptions = RigOptions(),
        cache: CryptoCache = CryptoCache()
    ) -> RunResult {
        let rig = Rig(RigConfiguration(scenario.rig, options: options), cache: cache)
        return ScenarioRunner.play(PreparedScenario(scenario), on: rig)
    }

    /// Reads a scenario from text and plays it.
    static func play(text: String, _ options: RigOptions = RigOptions()) throws -> RunResult {
        let parsed = ScenarioParser.parse(file: "text", bytes: Array(text.utf8))
        #expect(parsed.diagnostics.map(\.message.description) == [])
        return play(try #require(parsed.scenario), options)
    }

    /// The options with which the whole folder must give the same.
    static let worlds: [World] = [
        World(name: "as written", options: RigOptions()),
        World(name: "in the natural order", options: RigOptions(choices: .natural)),
        World(
            name: "as Dynamag with packets of 8",
            options: RigOptions(simulatedAs: .dynamag, packetByteCount: 8)
        ),
        World(
            name: "as Dynamag with packets of 64",
            options: RigOptions(simulatedAs: .dynamag, packetByteCount: 64)
        ),
        World(name: "as iDynamo", options: RigOptions(simulatedAs: .idynamo)),
    ]

    struct World: @unchecked Sendable, CustomTestStringConvertible {
        // No live transport is in it, so nothing is shared.
        var name: String
        var options: RigOptions

        var testDescription: String { name }
    }
}

/// The records of a run as one JSON document a line: every field of every record.
func json(_ result: RunResult) -> [UInt8] {
    var writer = JSONWriter()
    for record in result.journal.readable {
        writer.beginObject()
        writer.key("sequence")
        writer.integer(Int64(record.sequence))
        writer.key("nanoseconds")
        writer.integer(record.time.nanoseconds)
        writer.key("step")
        if let step = record.step { writer.integer(Int64(step)) } else { writer.null() }
        writer.key("name")
        writer.string(Vocabulary.definition(of: record.name).spelling)
        for attribute in result.journal.attributes(of: record) {
            writer.key(Vocabulary.spelling(of: attribute.name))
            switch attribute.value {
            case .integer(let integer): writer.integer(integer)
            case .flag(let flag): writer.flag(flag)
            case .amount(let amount): writer.string(amount.description)
            case .symbol(let symbol): writer.string(Vocabulary.spelling(of: symbol))
            case .duration(let duration): writer.integer(duration.nanoseconds)
            case .text(let text): writer.string(text.description)
            case .reader(let reader): writer.integer(Int64(reader))
            }
        }
        writer.endObject()
        writer.endLine()
    }
    return writer.bytes
}

extension [UInt8] {
    /// Whether the bytes stand somewhere in these.
    func contains(_ other: [UInt8]) -> Bool {
        guard let first = other.first, count >= other.count else { return false }
        for start in 0...(count - other.count) where self[start] == first {
            if self[start..<(start + other.count)].elementsEqual(other) { return true }
        }
        return false
    }
}
