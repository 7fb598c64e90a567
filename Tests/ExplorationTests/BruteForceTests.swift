import CardCrypto
import CardData
import EventLoops
import Exploration
import Journal
import Rig
import ScenarioLanguage
import ScenarioRunner
import Testing

@Suite("Brute force")
struct BruteForceTests {
    private func prepared(_ text: String) throws -> PreparedScenario {
        let parsed = ScenarioParser.parse(file: "text", bytes: Array(text.utf8))
        #expect(parsed.diagnostics.map(\.message.description) == [])
        return PreparedScenario(try #require(parsed.scenario))
    }

    private func search(
        _ prepared: PreparedScenario,
        options: RigOptions,
        limit: Int,
        goesOn: (SearchResult) -> Bool = { _ in true }
    ) -> SearchResult {
        Search.play(
            prepared,
            options: options,
            strategy: .bruteForce,
            budget: SearchBudget(runCount: limit),
            cache: CryptoCache(),
            goesOn: goesOn
        )
    }

    private static let pullOut = """
        scenario: The reader is pulled out while a swipe is on its way
        rig: { reader: idynamo, gateway: nmi }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - race:
              within: 300ms
              of:
                - swipe: { card: visa }
                - unplug
          - settle
          - expect-any:
              - [didSwipeCard, deviceBecameUnreadyForSwipe, deviceDeactivated, deviceDisconnected]
              - [deviceBecameUnreadyForSwipe, deviceDeactivated, deviceDisconnected]
        outcome: { charges: none }
        """

    /// The orders, counted by hand: the hand pulls first; or the swipe goes first and the hand
    /// pulls before one of the things that follow it, or after them all.
    ///
    /// | reader | follows the swipe |
    /// | --- | --- |
    /// | iDynamo | one block |
    /// | Dynamag, packets of 64 | 14 packets |
    /// | Dynamag, packets of 8 | 111 packets, and twice the SDK's look whether they still come |
    @Test(arguments: [
        (ReaderKind.idynamo, 8, 1 + 2), (.dynamag, 64, 1 + 15), (.dynamag, 8, 1 + 114),
    ])
    func everyOrderOfThePullOutRaceHolds(
        kind: ReaderKind,
        packetByteCount: Int,
        orderCount: Int
    ) throws {
        var progress = 0
        let found = search(
            try prepared(Self.pullOut),
            options: RigOptions(simulatedAs: kind, packetByteCount: packetByteCount),
            limit: 10_000
        ) {
            progress = $0.runCount
            return true
        }
        #expect(found.isComplete)
        #expect(found.runCount == orderCount && progress == orderCount)
        #expect(found.failedCount == 0 && found.firstFailure == nil)
        // Pulled first; pulled while it is on its way; pulled when it is there.
        #expect(found.journals.count == 3)
        // Only the last order gives a card.
        #expect(found.outcomes.map(\.count).sorted(by: >) == [orderCount - 1, 1])
        #expect(Set(found.outcomes.map(\.outcome.cardCount)) == [0, 1])
        #expect(found.outcomes.allSatisfy { $0.outcome.ledger.isEmpty && $0.outcome.hasPassed })
    }

    @Test func aSearchEndsWhenNobodyWantsMore() throws {
        let found = search(
            try prepared(Self.pullOut),
            options: RigOptions(),
            limit: 10_000
        ) { $0.runCount < 2 }
        #expect(found.runCount == 2)
        #expect(!found.isComplete)
    }

    /// Swipe, pull out and put back in any order, as Dynamag with 14 packets. By hand: with the
    /// swipe first and the hand pulling after *k* packets, the plug goes to one of *k* + 1 places
    /// before (where it does nothing) or comes after: 120 + 15 orders. With the plug first, 15 and
    /// one more with the swipe last; with the pull first, 2.
    @Test func everyOrderOfPullingOutAndPuttingBackHolds() throws {
        let found = search(
            try prepared(
                """
                scenario: The reader is pulled out and put back while a swipe is on its way
                rig: { reader: dynamag }
                steps:
                  - plug in
                  - await: deviceBecameReadyForSwipe
                  - race:
                      within: 300ms
                      of: [swipe: { card: visa }, unplug, plug in]
                  - settle
                events: loose
                """
            ),
            options: RigOptions(packetByteCount: 64),
            limit: 10_000
        )
        #expect(found.isComplete)
        #expect(found.runCount == 120 + 15 + 15 + 1 + 2)
        #expect(found.failedCount == 0)
        // A card: pulled after the last packet (15 places of the plug before, 1 after), the same
        // with the plug first, and pulled and put back before the swipe.
        #expect(found.outcomes.map(\.count).sorted() == [18, 135])
        #expect(found.journals.count == 9)
    }

    @Test func theExampleOfAnOutcomeLeadsToIt() throws {
        let scenario = try prepared(Self.pullOut)
        let found = search(scenario, options: RigOptions(), limit: 100)
        for outcome in found.outcomes {
            let options = RigOptions(choices: .recorded(outcome.example))
            let rig = Rig(
                RigConfiguration(scenario.scenario.rig, options: options),
                cache: CryptoCache()
            )
            let result = play(scenario, on: rig)
            let cardCount = result.journal.readable.filter { $0.name == .didSwipeCard }.count
            #expect(cardCount == outcome.outcome.cardCount)
            #expect(result.choices.firstMisfit == nil)
        }
    }

    @Test func aLimitEndsTheSearchEarly() throws {
        let found = search(
            try prepared(Self.pullOut),
            options: RigOptions(simulatedAs: .dynamag),
            limit: 5
        )
        #expect(found.runCount == 5 && !found.isComplete)
    }

    @Test func anOrderThatBreaksAPromiseIsKept() throws {
        let text = Self.pullOut.replacing("      - [didSwipeCard, ", with: "      - [misuse, ")
        let found = search(try prepared(text), options: RigOptions(), limit: 100)
        #expect(found.runCount == 3 && found.failedCount == 1)
        let failure = try #require(found.firstFailure)
        #expect(failure.result.failures.first?.kind == .check)
        #expect(found.outcomes.first { !$0.outcome.hasPassed }?.example == failure.choices)
    }
}
