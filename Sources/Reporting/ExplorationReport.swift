import CardData
public import Exploration
import Journal
import Laws
import ScenarioLanguage
public import ScenarioRunner

/// What playing every order of a scenario found, for people and for programs.
public struct ExplorationReport: Sendable {
    private let found: BruteForceResult
    private let prepared: PreparedScenario
    private let endpoint: String
    private let repeatOptions: String
    private let cellNumber: Int?

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - found: What was found.
    ///   - prepared: The scenario.
    ///   - endpoint: The endpoint, as on the command line.
    ///   - cellNumber: Which cell of its file's matrix it is, counted from 1.
    ///   - repeatOptions: Options that the command to repeat an order must have besides the file.
    public init(
        _ found: BruteForceResult,
        of prepared: PreparedScenario,
        endpoint: String,
        cellNumber: Int? = nil,
        repeatOptions: String
    ) {
        self.found = found
        self.prepared = prepared
        self.endpoint = endpoint
        self.repeatOptions = repeatOptions
        self.cellNumber = cellNumber
    }

    /// The report for people.
    public var text: String {
        var text = "\(prepared.scenario.file)  \(SafeText(scrubbing: prepared.scenario.name))\n"
        let why = found.isStopped ? "interrupted" : "stopped at the limit"
        let all = found.isComplete ? "all there are" : "\(why), there are more"
        text +=
            "  orders     \(found.orderCount) (\(all)), "
            + "at most \(found.longestChoiceCount) choices in one\n"
        text += "  journals   \(found.journalCount) different\n"
        text += "  outcomes   \(found.outcomes.count) different\n"
        let width = found.outcomes.map { String($0.count).utf8.count }.max() ?? 0
        for outcome in found.outcomes {
            let count = String(outcome.count)
            let padding = String(repeating: " ", count: width - count.utf8.count)
            text += "    \(padding)\(count)  \(Self.words(outcome.outcome))\n"
            text +=
                "    \(String(repeating: " ", count: width))  "
                + "again: \(command(outcome.example))\n"
        }
        text += "  failed     \(found.failedCount)\n"
        return text
    }

    /// The report for programs, with keys in a fixed order and a line feed at its end.
    public var json: [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.beginObject()
        writer.member("file", prepared.scenario.file)
        writer.member("name", SafeText(scrubbing: prepared.scenario.name).description)
        writer.member("cell", cellNumber.map(Int64.init))
        writer.member("reader", endpoint)
        writer.member("orderCount", Int64(found.orderCount))
        writer.key("isComplete")
        writer.flag(found.isComplete)
        writer.key("isInterrupted")
        writer.flag(found.isStopped)
        writer.member("journalCount", Int64(found.journalCount))
        writer.member("longestChoiceCount", Int64(found.longestChoiceCount))
        writer.member("failedCount", Int64(found.failedCount))
        writer.key("outcomes")
        writer.beginArray()
        for outcome in found.outcomes {
            writer.beginObject()
            writer.member("count", Int64(outcome.count))
            writer.key("hasPassed")
            writer.flag(outcome.outcome.hasPassed)
            writer.member("cardCount", Int64(outcome.outcome.cardCount))
            writer.member("unreadableCount", Int64(outcome.outcome.unreadableCount))
            writer.key("ledger")
            JSONReport.write(outcome.outcome.ledger, to: &writer)
            writer.member("repeat", command(outcome.example))
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    private func command(_ choices: [Int]) -> String {
        RunReport.repeatCommand(
            for: prepared.scenario.file,
            choices: choices,
            options: (cellNumber.map { " --cell \($0)" } ?? "") + repeatOptions
        )
    }

    private static func words(_ outcome: RunOutcome) -> String {
        var text = "\(outcome.cardCount) \(outcome.cardCount == 1 ? "card" : "cards") read"
        if outcome.unreadableCount > 0 { text += ", \(outcome.unreadableCount) unreadable" }
        if outcome.ledger.isEmpty { text += ", no charge" }
        for fact in outcome.ledger {
            text +=
                ", \(Vocabulary.spelling(of: fact.type)) of \(fact.amount) "
                + Vocabulary.spelling(of: fact.state)
        }
        return text + (outcome.hasPassed ? "" : ", FAILED")
    }
}
