import CardData
import Journal
import ScenarioLanguage
import ScenarioRunner

/// What did not hold in one run: the line to blame, what was expected and what came, and the
/// records around it.
struct FailureText {
    /// How many failures of one run are shown; the rest is counted.
    static let shownFailureCount = 5
    /// How many records before the one to blame are shown.
    static let recordCountBefore = 6
    /// How many records after the one to blame are shown.
    static let recordCountAfter = 3

    private let report: ScenarioReport
    private let style: Style
    private let lines: SourceLines
    private let records: RecordText

    init(_ report: ScenarioReport, style: Style) {
        self.report = report
        self.style = style
        lines = SourceLines(report.source)
        records = RecordText(readerNames: report.readerNames)
    }

    /// All failures, each with the records around it, indented.
    var text: String {
        guard let result = report.result else { return "" }
        var text = ""
        for failure in result.failures.prefix(Self.shownFailureCount) {
            text += self.text(failure, result)
        }
        let leftOut = result.failures.count - Self.shownFailureCount
        if leftOut > 0 { text += "     and \(leftOut) more\n" }
        return text
    }

    /// The last records of the run.
    var lastRecords: String {
        guard let result = report.result else { return "" }
        return window(around: nil, in: result.journal)
    }

    private func text(_ failure: RunFailure, _ result: RunResult) -> String {
        var text = "     " + style.bad(place(of: failure)) + ": "
        if case .law(let law) = failure.kind { text += "law \(law.spelling): " }
        text += "\(SafeText(scrubbing: failure.explanation))\n"
        if let location = report.place(of: failure) {
            let excerpt = lines.excerpt(at: location)
            let line = SafeText(scrubbing: excerpt.text).description
            if !line.isEmpty {
                text += "         \(line)\n"
                text += "         \(String(repeating: " ", count: excerpt.caretOffset))^\n"
            }
        }
        return text + window(around: failure.sequence, in: result.journal)
    }

    private func place(of failure: RunFailure) -> String {
        guard let location = report.place(of: failure) else { return report.scenario.file }
        return "\(report.scenario.file):\(location.line):\(location.column)"
    }

    /// The records around the one to blame, which is marked; without one the last of the run.
    private func window(around sequence: Int?, in journal: Journal) -> String {
        let middle = sequence ?? journal.count - 1
        let first = max(journal.oldestSequence, middle - Self.recordCountBefore)
        let last = min(journal.count - 1, sequence == nil ? middle : middle + Self.recordCountAfter)
        guard first <= last else { return "         no record was written\n" }
        var text =
            sequence == nil ? "       the last records:\n" : "       the records around it:\n"
        for number in first...last {
            guard let record = journal.record(number) else { continue }
            let isBlamed = number == sequence
            var line = "\(isBlamed ? ">" : " ") #\(number) \(records.line(record, in: journal))"
            if let place = report.line(of: record) { line += style.faint("  (line \(place))") }
            text += "       \(isBlamed ? style.bad(line) : line)\n"
        }
        return text
    }
}
