public import CardCrypto
public import EventLoops
import Rig
import ScenarioLanguage
public import ScenarioRunner

/// A failing order made small, with the nearest order that holds.
public struct ExploredFailure: Sendable {
    /// An order of the scenario as its file says it.
    public struct Order: Sendable {
        /// Where it differs from the natural order.
        public var deviations: [ScheduleDeviation]
        /// What came of it.
        public var result: RunResult
    }

    /// The failing order of the whole scenario, with the fewest deviations found.
    public var failing: Order
    /// The order with the fewest different deviations that holds; `nil` when none was found.
    public var nearest: Order?
    /// The failure in the smallest scenario found, with its steps as they are in the file.
    public var smallest: ShrunkFailure
    /// The failure with its times and data made smaller besides.
    public var plainest: ShrunkFailure
    /// How many runs this took.
    public var runCount: Int

    /// Looks into a failure; `nil` when the order does not bring it back.
    ///
    /// - Parameters:
    ///   - result: The run that failed, its alternatives kept.
    ///   - prepared: The scenario.
    ///   - options: What the scenario leaves open; its source of choices is replaced.
    ///   - cache: The worker's crypto cache.
    ///   - limit: The most runs to spend on each way to make it small.
    public init?(
        _ result: RunResult,
        of prepared: PreparedScenario,
        options: RigOptions,
        cache: CryptoCache,
        limit: Int = 5_000
    ) {
        func shrink(_ extent: ShrinkExtent) -> ShrunkFailure? {
            Shrinker.shrink(
                prepared.scenario,
                choices: result.choices.taken,
                result: result,
                options: options,
                cache: cache,
                limit: limit,
                extent: extent
            )
        }
        guard let whole = shrink(.choices), let smallest = shrink(.steps),
            let plainest = shrink(.everything)
        else { return nil }
        failing = Order(deviations: whole.deviations, result: whole.result)
        self.smallest = smallest
        self.plainest = plainest
        var search = NearestPass(prepared: prepared, options: options, cache: cache)
        nearest = search.find(from: whole.deviations)
        runCount = whole.runCount + smallest.runCount + plainest.runCount + search.runCount
    }
}

/// Looks for the order that holds and differs least from one that fails.
private struct NearestPass {
    let prepared: PreparedScenario
    let options: RigOptions
    let cache: CryptoCache
    var runCount = 0
    private var best: (difference: Int, order: ExploredFailure.Order)?

    init(prepared: PreparedScenario, options: RigOptions, cache: CryptoCache) {
        self.prepared = prepared
        self.options = options
        self.cache = cache
    }

    mutating func find(from failing: [ScheduleDeviation]) -> ExploredFailure.Order? {
        for index in failing.indices.prefix(200).reversed() {
            var fewer = failing
            fewer.remove(at: index)
            consider(play(fewer), failing)
        }
        if best == nil { consider(play([]), failing) }
        if best == nil {
            for seed in UInt64(1)...200 { consider(play(.walking(seed)), failing) }
        }
        return best?.order
    }

    private mutating func consider(_ result: RunResult, _ failing: [ScheduleDeviation]) {
        guard result.hasPassed else { return }
        let deviations = result.choices.taken.deviations
        let difference =
            deviations.count { !failing.contains($0) } + failing.count { !deviations.contains($0) }
        guard difference < best?.difference ?? .max else { return }
        best = (difference, ExploredFailure.Order(deviations: deviations, result: result))
    }

    private mutating func play(_ deviations: [ScheduleDeviation]) -> RunResult {
        play(.keyed(deviations))
    }

    private mutating func play(_ choices: ChoiceSource) -> RunResult {
        runCount += 1
        var options = options
        options.choices = choices
        return ScenarioRunner.play(
            prepared,
            on: Rig(RigConfiguration(prepared.scenario.rig, options: options), cache: cache)
        )
    }
}
