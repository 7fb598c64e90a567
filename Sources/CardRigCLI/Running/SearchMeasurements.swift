import CardCrypto
import Exploration
import Kernel
import Reporting
import SDKCore
import ScenarioLanguage
import ScenarioRunner

/// Measurements of the explorer on its own scenarios: how soon it finds what is hard to find, how
/// many orders it plays in a second, and whether a long search stays as fast and as small.
///
/// Times of computing are processor time, so that a busy machine changes little.
struct SearchMeasurements {
    private static let hardPlant = Plant.believesTwoLostLookUps
    private static let hardScenario = "races/nmi-look-ups-lost.yaml"
    private static let raceScenario = "races/dynamag-pull-out.yaml"
    private static let seeds: ClosedRange<UInt64> = 1...20
    /// Within how many nanoseconds the hard mistake is to be found and made small.
    private static let longestFind: Int64 = 1_000_000_000
    /// How long the rate is measured, in nanoseconds.
    private static let ratePeriod: Int64 = 2_000_000_000
    /// How many runs of a long search come between two looks at the clock.
    private static let runsPerLook = 64

    let streams: Streams
    /// How long the long search lasts, in nanoseconds of real time.
    let nanoseconds: Int64

    /// Measures everything and prints a line for each.
    func run() -> ExitCode {
        let files = ScenarioFiles([]).files
        func prepared(_ name: String) -> PreparedScenario? {
            let file = files.first { $0.hasSuffix("/" + name) }
            return file.flatMap { LoadedScenario(file: $0).cells.first?.prepared }
        }
        guard let hard = prepared(Self.hardScenario), let race = prepared(Self.raceScenario) else {
            streams.complain("the scenarios of races are not there")
            return .wrong
        }
        var code = ExitCode.held
        for strategy in [SearchStrategy.priorities, .random] {
            code = code.combined(with: find(hard, strategy))
        }
        code = code.combined(with: measureRate(of: race))
        return code.combined(with: searchLong(race))
    }

    private func line(_ isGood: Bool, _ text: String) -> ExitCode {
        let mark = isGood ? streams.style.passed("ok  ") : streams.style.failed("FAIL")
        streams.write("\(mark) \(text)\n")
        return isGood ? .held : .failed
    }

    /// Finds a mistake that takes three deviations, and makes it small, once for each seed.
    private func find(_ prepared: PreparedScenario, _ strategy: SearchStrategy) -> ExitCode {
        let options = RigOptions(plant: Self.hardPlant)
        var times: [Int64] = []
        for seed in Self.seeds {
            let began = ProcessorClock.now
            let cache = CryptoCache()
            let found = Search.play(
                prepared,
                options: options,
                strategy: strategy,
                budget: SearchBudget(runCount: 20_000, depth: 3, seed: seed),
                cache: cache
            ) { $0.failedCount == 0 }
            guard let result = found.firstFailure?.result,
                let failure = ExploredFailure(result, of: prepared, options: options, cache: cache),
                failure.failing.deviations.count == 3
            else { continue }
            times.append(ProcessorClock.now - began)
        }
        times.sort()
        let median = times.isEmpty ? 0 : times[times.count / 2]
        return line(
            times.count == Self.seeds.count && median < Self.longestFind,
            "\(strategy.rawValue): \(Self.hardPlant.name) found and made small with "
                + "\(times.count) of \(Self.seeds.count) seeds, median "
                + "\(Self.milliseconds(median)) ms, slowest \(Self.milliseconds(times.last ?? 0)) ms"
        )
    }

    /// Plays every order of the race again and again.
    private func measureRate(of prepared: PreparedScenario) -> ExitCode {
        let cache = CryptoCache()
        var runCount = 0
        var isComplete = true
        let began = ProcessorClock.now
        var now = began
        while now - began < Self.ratePeriod, isComplete {
            let found = Search.play(
                prepared,
                options: RigOptions(),
                strategy: .bruteForce,
                budget: SearchBudget(runCount: 20_000),
                cache: cache
            )
            runCount += found.runCount
            isComplete = found.isComplete && found.failedCount == 0
            now = ProcessorClock.now
        }
        let rate = Self.rate(runCount, now - began)
        return line(isComplete, "\(prepared.scenario.file): \(rate) schedules/s on one core")
    }

    /// Searches at random and looks at memory and rate in the first and the last tenth.
    private func searchLong(_ prepared: PreparedScenario) -> ExitCode {
        struct Look {
            var runCount = 0
            var time = ProcessorClock.now
            var byteCount = ProcessMemory.residentByteCount ?? 0
        }
        let began = MonotonicClock.now
        // At the beginning, after a tenth and after nine of them.
        var looks = [Look()]
        let places = [nanoseconds / 10, nanoseconds / 10 * 9]
        let found = Search.play(
            prepared,
            options: RigOptions(),
            strategy: .random,
            budget: SearchBudget(runCount: .max),
            cache: CryptoCache()
        ) { found in
            guard found.runCount % Self.runsPerLook == 0 else { return true }
            let elapsed = MonotonicClock.now - began
            if looks.count <= places.count, elapsed >= places[looks.count - 1] {
                looks.append(Look(runCount: found.runCount))
            }
            return elapsed < nanoseconds
        }
        looks.append(Look(runCount: found.runCount))
        guard looks.count == 4 else { return line(false, "random: too short to be measured") }
        func rate(_ first: Look, _ last: Look) -> Int {
            Self.rate(last.runCount - first.runCount, last.time - first.time)
        }
        let early = rate(looks[0], looks[1])
        let late = rate(looks[2], looks[3])
        let isFlat = looks[3].byteCount <= looks[1].byteCount + looks[1].byteCount / 10
        return line(
            isFlat && late > early / 2 && found.failedCount == 0,
            "random for \(nanoseconds / 1_000_000_000) s: \(found.runCount) runs; first tenth "
                + "\(early)/s, \(looks[1].byteCount >> 10) KiB resident; last tenth \(late)/s, "
                + "\(looks[3].byteCount >> 10) KiB"
        )
    }

    private static func rate(_ count: Int, _ nanoseconds: Int64) -> Int {
        count * 1_000_000 / max(1, Int(nanoseconds / 1_000))
    }

    private static func milliseconds(_ nanoseconds: Int64) -> String {
        let tenths = nanoseconds / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
