import CaptureAnalysis
import CardData
import EventLoops
import Reporting

/// Two conversations side by side, for people.
struct ConversationTable {
    let text: String
    let isEqual: Bool

    /// The most rows that are shown; the rest are counted.
    static let rowLimit = 200

    init(_ first: Conversation?, _ second: Conversation?, tolerance: VirtualDuration?) {
        let left = first?.messages ?? []
        let right = second?.messages ?? []
        let alignment = Alignment(left.map(\.meaning), right.map(\.meaning)) {
            left[$0].side == right[$1].side && left[$0].title == right[$1].title
        }
        var rows = RowList()
        var before: (VirtualDuration, VirtualDuration)?
        var largest: (difference: Int64, packet: Int) = (0, 0)
        for row in alignment.rows {
            switch row {
            case .both(let l, let r):
                let pauses = Self.pauses(left[l], right[r], since: before)
                let difference = abs(pauses.first.nanoseconds - pauses.second.nanoseconds)
                if difference > largest.difference {
                    largest = (difference, left[l].packetNumber)
                }
                before = (left[l].offset, right[r].offset)
                if let tolerance, difference > tolerance.nanoseconds {
                    rows.lateCount += 1
                    rows.add(
                        "~  \(Self.place(left[l]))  \(Self.place(right[r]))  "
                            + "\(Self.words(left[l])): \(Self.time(pauses.first)) after the one "
                            + "before in A, \(Self.time(pauses.second)) in B"
                    )
                } else {
                    rows.equalCount += 1
                }
            case .changed(let l, let r):
                before = (left[l].offset, right[r].offset)
                rows.changedCount += 1
                let fields = left[l].differingFields(from: right[r])
                let what =
                    fields.isEmpty ? "other content" : "other " + fields.joined(separator: ", ")
                rows.add(
                    "~  \(Self.place(left[l]))  \(Self.place(right[r]))  "
                        + "\(Self.words(left[l])): \(what)"
                )
            case .first(let l):
                rows.firstCount += 1
                rows.add("-  \(Self.place(left[l]))  \(Self.words(left[l]))")
            case .second(let r):
                rows.secondCount += 1
                rows.add("+  \(Self.place(right[r]))  \(Self.words(right[r]))")
            }
        }
        var text = rows.text
        if largest.difference > 0 {
            text += "  the pauses differ by at most "
            text += "\(Self.time(.nanoseconds(largest.difference))), at packet \(largest.packet) "
            text += "of A\n"
        }
        self.text = text
        isEqual = rows.isEqual && first != nil && second != nil
    }

    /// How long after the message before each was; from the beginning of the conversation both
    /// count as at once.
    private static func pauses(
        _ left: SpokenMessage,
        _ right: SpokenMessage,
        since before: (VirtualDuration, VirtualDuration)?
    ) -> (first: VirtualDuration, second: VirtualDuration) {
        guard let before else { return (.zero, .zero) }
        return (
            .nanoseconds(left.offset.nanoseconds - before.0.nanoseconds),
            .nanoseconds(right.offset.nanoseconds - before.1.nanoseconds)
        )
    }

    static func words(_ message: SpokenMessage) -> String {
        let title = SafeText(scrubbing: message.title)
        switch message.side {
        case .host: return "host: \(title)"
        case .reader: return "reader: \(title)"
        case .link: return "link: \(title)"
        }
    }

    static func place(_ message: SpokenMessage) -> String {
        "\(time(message.offset)) (packet \(message.packetNumber))"
    }

    /// Seconds with six digits behind the point, as Wireshark shows them.
    static func time(_ duration: VirtualDuration) -> String {
        let microseconds = (duration.nanoseconds / 1_000).magnitude
        let sign = duration.nanoseconds < 0 && microseconds > 0 ? "-" : ""
        return "\(sign)\(microseconds / 1_000_000)."
            + "\(String(1_000_000 + microseconds % 1_000_000).dropFirst()) s"
    }
}

/// Two journals side by side by their events, for people.
struct RecordTable {
    let text: String
    let isEqual: Bool

    private struct Meaning: Hashable {
        var name: String
        var attributes: [RecordedRecord.Attribute]

        init(_ record: RecordedRecord) {
            name = record.name
            attributes = record.attributes
        }
    }

    init(_ first: [RecordedRecord], _ second: [RecordedRecord]) {
        let alignment = Alignment(first.map(Meaning.init), second.map(Meaning.init)) {
            first[$0].name == second[$1].name && first[$0]["reader"] == second[$1]["reader"]
        }
        var rows = RowList()
        for row in alignment.rows {
            switch row {
            case .both: rows.equalCount += 1
            case .changed(let l, let r):
                rows.changedCount += 1
                rows.add("~  A  \(first[l])")
                rows.add("   B  \(second[r])")
            case .first(let l):
                rows.firstCount += 1
                rows.add("-  \(first[l])")
            case .second(let r):
                rows.secondCount += 1
                rows.add("+  \(second[r])")
            }
        }
        text = rows.text
        isEqual = rows.isEqual
    }
}

/// The rows of a comparison that are shown, and the counts of all.
struct RowList {
    var equalCount = 0
    var changedCount = 0
    var firstCount = 0
    var secondCount = 0
    /// What both have, but at other times than they may.
    var lateCount = 0
    private var lines = ""
    private var lineCount = 0

    mutating func add(_ line: String) {
        lineCount += 1
        if lineCount <= ConversationTable.rowLimit { lines += "  \(line)\n" }
    }

    var isEqual: Bool { changedCount + firstCount + secondCount + lateCount == 0 }

    var text: String {
        var text = lines
        if lineCount > ConversationTable.rowLimit {
            text += "  and \(lineCount - ConversationTable.rowLimit) further rows\n"
        }
        text += "  \(equalCount) alike"
        if changedCount > 0 { text += ", \(changedCount) with other content" }
        if lateCount > 0 { text += ", \(lateCount) at other times" }
        if firstCount > 0 { text += ", \(firstCount) only in A" }
        if secondCount > 0 { text += ", \(secondCount) only in B" }
        return text + "\n"
    }
}
