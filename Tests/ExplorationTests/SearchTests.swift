import CardCrypto
import CardData
import EventLoops
import Exploration
import Rig
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

    /// A reader that renews its request for ever, and an act that may come at any moment.
    private static let endless = """
        scenario: endless
        rig: { reader: shuttle }
        events: loose
        steps:
          - plug in
          - any time: { swipe: visa }
          - wait: 8s
        """

    @Test(arguments: [SearchStrategy.priorities, .random])
    func whatRenewsItselfForEverDoesNotKeepAnOpenActFromComing(strategy: SearchStrategy) throws {
        let found = try search(Self.endless, strategy, 40) { $0.bounds.eventCount = 5_000 }
        #expect(found.runCount == 40)
        #expect(found.firstFailure?.result.failures.map(\.explanation) == nil)
        #expect(found.longestChoiceCount < 100)
    }

    @Test(arguments: SearchStrategy.allCases)
    func aSearchThatIsNotWantedEndsInsideOfARun(strategy: SearchStrategy) throws {
        let long = Self.endless.replacing("8s", with: "90000s")
        var askedCount = 0
        let found = try search(long, strategy, 3) { _ in
        } isWanted: {
            askedCount += 1
            return false
        }
        #expect(askedCount == 1)
        #expect(found.runCount == 0 && found.redundantCount == 0)
        #expect(!found.isComplete && found.outcomes.isEmpty && found.failedCount == 0)
    }

    @Test func branchesThatOnlyExploredOrdersTakeAreCovered() throws {
        let text = """
            scenario: two ends
            rig: { reader: shuttle, sdk: { alwaysAcceptSwipe: false } }
            steps:
              - plug in
              - await: { deviceActivationFinished: { result: success } }
              - call: requestSwipe
              - expect: deviceBecameReadyForSwipe
              - race: { within: 3s, of: [swipe: visa, call: cancelSwipeRequest] }
              - settle
              - expect-any:
                  - [didSwipeCard, deviceBecameUnreadyForSwipe: { reason: swipeDone }]
                  - [deviceBecameUnreadyForSwipe: { reason: canceled }]
            """
        let parsed = ScenarioParser.parse(file: "search.yaml", bytes: Array(text.utf8))
        let prepared = PreparedScenario(try #require(parsed.scenario))
        let configuration = RigConfiguration(prepared.scenario.rig, options: RigOptions())
        var own = ScenarioRunner.play(prepared, on: Rig(configuration, cache: CryptoCache()))
        var coverage = BranchCoverage()
        coverage.expect(prepared)
        coverage.note(own, of: prepared)
        #expect(coverage.unreached.count == 1)
        own.explored = try search(text, .random, 40).takenPlaces
        coverage.note(own, of: prepared)
        #expect(coverage.unreached.isEmpty)
    }

    private func search(
        _ text: String,
        _ strategy: SearchStrategy,
        _ runs: Int,
        _ change: (inout RigOptions) -> Void = { _ in },
        isWanted: @escaping () -> Bool = { true }
    ) throws -> SearchResult {
        let parsed = ScenarioParser.parse(file: "search.yaml", bytes: Array(text.utf8))
        #expect(parsed.diagnostics.map(\.message.description) == [])
        let scenario = try #require(parsed.scenario)
        var options = RigOptions(packetByteCount: 64)
        change(&options)
        return Search.play(
            PreparedScenario(scenario),
            options: options,
            strategy: strategy,
            budget: SearchBudget(runCount: runs),
            cache: CryptoCache(),
            isWanted: isWanted
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
