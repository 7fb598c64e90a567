/// Two journals beside each other: what came, and what was expected.
public struct JournalComparison: Hashable, Sendable {
    /// One place at which they differ.
    public struct Difference: Hashable, Sendable {
        /// The how-manieth record it is, from 1.
        public var number: Int
        /// What came; `nil` when nothing did.
        public var found: RecordedRecord?
        /// What was expected; `nil` when nothing more was.
        public var expected: RecordedRecord?
    }

    /// The most differences that are kept.
    public static let differenceLimit = 10

    /// The first places at which they differ, in order.
    public let differences: [Difference]
    /// At how many places they differ.
    public let differenceCount: Int
    /// How many records came.
    public let foundCount: Int
    /// How many were expected.
    public let expectedCount: Int

    /// Whether they are the same, byte for byte.
    public var isEqual: Bool { differenceCount == 0 }

    /// Compares record by record: number, time, line, name and everything that is said.
    public init(_ found: [RecordedRecord], _ expected: [RecordedRecord]) {
        var differences: [Difference] = []
        var count = 0
        for index in 0..<max(found.count, expected.count) {
            let left = index < found.count ? found[index] : nil
            let right = index < expected.count ? expected[index] : nil
            guard left != right else { continue }
            count += 1
            guard differences.count < Self.differenceLimit else { continue }
            differences.append(Difference(number: index + 1, found: left, expected: right))
        }
        self.differences = differences
        differenceCount = count
        foundCount = found.count
        expectedCount = expected.count
    }

    /// What people are told.
    public var text: String {
        guard !isEqual else { return "the journal is as expected: \(foundCount) records\n" }
        var text = "the journal differs from the expected one at \(differenceCount) of "
        text += "\(max(foundCount, expectedCount)) records\n"
        for difference in differences {
            text += "  record \(difference.number)\n"
            text += "    expected " + (difference.expected?.description ?? "nothing more") + "\n"
            text += "    found    " + (difference.found?.description ?? "nothing more") + "\n"
        }
        return text
    }
}
