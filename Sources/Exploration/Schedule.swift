public import EventLoops

/// An order of a scenario's events as one line of text: how it differs from the natural order.
///
/// `1:9f86d081884c7d65:0.0.1~0>3.0.0,…` holds the format's version, the hash of the parsed scenario,
/// and the deviations: where the event 0.0.1 would have come for the first time (~0), 3.0.0 comes.
/// An event is named by component, name and ordinal.
public struct Schedule: Hashable, Sendable {
    /// The version of the format and of the keys.
    public static let version = 1

    /// The hash of the parsed scenario that it belongs to.
    public var scenarioHash: UInt64
    /// Where it differs from the natural order, in the order of the run.
    public var deviations: [ScheduleDeviation]

    /// Creates a schedule.
    public init(scenarioHash: UInt64, deviations: [ScheduleDeviation]) {
        self.scenarioHash = scenarioHash
        self.deviations = deviations
    }

    /// Reads a schedule's text.
    ///
    /// - Throws: ``ScheduleError`` that says what is wrong and where.
    public init(parsing text: String) throws(ScheduleError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw ScheduleError("expected VERSION:HASH:DEVIATIONS") }
        guard parts[0] == String(Self.version) else {
            throw ScheduleError("expected version \(Self.version), found '\(parts[0])'")
        }
        guard parts[1].utf8.count == 16, let hash = UInt64(parts[1], radix: 16) else {
            throw ScheduleError("expected a hash of 16 hexadecimal digits, found '\(parts[1])'")
        }
        scenarioHash = hash
        deviations = []
        for (number, part) in parts[2].split(separator: ",").enumerated() {
            guard deviations.count < 100_000 else { throw ScheduleError("too many deviations") }
            guard let deviation = Self.deviation(part) else {
                throw ScheduleError(
                    "expected EVENT~OCCURRENCE>EVENT as deviation \(number + 1), found '\(part)'"
                )
            }
            deviations.append(deviation)
        }
    }

    /// The schedule's text.
    public var text: String {
        var hash = String(scenarioHash, radix: 16)
        hash = String(repeating: "0", count: 16 - hash.utf8.count) + hash
        let list = deviations.map {
            "\(Self.text($0.natural))~\($0.occurrence)>\(Self.text($0.chosen))"
        }
        return "\(Self.version):\(hash):" + list.joined(separator: ",")
    }

    /// The name of an event: component, name and ordinal.
    public static func text(_ key: EventKey) -> String {
        "\(key.site.component).\(key.site.name).\(key.ordinal)"
    }

    private static func deviation(_ text: Substring) -> ScheduleDeviation? {
        let halves = text.split(separator: ">", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let left = halves[0].split(separator: "~", omittingEmptySubsequences: false)
        guard left.count == 2, let occurrence = Int(left[1]), occurrence >= 0,
            let natural = key(left[0]), let chosen = key(halves[1])
        else { return nil }
        return ScheduleDeviation(natural: natural, occurrence: occurrence, chosen: chosen)
    }

    private static func key(_ text: Substring) -> EventKey? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let component = UInt16(parts[0]), let name = UInt16(parts[1]),
            let ordinal = UInt32(parts[2])
        else { return nil }
        return EventKey(site: EventSite(component: component, name: name), ordinal: ordinal)
    }
}

/// Why a text is no schedule, or not one of this scenario.
public struct ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line: what was expected and what was found.
    public var description: String

    init(_ description: String) { self.description = description }
}
