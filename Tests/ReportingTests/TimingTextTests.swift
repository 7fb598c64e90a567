import EventLoops
import Reporting
import ScenarioRunner
import Testing

@Suite("Timing in reports")
struct TimingTextTests {
    private func report(late: VirtualDuration) throws -> RunReport {
        let prepared = try Played.scenario(Played.holding)
        var result = Played.result(prepared, RigOptions())
        var timing = LiveTiming()
        for _ in 0..<2 { timing.timers.note(late) }
        timing.events.note(.microseconds(120))
        result.timing = timing
        let scenario = ScenarioReport(
            prepared,
            endpoint: "usb:0801:0011",
            source: [],
            result: result
        )
        return Played.run(.scenario(scenario), .scenario(scenario))
    }

    @Test func theConsoleSaysHowTheMachineKeptTime() throws {
        let text = ConsoleReport().summary(try report(late: .milliseconds(1)))
        #expect(
            text.contains(
                "timing: 4 timers, 99 of 100 at most 1 ms late, the worst 1 ms; "
                    + "from byte to event 99 of 100 at most 120 µs, the worst 120 µs\n"
            )
        )
        #expect(!text.contains("warning"))
    }

    @Test func aMachineThatWasTooBusyIsAWarning() throws {
        let report = try report(late: .milliseconds(6))
        let text = ConsoleReport().summary(report)
        #expect(text.contains("warning: this machine was too busy: "))
        #expect(text.contains("over 5 ms late, so no time limit of this run can be trusted"))
        #expect(report.exitCode == .held, "a warning is no failure")
    }

    @Test func programsReadItFromJSONAndJUnit() throws {
        let report = try report(late: .milliseconds(6))
        let json = String(decoding: JSONReport.bytes(report), as: UTF8.self)
        #expect(json.contains("\"isMachineTooBusy\": true"))
        #expect(json.contains("\"largestNanoseconds\": 6000000"))
        let junit = String(decoding: JUnitReport.bytes(report), as: UTF8.self)
        #expect(junit.contains("<property name=\"machineTooBusy\" value=\"yes\"/>"))
        #expect(
            junit.contains("<property name=\"timing\" value=\"4 timers, 99 of 100 at most 6 ms")
        )
    }

    @Test func nothingIsSaidOfVirtualTime() throws {
        let report = Played.run(.scenario(try Played.report(Played.holding)))
        #expect(!ConsoleReport().summary(report).contains("timing"))
        #expect(!String(decoding: JSONReport.bytes(report), as: UTF8.self).contains("timing"))
        #expect(!String(decoding: JUnitReport.bytes(report), as: UTF8.self).contains("timing"))
    }
}
