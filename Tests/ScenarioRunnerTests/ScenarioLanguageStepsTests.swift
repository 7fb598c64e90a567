import EventLoops
import Journal
import ScenarioLanguage
import ScenarioRunner
import Testing

/// What blocks, reactions, limits and addresses do in a run.
@Suite("Steps of the language")
struct ScenarioLanguageStepsTests {
    private func failures(_ steps: String, rig: String = "{ reader: idynamo }") throws -> [String] {
        let result = try ScenarioFolder.play(
            text: "scenario: a\nrig: \(rig)\nsteps:\n" + steps
        )
        return result.failures.map { "\($0.location?.line ?? 0): \($0.explanation)" }
    }

    private let ready = "  - plug in\n  - await: deviceBecameReadyForSwipe\n"

    // MARK: Checks

    @Test func untilLeavesItsRecordToTheNextCheck() throws {
        #expect(
            try failures(
                """
                  - plug in
                  - until: deviceBecameReadyForSwipe
                  - expect: deviceBecameReadyForSwipe
                """
            ) == []
        )
    }

    @Test func untilFailsWhenItsRecordDoesNotCome() throws {
        let failures = try failures("  - plug in\n  - until: misuse\n")
        #expect(failures.first == "5: expected misuse, but nothing more came")
    }

    @Test func unorderedTakesOverlappingPatternsInAnyOrder() throws {
        #expect(
            try failures(
                ready
                    + """
                      - swipe: { card: visa, quality: unreadable }
                      - swipe: visa
                      - unordered:
                          - didSwipeCard
                          - didSwipeCard: { card: none }
                    """
            ) == []
        )
    }

    @Test func unorderedFailsAtARecordThatFitsNothing() throws {
        let failures = try failures(
            "  - plug in\n  - unordered: [deviceConnected, deviceBecameReadyForSwipe]\n"
        )
        #expect(
            failures.first
                == "5: expected deviceBecameReadyForSwipe, found deviceActivationFinished "
                + "{ result: success, delegate: app }"
                || failures.first
                    == "5: expected deviceBecameReadyForSwipe, found deviceActivationFinished "
                    + "{ result: success }"
        )
    }

    @Test func aCheckThatIsMetTooEarlyFails() throws {
        let text =
            ready + "  - swipe: visa\n  - expect: { didSwipeCard: {}, not before: %, within: 2s }\n"
        #expect(try failures(text.replacing("%", with: "40ms")) == [])
        #expect(
            try failures(text.replacing("%", with: "41ms")) == [
                "7: expected didSwipeCard not before 41.000 ms, found it at 40.000 ms"
            ]
        )
    }

    @Test func countsHoldForTheWholeRunAndForEachRound() throws {
        let rounds = """
              - repeat:
                  times: 2
                  steps:
                    - swipe: visa
                    - expect: didSwipeCard
                    - count: { didSwipeCard: 1 }

            """
        #expect(try failures(ready + rounds + "  - count: { didSwipeCard: 2 }\n") == [])
        #expect(
            try failures(ready + rounds + "  - count: { of: didSwipeCard, at least: 3 }\n") == [
                "12: expected didSwipeCard at least 3 times, found 2"
            ]
        )
        #expect(
            try failures(ready + rounds.replacing("didSwipeCard: 1", with: "didSwipeCard: 2"))
                == ["11: expected didSwipeCard twice, found 1"]
        )
    }

    @Test func neverEndsWithItsBlock() throws {
        let block = """
              - do:
                  - never: didSwipeCard
                  - settle
              - swipe: visa
              - expect: didSwipeCard
            """
        #expect(try failures(ready + block) == [])
        let inside = block.replacing("settle\n", with: "swipe: visa\n      - settle\n")
        #expect(
            try failures(ready + inside).first?.hasPrefix("7: expected never didSwipeCard") == true
        )
    }

    @Test func aWrongPropertyIsNamed() throws {
        #expect(
            try failures("  - expect-state: { isConnected: true, isActivated: false }\n") == [
                "4: expected isConnected: true, found isConnected: false"
            ]
        )
    }

    // MARK: Blocks

    @Test func aRepeatEndsWhenItsRecordHasCome() throws {
        let steps = """
              - repeat:
                  until: { didSwipeCard: { card: none } }
                  steps:
                    - swipe: { card: visa, quality: unreadable }
                    - settle
              - count: { cardSwiped: 1 }
              - expect: didSwipeCard
            """
        #expect(try failures(ready + steps) == [])
    }

    @Test func aRepeatWhoseRecordDoesNotComeFails() throws {
        let steps = """
              - repeat:
                  times: 3
                  until: misuse
                  steps: [wait: 1ms]
            """
        #expect(
            try failures(ready + steps) == [
                "8: expected misuse in at most 3 rounds, but it did not come"
            ]
        )
    }

    @Test func repeatsInsideRepeatsEnd() throws {
        let inner = "repeat: { times: 10000, steps: [never: misuse] }"
        let failures = try failures(
            "  - repeat: { times: 10000, steps: [{ \(inner) }] }\n"
        )
        #expect(failures.map { $0.hasSuffix("took 1000000 steps and was not over") } == [true])
    }

    // MARK: Reactions

    @Test func aReactionActsBeforeTheNextEvent() throws {
        let text = """
            scenario: a
            rig: { reader: idynamo }
            steps:
              - on: deviceActivationFinished
                do: [call: { setDelegate: other }]
              - plug in
              - settle
            events: loose
            """
        let result = try ScenarioFolder.play(text: text)
        let names = result.journal.readable.map(\.name)
        let place = try #require(names.firstIndex(of: .delegateSet))
        #expect(names[place - 1] == .deviceActivationFinished)
        #expect(names[place + 1] == .deviceBecameReadyForSwipe)
        #expect(result.firedReactions == [0])
    }

    @Test func aReactionActsAsOftenAsItSays() throws {
        let steps = """
              - on: didSwipeCard
                times: 2
                do: [swipe: visa]
              - swipe: visa
              - settle
              - count: { cardSwiped: 3, didSwipeCard: 3 }
              - expect: [didSwipeCard, didSwipeCard, didSwipeCard]
            """
        #expect(try failures(ready + steps) == [])
    }

    @Test func aReactionEndsWithItsBlock() throws {
        let steps = """
              - do:
                  - on: didSwipeCard
                    do: [unplug]
              - swipe: visa
              - expect: didSwipeCard
              - count: { unplugged: 0 }
            """
        #expect(try failures(ready + steps) == [])
    }

    @Test func reactionsThatCauseThemselvesEnd() throws {
        let steps = """
              - on: didSwipeCard
                times: 10000
                do: [swipe: visa]
              - swipe: visa
              - settle: { within: 1h }
            """
        let text = "scenario: a\nevents: loose\nrig: { reader: idynamo }\nsteps:\n" + ready + steps
        let result = try ScenarioFolder.play(text: text)
        #expect(result.end == .finished)
    }

    // MARK: Addresses

    @Test func anAddressCountsFromItsStep() throws {
        let steps = """
              - swipe: visa
              - expect: { didSwipeCard: { card: magnesafe } }
              - link: { corrupt: 1, at: { block: 2, byte: 60 } }
              - swipe: visa
              - expect: { didSwipeCard: { card: magnesafe } }
              - swipe: visa
              - expect: { didSwipeCard: { card: none } }
            """
        #expect(try failures(ready + steps) == [])
    }

    @Test func aFaultOfTheRigCountsFromTheStart() throws {
        let rig = "{ reader: idynamo, link: { faults: [{ corrupt: 1, at: { byte: 560 } }] } }"
        let steps = """
              - swipe: visa
              - expect: { didSwipeCard: { card: magnesafe } }
              - swipe: visa
              - expect: { didSwipeCard: { card: none } }
            """
        #expect(try failures(ready + steps, rig: rig) == [])
    }

    // MARK: Branches

    @Test func branchesThatNoRunTookAreNamed() throws {
        let text = """
            scenario: a
            matrix: { card: [visa, amex] }
            rig: { reader: idynamo }
            steps:
              - plug in
              - on: misuse
                do: [unplug]
              - await: deviceBecameReadyForSwipe
              - swipe: <card>
              - expect-any:
                  - [didSwipeCard: { card: magnesafe }]
                  - [didSwipeCard: { card: none }]
            """
        let parsed = ScenarioParser.parse(file: "a.yaml", bytes: Array(text.utf8))
        var coverage = BranchCoverage()
        for scenario in parsed.scenarios { coverage.expect(PreparedScenario(scenario)) }
        let first = try #require(parsed.scenarios.first)
        coverage.note(ScenarioFolder.play(first), of: PreparedScenario(first))
        #expect(
            coverage.unreached.map { "\($0.location.line): \($0.description)" } == [
                "6: what `on` does", "12: branch 2 of expect-any", "1: the cell [card: amex]",
            ]
        )
    }
}
