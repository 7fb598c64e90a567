import CardData
package import EventLoops
import YAML

// Scalars get their type here, from the place where they stand, and never from YAML.
extension ScenarioReading {
    /// Reads text; a number, quoted or not, is text here.
    mutating func text(_ node: YAMLNode, _ expected: String) -> String? {
        guard case .scalar(let scalar) = node.content, !scalar.text.isEmpty else {
            complain(at: node.mark, "expected \(expected), found \(Words.found(node))")
            return nil
        }
        return scalar.text
    }

    /// Reads one of some words.
    mutating func word<Value>(
        _ node: YAMLNode,
        _ expected: String,
        among known: [(spelling: String, value: Value)],
        later: [String] = []
    ) -> Value? {
        guard let word = text(node, expected) else { return nil }
        if let match = known.first(where: { $0.spelling == word }) { return match.value }
        complainUnknown(
            word,
            at: node.mark,
            expected: expected,
            known: known.map(\.spelling),
            later: later
        )
        return nil
    }

    /// Reads a whole number within a range.
    mutating func integer(
        _ node: YAMLNode,
        _ expected: String,
        in range: ClosedRange<Int64>
    ) -> Int64? {
        guard let word = text(node, expected) else { return nil }
        guard let value = Int64(word), range.contains(value), !word.hasPrefix("+") else {
            complain(at: node.mark, "expected \(expected), found \(Words.quoted(word))")
            return nil
        }
        return value
    }

    /// Reads `true` or `false`.
    mutating func flag(_ node: YAMLNode) -> Bool? {
        word(node, "true or false", among: [("true", true), ("false", false)])
    }

    /// Reads money.
    mutating func amount(_ node: YAMLNode) -> Amount? {
        guard let word = text(node, "an amount such as 10.99") else { return nil }
        if let amount = Amount(word) { return amount }
        let decimals = word.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        let hint =
            word.utf8.contains(0x2C)
            ? "write a point before the decimals"
            : decimals.count == 2 && decimals[1].count > 2
                ? "an amount has at most two decimals" : "digits, a point and two digits, no sign"
        complain(
            at: node.mark,
            "expected an amount such as 10.99, found \(Words.quoted(word))",
            hint: hint
        )
        return nil
    }

    /// Reads a length of time.
    mutating func duration(_ node: YAMLNode) -> VirtualDuration? {
        let expected = "a length of time such as 20s or 150ms"
        guard let word = text(node, expected) else { return nil }
        switch DurationText.parse(word) {
        case .success(let duration): return duration
        case .failure(let mistake):
            complain(
                at: node.mark,
                "expected \(expected), found \(Words.quoted(word))",
                hint: mistake.hint
            )
            return nil
        }
    }
}

/// How lengths of time are written: `20s`, `150ms`, `1.5s`, `2min`, `0s`; exact to a nanosecond.
package enum DurationText {
    /// The longest length accepted, in hours: a run is over after 30 days of its own time.
    static let maximumHours: Int64 = 720

    /// Why a text is no length of time.
    package enum Mistake: Error {
        case noNumber
        case noUnit
        case unknownUnit
        case notExact
        case tooLong

        /// One thing to try.
        package var hint: String {
            switch self {
            case .noNumber: "write a number and a unit without a blank: ns, us, ms, s, min or h"
            case .noUnit: "write the unit: ns, us, ms, s, min or h"
            case .unknownUnit: "the units are ns, us, ms, s, min and h"
            case .notExact: "the shortest time that can be told apart is 1ns"
            case .tooLong: "the longest time is \(DurationText.maximumHours)h"
            }
        }
    }

    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
        ("min", 60_000_000_000), ("h", 3_600_000_000_000),
    ]

    /// Reads a length of time.
    package static func parse(_ text: String) -> Result<VirtualDuration, Mistake> {
        let bytes = Array(text.utf8)
        let numberEnd = bytes.firstIndex { !isDigit($0) && $0 != 0x2E } ?? bytes.count
        let number = bytes[..<numberEnd]
        let parts = number.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts.contains(where: \.isEmpty) else {
            return .failure(.noNumber)
        }
        guard numberEnd < bytes.count else { return .failure(.noUnit) }
        let unitName = String(decoding: bytes[numberEnd...], as: UTF8.self)
        guard let unit = units.first(where: { $0.name == unitName }) else {
            return .failure(.unknownUnit)
        }
        let limit = maximumHours * 3_600_000_000_000
        guard let whole = decimal(parts[0]),
            case let (product, hasOverflown) = whole.multipliedReportingOverflow(
                by: unit.nanoseconds
            ),
            !hasOverflown, product <= limit
        else { return .failure(.tooLong) }
        guard let share = share(parts.count == 2 ? parts[1] : [], of: unit.nanoseconds) else {
            return .failure(.notExact)
        }
        let nanoseconds = product + share
        guard nanoseconds <= limit else { return .failure(.tooLong) }
        return .success(VirtualDuration(nanoseconds: nanoseconds))
    }

    /// Returns what the digits after the point stand for, or `nil` when it is not whole.
    private static func share(_ digits: ArraySlice<UInt8>, of unit: Int64) -> Int64? {
        guard !digits.isEmpty else { return 0 }
        guard digits.count <= 9, let count = decimal(digits) else { return nil }
        var scale: Int64 = 1
        for _ in digits { scale *= 10 }
        // The quotient fits, since the count is below the scale.
        let (quotient, remainder) = scale.dividingFullWidth(count.multipliedFullWidth(by: unit))
        return remainder == 0 ? quotient : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func decimal(_ digits: ArraySlice<UInt8>) -> Int64? {
        Int64(String(decoding: digits, as: UTF8.self))
    }
}
