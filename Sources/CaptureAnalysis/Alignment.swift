/// Two lists laid beside each other, so that what both have stands in one row.
///
/// The rows hold every index of both lists once, in order. Lists are compared in windows of
/// ``windowCount`` items: memory and time are bounded by it whatever the lists' lengths, and rows
/// are the most that can be alike within a window.
///
/// - Complexity: O(n · ``windowCount``).
public struct Alignment: Hashable, Sendable {
    /// What stands in one row.
    public enum Row: Hashable, Sendable {
        /// Both have it.
        case both(Int, Int)
        /// Both have something of its sort here, with other content.
        case changed(Int, Int)
        /// Only the first list has it.
        case first(Int)
        /// Only the second list has it.
        case second(Int)
    }

    /// How many items of each list are compared with each other at once.
    public static let windowCount = 512

    /// The rows, from top to bottom.
    public private(set) var rows: [Row] = []

    /// Lays two lists beside each other.
    ///
    /// - Parameters:
    ///   - first: One list's items, as what makes them equal.
    ///   - second: The other's.
    ///   - isAlike: Whether two items that are not equal are of the same sort: the one then stands
    ///     beside the other as changed.
    public init<Key: Hashable>(
        _ first: [Key],
        _ second: [Key],
        isAlike: (_ first: Int, _ second: Int) -> Bool
    ) {
        var numbers: [Key: Int32] = [:]
        func number(_ key: Key) -> Int32 {
            if let known = numbers[key] { return known }
            let new = Int32(truncatingIfNeeded: numbers.count)
            numbers[key] = new
            return new
        }
        let left = first.map(number)
        let right = second.map(number)
        var l = 0
        var r = 0
        while l < left.count || r < right.count {
            if l < left.count, r < right.count, left[l] == right[r] {
                rows.append(.both(l, r))
                l += 1
                r += 1
                continue
            }
            let leftEnd = min(left.count, l + Self.windowCount)
            let rightEnd = min(right.count, r + Self.windowCount)
            let pairs = Self.commonPairs(left[l..<leftEnd], right[r..<rightEnd])
            for (pairLeft, pairRight) in pairs {
                addUnequal(l..<pairLeft, r..<pairRight, isAlike)
                rows.append(.both(pairLeft, pairRight))
                l = pairLeft + 1
                r = pairRight + 1
            }
            // Nothing alike in what is left of the window, or the lists' ends.
            if pairs.isEmpty || leftEnd == left.count && rightEnd == right.count {
                addUnequal(l..<leftEnd, r..<rightEnd, isAlike)
                l = leftEnd
                r = rightEnd
            }
        }
    }

    /// Whether both lists are the same.
    public var isEqual: Bool {
        rows.allSatisfy { if case .both = $0 { true } else { false } }
    }

    /// Rows for a stretch in which nothing is equal: what is alike stands side by side, in order.
    private mutating func addUnequal(
        _ left: Range<Int>,
        _ right: Range<Int>,
        _ isAlike: (Int, Int) -> Bool
    ) {
        var r = right.lowerBound
        for l in left {
            let end = min(right.upperBound, r + 16)
            if let match = (r..<end).first(where: { isAlike(l, $0) }) {
                for passed in r..<match { rows.append(.second(passed)) }
                rows.append(.changed(l, match))
                r = match + 1
            } else {
                rows.append(.first(l))
            }
        }
        for rest in r..<right.upperBound { rows.append(.second(rest)) }
    }

    /// The longest common subsequence, as pairs of indices.
    private static func commonPairs(
        _ left: ArraySlice<Int32>,
        _ right: ArraySlice<Int32>
    ) -> [(Int, Int)] {
        let width = right.count + 1
        var lengths = [UInt16](repeating: 0, count: (left.count + 1) * width)
        for l in stride(from: left.count - 1, through: 0, by: -1) {
            for r in stride(from: right.count - 1, through: 0, by: -1) {
                let same = left[left.startIndex + l] == right[right.startIndex + r]
                lengths[l * width + r] =
                    same
                    ? lengths[(l + 1) * width + r + 1] + 1
                    : max(lengths[(l + 1) * width + r], lengths[l * width + r + 1])
            }
        }
        var pairs: [(Int, Int)] = []
        var l = 0
        var r = 0
        while l < left.count, r < right.count {
            if left[left.startIndex + l] == right[right.startIndex + r] {
                pairs.append((left.startIndex + l, right.startIndex + r))
                l += 1
                r += 1
            } else if lengths[(l + 1) * width + r] >= lengths[l * width + r + 1] {
                l += 1
            } else {
                r += 1
            }
        }
        return pairs
    }
}
