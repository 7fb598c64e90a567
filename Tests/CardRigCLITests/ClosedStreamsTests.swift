import Kernel
import Testing

@testable import CardRigCLI

@Suite("Closed standard streams")
struct ClosedStreamsTests {
    private let folder = TemporaryFolder()

    @Test(arguments: ["list", "run"])
    func aReportThatCannotBeWrittenIsNoPassAndGoesNowhereElse(verb: String) throws {
        let scenario = try folder.write(
            "plug.yaml",
            """
            scenario: A reader is plugged in
            rig: { reader: idynamo }
            steps:
              - plug in
              - await: deviceBecameReadyForSwipe
            """
        )
        let errors = folder.path + "/errors"
        var child = try ChildProcess([
            "sh", "-c",
            "exec \(InterruptionTests.program) \(verb) \(scenario) <&- >&- 2>\(errors)",
        ])
        let limit = MonotonicClock.now + 20_000_000_000
        #expect(try child.wait(untilMonotonicNanoseconds: limit) == .exited(3))
        let bytes = try FileBytes.read(path: errors, limit: 65_536)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "cardrig: cannot write to standard output: Bad file descriptor\n"
        )
        FileBytes.remove(path: errors)
    }
}
