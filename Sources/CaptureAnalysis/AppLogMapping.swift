/// How the lines of an app's own log become events: regular expressions, one a line.
///
///     # what stands in brackets in the time's expression is the time
///     time: ^([0-9-]+ [0-9:.]+)
///     deviceConnected: reader connected
///     didSwipeCard card=$1: onSwipe .*type=(visa|none)
///
/// Before the colon stand the event's name and what the app saw, `$1` to `$9` being the groups in
/// brackets; behind it stands an extended regular expression of POSIX. The first rule that is found
/// in a line makes the event, lines without one are passed over. `#` begins a remark.
public struct AppLogMapping: Hashable, Sendable {
    /// The most rules.
    public static let ruleLimit = 64

    /// One rule.
    public struct Rule: Hashable, Sendable {
        /// The event's name; `nil` for the rule that finds the time.
        public var name: String?
        /// What the app saw: names with values in which `$1` stands for a group.
        public var attributes: [RecordedRecord.Attribute]
        /// The regular expression.
        public var pattern: String
        /// The mapping's line, from 1.
        public var line: Int
    }

    /// Why a mapping cannot be used.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The line, from 1.
        public var line: Int
        /// What is wrong and what would be right.
        public var reason: String
        /// `line 3: …`.
        public var description: String { "line \(line): \(reason)" }

        /// Creates a problem.
        public init(line: Int, reason: String) {
            self.line = line
            self.reason = reason
        }
    }

    /// The rules in their order, that of the time among them.
    public private(set) var rules: [Rule] = []

    /// Reads a mapping.
    ///
    /// - Throws: ``Problem`` for a line that is no rule.
    public init(_ text: String) throws(Problem) {
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            let words = line.drop { $0 == " " || $0 == "\t" }
            guard let first = words.first, first != "#", first != "\r" else { continue }
            guard rules.count < Self.ruleLimit else {
                throw Problem(line: number, reason: "there may be \(Self.ruleLimit) rules")
            }
            guard let colon = words.firstRange(of: ": ") else {
                throw Problem(
                    line: number,
                    reason: "a rule is EVENT [NAME=VALUE ...]: REGULAR EXPRESSION"
                )
            }
            var pattern = words[colon.upperBound...].drop { $0 == " " }
            while let last = pattern.last, last == "\r" || last == " " { pattern.removeLast() }
            let head = words[..<colon.lowerBound].split(separator: " ")
            guard let name = head.first, !pattern.isEmpty else {
                throw Problem(line: number, reason: "a rule wants a name and an expression")
            }
            var attributes: [RecordedRecord.Attribute] = []
            for word in head.dropFirst() {
                let parts = word.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else {
                    throw Problem(line: number, reason: "'\(word)' is not NAME=VALUE")
                }
                attributes.append(.init(String(parts[0]), String(parts[1])))
            }
            rules.append(
                Rule(
                    name: name == "time" ? nil : String(name),
                    attributes: attributes,
                    pattern: String(pattern),
                    line: number
                )
            )
        }
        guard rules.contains(where: { $0.name != nil }) else {
            throw Problem(line: max(1, number), reason: "no rule names an event")
        }
    }

    /// Reads a log through the rules.
    ///
    /// - Parameters:
    ///   - log: The log's bytes.
    ///   - match: Looks for the expression of a rule, by its index, in a line: where it and its
    ///     groups stand; `nil` where it does not.
    /// - Returns: The events, and how many lines are none.
    public func read(
        _ log: [UInt8],
        match: (_ rule: Int, _ line: ArraySlice<UInt8>) -> [Range<Int>?]?
    ) -> AppLog {
        var result = AppLog()
        result.loggedNames = rules.compactMap(\.name)
        var number = 0
        for line in log.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            var time: LogTime?
            for (index, rule) in rules.enumerated() where rule.name == nil && time == nil {
                guard let groups = match(index, line) else { continue }
                guard let place = groups.count > 1 ? groups[1] : groups[0],
                    let read = LogTime(String(decoding: line[place], as: UTF8.self))
                else { continue }
                time = read
            }
            var isRead = false
            for (index, rule) in rules.enumerated() {
                guard let name = rule.name, let groups = match(index, line) else { continue }
                if let time { result.hasDates = result.hasDates && time.isDate }
                result.add(
                    AppLog.Entry(
                        time: time?.time,
                        name: name,
                        attributes: rule.attributes.map { attribute in
                            .init(attribute.name, Self.filled(attribute.value, groups, line))
                        },
                        line: number
                    )
                )
                isRead = true
                break
            }
            if !isRead, !line.isEmpty { result.noteUnread(number) }
        }
        return result
    }

    /// A value with the groups in the places of `$1` to `$9`.
    private static func filled(
        _ value: String,
        _ groups: [Range<Int>?],
        _ line: ArraySlice<UInt8>
    ) -> String {
        var output: [UInt8] = []
        var rest = Array(value.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$"), let digit = rest.first,
                (0x31...0x39).contains(digit)
            else {
                output.append(byte)
                continue
            }
            rest = rest.dropFirst()
            let group = Int(digit - 0x30)
            if group < groups.count, let place = groups[group] { output += line[place] }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
