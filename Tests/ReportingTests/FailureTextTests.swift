import EventLoops
import Journal
import Reporting
import ScenarioLanguage
import ScenarioRunner
import SDKCore
import Testing

/// What people read of each way to fail: the line, what was expected, what came instead, the records
/// around it and the command that brings it back.
@Suite("Failure text")
struct FailureTextTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String

        init(_ name: String, _ steps: String, rig: String = "reader: idynamo", top: String = "") {
            self.name = name
            text = """
                scenario: A sample
                rig: { \(rig) }
                steps:
                  - plug in
                  - await: deviceBecameReadyForSwipe
                \(steps)\(top)
                """
        }

        var testDescription: String { name }
    }

    static let samples: [Sample] = [
        Sample("expect", "  - swipe: { card: visa }\n  - expect: { didSwipeCard: { card: none } }"),
        Sample("expect-list", "  - unplug\n  - expect: [deviceDisconnected, deviceDeactivated]"),
        Sample("await-time-limit", "  - await: { deviceDisconnected: {}, within: 2s }"),
        Sample("await-nothing-pending", "  - await: deviceDisconnected"),
        Sample(
            "expect-any",
            """
              - unplug
              - expect-any:
                  - [didSwipeCard]
                  - [deviceBecameUnreadyForSwipe, deviceDisconnected]
            """
        ),
        Sample("never", "  - swipe: { card: visa }\nevents: loose", top: "\nnever: [didSwipeCard]"),
        Sample("unexpected", "  - swipe: { card: visa }\n  - settle"),
        Sample(
            "outcome",
            """
              - swipe: { card: visa }
              - await: didSwipeCard
              - charge: { amount: 10.99 }
              - await: gatewayAnswered
            """,
            rig: "reader: idynamo, gateway: nmi",
            top: "\noutcome: { charges: [{ type: sale, amount: 11.00 }, { type: void }] }"
        ),
        Sample("step", "  - charge: { amount: 1.00 }", rig: "reader: idynamo, gateway: nmi"),
        Sample(
            "laws-off",
            "  - expect: didSwipeCard",
            top: "\nlaws: { off: [nesting, flags-agree] }"
        ),
        Sample(
            "verdict-not-met",
            "  - expect: didSwipeCard",
            top: "\nverdict: { exit: 1, law: nesting, line: 3 }"
        ),
    ]

    private func text(_ entry: RunReport.Entry) -> String {
        let run = Played.run(entry)
        let console = ConsoleReport()
        return console.text(entry, of: run) + console.summary(run)
    }

    @Test(arguments: samples)
    func saysAllThatIsNeeded(sample: Sample) throws {
        let report = try Played.report(sample.text)
        #expect(report.status == .failed)
        let text = text(.scenario(report))
        #expect(text.contains("     again: ./cardrig run Scenarios/test.yaml --seed 7\n"))
        try Golden.expect(text, is: sample.name, of: "Failures")
    }

    @Test func aBrokenLawNamesItself() throws {
        let unplugged = Played.holding + "\n  - unplug\nevents: loose"
        let prepared = try Played.scenario(unplugged)
        let result = Played.result(prepared, RigOptions(), plant: .skipsDeactivated)
        #expect(result.failures.map(\.kind) == [.law(.nesting)])
        try expect(result, prepared, unplugged, is: "law")
    }

    @Test func aBoundNamesWhatWasTooMuch() throws {
        let options = RigOptions(bounds: .init(latest: .zero + .milliseconds(10)))
        let prepared = try Played.scenario(Played.holding)
        let result = Played.result(prepared, options)
        #expect(result.failures.map(\.kind) == [.bound])
        try expect(result, prepared, Played.holding, is: "bound")
    }

    @Test func aLostRigNamesTheRemedy() throws {
        let prepared = try Played.scenario(Played.failing)
        var result = Played.result(prepared, RigOptions())
        result.failures = []
        result.end = .lost("the reader may not be opened; add the udev rule of the README")
        try expect(result, prepared, Played.failing, is: "lost")
    }

    @Test func anInterruptedRunBlamesNothing() throws {
        let prepared = try Played.scenario(Played.holding)
        var result = Played.result(prepared, RigOptions())
        result.end = .interrupted
        try expect(result, prepared, Played.holding, is: "interrupted")
    }

    @Test func aRefusalNamesItsLine() throws {
        let racing = "  - race: { within: 1ms, of: [swipe: { card: visa }, unplug] }"
        let report = try Played.refused(Sample("", racing, top: "\nevents: loose").text)
        try Golden.expect(text(.scenario(report)), is: "refused", of: "Failures")
    }

    @Test func aFileThatIsNoScenarioIsCounted() throws {
        let parsed = ScenarioParser.parse(
            file: "Scenarios/wrong.yaml",
            bytes: Array("scenario: x\nrig: { reader: idynami }\nstep: []\n".utf8)
        )
        let entry = RunReport.Entry.invalid(file: "Scenarios/wrong.yaml", parsed.diagnostics)
        let diagnostics = parsed.diagnostics.map { "\($0)\n" }.joined()
        try Golden.expect(diagnostics + text(entry), is: "no-scenario", of: "Failures")
    }

    @Test func aCellIsNamedInItsHeadlineAndItsCommand() throws {
        let name = "\"A swipe that gives no card [card: visa]\""
        let scenario = Played.failing.replacing("A swipe that gives no card", with: name)
        let report = try Played.report(scenario, cell: 2)
        let text = text(.scenario(report))
        #expect(text.contains("[card: visa]"))
        #expect(text.contains("     again: ./cardrig run Scenarios/test.yaml --seed 7 --cell 2\n"))
    }

    private func expect(
        _ result: RunResult,
        _ prepared: PreparedScenario,
        _ text: String,
        is name: String
    ) throws {
        let report = ScenarioReport(
            prepared,
            endpoint: "sim:",
            source: Array(text.utf8),
            result: result
        )
        try Golden.expect(self.text(.scenario(report)), is: name, of: "Failures")
    }
}
