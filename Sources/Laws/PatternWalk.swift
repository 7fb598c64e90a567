public import Journal

/// A row of patterns that the next records must match, one after the other.
struct PatternWalk: Hashable, Sendable {
    let patterns: [RecordPattern]
    /// How many patterns have their record.
    private(set) var doneCount = 0
    /// The record that did not match the pattern after those.
    private(set) var mismatch: Int?

    init(_ patterns: [RecordPattern]) { self.patterns = patterns }

    var isComplete: Bool { doneCount == patterns.count }

    /// Whether more records can complete it.
    var isOpen: Bool { mismatch == nil && !isComplete }

    /// The pattern that waits for its record, or `nil` when all have theirs.
    var pending: RecordPattern? { isComplete ? nil : patterns[doneCount] }

    /// Takes all records that match, up to the limit.
    mutating func advance(_ cursor: inout QueueCursor, below limit: Int, in journal: Journal) {
        while isOpen {
            let name = patterns[doneCount].name
            guard let found = cursor.next(like: name, below: limit, in: journal) else { return }
            if patterns[doneCount].matches(found, in: journal) {
                cursor.take(found, like: name)
                doneCount += 1
            } else {
                mismatch = found
            }
        }
    }
}

extension RecordPattern {
    /// Returns whether a record has the name and every attribute that is given.
    public func matches(_ record: Record, in journal: Journal) -> Bool {
        guard record.name == name else { return false }
        for attribute in attributes {
            guard let value = journal.value(attribute.name, of: record), value == attribute.value
            else { return false }
        }
        return true
    }

    /// Returns whether the record with that sequence number matches; a forgotten one does not.
    func matches(_ sequence: Int, in journal: Journal) -> Bool {
        guard let record = journal.record(sequence) else { return false }
        return matches(record, in: journal)
    }
}
