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

    /// The program as it was built beside the tests.
    static var program: String {
        let tests = ProcessEnvironment.programPath ?? ""
        let arguments = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? tests
        return arguments.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/cardrig"
    }
}
