import CardData
import EventLoops
import Journal
import ScenarioLanguage
import ScenarioRunner

/// The report for continuous integration: JUnit's XML, the same bytes for the same run everywhere.
///
/// Each file is a test suite, each of its scenarios (one, or one for each cell of its matrix) a test
/// case. The suite's properties hold version, endpoint, seed or choices, the readers and gateway it
/// was played with, and the commands that play it again; its `system-out` says the same to people.
/// There it stands because the two schemas in common use (windyroad's of Apache Ant's task, and
/// `junit-10.xsd` of Jenkins' xUnit plug-in), to both of which the document conforms, have no other
/// place for it in common. Times are those of the scenario's own clock.
public struct JUnitReport {
    private let report: RunReport
    private let console = ConsoleReport(style: Style(isColoured: false))
    private var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// Returns the document with a line feed at its end.
    public static func bytes(_ report: RunReport) -> [UInt8] {
        var writer = JUnitReport(report: report)
        writer.writeDocument()
        return Array(writer.text.utf8)
    }

    private init(report: RunReport) { self.report = report }

    /// What a test case came to, besides passing.
    private struct Problem {
        enum Kind: String { case failure, error, skipped }
        var kind: Kind
        /// A word for programs.
        var type: String
        /// One line.
        var message: String
        /// All of it.
        var text: String
    }

    private mutating func writeDocument() {
        text += "<testsuites>\n"
        var start = 0
        var number = 0
        while start < report.entries.count {
            let file = report.entries[start].file
            let end = report.entries[start...].firstIndex { $0.file != file }
            let entries = report.entries[start..<(end ?? report.entries.count)]
            writeSuite(Array(entries), file: file, number: number)
            start = entries.endIndex
            number += 1
        }
        text += "</testsuites>\n"
    }

    private mutating func writeSuite(_ entries: [RunReport.Entry], file: String, number: Int) {
        let problems = entries.map { problem($0) }
        func count(_ kind: Problem.Kind) -> Int { problems.count { $0?.kind == kind } }
        let duration = entries.reduce(Int64(0)) { $0 &+ Self.nanoseconds($1) }
        text +=
            "  <testsuite name=\(quoted(file)) package=\(quoted(Self.folder(of: file)))"
            + " id=\"\(number)\" timestamp=\"\(CivilTime.text(epochSeconds: report.epochSeconds))\""
            + " hostname=\"localhost\" tests=\"\(entries.count)\" failures=\"\(count(.failure))\""
            + " errors=\"\(count(.error))\" skipped=\"\(count(.skipped))\""
            + " time=\"\(Self.seconds(duration))\">\n"
        writeProperties(entries, file: file)
        for (entry, problem) in zip(entries, problems) { writeCase(entry, problem) }
        text += "    <system-out>\(XMLText.content(output(entries)))</system-out>\n"
        text += "    <system-err/>\n"
        text += "  </testsuite>\n"
    }

    private mutating func writeProperties(_ entries: [RunReport.Entry], file: String) {
        text += "    <properties>\n"
        property("version", report.version)
        property("endpoint", report.endpoint)
        if let plant = report.plant { property("plant", plant) }
        for fact in report.readerFacts {
            property("reader.\(fact.name)", SafeText(scrubbing: fact.value).description)
        }
        if let profile = report.sdkProfile { property("sdkProfile", profile) }
        if let choices = report.choices {
            property("choices", choices.map(String.init).joined(separator: ","))
        } else {
            property("seed", String(report.seed))
        }
        if let scenario = Self.scenarios(entries).first?.scenario {
            property("profile", Self.profile(scenario))
        }
        if let timing = Self.timing(entries) {
            property("timing", TimingText.words(timing))
            property("machineTooBusy", timing.isBusy ? "yes" : "no")
        }
        property("repeat", report.repeatCommand(for: file))
        for scenario in Self.scenarios(entries) {
            guard let cell = scenario.cellNumber else { continue }
            property("repeat.\(cell)", report.repeatCommand(for: scenario))
        }
        text += "    </properties>\n"
    }

    private mutating func property(_ name: String, _ value: String) {
        text += "      <property name=\"\(name)\" value=\(quoted(value))/>\n"
    }

    private mutating func writeCase(_ entry: RunReport.Entry, _ problem: Problem?) {
        text +=
            "    <testcase classname=\(quoted(Self.className(entry.file)))"
            + " name=\(quoted(Self.name(entry)))"
            + " time=\"\(Self.seconds(Self.nanoseconds(entry)))\""
        guard let problem else {
            text += "/>\n"
            return
        }
        // A skip has no type in Ant's schema.
        let type = problem.kind == .skipped ? "" : " type=\"\(problem.type)\""
        text +=
            ">\n      <\(problem.kind.rawValue)\(type)"
            + " message=\(quoted(problem.message))>\(XMLText.content(problem.text))"
            + "</\(problem.kind.rawValue)>\n    </testcase>\n"
    }

    private func problem(_ entry: RunReport.Entry) -> Problem? {
        let whole = console.text(entry, of: report)
        switch entry {
        case .notRun:
            let message = "not run: the run was over before its turn came"
            return Problem(kind: .skipped, type: "notRun", message: message, text: whole)
        case .unreadable(_, let reason):
            return Problem(kind: .error, type: "unreadable", message: reason, text: whole)
        case .invalid(let file, let diagnostics):
            let first = diagnostics.first.map {
                "\(file):\($0.location.line):\($0.location.column): \($0.message)"
            }
            return Problem(
                kind: .error,
                type: "invalid",
                message: first ?? "it is no scenario",
                text: diagnostics.map { "\($0)\n" }.joined()
            )
        case .scenario(let scenario):
            return problem(scenario, whole)
        }
    }

    private func problem(_ scenario: ScenarioReport, _ whole: String) -> Problem? {
        switch scenario.judgement {
        case nil:
            let reasons = scenario.refusals.map { "line \($0.location.line): \($0.reason)" }
            let message = reasons.joined(separator: "; ")
            return Problem(kind: .skipped, type: "refused", message: message, text: whole)
        case .lost(let reason):
            return Problem(kind: .error, type: "lost", message: reason, text: whole)
        case .interrupted:
            let message = "a signal ended it"
            return Problem(kind: .skipped, type: "interrupted", message: message, text: whole)
        case .failedOtherwise(let sentence):
            return Problem(kind: .failure, type: "verdict", message: sentence, text: whole)
        case .failed, .held, .failedAsItMust:
            if let difference = scenario.difference {
                let message = "played twice, it differs: \(difference.place)"
                return Problem(kind: .failure, type: "twice", message: message, text: whole)
            }
            guard scenario.judgement == .failed, let failure = scenario.result?.failures.first
            else { return nil }
            let place = scenario.place(of: failure).map { "line \($0.line): " } ?? ""
            return Problem(
                kind: .failure,
                type: failure.kind.word,
                message: place + failure.explanation,
                text: whole
            )
        }
    }

    /// What people read on the suite's page: each test case with the command that plays it again.
    private func output(_ entries: [RunReport.Entry]) -> String {
        var text = "\n"
        for entry in entries {
            guard case .scenario(let scenario) = entry else { continue }
            text += "\(scenario.status.rawValue): \(Self.name(entry))\n"
            let laws = scenario.scenario.lawsOff
            if !laws.isEmpty {
                text += "  laws off: \(laws.map(\.spelling).joined(separator: ", "))\n"
            }
            text += "  again: \(report.repeatCommand(for: scenario))\n"
        }
        return text
    }

    private func quoted(_ text: String) -> String {
        "\"\(XMLText.attribute(SafeText(scrubbing: text).description))\""
    }

    private static func scenarios(_ entries: [RunReport.Entry]) -> [ScenarioReport] {
        entries.compactMap { entry in
            if case .scenario(let scenario) = entry { scenario } else { nil }
        }
    }

    private static func name(_ entry: RunReport.Entry) -> String {
        switch entry {
        case .scenario(let report): SafeText(scrubbing: report.scenario.name).description
        case .notRun(let file, let name): name.map { "\(SafeText(scrubbing: $0))" } ?? file
        case .invalid(let file, _), .unreadable(let file, _): file
        }
    }

    /// How the machine kept time in the runs of a file; `nil` in virtual time.
    private static func timing(_ entries: [RunReport.Entry]) -> LiveTiming? {
        let timings = scenarios(entries).compactMap { $0.result?.timing }
        guard var sum = timings.first else { return nil }
        for timing in timings.dropFirst() { sum.add(timing) }
        return sum
    }

    /// The readers and the gateway that a scenario is played with, such as `idynamo, nmi`.
    private static func profile(_ scenario: Scenario) -> String {
        let readers = scenario.rig.readers.map(\.kind.rawValue)
        let gateways = [scenario.rig.gateway?.rawValue].compactMap(\.self)
        return (readers + gateways).joined(separator: ", ")
    }

    private static func folder(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/"), slash != file.startIndex else { return "." }
        return String(file[..<slash])
    }

    /// The file's path as Java names a class: `Scenarios.idynamo.good-swipe`.
    private static func className(_ file: String) -> String {
        var parts = file.split(separator: "/").filter { $0 != "." && $0 != ".." }.map(String.init)
        if let last = parts.last, let dot = last.lastIndex(of: "."), dot != last.startIndex {
            parts[parts.count - 1] = String(last[..<dot])
        }
        return parts.isEmpty ? file : parts.joined(separator: ".")
    }

    private static func nanoseconds(_ entry: RunReport.Entry) -> Int64 {
        guard case .scenario(let report) = entry else { return 0 }
        return report.result?.duration.nanoseconds ?? 0
    }

    /// Whole milliseconds, as both schemas want them.
    private static func seconds(_ nanoseconds: Int64) -> String {
        let milliseconds = max(0, nanoseconds) / 1_000_000
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)."
            + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    }
}
