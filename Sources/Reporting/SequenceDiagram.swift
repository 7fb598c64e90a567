import Journal
import ScenarioLanguage
import ScenarioRunner

/// Two runs of one scenario beside one another as sequence diagrams in text, from shortly before
/// the first record that differs, which is marked.
///
/// Each record is a line with an arrow between the lanes of those that it concerns; times do not
/// count as a difference.
struct SequenceDiagram {
    /// How many records that both have are shown before the first difference.
    static let recordCountBefore = 6
    /// How many records of each run are shown from the first difference on.
    static let recordCountAfter = 10
    /// How many characters of a record's words are shown.
    static let labelWidth = 34

    /// Who takes part, in the order of the lanes.
    private enum Lane: Int, CaseIterable {
        case hand, reader, sdk, app, gateway

        var letter: Character {
            switch self {
            case .hand: "H"
            case .reader: "R"
            case .sdk: "S"
            case .app: "A"
            case .gateway: "G"
            }
        }
    }

    private let failing: Journal
    private let passing: Journal?
    private let text: RecordText
    private let style: Style

    init(failing: Journal, passing: Journal?, of prepared: PreparedScenario, style: Style) {
        self.failing = failing
        self.passing = passing
        self.style = style
        text = RecordText(readerNames: prepared.scenario.rig.readers.map(\.name))
    }

    /// The first record of the failing run that the other one does not have at its place.
    var firstDifference: Record? {
        guard passing != nil else { return nil }
        let place = differencePlace
        let records = failing.readable
        let index = records.startIndex + place
        return index < records.endIndex ? records[index] : nil
    }

    /// The diagram, indented.
    func lines() -> String {
        guard passing != nil else {
            return "     no order that holds was found\n"
                + body(from: max(0, failing.readable.count - 10))
        }
        return body(from: max(0, differencePlace - Self.recordCountBefore))
    }

    private func body(from first: Int) -> String {
        let left = cells(of: failing)
        let right = passing.map { cells(of: $0) } ?? []
        let difference = passing == nil ? Int.max : differencePlace
        let lanes = String(repeating: " ", count: 11) + Self.header
        var output = "     H hand, R reader, S sdk, A app, G gateway\n"
        output += row("this order", "the nearest that holds", mark: "  ")
        output += row(lanes, lanes, mark: "  ")
        if first > 0 {
            output +=
                "     ... \(first) earlier records\(passing == nil ? "" : ", the same in both")\n"
        }
        let longest = max(left.count, right.count)
        let end =
            passing == nil
            ? longest : min(longest, max(difference, first) + Self.recordCountAfter)
        for index in first..<max(first, end) {
            let pair = [left, right].map { index < $0.count ? $0[index] : "" }
            let line = row(pair[0], pair[1], mark: index == difference ? ">>" : "  ")
            output += index == difference ? style.bad(line) : line
        }
        if difference == longest { output += "     there is no difference in the records\n" }
        if end < longest { output += "     ... and \(longest - end) more\n" }
        return output
    }

    private func row(_ left: String, _ right: String, mark: String) -> String {
        guard passing != nil else { return Self.trimmed("  \(mark) \(left)") + "\n" }
        let width = 11 + Self.header.count + 1 + Self.labelWidth
        let padding = String(repeating: " ", count: max(0, width - left.count))
        return Self.trimmed("  \(mark) \(left)\(padding) || \(right)") + "\n"
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static var header: String {
        var text = ""
        for lane in Lane.allCases { text += (text.isEmpty ? "" : "  ") + String(lane.letter) }
        return text
    }

    /// The index, counted in readable records, of the first record that differs.
    private var differencePlace: Int {
        guard let passing else { return failing.readable.count }
        let left = failing.readable
        let right = passing.readable
        var index = 0
        while index < left.count, index < right.count {
            let one = left[left.startIndex + index]
            let other = right[right.startIndex + index]
            guard one.name == other.name,
                failing.attributes(of: one).elementsEqual(passing.attributes(of: other))
            else { return index }
            index += 1
        }
        return index
    }

    private func cells(of journal: Journal) -> [String] {
        journal.readable.map { record in
            let time = RecordText.time(record.time)
            let padding = String(repeating: " ", count: max(0, 10 - time.count))
            var label = Vocabulary.definition(of: record.name).spelling
            let attributes = text.attributes(of: record, in: journal) { _ in true }
            if !attributes.isEmpty { label += " " + attributes }
            if label.count > Self.labelWidth {
                label = label.prefix(Self.labelWidth - 3) + "..."
            }
            return "\(padding)\(time) \(Self.arrow(of: record)) \(label)"
        }
    }

    /// Returns the lanes of one record: `o` where it begins, `>` or `<` where it ends.
    private static func arrow(of record: Record) -> String {
        let (from, to) = ends(of: record)
        let low = min(from.rawValue, to.rawValue)
        let high = max(from.rawValue, to.rawValue)
        var text = ""
        for lane in Lane.allCases {
            if lane != .hand {
                text += lane.rawValue > low && lane.rawValue <= high ? "--" : "  "
            }
            if lane == from {
                text += "o"
            } else if lane == to {
                text += to.rawValue > from.rawValue ? ">" : "<"
            } else {
                text += lane.rawValue > low && lane.rawValue < high ? "-" : "|"
            }
        }
        return text
    }

    private static func ends(of record: Record) -> (from: Lane, to: Lane) {
        switch record.source {
        case .cardholder: (.hand, .reader)
        case .merchant: (.hand, .app)
        case .reader, .link: (.reader, .sdk)
        case .sdk: (.sdk, .app)
        case .app: (.app, .sdk)
        case .gateway:
            switch record.name {
            case .requestReceived: (.app, .gateway)
            case .booked, .canceled, .terminalShown, .terminalRefused, .terminalAnswered,
                .receiptMailed, .terminalClosed:
                (.gateway, .gateway)
            default: (.gateway, .app)
            }
        }
    }
}
