import Journal
import Laws
import ScenarioRunner
import Testing

/// A misuse fails a run unless something names it.
@Suite("A misuse in a run")
struct MisuseTests {
    private func failures(_ steps: String, sdk: String = "{}", rest: String = "") throws -> [String]
    {
        let result = try ScenarioFolder.play(
            text: """
                scenario: a
                rig: { reader: shuttle, sdk: \(sdk) }
                steps:
                  - plug in
                \(steps)
                \(rest)
                """
        )
        return result.failures.map(\.explanation)
    }

    private static let misused =
        "  - await: deviceBecameReadyForSwipe\n  - call: requestSwipe\n"

    @Test(
        arguments: [
            "  - swipe\n  - await: didSwipeCard",
            "  - swipe\n  - until: didSwipeCard",
            "  - await: { misuse: { method: cancelSwipeRequest } }",
            "  - expect-any: [[didSwipeCard], [deviceDisconnected]]",
            "  - unordered: [didSwipeCard, deviceDisconnected]",
        ]
    )
    func isLetPassByNoCheckThatDoesNotNameIt(check: String) throws {
        for rest in ["", "events: loose"] {
            let failures = try failures(Self.misused + check, rest: rest)
            #expect(failures.count == 1)
            #expect(failures.first?.contains("found misuse { method: requestSwipe") == true)
        }
    }

    @Test func isNotAllowedByLooseEvents() throws {
        let failures = try failures(Self.misused + "  - swipe", rest: "events: loose")
        #expect(failures.count == 1)
        #expect(
            failures.first?.hasPrefix(
                "expected no misuse that no check names, found misuse { method: requestSwipe"
            ) == true
        )
    }

    @Test func fromBeforeTheFirstStepIsNotPassed() throws {
        let steps = "  - await: deviceBecameReadyForSwipe"
        let failures = try failures(steps, sdk: "{ swipeTimeoutDuration: 2s }")
        #expect(failures.count == 1)
        #expect(
            failures.first?.hasPrefix(
                "expected deviceBecameReadyForSwipe, found misuse { method: setSwipeTimeoutDuration"
            ) == true
        )
    }

    @Test(
        arguments: [
            "  - expect: misuse",
            "  - await: { misuse: { method: requestSwipe } }",
            "  - until: misuse\n  - expect: misuse",
            "  - call: requestSwipe\n  - unordered: [misuse, misuse]",
            "  - expect-any: [[misuse], [didSwipeCard]]",
            "  - count: { misuse: 1 }",
            "  - swipe\n  - await: didSwipeCard\n  - await: deviceBecameReadyForSwipe\n"
                + "  - count: { misuse: 1 }",
        ]
    )
    func isTakenByACheckThatNamesIt(check: String) throws {
        #expect(try failures(Self.misused + check) == [])
    }

    @Test func isCountedOnlyByTheBlockItComesIn() throws {
        let counted = "  - do:\n      - call: requestSwipe\n      - count: { misuse: 1 }"
        let steps = "  - await: deviceBecameReadyForSwipe\n" + counted
        #expect(try failures(steps) == [])
        let failures = try failures(steps + "\n  - call: requestSwipe", rest: "events: loose")
        #expect(failures.count == 1)
    }

    @Test func failsARunThatForbidsIt() throws {
        let failures = try failures(Self.misused, rest: "never: [misuse]")
        #expect(failures.first?.hasPrefix("expected never misuse, found misuse") == true)
    }
}
