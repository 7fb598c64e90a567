import CardCrypto
import CardData
import EventLoops
import Exploration
import Journal
import SDKCore
import Rig
import ScenarioLanguage
import ScenarioRunner
import Testing

@Suite("Shrinker")
struct ShrinkerTests {
    /// A swipe, then pull out, put back and swipe again: with noise around it.
    static let text = """
        scenario: a swipe is lost between two others
        rig: { reader: dynamag }
        events: loose
        steps:
          - plug in
          - wait: 2s
          - swipe: { card: mastercard }
          - settle
          - race:
              within: 300ms
              of:
                - swipe: { card: amex }
                - unplug
                - plug in
          - settle
          - swipe: { card: visa }
          - settle
        """

    private func prepared() throws -> PreparedScenario {
        let parsed = ScenarioParser.parse(file: "shrink.yaml", bytes: Array(Self.text.utf8))
        #expect(parsed.diagnostics.map(\.message.description) == [])
        return PreparedScenario(try #require(parsed.scenario))
    }

    private func options(_ plant: Plant?) -> RigOptions {
        RigOptions(packetByteCount: 64, plant: plant)
    }

    @Test(arguments: [Plant.keepsBytesAcrossSessions, .skipsUnready, .skipsDeactivated])
    func aPlantedMistakeIsFoundAndNothingMoreCanBeTakenAway(plant: Plant) throws {
        let cache = CryptoCache()
        let prepared = try prepared()
        let found = Search.play(
            prepared,
            options: options(plant),
            strategy: .exhaustive,
            budget: SearchBudget(runCount: 5_000),
            cache: cache
        ) { $0.firstFailure == nil }
        let failure = try #require(found.firstFailure)
        let shrunk = try #require(
            Shrinker.shrink(
                prepared.scenario,
                choices: failure.result.choices.taken,
                result: failure.result,
                options: options(plant),
                cache: cache
            )
        )
        #expect(shrunk.scenario.steps.count < prepared.scenario.steps.count)
        #expect(shrunk.result.failures.first?.kind == failure.result.failures.first?.kind)
        for index in shrunk.deviations.indices {
            var fewer = shrunk.deviations
            fewer.remove(at: index)
            let again = play(fewer, shrunk.scenario, plant, cache)
            #expect(again.failures.first?.kind != failure.result.failures.first?.kind)
        }
        for index in shrunk.scenario.steps.indices where shrunk.scenario.steps.count > 1 {
            var smaller = shrunk.scenario
            smaller.steps.remove(at: index)
            let again = Search.play(
                PreparedScenario(smaller),
                options: options(plant),
                strategy: .exhaustive,
                budget: SearchBudget(runCount: 200),
                cache: cache
            )
            #expect(
                again.firstFailure?.result.failures.first?.kind
                    != failure.result.failures.first?.kind
            )
        }
    }

    @Test func aScheduleComesBackFromItsText() throws {
        let cache = CryptoCache()
        let plant = Plant.keepsBytesAcrossSessions
        let found = Search.play(
            try prepared(),
            options: options(plant),
            strategy: .random,
            budget: SearchBudget(runCount: 5_000),
            cache: cache
        ) { $0.firstFailure == nil }
        let failure = try #require(found.firstFailure)
        let deviations = failure.result.choices.taken.deviations
        let text = Schedule(scenarioHash: 7, deviations: deviations).text
        let read = try Schedule(parsing: text)
        #expect(read.deviations == deviations && read.scenarioHash == 7)
        let again = play(read.deviations, try prepared().scenario, plant, cache)
        #expect(again.choices.missingDeviations.isEmpty)
        var first = failure.result.journal
        var second = again.journal
        #expect(first.canonicalFingerprint() == second.canonicalFingerprint())
    }

    @Test(arguments: ["", "1:0:", "2:0000000000000007:", "1:0000000000000007:1.2>3", "1:zz:"])
    func aWrongScheduleIsRefused(text: String) {
        #expect(throws: ScheduleError.self) { try Schedule(parsing: text) }
    }

    private func play(
        _ deviations: [ScheduleDeviation],
        _ scenario: Scenario,
        _ plant: Plant,
        _ cache: CryptoCache
    ) -> RunResult {
        var options = options(plant)
        options.choices = .keyed(deviations)
        return ScenarioRunner.play(
            PreparedScenario(scenario),
            on: Rig(RigConfiguration(scenario.rig, options: options), cache: cache)
        )
    }
}
