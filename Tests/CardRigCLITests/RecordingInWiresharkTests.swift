import CaptureAnalysis
import CaptureSupport
import JSON
import Kernel
import Reporting
import Testing

@testable import CardRigCLI

@Suite(
    "Wireshark reads recordings",
    .enabled(if: TShark.isPresent, "\(TShark.absence)"),
    .serialized
)
struct RecordingInWiresharkTests {
    private let folder = TemporaryFolder()

    private func record(_ reader: String) throws -> String {
        let isMiura = reader == "miura"
        let steps =
            isMiura
            ? ["charge: { amount: 15.99 }", "insert: emv-visa-no-cvm", "await: completed"]
            : [
                "plug in", "await: deviceBecameReadyForSwipe", "swipe: { card: visa }",
                "await: didSwipeCard",
            ]
        let scenario = try folder.write(
            "\(reader).yaml",
            """
            scenario: A card
            rig: { reader: \(reader)\(isMiura ? ", gateway: agentcash" : "") }
            events: loose
            steps:
            \(steps.map { "  - \($0)" }.joined(separator: "\n"))

            """
        )
        let file = folder.path + "/\(reader).pcapng"
        let streams = Streams.captured()
        let code = CardRigCommand.run(["run", scenario, "--record", file], streams: streams)
        #expect(code == .held, "\(String(decoding: streams.error, as: UTF8.self))")
        return file
    }

    @Test(arguments: ["idynamo", "dynamag", "shuttle", "ips", "miura"])
    func noPacketIsMalformedAndTimesAreRightToTheNanosecond(_ reader: String) throws {
        let file = try record(reader)
        #expect(try TShark.run(path: file, "-Y _ws.malformed").isEmpty)
        // Each record of the journal says its own time since the run began.
        let times = try TShark.run(path: file, "-Y json -T fields -e frame.time_epoch")
            .split(separator: "\n").map(String.init)
        let lines = try RecordFile.read(file)
        #expect(times.count == lines.count)
        for (time, record) in zip(times, lines) {
            let nanoseconds = 1_717_405_200 * 1_000_000_000 + record.time
            let rest = String(nanoseconds % 1_000_000_000 + 1_000_000_000).dropFirst()
            #expect(time == "\(nanoseconds / 1_000_000_000).\(rest)")
        }
    }

    @Test func eventsAreReadAsJSON() throws {
        let text = try TShark.run(
            path: try record("idynamo"),
            "-Y json -T json --no-duplicate-keys"
        )
        let value = try JSONValue(reading: Array(text.utf8))
        #expect((value.values?.count ?? 0) > 5)
        #expect(text.contains("deviceBecameReadyForSwipe"))
    }

    @Test func theScriptShowsFieldsOfMPI() throws {
        let script = "Captures/wireshark/cardrig.lua"
        guard Paths.kind(of: script) != nil else { return }
        let file = try record("miura")
        let commands = try TShark.run(
            path: file,
            "-X lua_script:\(script) -Y mpi.command -T fields -e mpi.command"
        )
        #expect(commands.contains("0xded1"))
        #expect(try TShark.run(path: file, "-X lua_script:\(script) -Y mpi.lrc.wrong").isEmpty)
    }
}
