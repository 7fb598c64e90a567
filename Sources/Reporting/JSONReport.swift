import CardData
import EventLoops
public import Journal
import Laws
public import ScenarioLanguage
import ScenarioRunner

/// The report for programs: one JSON document, the same bytes for the same run everywhere.
///
/// Keys have a fixed order. There is no time of day, no duration of the process and no path but
/// those that were given.
public enum JSONReport {
    /// Returns the document with a line feed at its end.
    public static func bytes(_ report: RunReport) -> [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.beginObject()
        writer.member("version", report.version)
        writer.member("seed", report.choices == nil ? report.seed : nil)
        writer.key("choices")
        if let choices = report.choices {
            writer.beginArray()
            for choice in choices { writer.integer(Int64(choice)) }
            writer.endArray()
        } else {
            writer.null()
        }
        writer.member("endpoint", report.endpoint)
        writer.member("plant", report.plant)
        if !report.readerFacts.isEmpty {
            writer.key("readerFacts")
            writer.beginObject()
            for fact in report.readerFacts { writer.member(fact.name, scrubbed(fact.value)) }
            writer.endObject()
        }
        writer.member("sdkProfile", report.sdkProfile)
        writer.key("scenarios")
        writer.beginArray()
        for case .scenario(let scenario) in report.entries {
            write(scenario, of: report, to: &writer)
        }
        writer.endArray()
        writer.key("invalidFiles")
        writer.beginArray()
        for entry in report.entries { writeInvalid(entry, to: &writer) }
        writer.endArray()
        writer.key("notRun")
        writer.beginArray()
        for case .notRun(let file, _) in report.entries { writer.string(file) }
        writer.endArray()
        writer.key("unreached")
        writer.beginArray()
        for branch in report.unreached { write(branch, to: &writer) }
        writer.endArray()
        writer.key("skipComplaints")
        writer.beginArray()
        for complaint in report.skipComplaints { writer.string(complaint) }
        writer.endArray()
        if let timing = report.timing {
            writer.key("timing")
            TimingText.write(timing, to: &writer)
        }
        writer.key("totals")
        write(report.totals, to: &writer)
        writer.member("exitCode", Int64(report.exitCode.rawValue))
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    /// Writes a mistake of a file as an object.
    public static func write(_ diagnostic: Diagnostic, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("file", diagnostic.file)
        writer.member("line", Int64(diagnostic.location.line))
        writer.member("column", Int64(diagnostic.location.column))
        writer.member("message", diagnostic.message.description)
        writer.member("hint", diagnostic.hint?.description)
        writer.endObject()
    }

    /// Writes why an endpoint cannot do a scenario as an object.
    public static func write(_ refusal: Refusal, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("level", refusal.level.rawValue)
        writer.member("line", Int64(refusal.location.line))
        writer.member("column", Int64(refusal.location.column))
        writer.member("reason", scrubbed(refusal.reason))
        writer.endObject()
    }

    private static func write(
        _ branch: BranchCoverage.Unreached,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.member("file", branch.file)
        writer.member("line", Int64(branch.location.line))
        writer.member("column", Int64(branch.location.column))
        writer.member("what", scrubbed(branch.description))
        writer.endObject()
    }

    private static func writeInvalid(_ entry: RunReport.Entry, to writer: inout JSONWriter) {
        switch entry {
        case .invalid(let file, let diagnostics):
            writer.beginObject()
            writer.member("file", file)
            writer.key("diagnostics")
            writer.beginArray()
            for diagnostic in diagnostics { write(diagnostic, to: &writer) }
            writer.endArray()
            writer.endObject()
        case .unreadable(let file, let reason):
            writer.beginObject()
            writer.member("file", file)
            writer.member("reason", scrubbed(reason))
            writer.endObject()
        case .scenario, .notRun:
            break
        }
    }

    private static func write(
        _ report: ScenarioReport,
        of run: RunReport,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.member("file", report.scenario.file)
        writer.member("name", scrubbed(report.scenario.name))
        writer.member("cell", report.cellNumber.map(Int64.init))
        writer.member("reader", report.endpoint)
        writer.member("status", report.status.rawValue)
        writer.key("verdict")
        write(report.scenario.verdict, to: &writer)
        writer.member("reason", reason(report))
        writer.key("refusals")
        writer.beginArray()
        for refusal in report.refusals { write(refusal, to: &writer) }
        writer.endArray()
        writer.key("lawsOff")
        writer.beginArray()
        for law in report.scenario.lawsOff { writer.string(law.spelling) }
        writer.endArray()
        writer.member("repeat", run.repeatCommand(for: report))
        writer.key("difference")
        write(report.difference, to: &writer)
        if let result = report.result { write(result, of: report, to: &writer) }
        writer.endObject()
    }

    private static func reason(_ report: ScenarioReport) -> String? {
        switch report.judgement {
        case .failedOtherwise(let text), .lost(let text): scrubbed(text)
        case .held, .failedAsItMust, .failed, .interrupted, nil: nil
        }
    }

    private static func write(_ difference: RunDifference?, to writer: inout JSONWriter) {
        guard let difference else {
            writer.null()
            return
        }
        writer.beginObject()
        writer.member("place", scrubbed(difference.place))
        writer.member("first", difference.first.map(scrubbed))
        writer.member("second", difference.second.map(scrubbed))
        writer.endObject()
    }

    private static func write(_ verdict: VerdictPlan?, to writer: inout JSONWriter) {
        guard let verdict else {
            writer.null()
            return
        }
        writer.beginObject()
        writer.member("exit", Int64(verdict.exit))
        writer.member("law", verdict.law?.spelling)
        writer.member("line", verdict.line.map(Int64.init))
        writer.endObject()
    }

    private static func write(
        _ result: RunResult,
        of report: ScenarioReport,
        to writer: inout JSONWriter
    ) {
        writer.key("failures")
        writer.beginArray()
        for failure in result.failures { write(failure, to: &writer) }
        writer.endArray()
        var journal = result.journal
        writer.member("fingerprint", hexadecimal(journal.canonicalFingerprint()))
        writer.member("eventCount", Int64(result.eventCount))
        writer.member("durationNanoseconds", result.duration.nanoseconds)
        writer.member("recordCount", Int64(journal.count))
        if let timing = result.timing {
            writer.key("timing")
            TimingText.write(timing, to: &writer)
        }
        writer.key("records")
        writer.beginArray()
        let records = RecordJSON(report)
        for record in journal.readable { records.write(record, in: journal, to: &writer) }
        writer.endArray()
        writer.key("ledger")
        write(result.ledger, to: &writer)
        writer.key("takenBranches")
        write(report.takenBranches, to: &writer)
        writer.key("untakenBranches")
        write(report.untakenBranches, to: &writer)
    }

    static func write(_ ledger: [LedgerFact], to writer: inout JSONWriter) {
        writer.beginArray()
        for fact in ledger {
            writer.beginObject()
            writer.member("type", Vocabulary.spelling(of: fact.type))
            writer.member("amount", fact.amount.description)
            writer.member("state", Vocabulary.spelling(of: fact.state))
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(_ failure: RunFailure, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", failure.kind.word)
        if case .law(let law) = failure.kind {
            writer.member("law", law.spelling)
        } else {
            writer.member("law", nil as String?)
        }
        writer.member("line", failure.location.map { Int64($0.line) })
        writer.member("column", failure.location.map { Int64($0.column) })
        writer.member("message", scrubbed(failure.explanation))
        writer.member("record", failure.sequence.map(Int64.init))
        writer.endObject()
    }

    private static func write(_ branches: [ScenarioReport.Branch], to writer: inout JSONWriter) {
        writer.beginArray()
        for branch in branches {
            writer.beginObject()
            writer.member("line", Int64(branch.line))
            writer.member("branch", Int64(branch.number))
            writer.member("branchCount", Int64(branch.count))
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(_ totals: RunTotals, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("passed", Int64(totals.passed))
        writer.member("expectedFailures", Int64(totals.expectedFailures))
        writer.member("failed", Int64(totals.failed))
        writer.member("refused", Int64(totals.refused))
        writer.member("lost", Int64(totals.lost))
        writer.member("interrupted", Int64(totals.interrupted))
        writer.member("invalid", Int64(totals.invalid))
        writer.member("notRun", Int64(totals.notRun))
        writer.endObject()
    }

    private static func scrubbed(_ text: String) -> String {
        SafeText(scrubbing: text).description
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension RunFailure.Kind {
    /// The word for it in reports.
    var word: String {
        switch self {
        case .check: "check"
        case .unexpected: "unexpected"
        case .never: "never"
        case .law: "law"
        case .outcome: "outcome"
        case .step: "step"
        case .bound: "bound"
        }
    }
}

extension JSONWriter {
    /// Writes a key and a string, or `null`.
    public mutating func member(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a key and a number, or `null`.
    public mutating func member(_ name: String, _ value: Int64?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    /// Writes a key and a number, or `null`; a number beyond 63 bits is written as text.
    mutating func member(_ name: String, _ value: UInt64?) {
        key(name)
        guard let value else {
            null()
            return
        }
        if let small = Int64(exactly: value) { integer(small) } else { string(String(value)) }
    }
}
