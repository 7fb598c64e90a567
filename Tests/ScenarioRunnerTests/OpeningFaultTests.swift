import EventLoops
import Journal
import ScenarioRunner
import Testing

/// What stands in the way of opening a reader, in simulation: `link: { open: … }`.
@Suite("Opening faults")
struct OpeningFaultTests {
    private func play(_ steps: String, link: String = "{ kind: direct }") throws -> RunResult {
        try ScenarioFolder.play(
            text:
                "scenario: a\nrig: { reader: dynamag, link: \(link) }\nevents: loose\nsteps:\n\(steps)"
        )
    }

    private func records(_ result: RunResult) -> [String] {
        result.journal.readable.filter { $0.source == .sdk || $0.name == .readerUnusable }
            .map { "\($0.name) \($0.time.nanoseconds / 1_000_000)" }
    }

    @Test(arguments: [
        ("{ busy: 300ms }", 315), ("late", 155), ("{ late: 1ms }", 5), ("{ denied: 1s }", 1_275),
    ])
    func aReaderIsToldOnceWhenItOpens(fault: String, milliseconds: Int) throws {
        let result = try play("  - link: { open: \(fault) }\n  - plug in\n  - settle\n")
        #expect(result.failures.isEmpty)
        #expect(
            records(result) == [
                "deviceConnected \(milliseconds)", "deviceActivationFinished \(milliseconds)",
                "deviceBecameReadyForSwipe \(milliseconds)",
            ]
        )
    }

    @Test func aReaderThatStaysBusyIsConnectedAndNeverActivated() throws {
        let result = try play("  - link: { open: busy }\n  - plug in\n  - settle\n  - unplug\n")
        #expect(result.failures.isEmpty)
        #expect(
            records(result) == [
                "readerUnusable 1915", "deviceConnected 1915", "deviceActivationFinished 1915",
                "deviceDisconnected 1915",
            ]
        )
    }

    @Test func aReaderThatIsPulledOutWhileItIsTriedIsNeverTold() throws {
        let result = try play(
            "  - link: { open: { busy: 1s } }\n  - plug in\n  - wait: 300ms\n  - unplug\n"
                + "  - wait: 5s\n  - plug in\n  - settle\n"
        )
        #expect(result.failures.isEmpty)
        #expect(records(result).first == "deviceConnected 5300")
        #expect(records(result).count == 3)
    }

    @Test func aSwipeThatNobodyCouldHearGivesNothing() throws {
        let result = try play(
            "  - link: { open: { busy: 1s } }\n  - plug in\n  - swipe: visa\n  - settle\n"
                + "  - swipe: visa\n  - settle\n"
        )
        #expect(result.failures.isEmpty)
        #expect(result.journal.readable.count { $0.name == .didSwipeCard } == 1)
    }

    @Test func whatTheRigSaysHoldsForEveryPlug() throws {
        let result = try play(
            "  - plug in\n  - settle\n  - unplug\n  - plug in\n  - settle\n",
            link: "{ open: { late: 30ms } }"
        )
        #expect(result.failures.isEmpty)
        let connected = result.journal.readable.filter { $0.name == .deviceConnected }
        #expect(connected.map { $0.time.nanoseconds / 1_000_000 } == [35, 70])
        #expect(result.journal.readable.count { $0.name == .linkFault } == 2)
    }

    @Test func anAppThatWasKilledMeanwhileSeesTheReaderAtItsNextLaunch() throws {
        let result = try play(
            "  - link: { open: { busy: 300ms } }\n  - plug in\n  - kill app\n  - wait: 1s\n"
                + "  - launch app\n  - settle\n"
        )
        #expect(result.failures.isEmpty)
        #expect(records(result).first == "deviceConnected 1000")
    }
}
