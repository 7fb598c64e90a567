public import Journal

/// Counts records for the `count` of a block or of the whole run.
public struct CountTally: Sendable {
    /// What is counted.
    public let counts: [CountPattern]
    /// How many of each came so far.
    public private(set) var found: [Int]

    /// Creates a tally at the beginning of the block.
    public init(_ counts: [CountPattern]) {
        self.counts = counts
        found = Array(repeating: 0, count: counts.count)
    }

    /// Looks at the next record.
    ///
    /// - Complexity: O(*n*) in the number of counts.
    public mutating func observe(_ record: Record, in journal: Journal) {
        for index in counts.indices where counts[index].pattern.matches(record, in: journal) {
            found[index] += 1
        }
    }

    /// Returns what did not come as often as it must, at the end of the block.
    ///
    /// - Parameter readerNames: The names of the rig's readers, by their index.
    /// - Returns: For each count that does not hold, where the file says it, and what came.
    public func failures(
        readerNames: [String]
    ) -> [(location: SourceLocation, description: String)] {
        let text = RecordText(readerNames: readerNames)
        var failures: [(location: SourceLocation, description: String)] = []
        for (count, found) in zip(counts, found) {
            let isTooMany = count.maximum.map { found > $0 } ?? false
            guard isTooMany || found < count.minimum else { continue }
            failures.append(
                (
                    count.location,
                    "expected \(text.pattern(count.pattern)) \(Self.bounds(count)), found "
                        + (found == 0 ? "none" : String(found))
                )
            )
        }
        return failures
    }

    private static func bounds(_ count: CountPattern) -> String {
        guard let maximum = count.maximum else { return "at least \(times(count.minimum))" }
        if maximum == count.minimum { return times(maximum) }
        guard count.minimum > 0 else { return "at most \(times(maximum))" }
        return "\(count.minimum) to \(maximum) times"
    }

    private static func times(_ count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        case 2: "twice"
        default: "\(count) times"
        }
    }
}
