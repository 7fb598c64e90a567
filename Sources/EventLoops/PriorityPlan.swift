/// Random priorities with a few random changes: finds a bug that needs *d* ordered events with a
/// known probability.
///
/// Each process (a chain, or an event of none) has a priority drawn from the seed; the highest one
/// that is due comes. At each change point the process that would have come falls behind all others.
/// With *n* processes and *k* choices a plan with *d* - 1 change points finds a bug of depth *d* with
/// a probability of at least 1 / (*n* *k*^(*d* - 1)).
///
/// Source: Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with
/// probabilistic guarantees of finding bugs" (2010).
public struct PriorityPlan: Hashable, Sendable {
    private let seed: UInt64
    private let changePoints: [Int]
    private var fallen: [UInt64] = []

    /// Creates a plan with given change points: the ordinals of choices.
    public init(seed: UInt64, changePoints: [Int]) {
        self.seed = seed
        self.changePoints = changePoints
    }

    /// Creates a plan for bugs of a depth.
    ///
    /// - Parameters:
    ///   - seed: Where priorities and change points come from.
    ///   - depth: How many ordered events the bug needs, at least 1.
    ///   - choiceCount: About how many choices a run has.
    public init(seed: UInt64, depth: Int, choiceCount: Int) {
        var generator = SplitMix64(seed: seed)
        self.seed = generator.next()
        let bound = UInt64(max(1, choiceCount))
        changePoints = (1..<max(2, depth)).dropFirst(depth < 2 ? 1 : 0).map { _ in
            Int(generator.next(below: bound))
        }
    }

    /// Returns the index of the alternative that comes at a choice.
    mutating func choose(among alternatives: [Alternative], step: Int) -> Int {
        var best = highest(among: alternatives)
        for point in changePoints where point == step {
            fallen.append(alternatives[best].process)
            best = highest(among: alternatives)
        }
        return best
    }

    private func highest(among alternatives: [Alternative]) -> Int {
        var best = 0
        var bestPriority = priority(of: alternatives[0].process)
        for index in alternatives.indices.dropFirst() {
            let candidate = priority(of: alternatives[index].process)
            if candidate > bestPriority {
                best = index
                bestPriority = candidate
            }
        }
        return best
    }

    /// Fallen processes come after all others, those that fell first before those that fell last.
    private func priority(of process: UInt64) -> UInt64 {
        if let position = fallen.lastIndex(of: process) { return UInt64(fallen.count - position) }
        return SplitMix64.mix(seed ^ process) | 1 << 32
    }
}
