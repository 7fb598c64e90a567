public import CaptureFiles
import CardData
import EventLoops
import JSON

/// What an app in the field wrote down of the SDK's events, as a journal.
///
/// A log is a file of JSON objects, one a line (or any text, read through an ``AppLogMapping``):
///
///     {"events": ["deviceConnected", "didSwipeCard"]}
///     {"time": "2024-06-03T09:00:01.250Z", "event": "didSwipeCard", "card": "visa"}
///
/// | member | says |
/// | --- | --- |
/// | `event` (or `name`) | which event, spelled as in the vocabulary of the journal |
/// | `time` | when: text is a date and time (UTC without a zone), an integer nanoseconds counted from any moment; may be missing |
/// | `attributes`, or any other | what else the app saw; texts, integers and flags |
/// | `events` | alone in an object: which events the app logs; without it, all |
///
/// The lines of `cardrig replay --json` are such a log.
public struct AppLog: Hashable, Sendable {
    /// The most events that are kept.
    public static let entryLimit = 65_536

    /// One event that the app saw.
    public struct Entry: Hashable, Sendable {
        /// When the app says it was; `nil` where it does not.
        public var time: CaptureTime?
        /// Which event.
        public var name: String
        /// What else the app saw, in its order.
        public var attributes: [RecordedRecord.Attribute]
        /// The line of the log, from 1.
        public var line: Int

        /// Creates an event.
        public init(
            time: CaptureTime?,
            name: String,
            attributes: [RecordedRecord.Attribute] = [],
            line: Int
        ) {
            self.time = time
            self.name = name
            self.attributes = attributes
            self.line = line
        }

        /// One line for people, card numbers masked.
        public var description: String {
            var text = name
            for (index, attribute) in attributes.enumerated() {
                text += (index == 0 ? " " : ", ") + "\(attribute.name): \(attribute.value)"
            }
            return SafeText(scrubbing: text).description
        }
    }

    /// The events in the order of the log.
    public internal(set) var entries: [Entry] = []
    /// The names of the events that the app logs; `nil` when it does not say.
    public internal(set) var loggedNames: [String]?
    /// Whether its times are dates, rather than counted from an unknown moment.
    public internal(set) var hasDates = true
    /// Lines that are no event, by their numbers; at most 64.
    public internal(set) var unreadLines: [Int] = []
    /// How many lines are no event.
    public internal(set) var unreadLineCount = 0
    /// Whether there were more than ``entryLimit`` events.
    public internal(set) var isCutShort = false

    /// Creates a log without events.
    public init() {}

    /// Reads JSON Lines; lines that are none are counted, empty ones passed over.
    public init(jsonLines bytes: [UInt8]) {
        var number = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { continue }
            guard line.count <= 65_536, let value = try? JSONValue(reading: Array(line)),
                let members = value.members
            else {
                noteUnread(number)
                continue
            }
            if members.count == 1, let names = value["events"]?.values {
                loggedNames = (loggedNames ?? []) + names.compactMap(\.text)
                continue
            }
            guard let name = value["event"]?.text ?? value["name"]?.text else {
                noteUnread(number)
                continue
            }
            var time: CaptureTime?
            if let count = value["time"]?.integer {
                time = CaptureTime(nanosecondsSinceEpoch: count)
                hasDates = false
            } else if let text = value["time"]?.text {
                guard let read = LogTime(text) else {
                    noteUnread(number)
                    continue
                }
                time = read.time
                hasDates = hasDates && read.isDate
            }
            let own = ["event", "name", "time", "sequence", "line", "attributes", "source"]
            let attributes =
                (value["attributes"]?.members ?? [])
                + members.filter { member in
                    !own.contains(member.name)
                }
            add(
                Entry(
                    time: time,
                    name: name,
                    attributes: attributes.compactMap { member in
                        Self.plain(member.value).map { .init(member.name, $0) }
                    },
                    line: number
                )
            )
        }
    }

    mutating func add(_ entry: Entry) {
        if entries.count < Self.entryLimit { entries.append(entry) } else { isCutShort = true }
    }

    mutating func noteUnread(_ line: Int) {
        unreadLineCount += 1
        if unreadLines.count < 64 { unreadLines.append(line) }
    }

    private static func plain(_ value: JSONValue) -> String? {
        value.text ?? value.integer.map(String.init) ?? value.bool.map { $0 ? "true" : "false" }
    }
}

/// A time as logs write it.
struct LogTime: Hashable {
    var time: CaptureTime
    /// Whether it has a date with a year, so that it can be laid beside other dates.
    var isDate: Bool

    /// Reads `2024-06-03T09:00:01.250Z`, with a blank or an offset from UTC too, `06-03 09:00:01.250`,
    /// `09:00:01.250` or a count of seconds with decimals; `nil` for anything else.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        func number(_ digits: ClosedRange<Int>) -> Int64? {
            let found = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard digits.contains(found.count) else { return nil }
            rest = rest.dropFirst(found.count)
            return found.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        func sign(_ signs: String) -> Bool {
            guard let first = rest.first, signs.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        func fraction() -> UInt32? {
            guard sign(".,") else { return 0 }
            let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            var value: UInt32 = 0
            for index in 0..<9 {
                value *= 10
                if index < digits.count {
                    value += UInt32(digits[digits.startIndex + index] - 0x30)
                }
            }
            return value
        }
        guard let first = number(1...12) else { return nil }
        var days: Int64 = 0
        isDate = false
        var hour = first
        if sign("-/") {
            guard let second = number(1...2) else { return nil }
            var year: Int64 = 1_970
            var month = first
            var day = second
            if sign("-/") {
                guard let third = number(1...2) else { return nil }
                (year, month, day) = (first, second, third)
                isDate = true
            }
            guard (1_970...9_999).contains(year), (1...12).contains(month), (1...31).contains(day),
                sign("T ")
            else { return nil }
            days = CivilDate(year: year, month: month, day: day).daysSince1970
            guard let read = number(1...2) else { return nil }
            hour = read
        }
        guard sign(":") else {
            guard !isDate, days == 0, let nanoseconds = fraction(), rest.isEmpty else { return nil }
            time = CaptureTime(seconds: first, nanoseconds: nanoseconds)
            return
        }
        guard hour < 24, let minute = number(2...2), minute < 60, sign(":"),
            let second = number(2...2), second < 61, let nanoseconds = fraction()
        else { return nil }
        var offset: Int64 = 0
        if let mark = rest.first, mark == UInt8(ascii: "+") || mark == UInt8(ascii: "-") {
            rest = rest.dropFirst()
            guard let hours = number(2...2) else { return nil }
            _ = sign(":")
            guard let minutes = number(2...2) else { return nil }
            offset = (hours * 3_600 + minutes * 60) * (mark == UInt8(ascii: "+") ? 1 : -1)
        } else {
            _ = sign("Z")
        }
        guard rest.isEmpty else { return nil }
        time = CaptureTime(
            seconds: days * 86_400 + hour * 3_600 + minute * 60 + second - offset,
            nanoseconds: nanoseconds
        )
    }
}
