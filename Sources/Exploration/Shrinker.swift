public import CardCrypto
import CardData
public import EventLoops
import Rig
public import ScenarioLanguage
public import ScenarioRunner

/// A failure made as small as possible: no step, choice or window can be taken away any more
/// without losing it.
public struct ShrunkFailure: Sendable {
    /// The scenario with what was not needed left out.
    public var scenario: Scenario
    /// Where its order differs from the natural one.
    public var deviations: [ScheduleDeviation]
    /// What came of it.
    public var result: RunResult
    /// How many runs it took to shrink.
    public var runCount: Int
}

/// What of a failure may be made smaller.
public enum ShrinkExtent: Int, Hashable, Sendable {
    /// Only where its order differs from the natural one.
    case choices
    /// Steps too.
    case steps
    /// Times and data too.
    case everything
}

/// Makes a failing order smaller: fewer deviations, fewer steps, shorter times, plainer data.
public struct Shrinker {
    private let options: RigOptions
    private let cache: CryptoCache
    private let limit: Int
    private let extent: ShrinkExtent
    private var runCount = 0
    private var scenario: Scenario
    private var deviations: [ScheduleDeviation]
    private var result: RunResult
    private let kind: RunFailure.Kind
    /// Whether a smaller scenario must hold in its natural order.
    ///
    /// That is so when the failure is of a check, not of a law, and comes only in another order.
    /// Otherwise a check that lost its steps would do.
    private var mustHoldNaturally = false

    /// Shrinks a failure.
    ///
    /// - Parameters:
    ///   - scenario: The scenario that fails.
    ///   - choices: The choices of the failing run, their alternatives kept.
    ///   - result: What came of it; it must have failed.
    ///   - options: What the scenario leaves open; the source of choices is replaced.
    ///   - cache: The worker's crypto cache.
    ///   - limit: The most runs to spend.
    ///   - extent: What may be made smaller.
    /// - Returns: The smallest failure of the same kind that was found, or `nil` when the run did
    ///   not fail or its order does not bring the failure back.
    public static func shrink(
        _ scenario: Scenario,
        choices: [TakenChoice],
        result: RunResult,
        options: RigOptions,
        cache: CryptoCache,
        limit: Int = 20_000,
        extent: ShrinkExtent = .everything
    ) -> ShrunkFailure? {
        guard let failure = result.failures.first else { return nil }
        var shrinker = Shrinker(
            options: options,
            cache: cache,
            limit: limit,
            extent: extent,
            scenario: scenario,
            deviations: choices.deviations,
            result: result,
            kind: failure.kind
        )
        guard shrinker.accepts(scenario, choices.deviations) else { return nil }
        if !failure.kind.isLaw { shrinker.mustHoldNaturally = !shrinker.failsNaturally(scenario) }
        while shrinker.shrinkOnce() && shrinker.runCount < limit {}
        return ShrunkFailure(
            scenario: shrinker.scenario,
            deviations: shrinker.deviations,
            result: shrinker.result,
            runCount: shrinker.runCount
        )
    }

    /// Tries everything that could be taken away once; returns whether something was.
    private mutating func shrinkOnce() -> Bool {
        var hasShrunk = removeDeviations()
        guard extent != .choices else { return hasShrunk }
        for index in scenario.steps.indices.reversed() where scenario.steps.count > 1 {
            guard index < scenario.steps.count else { continue }
            var smaller = scenario
            smaller.steps.remove(at: index)
            if tries(smaller) { hasShrunk = true }
        }
        for index in scenario.steps.indices {
            for smaller in smaller(scenario.steps[index]) {
                var candidate = scenario
                candidate.steps[index] = smaller
                if tries(candidate) {
                    hasShrunk = true
                    break
                }
            }
        }
        return hasShrunk
    }

    private mutating func removeDeviations() -> Bool {
        var hasShrunk = false
        var size = deviations.count
        while size > 0 {
            var start = 0
            while start < deviations.count {
                var fewer = deviations
                fewer.removeSubrange(start..<min(start + size, fewer.count))
                if accepts(scenario, fewer) {
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return hasShrunk
    }

    /// Returns the step with one thing less or smaller, the largest reduction first.
    private func smaller(_ step: Step) -> [Step] {
        func with(_ action: StepAction) -> Step {
            var smaller = step
            smaller.action = action
            return smaller
        }
        switch step.action {
        case .race(let within, let branches):
            var candidates: [Step] = []
            if branches.count > 2 {
                for index in branches.indices {
                    var fewer = branches
                    fewer.remove(at: index)
                    candidates.append(with(.race(within: within, fewer)))
                }
            }
            guard extent == .everything else { return candidates }
            for shorter in Self.shorter(within) {
                candidates.append(with(.race(within: shorter, branches)))
            }
            for index in branches.indices {
                for branch in smaller(branches[index]) {
                    var other = branches
                    other[index] = branch
                    candidates.append(with(.race(within: within, other)))
                }
            }
            return candidates
        case .anyTime(let acts) where acts.count > 1:
            return Self.without(acts).map { with(.anyTime($0)) }
        case .sometime(let within, let acts):
            let fewer = Self.without(acts).map { with(.sometime(within: within, $0)) }
            guard extent == .everything else { return fewer }
            return fewer + Self.shorter(within).map { with(.sometime(within: $0, acts)) }
        case .faultPoints(let points):
            return Self.without(points).map { with(.faultPoints($0)) }
        case .wait(let duration) where extent == .everything:
            return Self.shorter(duration).map { with(.wait($0)) }
        case .swipe(var swipe) where extent == .everything:
            guard swipe.card != "visa" else { return [] }
            swipe.card = "visa"
            return [with(.swipe(swipe))]
        case .charge(var charge) where extent == .everything:
            let plain = Amount(minorUnits: 100)
            guard charge.amount != plain else { return [] }
            charge.amount = plain
            return [with(.charge(charge))]
        default:
            return []
        }
    }

    /// Returns the lists with one item less, none of them empty.
    private static func without<Item>(_ items: [Item]) -> [[Item]] {
        guard items.count > 1 else { return [] }
        return items.indices.map { index in
            var fewer = items
            fewer.remove(at: index)
            return fewer
        }
    }

    /// Returns shorter durations that are still whole milliseconds.
    private static func shorter(_ duration: VirtualDuration) -> [VirtualDuration] {
        let milliseconds = duration.nanoseconds / 1_000_000
        return [1, milliseconds / 10, milliseconds / 2].filter { $0 > 0 && $0 < milliseconds }
            .map { .milliseconds($0) }
    }

    // MARK: Trying

    /// Tries a smaller scenario: with the deviations as they are, or else with others that bring
    /// the failure back.
    private mutating func tries(_ candidate: Scenario) -> Bool {
        if mustHoldNaturally && failsNaturally(candidate) { return false }
        if accepts(candidate, deviations) { return true }
        guard runCount < limit else { return false }
        let before = runCount
        let kind = kind
        var failing: [ScheduleDeviation]?
        let found = Search.play(
            PreparedScenario(candidate),
            options: options,
            strategy: .exhaustive,
            budget: SearchBudget(runCount: min(200, limit - runCount)),
            cache: cache
        ) { result in
            guard let failure = result.firstFailure else { return true }
            if failure.result.failures.first?.kind == kind {
                failing = failure.result.choices.taken.deviations
            }
            return false
        }
        runCount = before + found.runCount + found.redundantCount
        // A step less is worth any other order; shorter times are not worth a longer one.
        guard let failing,
            failing.count <= deviations.count || candidate.stepCount < scenario.stepCount
        else { return false }
        return accepts(candidate, failing)
    }

    /// Takes a scenario and its deviations over if they fail in the same way.
    private mutating func accepts(
        _ candidate: Scenario,
        _ candidateDeviations: [ScheduleDeviation]
    ) -> Bool {
        let played = run(candidate, candidateDeviations)
        guard played.failures.first?.kind == kind,
            played.choices.missingDeviations.isEmpty
        else { return false }
        scenario = candidate
        deviations = candidateDeviations
        result = played
        return true
    }

    private mutating func failsNaturally(_ candidate: Scenario) -> Bool {
        run(candidate, []).failures.first?.kind == kind
    }

    private mutating func run(
        _ candidate: Scenario,
        _ deviations: [ScheduleDeviation]
    ) -> RunResult {
        runCount += 1
        var options = options
        options.choices = .keyed(deviations)
        return play(
            PreparedScenario(candidate),
            on: Rig(RigConfiguration(candidate.rig, options: options), cache: cache)
        )
    }
}

extension Scenario {
    /// How many steps there are, those inside others included.
    fileprivate var stepCount: Int {
        func count(_ steps: [Step]) -> Int {
            steps.reduce(0) { $0 + 1 + count($1.action.innerSteps) }
        }
        return count(steps)
    }
}

extension RunFailure.Kind {
    fileprivate var isLaw: Bool {
        if case .law = self { true } else { false }
    }
}
