import EventLoops
import Journal
import Rig
import ScenarioLanguage
import ScenarioRunner
import Testing

@Suite("Scenario player")
struct ScenarioPlayerTests {
    private static let plugAndSwipe = """
        scenario: A swipe
        rig: { reader: idynamo }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - swipe: { card: visa }
          - expect: didSwipeCard
        """

    private func kinds(_ result: RunResult) -> [RunFailure.Kind] { result.failures.map(\.kind) }

    // MARK: Bounds

    @Test(arguments: [1, 2])
    func aRunOfTooManyEventsEndsWithItsBound(eventCount: Int) throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: A Dynamag sends many packets
                rig: { reader: dynamag }
                steps:
                  - plug in
                  - await: deviceBecameReadyForSwipe
                  - swipe: { card: visa }
                  - expect: didSwipeCard
                """,
            RigOptions(bounds: .init(eventCount: eventCount))
        )
        #expect(kinds(result) == [.bound])
        #expect(
            result.failures.first?.explanation
                == "the run took \(eventCount) events and was not over"
        )
        #expect(result.failures.first?.location?.line == 7)
        #expect(result.eventCount == eventCount)
    }

    @Test func aRunThatIsOverTimeEndsWithItsBound() throws {
        let result = try ScenarioFolder.play(
            text: Self.plugAndSwipe,
            RigOptions(bounds: .init(latest: .zero + .milliseconds(35)))
        )
        #expect(kinds(result) == [.bound])
        #expect(result.failures.first?.explanation == "the run was not over after 35 ms")
    }

    @Test func aRunWithTooMuchPendingEndsWithItsBound() throws {
        let result = try ScenarioFolder.play(
            text: Self.plugAndSwipe,
            RigOptions(bounds: .init(pendingCount: 1))
        )
        #expect(kinds(result) == [.bound])
        #expect(
            result.failures.first?.explanation == "more than 1 events were pending at once"
        )
    }

    // MARK: Checks and time

    @Test func aWaitTakesItsTime() throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: An hour
                rig: { reader: idynamo }
                steps:
                  - wait: 3600s
                """
        )
        #expect(result.hasPassed)
        #expect(result.duration == .seconds(3_600))
    }

    @Test func aCheckWithoutALimitGivesUpWhenNothingIsPending() throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: Nobody swipes
                rig: { reader: idynamo }
                steps:
                  - plug in
                  - await: didSwipeCard
                """
        )
        #expect(kinds(result) == [.check])
        #expect(result.failures.first?.location?.line == 5)
        #expect(result.duration < .seconds(1))
    }

    @Test func aCheckWithALimitWaitsForIt() throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: Nobody swipes for a while
                rig: { reader: idynamo }
                steps:
                  - plug in
                  - await: { didSwipeCard: {}, within: 7s }
                """
        )
        #expect(kinds(result) == [.check])
        #expect(result.duration == .seconds(7))
    }

    @Test func aChargeWithoutACardNamesItsLine() throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: No card
                rig: { reader: idynamo, gateway: nmi }
                steps:
                  - charge: { amount: 1.00 }
                """
        )
        #expect(kinds(result) == [.step])
        #expect(result.failures.first?.location?.line == 4)
    }

    @Test func aVoidWithoutAChargeNamesItsLine() throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: Nothing to void
                rig: { reader: idynamo, gateway: nmi }
                steps:
                  - void
                """
        )
        #expect(kinds(result) == [.step])
        #expect(result.failures.first?.location?.line == 4)
    }

    @Test func whatMustNotComeEndsTheRunWhereItComes() throws {
        let result = try ScenarioFolder.play(
            text: Self.plugAndSwipe + "\nnever:\n  - deviceActivationFinished\n"
        )
        #expect(kinds(result) == [.never])
        #expect(result.failures.first?.location?.line == 9)
        #expect(result.duration == .zero)
    }

    @Test func theEventThatNoStepTookIsNamed() throws {
        let text = """
            scenario: Overlooked
            rig: { reader: idynamo }
            steps:
              - plug in
              - expect: [deviceConnected, deviceActivationFinished]
            """
        let result = try ScenarioFolder.play(text: text)
        #expect(kinds(result) == [.unexpected])
        let sequence = try #require(result.failures.first?.sequence)
        #expect(result.journal.record(sequence)?.name == .deviceBecameReadyForSwipe)
        #expect(try ScenarioFolder.play(text: text + "\nevents: loose").hasPassed)
    }

    @Test func theWrongMoneyIsAFailureOfItsLine() throws {
        let result = try ScenarioFolder.play(
            text: """
                scenario: No charge
                rig: { reader: idynamo, gateway: nmi }
                steps:
                  - wait: 1s
                outcome:
                  charges:
                    - { type: sale, amount: 1.00 }
                  requests: 3
                """
        )
        #expect(kinds(result) == [.outcome, .outcome])
    }

    @Test func recordsNameTheStepThatCausedThem() throws {
        let result = try ScenarioFolder.play(text: Self.plugAndSwipe)
        func step(_ name: RecordName) -> Int? {
            result.journal.readable.first { $0.name == name }?.step
        }
        #expect(result.hasPassed)
        #expect(step(.deviceConnected) == 0)
        #expect(step(.cardSwiped) == 2)
        #expect(step(.didSwipeCard) == 2)
    }

    @Test func aJournalThatForgetsGivesTheSameVerdict() throws {
        var steps = ""
        for _ in 0..<40 {
            steps += """

                  - plug in
                  - expect: [deviceConnected, deviceActivationFinished, deviceBecameReadyForSwipe]
                  - swipe: { card: visa }
                  - expect: didSwipeCard
                  - unplug
                  - expect:
                      - deviceBecameUnreadyForSwipe
                      - deviceDeactivated
                      - deviceDisconnected
                """
        }
        let text = "scenario: Forty sessions\nrig: { reader: idynamo }\nsteps:" + steps + "\n"
        let result = try ScenarioFolder.play(text: text, RigOptions(journalCapacity: 16))
        #expect(result.failures.map(\.explanation) == [])
        #expect(result.journal.readable.count <= 32 && result.journal.count > 400)
    }

    @Test func aRaceTakesEachOfItsStepsOnceInItsWindow() throws {
        let text = """
            scenario: Two hands
            rig: { readers: { left: idynamo, right: idynamo } }
            steps:
              - race:
                  within: 100ms
                  of: [{ plug in: left }, { plug in: right }]
            events: loose
            """
        var firstReaders: Set<AttributeValue> = []
        for seed in 0..<20 as Range<UInt64> {
            let result = try ScenarioFolder.play(text: text, RigOptions(choices: .seeded(seed)))
            #expect(result.hasPassed)
            let plugs = result.journal.readable.filter { $0.name == .pluggedIn }
            #expect(plugs.count == 2)
            #expect(plugs.allSatisfy { $0.time <= .zero + .milliseconds(100) })
            if let first = plugs.first, let reader = result.journal.value(.reader, of: first) {
                firstReaders.insert(reader)
            }
        }
        #expect(firstReaders == [.reader(0), .reader(1)])
    }
}
