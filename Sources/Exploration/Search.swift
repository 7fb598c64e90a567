public import CardCrypto
public import EventLoops
import Journal
import Rig
import ScenarioLanguage
public import ScenarioRunner

/// How orders are chosen.
public enum SearchStrategy: String, CaseIterable, Hashable, Sendable {
    /// Every order, one by one.
    case bruteForce = "brute-force"
    /// Every order but those that differ only in independent events.
    case exhaustive
    /// Orders drawn from a seed.
    case random
    /// Random priorities with a few changes, which bounds the chance to miss a bug.
    case priorities = "pct"
}

/// How much may be played.
public struct SearchBudget: Hashable, Sendable {
    /// The most runs.
    public var runCount: Int
    /// How many ordered events a bug may need, for `pct`.
    public var depth: Int
    /// Where random orders come from.
    public var seed: UInt64
    /// Whether each order is played a second time, to see whether the same comes again.
    public var playsTwice: Bool

    /// Creates a budget.
    public init(
        runCount: Int = 10_000,
        depth: Int = 3,
        seed: UInt64 = 1,
        playsTwice: Bool = false
    ) {
        self.runCount = runCount
        self.depth = depth
        self.seed = seed
        self.playsTwice = playsTwice
    }
}

/// What one kind of outcome was, how often it came, and an order that leads to it.
public struct SearchExample: Sendable {
    /// The outcome.
    public var outcome: RunOutcome
    /// How many runs led to it.
    public var count: Int
    /// The choices of the first such run.
    public var example: [Int]
    /// Where the order of that run differs from the natural one.
    public var deviations: [ScheduleDeviation]
}

/// A canonical journal, and an order that leads to it.
public struct JournalExample: Sendable {
    /// The journal's canonical fingerprint.
    public var fingerprint: UInt64
    /// Where the order of the first run that led to it differs from the natural one; `nil` for
    /// those beyond the first ``Search/keptExampleCount`` of a search, whose orders are not kept.
    public var deviations: [ScheduleDeviation]?
}

/// One order that was played twice and gave two different runs.
public struct Nondeterminism: Sendable {
    /// What came of it first.
    public var first: RunResult
    /// What came of it then.
    public var second: RunResult

    /// Creates one.
    public init(first: RunResult, second: RunResult) {
        self.first = first
        self.second = second
    }
}

/// What a search found.
public struct SearchResult: Sendable {
    /// How orders were chosen.
    public var strategy: SearchStrategy
    /// How many runs were played to the end.
    public var runCount = 0
    /// How many runs were given up, since they only repeated another one in a different order.
    public var redundantCount = 0
    /// Whether every order was played or is equal to one that was.
    public var isComplete = false
    /// The different canonical journals, by fingerprint in ascending order.
    public var journals: [JournalExample] = []
    /// The different outcomes, in the order in which they first came.
    public var outcomes: [SearchExample] = []
    /// How many runs did not hold what was promised.
    public var failedCount = 0
    /// The choices of the first run that did not, with what came of it.
    public var firstFailure: (choices: [Int], result: RunResult)?
    /// The first order that did not give the same twice, which ends the search.
    public var nondeterminism: Nondeterminism?
    /// The most choices of one run.
    public var longestChoiceCount = 0
    /// The most processes (chains and lone events) that stood for choice in one run of `pct`.
    public var processCount = 0
    /// The most alternatives at the first choice of a run, at the second, and so on.
    public var widths: [Int] = []
    /// What happened in at least one run.
    public var coverage = SearchCoverage()
    /// The branches and reactions that at least one run took.
    public var takenPlaces = TakenPlaces()

    /// Creates a result without runs.
    public init(strategy: SearchStrategy) { self.strategy = strategy }

    /// The least chance of one `pct` run to hit a bug of a depth: one in so many.
    public func priorityBound(depth: Int) -> UInt64 {
        var bound = UInt64(max(1, processCount))
        for _ in 1..<max(1, depth) {
            let product = bound.multipliedReportingOverflow(by: UInt64(max(1, longestChoiceCount)))
            if product.overflow { return .max }
            bound = product.partialValue
        }
        return bound
    }
}

/// Plays a scenario in many orders, each from the start to the end.
public struct Search {
    /// For how many journals of a search an order is kept: memory must not grow with every run.
    public static let keptExampleCount = 4_096

    /// The most events of one run: the choices of a run are kept, and an order that does not end is
    /// a failure long before the bound of a run that nobody explores.
    public static let maximumEventCount = 1_000_000

    private let prepared: PreparedScenario
    private var options: RigOptions
    private let cache: CryptoCache
    private var found: SearchResult
    private let playsTwice: Bool
    private let isWanted: () -> Bool
    private var fingerprints: Set<UInt64> = []

    /// Plays a scenario's orders.
    ///
    /// - Parameters:
    ///   - prepared: The scenario.
    ///   - options: What the scenario leaves open; its source of choices is replaced.
    ///   - strategy: How orders are chosen.
    ///   - budget: How much may be played.
    ///   - cache: The worker's crypto cache.
    ///   - goesOn: Asked after each run with what was found so far; `false` ends the search and
    ///     keeps it.
    ///   - isWanted: Asked now and then inside of a run; `false` ends the search and keeps what was
    ///     found, without that run.
    /// - Returns: What was found.
    public static func play(
        _ prepared: PreparedScenario,
        options: RigOptions,
        strategy: SearchStrategy,
        budget: SearchBudget,
        cache: CryptoCache,
        goesOn: (SearchResult) -> Bool = { _ in true },
        isWanted: @escaping () -> Bool = { true }
    ) -> SearchResult {
        var search = Search(
            prepared: prepared,
            options: options,
            cache: cache,
            found: SearchResult(strategy: strategy),
            playsTwice: budget.playsTwice,
            isWanted: isWanted
        )
        switch strategy {
        case .bruteForce: search.playEveryOrder(budget, goesOn)
        case .exhaustive: search.playReduced(budget, goesOn)
        case .random, .priorities: search.playDrawn(budget, goesOn)
        }
        search.found.journals.sort { $0.fingerprint < $1.fingerprint }
        return search.found
    }

    private mutating func playEveryOrder(
        _ budget: SearchBudget,
        _ goesOn: (SearchResult) -> Bool
    ) {
        var prefix: [Int]? = []
        while let choices = prefix {
            guard found.runCount < budget.runCount else { return }
            let result = run(.enumerating(choices))
            if isCutShort(result) { return }
            prefix = result.choices.nextPrefix
            guard note(result, goesOn) || prefix == nil else { return }
        }
        found.isComplete = found.nondeterminism == nil
    }

    private mutating func playReduced(_ budget: SearchBudget, _ goesOn: (SearchResult) -> Bool) {
        var search = ExhaustiveSearch()
        while found.runCount + found.redundantCount < budget.runCount {
            let result = run(.guided(search.prefix, asleep: search.asleep))
            if isCutShort(result) { return }
            let hasNext = search.learn(result.trace, result.choices.taken)
            if result.choices.isRedundant {
                found.redundantCount += 1
                guard goesOn(found) || !hasNext else { return }
            } else if !note(result, goesOn), hasNext {
                return
            }
            if !hasNext {
                found.isComplete = found.nondeterminism == nil
                return
            }
        }
    }

    private mutating func playDrawn(_ budget: SearchBudget, _ goesOn: (SearchResult) -> Bool) {
        for number in 0..<budget.runCount {
            let seed = SplitMix64.mix(budget.seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
            let choices: ChoiceSource
            if found.strategy == .random {
                choices = .walking(seed)
            } else {
                choices = .prioritised(
                    PriorityPlan(
                        seed: seed,
                        depth: budget.depth,
                        choiceCount: found.longestChoiceCount
                    )
                )
            }
            guard note(run(choices), goesOn) else { return }
        }
    }

    private mutating func run(_ choices: ChoiceSource) -> RunResult {
        options.choices = choices
        options.bounds.eventCount = min(options.bounds.eventCount, Self.maximumEventCount)
        return ScenarioRunner.play(
            prepared,
            on: Rig(RigConfiguration(prepared.scenario.rig, options: options), cache: cache),
            goesOn: isWanted
        )
    }

    /// Whether a run ended in the middle since nothing is wanted any more, and tells nothing.
    private func isCutShort(_ result: RunResult) -> Bool {
        result.end == .interrupted && !result.choices.isRedundant
    }

    /// Counts a run; returns whether the search goes on.
    private mutating func note(
        _ played: consuming RunResult,
        _ goesOn: (SearchResult) -> Bool
    ) -> Bool {
        var result = played
        if isCutShort(result) { return false }
        found.runCount += 1
        let taken = result.choices.taken
        found.longestChoiceCount = max(found.longestChoiceCount, taken.count)
        if found.strategy == .priorities {
            found.processCount = max(found.processCount, Self.processCount(taken))
        }
        noteWidths(taken)
        found.coverage.note(result)
        found.takenPlaces.note(result)
        let fingerprint = result.journal.canonicalFingerprint()
        if fingerprints.insert(fingerprint).inserted {
            found.journals.append(
                JournalExample(
                    fingerprint: fingerprint,
                    deviations: found.journals.count < Self.keptExampleCount
                        ? taken.deviations : nil
                )
            )
        }
        let outcome = RunOutcome(result)
        if let index = found.outcomes.firstIndex(where: { $0.outcome == outcome }) {
            found.outcomes[index].count += 1
        } else {
            found.outcomes.append(
                SearchExample(
                    outcome: outcome,
                    count: 1,
                    example: taken.map(\.index),
                    deviations: taken.deviations
                )
            )
        }
        if !result.hasPassed {
            found.failedCount += 1
            if found.firstFailure == nil { found.firstFailure = (taken.map(\.index), result) }
        }
        if playsTwice {
            var again = run(.recorded(taken.map(\.index)))
            if isCutShort(again) { return false }
            let isSame =
                again.choices.taken.elementsEqual(taken) {
                    $0.site == $1.site && $0.count == $1.count
                }
                && again.journal.canonicalFingerprint() == fingerprint
                && RunOutcome(again) == outcome && again.duration == result.duration
            if !isSame {
                found.nondeterminism = Nondeterminism(first: result, second: again)
                _ = goesOn(found)
                return false
            }
        }
        return goesOn(found)
    }

    private mutating func noteWidths(_ taken: [TakenChoice]) {
        for (index, choice) in taken.enumerated() {
            if index == found.widths.count {
                found.widths.append(choice.count)
            } else if found.widths[index] < choice.count {
                found.widths[index] = choice.count
            }
        }
    }

    private static func processCount(_ taken: [TakenChoice]) -> Int {
        var processes: [UInt64] = []
        for choice in taken {
            for alternative in choice.alternatives where !processes.contains(alternative.process) {
                processes.append(alternative.process)
            }
        }
        return processes.count
    }
}
