import CardData
import Journal
import ScenarioLanguage
import ScenarioRunner

/// The report for people: a line for each file, what did not hold, and the numbers.
///
/// Nothing in it depends on the machine, the moment or the number of workers.
public struct ConsoleReport: Sendable {
    /// How many branches that no run took are shown; the rest is counted.
    static let shownUntakenCount = 20

    let style: Style

    /// Creates a writer of reports.
    public init(style: Style = Style(isColoured: false)) { self.style = style }

    /// Returns what is written when a file is done: its line, and below it what did not hold.
    public func text(_ entry: RunReport.Entry, of report: RunReport) -> String {
        switch entry {
        case .scenario(let scenario):
            return headline(scenario) + details(scenario, of: report)
        case .invalid(let file, let diagnostics):
            let count = diagnostics.count
            return style.bad("BAD ") + " \(file)  "
                + "it is no scenario: \(count) \(count == 1 ? "mistake" : "mistakes")\n"
        case .unreadable(let file, let reason):
            return style.bad("BAD ") + " \(file)  \(SafeText(scrubbing: reason))\n"
        case .notRun(let file, let name):
            let words = name.map { "\(SafeText(scrubbing: $0)): not run" } ?? "not run"
            return style.other("--  ") + " \(file)  \(words)\n"
        }
    }

    /// Returns what is written at the end: branches that no run took, complaints about skips, and
    /// the numbers.
    public func summary(_ report: RunReport) -> String {
        var text = ""
        for branch in report.unreached.prefix(Self.shownUntakenCount) {
            text +=
                "not reached: \(branch.file):\(branch.location.line):\(branch.location.column): "
                + "\(SafeText(scrubbing: branch.description))\n"
        }
        let leftOut = report.unreached.count - Self.shownUntakenCount
        if leftOut > 0 {
            text += "not reached: \(leftOut) more \(leftOut == 1 ? "branch" : "branches")\n"
        }
        if let profile = report.sdkProfile { text += "profile of the SDK: \(profile)\n" }
        if !report.readerFacts.isEmpty {
            let facts = report.readerFacts.map { "\($0.name) \($0.value)" }
            text += "reader: \(SafeText(scrubbing: facts.joined(separator: ", ")))\n"
        }
        if let plant = report.plant { text += "planted in the SDK: \(plant)\n" }
        for complaint in report.skipComplaints {
            text += style.bad("strict:") + " \(complaint)\n"
        }
        if let timing = report.timing { text += TimingText.lines(timing, style) }
        return text + totals(report) + "\n"
    }

    /// Returns the numbers, such as `12 scenarios: 11 passed (2 failed as they must), 1 refused`.
    public func totals(_ report: RunReport) -> String {
        let totals = report.totals
        let count = report.entries.count - totals.invalid
        var parts: [String] = []
        var passed = "\(totals.passed) passed"
        if totals.expectedFailures > 0 {
            passed += " (\(totals.expectedFailures) failed as they must)"
        }
        parts.append(style.good(passed))
        if totals.failed > 0 { parts.append(style.bad("\(totals.failed) failed")) }
        if totals.refused > 0 { parts.append(style.other("\(totals.refused) refused")) }
        if totals.lost > 0 { parts.append(style.bad("\(totals.lost) lost")) }
        if totals.interrupted > 0 { parts.append(style.bad("\(totals.interrupted) interrupted")) }
        if totals.notRun > 0 { parts.append(style.other("\(totals.notRun) not run")) }
        var text =
            "\(count) \(count == 1 ? "scenario" : "scenarios") on \(report.endpoint), "
            + parts.joined(separator: ", ")
        if totals.invalid > 0 {
            let isOne = totals.invalid == 1
            text += "; " + style.bad("\(totals.invalid) \(isOne ? "file is" : "files are") wrong")
        }
        return text
    }

    private func headline(_ report: ScenarioReport) -> String {
        let mark =
            switch report.status {
            case .passed: style.good("ok  ")
            case .failed: style.bad("FAIL")
            case .refused: style.other("skip")
            case .lost: style.bad("LOST")
            case .interrupted: style.other("STOP")
            }
        var text = "\(mark) \(report.scenario.file)  \(SafeText(scrubbing: report.scenario.name))"
        if report.judgement == .failedAsItMust, let verdict = report.scenario.verdict {
            let words = Judgement.words(
                exit: verdict.exit,
                laws: [verdict.law].compactMap(\.self),
                line: verdict.line
            )
            text += "  (failed as it must: \(words))"
        }
        return text + "\n"
    }

    private func details(_ report: ScenarioReport, of run: RunReport) -> String {
        if let difference = report.difference { return text(difference, report, of: run) }
        switch report.judgement {
        case .held, .failedAsItMust:
            return lawsOff(report)
        case nil:
            var text = ""
            for refusal in report.refusals {
                text +=
                    "     \(report.scenario.file):\(refusal.location.line): "
                    + "\(SafeText(scrubbing: refusal.reason))\n"
            }
            return text
        case .lost(let reason):
            return failures(report) + "     \(SafeText(scrubbing: reason))\n" + records(report)
                + again(report, of: run)
        case .interrupted:
            return ""
        case .failedOtherwise(let sentence):
            return "     \(SafeText(scrubbing: sentence))\n" + failures(report)
                + lawsOff(report) + again(report, of: run)
        case .failed:
            return failures(report) + lawsOff(report) + again(report, of: run)
        }
    }

    private func text(
        _ difference: RunDifference,
        _ report: ScenarioReport,
        of run: RunReport
    ) -> String {
        var text = "     played twice, it differs: \(SafeText(scrubbing: difference.place))\n"
        for (name, what) in [("first ", difference.first), ("second", difference.second)] {
            text += "       \(name)  \(what.map { "\(SafeText(scrubbing: $0))" } ?? "(nothing)")\n"
        }
        return text + failures(report) + lawsOff(report)
            + "     again: \(run.repeatCommand(for: report)) --twice\n"
    }

    private func lawsOff(_ report: ScenarioReport) -> String {
        let laws = report.scenario.lawsOff
        guard !laws.isEmpty else { return "" }
        return "     laws off: \(laws.map(\.spelling).joined(separator: ", "))\n"
    }

    private func again(_ report: ScenarioReport, of run: RunReport) -> String {
        "     again: \(run.repeatCommand(for: report))\n"
    }

    private func failures(_ report: ScenarioReport) -> String {
        FailureText(report, style: style).text
    }

    private func records(_ report: ScenarioReport) -> String {
        FailureText(report, style: style).lastRecords
    }
}
