import Journal

/// How far the checks have taken the records of a journal.
///
/// Counted records form one queue with one position. The others are found by their own names, in
/// the order of time: what came before one that was taken is no longer looked at.
struct QueueCursor: Hashable, Sendable {
    /// Whether prompts and alerts are counted (`prompts: ask`).
    private let countsDialogues: Bool
    /// The first counted record that is not taken, or a record before it.
    private var counted = 0
    /// For each record name, the first record that may be an uncounted one that is not taken.
    private var named: [Int] = []
    /// The record after the uncounted one that was taken last.
    private var uncounted = 0
    /// The record that was taken last.
    private(set) var lastTaken: Int?

    init(countsDialogues: Bool = false) { self.countsDialogues = countsDialogues }

    private func isCounted(_ name: RecordName) -> Bool {
        Vocabulary.isCounted(name) || countsDialogues && Vocabulary.isDialogue(name)
    }

    /// Moves the position of the counted records over others below a limit; after each record
    /// observed, so that the journal forgets nothing in between.
    mutating func passUncounted(below limit: Int, in journal: Journal) {
        while counted < limit, let record = journal.record(counted), !isCounted(record.name) {
            counted += 1
        }
    }

    /// Returns the first counted record below a limit that is not taken, forgotten or not.
    mutating func firstCounted(below limit: Int, in journal: Journal) -> Int? {
        passUncounted(below: limit, in: journal)
        return counted < limit ? counted : nil
    }

    /// Returns the next record below a limit that can be compared with a pattern of that name:
    /// the next counted one, or the next one of that name.
    mutating func next(like name: RecordName, below limit: Int, in journal: Journal) -> Int? {
        if isCounted(name) { return firstCounted(below: limit, in: journal) }
        let slot = Int(name.rawValue)
        if named.isEmpty { named = Array(repeating: 0, count: RecordName.allCases.count) }
        var sequence = max(named[slot], uncounted, journal.oldestSequence)
        while sequence < limit, let record = journal.record(sequence), record.name != name {
            sequence += 1
        }
        named[slot] = sequence
        return sequence < limit ? sequence : nil
    }

    /// Notes a record that was found and not taken.
    mutating func note(_ sequence: Int) { lastTaken = sequence }

    /// Takes, or lets pass, the record that ``next(like:below:in:)`` returned for that name.
    mutating func take(_ sequence: Int, like name: RecordName, isPassed: Bool = false) {
        if isCounted(name) {
            counted = sequence + 1
        } else {
            named[Int(name.rawValue)] = sequence + 1
            if !isPassed { uncounted = max(uncounted, sequence + 1) }
        }
        if !isPassed { lastTaken = sequence }
    }
}
