import Kernel
import Reporting
import Testing

@testable import CardRigCLI

@Suite("Capture tasks")
struct CaptureTasksTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: String...) -> (code: ExitCode, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(["capture"] + arguments, streams: streams)
        return (
            code, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    // MARK: diff

    @Test(
        arguments: [
            ("tcp/miura-ethernet.pcap", "tcp/miura-ipv6-vlan.pcap"),
            ("tcp/miura-ethernet.pcap", "bluetooth/miura-btsnoop-h1.log"),
            ("usb/dynamag-usbmon.pcap", "usb/dynamag-usbpcap-old.pcap"),
            ("serial/idynamo-portmon.log", "serial/idynamo-rtac.pcap"),
        ]
    )
    func whatWasSaidIsTheSameWhateverCarriedIt(_ first: String, _ second: String) {
        let result = run("diff", "Captures/\(first)", "Captures/\(second)")
        // Only what opens and ends a connection is another thing on another carrier.
        #expect(!result.output.contains("with other content"), "\(result.output)")
        #expect(!result.output.contains("reader: "), "\(result.output)")
        #expect(result.code == .held || result.output.contains("link: "), "\(result.error)")
    }

    @Test func aMissingSegmentIsShownAsWhatWasNotSaid() {
        let result = run(
            "diff",
            "Captures/tcp/miura-ethernet.pcap",
            "Captures/tcp/miura-segment-missing.pcap"
        )
        #expect(result.code == .failed)
        #expect(result.output.contains("-  "), "\(result.output)")
    }

    @Test func anotherCardIsOtherContentAndTheFieldsAreNamed() {
        let result = run(
            "diff",
            "Captures/serial/idynamo-socat-x.log",
            "Captures/serial/idynamo-pyserial-spy.log"
        )
        #expect(result.code == .failed)
        #expect(result.output.contains("reader: a swipe: other "), "\(result.output)")
    }

    @Test func pausesDifferOnlyWhereAToleranceIsNamed() {
        let first = "Captures/usb/dynamag-usbmon.pcap"
        let second = "Captures/recordings/dynamag-swipe.pcapng"
        #expect(run("diff", first, second).output.contains("the pauses differ by at most"))
        let strict = run("diff", first, second, "--tolerance", "1")
        #expect(strict.code == .failed)
        #expect(strict.output.contains("at other times"), "\(strict.output)")
    }

    @Test(arguments: [
        ["Captures/README.md", "Captures/tcp/miura-ethernet.pcap"], ["/nowhere", "/x"],
    ])
    func whatIsNoCaptureIsBadInput(_ paths: [String]) {
        let result = run("diff", paths[0], paths[1])
        #expect(result.code == .wrong)
        #expect(!result.error.isEmpty)
    }

    // MARK: import

    @Test func anImportedRecordingOfKeptCardDataHasStandInsAndSaysSo() throws {
        let scenario = try folder.write(
            "swipe.yaml",
            """
            scenario: A swipe
            rig: { reader: idynamo }
            events: loose
            steps:
              - plug in
              - await: deviceBecameReadyForSwipe
              - swipe: visa
              - await: didSwipeCard
            """
        )
        let kept = folder.path + "/kept.pcapng"
        let imported = folder.path + "/imported.pcapng"
        let streams = Streams.captured()
        let arguments = ["run", scenario, "--record", kept, "--unsafe-keep-card-data"]
        #expect(CardRigCommand.run(arguments, streams: streams) == .held)
        #expect(run("info", kept).output.contains("CARD DATA KEPT"))
        let result = run("import", kept, "--out", imported)
        #expect(result.code == .held, "\(result.error)")
        #expect(!result.output.contains(", 0 secrets replaced"), "\(result.output)")
        #expect(run("info", imported).output.contains("card data replaced"))
        let difference = run("diff", kept, imported)
        #expect(difference.output.contains("device serial number"), "\(difference.output)")
    }

    // MARK: app-log

    private static let recording = "Captures/recordings/idynamo-swipe.pcapng"

    @Test func anAppThatMissedTheSwipeIsShownSo() throws {
        let log = try folder.write(
            "app.jsonl",
            """
            {"events": ["deviceBecameReadyForSwipe", "didSwipeCard"]}
            {"time": "2024-06-03T11:00:00.052+02:00", "event": "deviceBecameReadyForSwipe"}
            {"time": "2024-06-03T09:00:01.052Z", "event": "screenShown", "screen": "pay"}
            """
        )
        let result = run("app-log", Self.recording, log)
        #expect(result.code == .failed, "\(result.error)")
        #expect(result.output.contains("the app did not see it"), "\(result.output)")
        #expect(result.output.contains("screenShown screen: pay"))
        #expect(result.output.contains("0.052000 s ahead"))
    }

    @Test func aMappingReadsAnyLogAndWhatTheAppSawOtherwiseIsNamed() throws {
        let log = try folder.write(
            "app.log",
            """
            06-03 09:00:00.050 I/Reader: ready
            06-03 09:00:02.162 I/Reader: onSwipe type=none
            06-03 09:00:02.170 I/Other: nothing
            """
        )
        let mapping = try folder.write(
            "map",
            """
            # what the app calls it
            time: ^([0-9-]+ [0-9:.]+)
            deviceBecameReadyForSwipe: : ready$
            didSwipeCard card=$1: onSwipe .*type=(visa|none)
            """
        )
        let result = run(
            "app-log",
            Self.recording,
            log,
            "--mapping",
            mapping,
            "--sdk-profile",
            "observed"
        )
        #expect(result.code == .failed, "\(result.error)")
        #expect(result.output.contains("has another card"), "\(result.output)")
    }

    @Test func theJournalOfAReplayIsALogThatAgrees() throws {
        let streams = Streams.captured()
        _ = CardRigCommand.run(["replay", Self.recording, "--json"], streams: streams)
        let log = try folder.write("own.jsonl", String(decoding: streams.output, as: UTF8.self))
        let result = run("app-log", Self.recording, log)
        #expect(result.code == .held, "\(result.output)\(result.error)")
    }

    @Test(arguments: ["x: (a", "x (a)", "x: a{300}", #"x: (a)\1"#, "x y: a"])
    func aWrongMappingIsRefusedWithItsLine(_ rule: String) throws {
        let log = try folder.write("app.log", "a\n")
        let mapping = try folder.write("map", "# first\n\(rule)\n")
        let result = run("app-log", Self.recording, log, "--mapping", mapping)
        #expect(result.code == .wrong)
        #expect(result.error.contains("line 2: "), "\(result.error)")
    }
}
