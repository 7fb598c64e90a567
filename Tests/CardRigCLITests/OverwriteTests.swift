import Kernel
import Reporting
import Testing

@testable import CardRigCLI

/// What somebody has is not lost to an output that names it.
@Suite("Files that are in the way")
struct OverwriteTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: [String]) -> (code: ExitCode, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(arguments, streams: streams)
        return (code, String(decoding: streams.error, as: UTF8.self))
    }

    @Test(arguments: ["redact", "import"])
    func aCaptureIsNotWrittenOverItself(task: String) throws {
        let bytes = try FileBytes.read(
            path: "Captures/usb/dynamag-swipe-usbip.pcap",
            limit: 1 << 20
        )
        let file = folder.path + "/swipe.pcap"
        try FileBytes.write(bytes, to: file)
        defer { FileBytes.remove(path: file) }
        for name in [file, folder.path + "/./swipe.pcap"] {
            let target = task == "redact" ? [name] : ["--out", name]
            let (code, error) = run(["capture", task, file] + target)
            #expect(code == .wrong)
            #expect(error.contains("is the capture itself: name another file"))
            #expect(try FileBytes.read(path: file, limit: 1 << 20) == bytes)
        }
    }

    @Test func aScenarioIsNotWrittenOver() throws {
        let text = "scenario: a\nrig: { reader: idynamo }\nsteps: [plug in]\n"
        let file = try folder.write("a.yaml", text)
        for option in ["--record", "--junit"] {
            let (code, error) = run(["run", file, option, folder.path + "/./a.yaml"])
            #expect(code == .wrong)
            #expect(error.contains("it is the scenario itself; name another file"))
        }
        let other = folder.path + "/out"
        let (code, error) = run(["run", file, "--record", other, "--junit", other])
        #expect(code == .wrong)
        #expect(error.contains("name two files"))
        #expect(Paths.kind(of: other) == nil)
        #expect(try FileBytes.read(path: file, limit: 1 << 20) == Array(text.utf8))
    }

    @Test(arguments: ["tcp:127.0.0.1:1", "serial:/dev/nosuch"])
    func aRecordingStaysWhenNoReaderComes(endpoint: String) throws {
        let file = try folder.write("old.pcapng", "what was recorded")
        let (code, error) = run([
            "record", "--reader", endpoint, "--output", file, "--for", "300ms",
        ])
        #expect(code == .lost)
        #expect(error.contains(endpoint.drop { $0 != ":" }.dropFirst()))
        #expect(try FileBytes.read(path: file, limit: 100) == Array("what was recorded".utf8))
    }
}
