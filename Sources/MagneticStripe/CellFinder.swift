/// Tells from the distances between pulses which cells were zeros and which ones.
///
/// A zero is one distance, a one two of about half its length. Which reading of the whole stripe is
/// the likeliest is found as the cheapest way through it: a change of length from one cell to the
/// next costs its square, and so do two halves that differ, both measured in the distances that are
/// usual thereabouts. So a hand that speeds up, even all at once, costs less than the nonsense that
/// any other reading needs, and no clock has to be kept locked to the signal.
struct CellFinder {
    /// One bit's place on the stripe.
    struct Cell: Hashable {
        var isOne: Bool
        /// In the unit of the distances.
        var length: Int
    }

    private let distances: [Int]
    /// 2^24 by the mean of the distances around.
    private let scales: [Int]

    /// Distances on each side that make out what is usual.
    private static let neighbours = 4
    /// No change costs more than one by a usual distance, so that a jolt cannot outweigh the rest; in
    /// 256ths.
    private static let limit = 1 << 8

    /// Reads the cells of one stretch of stripe.
    ///
    /// - Parameter distances: What lies between pulses, in any unit, each positive and below 2^31.
    /// - Returns: The cells in the order of the distances, which they share out among them.
    /// - Complexity: O(distances).
    static func cells(of distances: [Int]) -> [Cell] {
        distances.isEmpty ? [] : CellFinder(distances).cells()
    }

    private init(_ distances: [Int]) {
        self.distances = distances
        var scales: [Int] = []
        scales.reserveCapacity(distances.count)
        var sum = distances.prefix(Self.neighbours).reduce(0, +)
        var members = min(Self.neighbours, distances.count)
        for index in distances.indices {
            if index + Self.neighbours < distances.count {
                sum += distances[index + Self.neighbours]
                members += 1
            }
            if index - Self.neighbours - 1 >= 0 {
                sum -= distances[index - Self.neighbours - 1]
                members -= 1
            }
            scales.append((1 << 24) * members / max(1, sum))
        }
        self.scales = scales
    }

    private func cost(_ difference: Int, _ index: Int) -> Int {
        let scaled = min(Self.limit, (abs(difference) * scales[index]) >> 16)
        return scaled * scaled
    }

    private func cells() -> [Cell] {
        let count = distances.count
        // The cheapest way to have read the first n distances, the last cell a zero or a one.
        let unreachable = Int.max / 4
        var zero = [Int](repeating: unreachable, count: count + 1)
        var one = [Int](repeating: unreachable, count: count + 1)
        // Whether the cell before the last one was a one.
        var zeroAfterOne = [Bool](repeating: false, count: count + 1)
        var oneAfterOne = [Bool](repeating: false, count: count + 1)
        zero[1] = 0
        if count > 1 { one[2] = cost(distances[0] - distances[1], 1) }
        var end = 2
        while end <= count {
            let last = end - 1
            let length = distances[last]
            let fromZero = zero[end - 1] + cost(length - distances[last - 1], last)
            let fromOne =
                end >= 3
                ? one[end - 1] + cost(length - distances[last - 1] - distances[last - 2], last)
                : unreachable
            zero[end] = min(fromZero, fromOne)
            zeroAfterOne[end] = fromOne < fromZero
            if end >= 3 {
                let pair = distances[last] + distances[last - 1]
                let halves = cost(distances[last] - distances[last - 1], last)
                let fromZero = zero[end - 2] + cost(pair - distances[last - 2], last)
                let fromOne =
                    end >= 4
                    ? one[end - 2] + cost(pair - distances[last - 2] - distances[last - 3], last)
                    : unreachable
                one[end] = min(fromZero, fromOne) + halves
                oneAfterOne[end] = fromOne < fromZero
            }
            end += 1
        }
        return way(zero, one, zeroAfterOne, oneAfterOne)
    }

    private func way(
        _ zero: [Int],
        _ one: [Int],
        _ zeroAfterOne: [Bool],
        _ oneAfterOne: [Bool]
    ) -> [Cell] {
        var place = distances.count
        var cells: [Cell] = []
        cells.reserveCapacity(place)
        var isOne = one[place] < zero[place]
        while place > 0 {
            let length = distances[place - 1] + (isOne ? distances[place - 2] : 0)
            cells.append(Cell(isOne: isOne, length: length))
            let wasOne = isOne ? oneAfterOne[place] : zeroAfterOne[place]
            place -= isOne ? 2 : 1
            isOne = wasOne
        }
        cells.reverse()
        return cells
    }
}
