import Kernel
import Testing

@testable import CardRigCLI

@Suite("Interruption")
struct InterruptionTests {
    private let folder = TemporaryFolder()

    @Test(arguments: [2, 15] as [Int32])
    func aSignalEndsTheRunWithItsReportAndExit130(signal: Int32) throws {
        let scenario = try folder.write(
            "swipe.yaml",
            """
            scenario: A hand that takes its time
            rig: { reader: idynamo }
            steps:
              - plug in
              - await: deviceBecameReadyForSwipe
            """
        )
        let hand = try folder.write("hand.sh", "echo > \(folder.path)/begun; sleep 60\n")
        var child = try ChildProcess([
            "sh", "-c",
            """
            exec \(Self.program) run \(scenario) --reader usb:ffff:ffff \
            --operator 'program:sh \(hand)' > \(folder.path)/report
            """,
        ])
        let limit = MonotonicClock.now + 20_000_000_000
        while Paths.kind(of: folder.path + "/begun") == nil, MonotonicClock.now < limit {
            if let status = child.poll() {
                Issue.record("it ended before the signal: \(status)")
                return
            }
            let pause = try Poller()
            try pause.wait(untilMonotonicNanoseconds: MonotonicClock.now + 5_000_000) { _ in }
        }
        child.signal(signal)
        #expect(try child.wait(untilMonotonicNanoseconds: limit) == .exited(130))
        let bytes = try FileBytes.read(path: folder.path + "/report", limit: 65_536)
        let report = String(decoding: bytes, as: UTF8.self)
        #expect(report.hasPrefix("STOP \(scenario)  A hand that takes its time\n"))
        #expect(report.hasSuffix("1 scenario on usb:ffff:ffff, 0 passed, 1 interrupted\n"))
        FileBytes.remove(path: folder.path + "/begun")
        FileBytes.remove(path: folder.path + "/report")
    }

    @Test func aSignalEndsASearchWithWhatWasFound() throws {
        let scenario = try folder.write(
            "race.yaml",
            """
            scenario: More orders than anybody waits for
            rig: { reader: dynamag }
            steps:
              - plug in
              - race: { within: 300ms, of: [swipe: { card: visa }, unplug] }
              - race: { within: 300ms, of: [plug in, swipe: { card: visa }, unplug] }
              - race: { within: 300ms, of: [plug in, swipe: { card: visa }, unplug] }
            events: loose
            """
        )
        let report = try folder.write("report.json", "")
        var child = try ChildProcess([
            "sh", "-c",
            """
            exec \(Self.program) explore \(scenario) --strategy brute-force --runs 1000000 \
            --json > \(report)
            """,
        ])
        let limit = MonotonicClock.now + 20_000_000_000
        // It is ready for a signal when it watches for one, and plays from then on.
        let folder = "/proc/\(child.processID)/fd"
        let watch = "until ls -l \(folder) | grep -q signalfd; do sleep 0.01; done; sleep 0.1"
        var ready = try ChildProcess(["sh", "-c", watch])
        #expect(try ready.wait(untilMonotonicNanoseconds: limit) == .exited(0))
        child.signal(2)
        #expect(try child.wait(untilMonotonicNanoseconds: limit) == .exited(130))
        let bytes = try FileBytes.read(path: report, limit: 1 << 20)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("\"isComplete\": false,\n    \"isInterrupted\": true,"))
        #expect(text.hasSuffix("]\n"))
    }

    /// The program as it was built beside the tests.
    static var program: String {
        let tests = ProcessEnvironment.programPath ?? ""
        let arguments = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? tests
        return arguments.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/cardrig"
    }
}
