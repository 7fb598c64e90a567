import CardData
import Journal
import Reporting
import ScenarioLanguage
import ScenarioRunner

/// `cardrig list`: shows scenarios and where each can run.
struct ListVerb: Verb {
    static let name = "list"
    static let summary = "Shows scenarios, where each can run, and why not elsewhere."
    static let help = """
        Usage: cardrig list [PATH...] [--filter TEXT] [--json]

        Shows the scenarios in files and folders (without a path the folder Scenarios): the levels
        at which each can run (sim: simulated readers; usb: a reader on USB and a hand; http: a
        gateway of `serve gateway`), and for the others the line that says why not. A file with a
        matrix shows each of its cells.

          --filter TEXT  Only scenarios whose name or path holds the text, or fits it as a pattern
                         with * and ?.
          --json         Writes the list as JSON.

          Example: ./cardrig list Scenarios/idynamo

        """

    private let wantsJSON: Bool
    private let filter: ScenarioFilter?
    private let paths: [String]

    init(_ reader: consuming ArgumentReader) throws(UsageError) {
        wantsJSON = try reader.takeFlag("--json")
        filter = try ScenarioFilter.take(&reader)
        paths = try reader.takePositionals()
    }

    func run(_ streams: Streams) -> ExitCode {
        let found = ScenarioFiles(paths)
        for problem in found.problems { streams.complain(problem) }
        var code: ExitCode = found.files.isEmpty || !found.problems.isEmpty ? .wrong : .held
        var scenarios: [Scenario] = []
        for file in found.files {
            let loaded = LoadedScenario(file: file)
            guard loaded.cells.isEmpty else {
                scenarios += loaded.cells(filter, only: nil).map(\.prepared.scenario)
                continue
            }
            guard filter?.matches(file: file) != false else { continue }
            code = .wrong
            if case .unreadable(_, let reason) = loaded.failure { streams.complain(reason) }
            for diagnostic in loaded.diagnostics { streams.writeError("\(diagnostic)\n") }
        }
        guard !found.files.isEmpty else { return code }
        if let filter, scenarios.isEmpty {
            if code == .held { streams.complain("--filter \(filter.text): nothing has it") }
            return .wrong
        }
        if wantsJSON {
            streams.write(Self.json(scenarios))
        } else {
            streams.write(Self.text(scenarios))
        }
        return code
    }

    private static func text(_ scenarios: [Scenario]) -> String {
        var text = ""
        for scenario in scenarios {
            let levels = scenario.levels.map(\.rawValue).joined(separator: " ")
            text += "\(scenario.file)  [\(levels)]  \(SafeText(scrubbing: scenario.name))\n"
            for (levels, refusal) in grouped(scenario.refusals) {
                text +=
                    "     not \(levels.joined(separator: ", ")): line \(refusal.location.line): "
                    + "\(SafeText(scrubbing: refusal.reason))\n"
            }
        }
        let counts = Level.allCases.map { level in
            "\(scenarios.count { $0.levels.contains(level) }) at level \(level.rawValue)"
        }
        let noun = scenarios.count == 1 ? "scenario" : "scenarios"
        return text + "\(scenarios.count) \(noun): \(counts.joined(separator: ", "))\n"
    }

    /// What is refused at several levels for one reason is told once.
    private static func grouped(_ refusals: [Refusal]) -> [(levels: [String], Refusal)] {
        var groups: [(levels: [String], refusal: Refusal)] = []
        for refusal in refusals {
            let index = groups.firstIndex {
                $0.refusal.location == refusal.location && $0.refusal.reason == refusal.reason
            }
            if let index {
                groups[index].levels.append(refusal.level.rawValue)
            } else {
                groups.append(([refusal.level.rawValue], refusal))
            }
        }
        return groups
    }

    private static func json(_ scenarios: [Scenario]) -> [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.beginObject()
        writer.member("version", CardRigCommand.version)
        writer.key("scenarios")
        writer.beginArray()
        for scenario in scenarios {
            writer.beginObject()
            writer.member("file", scenario.file)
            writer.member("name", SafeText(scrubbing: scenario.name).description)
            writer.key("levels")
            writer.beginArray()
            for level in scenario.levels { writer.string(level.rawValue) }
            writer.endArray()
            writer.key("refusals")
            writer.beginArray()
            for refusal in scenario.refusals { JSONReport.write(refusal, to: &writer) }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}
