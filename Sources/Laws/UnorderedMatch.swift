import Journal

/// Which records have taken which patterns, where the order is free.
///
/// A record may fit several patterns, so a record that comes later can move one that came earlier
/// to another pattern (an augmenting path).
struct UnorderedMatch: Hashable, Sendable {
    let patterns: [RecordPattern]
    /// For each record that was taken, the patterns that it fits.
    private var fits: [[Int]] = []
    /// For each pattern the record that took it, an index into `fits`.
    private var takers: [Int?]

    init(_ patterns: [RecordPattern]) {
        self.patterns = patterns
        takers = Array(repeating: nil, count: patterns.count)
    }

    /// The patterns that no record has taken, in the order of the file.
    var open: [RecordPattern] {
        zip(patterns, takers).compactMap { $1 == nil ? $0 : nil }
    }

    var isComplete: Bool { fits.count == patterns.count }

    /// Takes a record if one more pattern can be taken with it.
    ///
    /// - Complexity: O(*n* · *m*) in the records taken and the patterns.
    mutating func take(_ record: Record, in journal: Journal) -> Bool {
        let fitting = patterns.indices.filter { patterns[$0].matches(record, in: journal) }
        fits.append(fitting)
        var isVisited = Array(repeating: false, count: patterns.count)
        if place(fits.count - 1, &isVisited) { return true }
        fits.removeLast()
        return false
    }

    private mutating func place(_ record: Int, _ isVisited: inout [Bool]) -> Bool {
        for pattern in fits[record] where !isVisited[pattern] {
            isVisited[pattern] = true
            guard let taker = takers[pattern] else {
                takers[pattern] = record
                return true
            }
            if place(taker, &isVisited) {
                takers[pattern] = record
                return true
            }
        }
        return false
    }
}
