import CardCrypto
import EventLoops
import Exploration
import Rig
import SDKCore
import ScenarioLanguage
import ScenarioRunner
import Testing

/// Mistakes that only some orders show: every strategy finds them, and what is left after shrinking
/// holds nothing that is not needed.
@Suite("Planted bugs")
struct PlantedBugTests {
    /// A mistake, the scenario whose orders show it, and the most deviations it takes.
    struct Bug: Sendable, CustomTestStringConvertible {
        var plant: Plant
        var scenario: String
        var deviationCount: Int

        var testDescription: String { "\(plant.name) in \(scenario)" }
    }

    static let bugs: [Bug] = [
        Bug(plant: .repeatsARecord, scenario: "idynamo-record-twice", deviationCount: 1),
        Bug(plant: .keepsBytesAcrossSessions, scenario: "idynamo-pull-out", deviationCount: 1),
        Bug(plant: .keepsBytesAcrossSessions, scenario: "dynamag-pull-out", deviationCount: 1),
        Bug(plant: .losesEventsWithoutDelegate, scenario: "idynamo-delegate", deviationCount: 1),
        Bug(plant: .skipsDisconnected, scenario: "idynamo-leaves", deviationCount: 1),
        Bug(plant: .chargesAgain, scenario: "nmi-charge-faults", deviationCount: 1),
        Bug(plant: .neverLooksUp, scenario: "nmi-charge-faults", deviationCount: 1),
        Bug(plant: .waitsForEver, scenario: "nmi-void-faults", deviationCount: 1),
        Bug(plant: .takesGarbageForDecline, scenario: "nmi-look-ups-lost", deviationCount: 1),
        Bug(plant: .believesLostLookUps, scenario: "nmi-look-ups-lost", deviationCount: 2),
        Bug(plant: .believesTwoLostLookUps, scenario: "nmi-look-ups-lost", deviationCount: 3),
    ]

    private static let seeds: ClosedRange<UInt64> = 1...5

    private func search(
        _ bug: Bug,
        _ strategy: SearchStrategy,
        seed: UInt64 = 1
    ) throws -> SearchResult {
        Search.play(
            try RaceFiles.prepared(bug.scenario),
            options: RigOptions(plant: bug.plant),
            strategy: strategy,
            budget: SearchBudget(runCount: 2_000, depth: 3, seed: seed),
            cache: CryptoCache()
        ) { $0.failedCount == 0 }
    }

    @Test(arguments: bugs)
    func everyStrategyFindsIt(bug: Bug) throws {
        var counts: [String] = []
        for strategy in SearchStrategy.allCases {
            var runCounts: [Int] = []
            for seed in Self.seeds {
                let found = try search(bug, strategy, seed: seed)
                #expect(found.firstFailure != nil, "\(strategy.rawValue), seed \(seed)")
                runCounts.append(found.runCount + found.redundantCount)
            }
            runCounts.sort()
            let median = runCounts[runCounts.count / 2]
            #expect(median <= 100, "\(strategy.rawValue)")
            counts.append("\(strategy.rawValue) \(median)")
        }
        print("\(bug.plant.name): runs until found, median: " + counts.joined(separator: ", "))
    }

    @Test(arguments: bugs)
    func theNaturalOrderDoesNotShowIt(bug: Bug) throws {
        let prepared = try RaceFiles.prepared(bug.scenario)
        #expect(played(prepared.scenario, [], bug.plant) == nil)
    }

    @Test(arguments: bugs)
    func nothingCanBeTakenFromTheShrunkOrder(bug: Bug) throws {
        let scenario = try RaceFiles.prepared(bug.scenario).scenario
        let failure = try #require(try search(bug, .random).firstFailure)
        let kind = try #require(failure.result.failures.first?.kind)
        let shrunk = try #require(
            Shrinker.shrink(
                scenario,
                choices: failure.result.choices.taken,
                result: failure.result,
                options: RigOptions(plant: bug.plant),
                cache: CryptoCache()
            )
        )
        print(
            "\(bug.testDescription): \(shrunk.deviations.count) deviations, "
                + "\(shrunk.scenario.steps.count) steps, \(shrunk.runCount) runs to shrink"
        )
        #expect(shrunk.deviations.count <= bug.deviationCount)
        if bug.deviationCount > 1 { #expect(shrunk.deviations.count == bug.deviationCount) }
        #expect(played(shrunk.scenario, shrunk.deviations, bug.plant) == kind)
        for index in shrunk.deviations.indices {
            var fewer = shrunk.deviations
            fewer.remove(at: index)
            #expect(played(shrunk.scenario, fewer, bug.plant) != kind)
        }
        for index in shrunk.scenario.steps.indices where shrunk.scenario.steps.count > 1 {
            var smaller = shrunk.scenario
            smaller.steps.remove(at: index)
            #expect(played(smaller, shrunk.deviations, bug.plant) != kind)
        }
    }

    private func played(
        _ scenario: Scenario,
        _ deviations: [ScheduleDeviation],
        _ plant: Plant
    ) -> RunFailure.Kind? {
        let options = RigOptions(choices: .keyed(deviations), plant: plant)
        let result = play(
            PreparedScenario(scenario),
            on: Rig(RigConfiguration(scenario.rig, options: options), cache: CryptoCache())
        )
        return result.choices.missingDeviations.isEmpty ? result.failures.first?.kind : nil
    }
}
