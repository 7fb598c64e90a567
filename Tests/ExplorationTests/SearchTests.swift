import CardCrypto
import CardData
import Exploration
import ScenarioLanguage
import ScenarioRunner
import Testing

@Suite("Search")
struct SearchTests {
    static let scenarios: [(name: String, text: String)] = [
        (
            "pull-out",
            """
            scenario: pull-out
            rig: { reader: dynamag }
            events: loose
            steps:
              - plug in
              - race: { within: 300ms, of: [{ swipe: { card: visa } }, unplug, plug in] }
              - settle
            """
        ),
        (
            "two readers",
            """
            scenario: two readers
            rig: { readers: { left: idynamo, right: idynamo } }
            events: loose
            steps:
              - plug in: left
              - plug in: right
              - race:
                  within: 300ms
                  of:
                    - swipe: { reader: left, card: visa }
                    - swipe: { reader: right, card: visa }
                    - unplug: left
                    - unplug: right
              - settle
            """
        ),
        (
            "two plugs",
            """
            scenario: two plugs
            rig: { readers: { left: idynamo, right: idynamo } }
            events: loose
            steps:
              - plug in: left
              - plug in: right
              - race:
                  within: 50ms
                  of:
                    - swipe: { reader: left, card: visa }
                    - swipe: { reader: right, card: visa }
              - settle
            """
        ),
        (
            "charge and unplug",
            """
            scenario: charge and unplug
            rig: { reader: idynamo, gateway: nmi }
            events: loose
            steps:
              - plug in
              - swipe: { card: visa }
              - await: didSwipeCard
              - race: { within: 300ms, of: [{ charge: 10.99 }, unplug, { swipe: { card: visa } }] }
              - settle
            """
        ),
    ]

    private func search(
        _ text: String,
        _ strategy: SearchStrategy,
        _ runs: Int
    ) throws -> SearchResult {
        let parsed = ScenarioParser.parse(file: "search.yaml", bytes: Array(text.utf8))
        #expect(parsed.diagnostics.map(\.message.description) == [])
        let scenario = try #require(parsed.scenario)
        return Search.play(
            PreparedScenario(scenario),
            options: RigOptions(packetByteCount: 64),
            strategy: strategy,
            budget: SearchBudget(runCount: runs),
            cache: CryptoCache()
        )
    }

    @Test(arguments: scenarios)
    func reductionLosesNoJournalAndNoOutcome(scenario: (name: String, text: String)) throws {
        let all = try search(scenario.text, .bruteForce, 60_000)
        let reduced = try search(scenario.text, .exhaustive, 60_000)
        #expect(reduced.isComplete)
        #expect(reduced.journals.count == all.journals.count)
        #expect(reduced.journals.map(\.fingerprint).elementsEqual(all.journals.map(\.fingerprint)))
        #expect(Set(reduced.outcomes.map(\.outcome)) == Set(all.outcomes.map(\.outcome)))
        #expect(reduced.runCount + reduced.redundantCount <= all.runCount)
    }
}
