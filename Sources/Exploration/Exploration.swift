public import CardCrypto
import EventLoops
public import ScenarioRunner

/// How a scenario is to be explored.
public struct ExplorationPlan: Hashable, Sendable {
    /// The strategies, one after another, each with the whole budget; empty for `auto`.
    public var strategies: [SearchStrategy]
    /// How much may be played.
    public var budget: SearchBudget

    /// Creates a plan.
    public init(strategies: [SearchStrategy] = [], budget: SearchBudget = SearchBudget()) {
        self.strategies = strategies
        self.budget = budget
    }
}

/// What exploring a scenario found, with all strategies taken together.
public struct Exploration: Sendable {
    /// Which part of an exploration is being played.
    public enum Phase: Hashable, Sendable {
        /// The exhaustive search of `auto`, which may use half of the budget.
        case firstHalf
        /// Everything else.
        case whole
    }

    /// The searches, in the order in which they were played.
    public private(set) var searches: [SearchResult] = []
    /// Why `auto` chose what it chose, in one sentence; `nil` when the strategy was named.
    public private(set) var reason: String?

    /// Creates one of searches that were played.
    public init(searches: [SearchResult] = [], reason: String? = nil) {
        self.searches = searches
        self.reason = reason
    }

    /// Explores a scenario.
    ///
    /// `auto` searches exhaustively with half of the budget; when that was not enough it spends the
    /// rest on `pct`, whose chance to miss a bug has a bound.
    ///
    /// - Parameters:
    ///   - prepared: The scenario.
    ///   - options: What the scenario leaves open; its source of choices is replaced.
    ///   - plan: How.
    ///   - cache: The worker's crypto cache.
    ///   - isWanted: Whether anything is wanted still; asked before each strategy, and now and then
    ///     inside of a run, which is dropped when nothing is.
    ///   - goesOn: Asked after each run with what its search found so far; `false` ends that search
    ///     and keeps what it found.
    /// - Returns: What was found.
    public static func play(
        _ prepared: PreparedScenario,
        options: RigOptions,
        plan: ExplorationPlan,
        cache: CryptoCache,
        isWanted: @escaping () -> Bool = { true },
        goesOn: (SearchResult, Phase) -> Bool = { _, _ in true }
    ) -> Exploration {
        var exploration = Exploration()
        func search(_ strategy: SearchStrategy, _ budget: SearchBudget, _ phase: Phase) {
            exploration.searches.append(
                Search.play(
                    prepared,
                    options: options,
                    strategy: strategy,
                    budget: budget,
                    cache: cache,
                    goesOn: { goesOn($0, phase) },
                    isWanted: isWanted
                )
            )
        }
        guard plan.strategies.isEmpty else {
            for strategy in plan.strategies where exploration.searches.isEmpty || isWanted() {
                search(strategy, plan.budget, .whole)
            }
            return exploration
        }
        var half = plan.budget
        half.runCount = max(1, plan.budget.runCount / 2)
        search(.exhaustive, half, .firstHalf)
        let first = exploration.searches[0]
        let played = first.runCount + first.redundantCount
        if first.isComplete {
            exploration.reason = "exhaustive: it was complete within half of the budget"
            return exploration
        }
        exploration.reason =
            "exhaustive, then pct: half of the budget (\(played) runs) did not complete the search"
        guard isWanted(), first.nondeterminism == nil else {
            exploration.reason = "exhaustive: it was ended after \(played) runs"
            return exploration
        }
        var rest = plan.budget
        rest.runCount = max(1, plan.budget.runCount - played)
        search(.priorities, rest, .whole)
        return exploration
    }

    /// How many runs were played to the end.
    public var runCount: Int { searches.reduce(0) { $0 + $1.runCount } }
    /// How many runs were given up, since they only repeated another one.
    public var redundantCount: Int { searches.reduce(0) { $0 + $1.redundantCount } }
    /// Whether one of the searches played every order or one that is equal to it.
    public var isComplete: Bool { searches.contains { $0.isComplete } }
    /// How many runs did not hold what was promised.
    public var failedCount: Int { searches.reduce(0) { $0 + $1.failedCount } }
    /// The most choices of one run.
    public var longestChoiceCount: Int { searches.map(\.longestChoiceCount).max() ?? 0 }
    /// The first run that failed, the one with the fewest deviations among the searches.
    public var firstFailure: RunResult? {
        searches.compactMap { $0.firstFailure?.result }.min {
            $0.choices.taken.deviations.count < $1.choices.taken.deviations.count
        }
    }
    /// The first order that did not give the same twice.
    public var nondeterminism: Nondeterminism? {
        searches.lazy.compactMap(\.nondeterminism).first
    }

    /// The different canonical journals of all searches, by fingerprint in ascending order.
    public var journals: [JournalExample] {
        var journals: [JournalExample] = []
        for journal in searches.flatMap(\.journals).sorted(by: { $0.fingerprint < $1.fingerprint })
        {
            if let last = journals.last, last.fingerprint == journal.fingerprint {
                if last.deviations == nil { journals[journals.count - 1] = journal }
            } else {
                journals.append(journal)
            }
        }
        return journals
    }

    /// The different outcomes of all searches, in the order in which they first came.
    public var outcomes: [SearchExample] {
        var outcomes: [SearchExample] = []
        for outcome in searches.flatMap(\.outcomes) {
            if let index = outcomes.firstIndex(where: { $0.outcome == outcome.outcome }) {
                outcomes[index].count += outcome.count
            } else {
                outcomes.append(outcome)
            }
        }
        return outcomes
    }

    /// How many orders there are, when all of them were played one by one.
    public var orderCount: Int? {
        searches.first { $0.strategy == .bruteForce && $0.isComplete }?.runCount
    }

    /// How many orders there are at most, as far as the choices of the runs tell.
    public var orderBound: OrderBound {
        var widths: [Int] = []
        for search in searches {
            for (index, width) in search.widths.enumerated() {
                if index == widths.count { widths.append(width) }
                widths[index] = max(widths[index], width)
            }
        }
        return OrderBound(widths: widths)
    }

    /// What happened in at least one run of any search.
    public var coverage: SearchCoverage {
        var coverage = SearchCoverage()
        for search in searches { coverage.formUnion(search.coverage) }
        return coverage
    }

    /// The orders there are and the runs that the reduction needed for them, when both searches
    /// were complete.
    public var reduction: (orderCount: Int, runCount: Int, isSame: Bool)? {
        guard let all = searches.first(where: { $0.strategy == .bruteForce && $0.isComplete }),
            let reduced = searches.first(where: { $0.strategy == .exhaustive && $0.isComplete })
        else { return nil }
        let isSame =
            all.journals.map(\.fingerprint) == reduced.journals.map(\.fingerprint)
            && Set(all.outcomes.map(\.outcome)) == Set(reduced.outcomes.map(\.outcome))
        return (all.runCount, reduced.runCount + reduced.redundantCount, isSame)
    }
}
