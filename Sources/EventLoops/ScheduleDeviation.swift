/// One place where an order differs from the natural one, named by keys so that it survives edits
/// elsewhere: where one event would have come, another one comes.
public struct ScheduleDeviation: Hashable, Sendable {
    /// The event that would have come.
    public var natural: EventKey
    /// How many choices before it had the same natural event.
    public var occurrence: Int
    /// The event that comes instead.
    public var chosen: EventKey

    /// Creates a deviation.
    public init(natural: EventKey, occurrence: Int, chosen: EventKey) {
        self.natural = natural
        self.occurrence = occurrence
        self.chosen = chosen
    }
}

/// The deviations of a run that is being played, and which of them came up.
struct KeyedChoices: Sendable {
    private let deviations: [ScheduleDeviation]
    private var hasCome: [Bool]
    private var asked: [(key: EventKey, count: Int)] = []

    init(_ deviations: [ScheduleDeviation]) {
        self.deviations = deviations
        hasCome = deviations.map { _ in false }
    }

    /// The deviations whose place or event did not come up.
    var missing: [ScheduleDeviation] {
        deviations.indices.filter { !hasCome[$0] }.map { deviations[$0] }
    }

    /// Returns the index of the alternative that comes where `natural` would have come.
    mutating func choose(_ natural: EventKey, among alternatives: [Alternative]) -> Int {
        let occurrence = ask(natural)
        let place = deviations.firstIndex {
            $0.natural == natural && $0.occurrence == occurrence
        }
        guard let place,
            let index = alternatives.firstIndex(where: { $0.key == deviations[place].chosen })
        else { return 0 }
        hasCome[place] = true
        return index
    }

    private mutating func ask(_ key: EventKey) -> Int {
        guard let index = asked.firstIndex(where: { $0.key == key }) else {
            asked.append((key, 1))
            return 0
        }
        defer { asked[index].count += 1 }
        return asked[index].count
    }
}

extension [TakenChoice] {
    /// The choices that were not the natural ones, by their keys; the alternatives must have been
    /// kept.
    public var deviations: [ScheduleDeviation] {
        var asked: [(key: EventKey, count: Int)] = []
        var found: [ScheduleDeviation] = []
        for choice in self {
            var occurrence = 0
            if let index = asked.firstIndex(where: { $0.key == choice.site.key }) {
                occurrence = asked[index].count
                asked[index].count += 1
            } else {
                asked.append((choice.site.key, 1))
            }
            guard choice.index > 0, choice.index < choice.alternatives.count else { continue }
            found.append(
                ScheduleDeviation(
                    natural: choice.site.key,
                    occurrence: occurrence,
                    chosen: choice.alternatives[choice.index].key
                )
            )
        }
        return found
    }
}
