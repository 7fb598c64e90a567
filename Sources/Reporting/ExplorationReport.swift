import CardData
import EventLoops
public import Exploration
import Journal
import Laws
import ScenarioLanguage
public import ScenarioRunner

/// What exploring a scenario found, for people and for programs.
public struct ExplorationReport: Sendable {
    /// How many journals are shown to people with their order; programs get all.
    static let shownJournalCount = 10

    /// How long the text of a schedule may be beside a journal.
    static let shownScheduleByteCount = 100

    let found: Exploration
    private let plan: ExplorationPlan
    let prepared: PreparedScenario
    private let endpoint: String
    private let repeatOptions: String
    private let cellNumber: Int?
    private let failure: ExploredFailure?
    private let isInterrupted: Bool

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - found: What was found.
    ///   - prepared: The scenario.
    ///   - plan: How it was looked for.
    ///   - failure: The first failure, made small.
    ///   - endpoint: The endpoint, as on the command line.
    ///   - cellNumber: Which cell of its file's matrix it is, counted from 1.
    ///   - repeatOptions: Options that the command to repeat an order must have besides the file.
    ///   - isInterrupted: Whether a signal ended it.
    public init(
        _ found: Exploration,
        of prepared: PreparedScenario,
        plan: ExplorationPlan,
        failure: ExploredFailure? = nil,
        endpoint: String,
        cellNumber: Int? = nil,
        repeatOptions: String,
        isInterrupted: Bool = false
    ) {
        self.found = found
        self.plan = plan
        self.prepared = prepared
        self.failure = failure
        self.endpoint = endpoint
        self.repeatOptions = repeatOptions
        self.cellNumber = cellNumber
        self.isInterrupted = isInterrupted
    }

    // MARK: For people

    /// The report for people.
    ///
    /// - Parameter style: How it is set off.
    /// - Returns: Lines, the last one with its line feed.
    public func text(style: Style = Style(isColoured: false)) -> String {
        var text = "\(prepared.scenario.file)  \(SafeText(scrubbing: prepared.scenario.name))\n"
        if let reason = found.reason { text += "  strategy   auto: \(reason)\n" }
        for search in found.searches { text += line(search) }
        text += "  orders     \(orders)\n"
        if let reduction = found.reduction {
            text +=
                "  reduction  \(reduction.orderCount) orders in \(reduction.runCount) runs, factor "
                + "\(Self.factor(reduction.orderCount, reduction.runCount)); journals and outcomes are "
                + (reduction.isSame ? "the same\n" : style.bad("NOT THE SAME") + "\n")
        }
        let journals = found.journals
        text += "  journals   \(journals.count) different\n"
        for journal in journals.prefix(Self.shownJournalCount) {
            text += "    \(Self.hexadecimal(journal.fingerprint))  \(short(journal.deviations))\n"
        }
        if journals.count > Self.shownJournalCount {
            text +=
                "    and \(journals.count - Self.shownJournalCount) more; --json lists them all\n"
        }
        text += outcomes
        text += coverageLines
        text += "  laws       \(Self.list(laws))\n"
        text += "  failed     \(found.failedCount)\n"
        if let nondeterminism = found.nondeterminism {
            text += self.text(nondeterminism, style)
        }
        if let failure {
            let command = command(failure.failing.deviations)
            text += ExploredFailureText(failure, of: prepared, command: command, style: style).text
        } else if let failing = found.firstFailure?.failures.first, prepared.scenario.verdict == nil
        {
            text += "  " + style.bad("FAIL") + " \(SafeText(scrubbing: failing.explanation))\n"
            text += "     its schedule does not bring it back\n"
        }
        return text
    }

    private func line(_ search: SearchResult) -> String {
        var text = "  played     \(search.strategy.rawValue): \(search.runCount) runs"
        if search.redundantCount > 0 {
            text += ", \(search.redundantCount) given up as repetitions"
        }
        text += ", at most \(search.longestChoiceCount) choices in one"
        text += ", " + (search.isComplete ? "complete" : ended) + "\n"
        if search.strategy == .priorities {
            let bound = search.priorityBound(depth: plan.budget.depth)
            text +=
                "  bound      each pct run finds a bug of depth \(plan.budget.depth) with a chance of "
                + "at least 1 in \(bound) (\(search.processCount) processes, "
                + "\(search.longestChoiceCount) choices)\n"
        }
        return text
    }

    private var ended: String { isInterrupted ? "interrupted" : "ended by the budget" }

    private var orders: String {
        if let count = found.orderCount { return "\(count), all were played" }
        if found.isComplete {
            return "every one is equal to one of those played; "
                + "there are at least \(found.journals.count)"
        }
        let least = max(distinctCount, 1)
        guard found.longestChoiceCount > 0 else {
            return "not all were played, there are at least \(least)"
        }
        return "not all were played, there are at least \(least), and at most "
            + "\(found.orderBound.words) if none has more choices or alternatives than those played"
    }

    /// How many orders are certainly different.
    private var distinctCount: Int {
        found.searches.map { search in
            switch search.strategy {
            case .bruteForce, .exhaustive: search.runCount
            case .random, .priorities: search.journals.count
            }
        }.max() ?? 0
    }

    private var outcomes: String {
        let outcomes = found.outcomes
        var text = "  outcomes   \(outcomes.count) different\n"
        let width = outcomes.map { String($0.count).utf8.count }.max() ?? 0
        for outcome in outcomes {
            let count = String(outcome.count)
            let padding = String(repeating: " ", count: width - count.utf8.count)
            text += "    \(padding)\(count)  \(Self.words(outcome.outcome))\n"
            text +=
                "    \(String(repeating: " ", count: width))  "
                + "again: \(command(outcome.deviations))\n"
        }
        return text
    }

    private func text(_ nondeterminism: Nondeterminism, _ style: Style) -> String {
        var text =
            "  " + style.bad("NOT DETERMINISTIC") + " the same order gave two different runs: "
            + "something besides the choices decides\n"
        let difference = RunDifference(
            between: nondeterminism.first,
            and: nondeterminism.second,
            of: prepared
        )
        text += "     where   \(SafeText(scrubbing: difference?.place ?? "the choices"))\n"
        for (name, words) in [("first ", difference?.first), ("second", difference?.second)] {
            text += "     \(name)  \(words.map { "\(SafeText(scrubbing: $0))" } ?? "(nothing)")\n"
        }
        return text
            + "     again   \(command(nondeterminism.first.choices.taken.deviations)) --twice\n"
    }

    /// The laws that were at stake: all but those that the scenario switches off, those of money
    /// only where there is a gateway, those of card payments only where there is AgentCASH, and those
    /// of the audio jack only where there is one.
    private var laws: [String] {
        LawName.allCases.filter { law in
            if prepared.scenario.lawsOff.contains(law) { return false }
            switch law {
            case .oneCompletion, .oneUserAction, .noChargeWithoutConsent,
                .capturedWithinAuthorised, .refundedWithinCaptured:
                return prepared.scenario.rig.gateway == .agentcash
            case .chargedAtMostOnce, .doubtIsLookedUp: return prepared.scenario.rig.gateway != nil
            case .noCardDataToMerchant:
                return prepared.scenario.rig.merchantServer != .none
                    || prepared.scenario.rig.gateway == .innerfence
                    || prepared.scenario.rig.gateway == .paymill
            case .tokenUsedOnce: return prepared.scenario.rig.gateway == .paymill
            case .answersAreGenuine: return prepared.scenario.rig.gateway == .innerfence
            case .refreshRenews, .timeoutHonoured, .autodetectSilent, .oneAudioReader,
                .noToneWithoutConsent:
                return prepared.scenario.rig.readers.contains(where: \.kind.isAudioJack)
            case .nesting, .flagsAgree, .swipeOnlyWhileReady, .oneCallbackPerSwipe,
                .noClearCardData, .settles, .quietAfterEnd:
                return true
            }
        }.map(\.spelling)
    }

    private static func list(_ words: [String]) -> String {
        words.isEmpty ? "none" : words.joined(separator: ", ")
    }

    /// A quotient with one decimal, cut off.
    private static func factor(_ dividend: Int, _ divisor: Int) -> String {
        let tenths = dividend * 10 / max(1, divisor)
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    // MARK: For programs

    /// The reports for programs as one list, with keys in a fixed order and a line feed at its end.
    public static func json(_ reports: [ExplorationReport]) -> [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.beginArray()
        for report in reports { report.write(to: &writer) }
        writer.endArray()
        writer.endLine()
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("file", prepared.scenario.file)
        writer.member("name", SafeText(scrubbing: prepared.scenario.name).description)
        writer.member("cell", cellNumber.map(Int64.init))
        writer.member("reader", endpoint)
        writer.member("scenarioHash", Self.hexadecimal(Schedule.hash(of: prepared.scenario)))
        writer.member("reason", found.reason)
        writer.key("searches")
        writer.beginArray()
        for search in found.searches { write(search, to: &writer) }
        writer.endArray()
        writer.member("orderCount", found.orderCount.map(Int64.init))
        writer.key("isComplete")
        writer.flag(found.isComplete)
        writer.key("isInterrupted")
        writer.flag(isInterrupted)
        writer.key("orderBound")
        writeOrderBound(to: &writer)
        writer.member("runCount", Int64(found.runCount))
        writer.member("longestChoiceCount", Int64(found.longestChoiceCount))
        writer.member("failedCount", Int64(found.failedCount))
        writer.key("isDeterministic")
        writer.flag(found.nondeterminism == nil)
        writeCoverage(to: &writer)
        writer.key("laws")
        writer.beginArray()
        for law in laws { writer.string(law) }
        writer.endArray()
        writer.key("journals")
        writer.beginArray()
        for journal in found.journals {
            writer.beginObject()
            writer.member("fingerprint", Self.hexadecimal(journal.fingerprint))
            writer.member("schedule", journal.deviations.map { schedule($0) })
            writer.endObject()
        }
        writer.endArray()
        writer.key("outcomes")
        writer.beginArray()
        for outcome in found.outcomes { write(outcome, to: &writer) }
        writer.endArray()
        if let failure { write(failure, to: &writer) }
        writer.endObject()
    }

    private func write(_ search: SearchResult, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("strategy", search.strategy.rawValue)
        writer.member("runCount", Int64(search.runCount))
        writer.member("redundantCount", Int64(search.redundantCount))
        writer.key("isComplete")
        writer.flag(search.isComplete)
        writer.member("journalCount", Int64(search.journals.count))
        writer.member("failedCount", Int64(search.failedCount))
        if search.strategy == .priorities {
            writer.member("depth", Int64(plan.budget.depth))
            let bound = search.priorityBound(depth: plan.budget.depth)
            writer.member("chanceOneIn", Int64(clamping: bound))
        }
        writer.endObject()
    }

    private func write(_ outcome: SearchExample, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("count", Int64(outcome.count))
        writer.key("hasPassed")
        writer.flag(outcome.outcome.hasPassed)
        writer.member("cardCount", Int64(outcome.outcome.cardCount))
        writer.member("unreadableCount", Int64(outcome.outcome.unreadableCount))
        writer.key("ledger")
        JSONReport.write(outcome.outcome.ledger, to: &writer)
        writer.member("schedule", schedule(outcome.deviations))
        writer.member("repeat", command(outcome.deviations))
        writer.endObject()
    }

    private func write(_ failure: ExploredFailure, to writer: inout JSONWriter) {
        let command = command(failure.failing.deviations)
        writer.key("failure")
        writer.beginObject()
        writer.member("schedule", schedule(failure.failing.deviations))
        writer.member("nearestPassing", failure.nearest.map { schedule($0.deviations) })
        for (name, words) in ExploredFailureText(failure, of: prepared, command: command).fiveLines
        {
            writer.member(name, words)
        }
        writer.key("steps")
        writer.beginArray()
        for flat in PreparedScenario(failure.smallest.scenario).flat {
            writer.string(SafeText(scrubbing: flat.step.words).description)
        }
        writer.endArray()
        writer.endObject()
    }

    // MARK: Words

    private func schedule(_ deviations: [ScheduleDeviation]) -> String {
        Schedule(scenarioHash: Schedule.hash(of: prepared.scenario), deviations: deviations).text
    }

    /// The schedule's text, or how long it would be when it is too long for a line.
    private func short(_ deviations: [ScheduleDeviation]?) -> String {
        guard let deviations else { return "(its order was not kept)" }
        let text = schedule(deviations)
        if text.utf8.count <= Self.shownScheduleByteCount { return text }
        return "(\(deviations.count) deviations; --json has them)"
    }

    private func command(_ deviations: [ScheduleDeviation]) -> String {
        let options = (cellNumber.map { " --cell \($0)" } ?? "") + repeatOptions
        let file = RunReport.shellWord(prepared.scenario.file)
        return
            "./cardrig run \(file) --schedule \(RunReport.shellWord(schedule(deviations)))\(options)"
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
