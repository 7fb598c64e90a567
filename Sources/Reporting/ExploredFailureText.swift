import CardData
import EventLoops
public import Exploration
import Journal
import Laws
import ScenarioLanguage
public import ScenarioRunner

/// A failure that an exploration found, in five fixed lines and as a diagram beside the nearest
/// order that holds.
public struct ExploredFailureText: Sendable {
    private let failure: ExploredFailure
    private let prepared: PreparedScenario
    private let command: String
    private let style: Style

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - prepared: The scenario as its file says it.
    ///   - command: The command that brings it back.
    ///   - style: How it is set off.
    public init(
        _ failure: ExploredFailure,
        of prepared: PreparedScenario,
        command: String,
        style: Style = Style(isColoured: false)
    ) {
        self.failure = failure
        self.prepared = prepared
        self.command = command
        self.style = style
    }

    /// The five lines, the failure, the steps it needs, and the diagram.
    public var text: String {
        let failures = failure.failing.result.failures
        var text = ""
        if let first = failures.first {
            var words = "\(SafeText(scrubbing: first.explanation))"
            if case .law(let law) = first.kind { words = "law \(law.spelling): \(words)" }
            text += "  " + style.bad("FAIL") + " \(words)\n"
        }
        for (name, words) in fiveLines {
            text += "     \(name)\(String(repeating: " ", count: 14 - name.count))\(words)\n"
        }
        text += "     made small    \(smallness)\n"
        let plainer = plainerValues
        if !plainer.isEmpty {
            text += "     fails with    \(plainer.joined(separator: ", ")) too\n"
        }
        return text + diagram.lines()
    }

    /// Who did what, what the customer saw, whether money was charged, since which step, and how
    /// to bring it back.
    public var fiveLines: [(name: String, words: String)] {
        [
            ("who did what", whoDidWhat), ("customer saw", customerSaw), ("charged", charged),
            ("since", since), ("again", command),
        ]
    }

    private var diagram: SequenceDiagram {
        SequenceDiagram(
            failing: failure.failing.result.journal,
            passing: failure.nearest?.result.journal,
            of: prepared,
            style: style
        )
    }

    private var smallness: String {
        let all = prepared.flat.count
        let needed = PreparedScenario(failure.smallest.scenario).flat
        let lines = needed.map { String($0.step.location.line) }
        let count = failure.failing.deviations.count
        var unique: [String] = []
        for line in lines where unique.last != line { unique.append(line) }
        return "\(count) \(count == 1 ? "deviation" : "deviations") from the natural order; "
            + "\(needed.count) of \(all) steps needed (\(unique.count == 1 ? "line" : "lines") "
            + unique.joined(separator: ", ") + ")"
    }

    /// The smaller times and plainer data with which it still fails, each with its line.
    private var plainerValues: [String] {
        let all = prepared.flat.map(\.step)
        var values: [String] = []
        for step in PreparedScenario(failure.plainest.scenario).flat.map(\.step) {
            guard let before = all.first(where: { $0.location == step.location }),
                let value = Self.plainerValue(before.action, step.action)
            else { continue }
            values.append("\(value) in line \(step.location.line)")
        }
        return values
    }

    private static func plainerValue(_ before: StepAction, _ after: StepAction) -> String? {
        switch (before, after) {
        case (.race(let old, _), .race(let new, _)) where old != new: "within: \(new.text)"
        case (.wait(let old), .wait(let new)) where old != new: "wait: \(new.text)"
        case (.swipe(let old), .swipe(let new)) where old.card != new.card: "card: \(new.card)"
        case (.charge(let old), .charge(let new)) where old.amount != new.amount:
            "amount: \(new.amount)"
        default: nil
        }
    }

    /// The last record up to which the failing run matters.
    private var lastSequence: Int {
        failure.failing.result.failures.first?.sequence ?? .max
    }

    private var whoDidWhat: String {
        let journal = failure.failing.result.journal
        let records = RecordText(readerNames: prepared.scenario.rig.readers.map(\.name))
        let acts = journal.readable.filter {
            ($0.source == .cardholder || $0.source == .merchant) && $0.sequence <= lastSequence
        }
        guard !acts.isEmpty else { return "nobody did anything" }
        let shown = acts.suffix(4).map { act in
            let name = Vocabulary.definition(of: act.name).spelling
            let attributes = records.attributes(of: act, in: journal) {
                $0 == .card || $0 == .amount || $0 == .reader
            }
            let words = attributes.isEmpty ? name : "\(name) (\(attributes))"
            return "\(act.source.spelling) \(words) at \(RecordText.time(act.time))"
        }
        let leftOut = acts.count - shown.count
        return (leftOut > 0 ? "after \(leftOut) more: " : "") + shown.joined(separator: "; ")
    }

    private var customerSaw: String {
        let journal = failure.failing.result.journal
        var cardCount = 0
        var unreadableCount = 0
        var lastNews: Record?
        for record in journal.readable where record.source == .sdk || record.name == .chargeFinished
        {
            lastNews = record
            guard record.name == .didSwipeCard else { continue }
            if journal.value(.card, of: record) == .symbol(.none) {
                unreadableCount += 1
            } else {
                cardCount += 1
            }
        }
        var words =
            cardCount == 1 ? "1 card read" : "\(cardCount == 0 ? "no" : "\(cardCount)") cards read"
        if cardCount == 0 { words = "no card read" }
        if unreadableCount > 0 { words += ", \(unreadableCount) unreadable" }
        if let lastNews {
            words += "; the last news was \(Vocabulary.definition(of: lastNews.name).spelling)"
        }
        return words
    }

    private var charged: String {
        let ledger = failure.failing.result.ledger
        guard !ledger.isEmpty else { return "no" }
        let words = ledger.map {
            "\(Vocabulary.spelling(of: $0.type)) of \($0.amount) \(Vocabulary.spelling(of: $0.state))"
        }
        return "yes: " + words.joined(separator: ", ")
    }

    private var since: String {
        let index = diagram.firstDifference?.step
        if let index, prepared.flat.indices.contains(index) {
            let step = prepared.flat[index].step
            return "line \(step.location.line): \(SafeText(scrubbing: step.words))"
        }
        if let location = failure.failing.result.failures.first?.location {
            return "line \(location.line)"
        }
        return "the beginning"
    }
}
