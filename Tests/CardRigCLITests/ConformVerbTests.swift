import EventLoops
import Kernel
import Reporting
import ScenarioLanguage
import Testing

@testable import CardRigCLI

/// Simulators compared with simulators, with and without planted differences: over virtual time for
/// every one, and in another process over TCP, a pty and ser2net's protocol for some.
@Suite("conform", .serialized)
struct ConformVerbTests {
    private func results(
        _ kind: ServedReaderKind,
        _ settings: [(String, String)] = []
    ) throws -> [ProbeResult] {
        var reader = kind.make()
        for (name, value) in settings {
            let isSet = reader.set(name, to: value)
            #expect(isSet)
        }
        return try ProfileSearch.simulated(kind, reader, hands: true)
    }

    @Test(arguments: ServedReaderKind.allCases)
    func aSimulatorIsLikeItself(kind: ServedReaderKind) throws {
        let once = try results(kind)
        #expect(once == (try results(kind)))
        #expect(ReaderComparison().differences(once, once) == [])
        #expect(once.count > 15)
        #expect(once.allSatisfy { !$0.observations.isEmpty }, "each probe sees something")
        #expect(once[0].identity.contains { $0.name == "serial" })
    }

    /// Each is a real setting of the simulator that no manual decides.
    @Test(arguments: [
        (ServedReaderKind.idynamo, "unknown-command", "07", ReaderDifference.Kind.errors),
        (.idynamo, "unknown-property", "01", .errors),
        (.idynamo, "ksn-step", "after-use", .messages),
        (.idynamo, "ksn-step", "never", .messages),
        (.idynamo, "terminator", "after-padding", .messages),
        (.idynamo, "terminator", "absent", .messages),
        (.idynamo, "reply-delay", "120ms", .timing),
        (.dynamag, "unknown-command", "01", .errors),
        (.dynamag, "ksn-step", "after-use", .messages),
        (.dynamag, "report-size", "856", .messages),
        (.miura, "bad-frame", "is-ignored", .errors),
        (.miura, "bad-frame", "drops-link", .errors),
        (.miura, "announces-power-on", "no", .messages),
        (.miura, "answer-delay", "150ms", .timing),
    ])
    func aPlantedDifferenceIsFoundAndExplained(
        kind: ServedReaderKind,
        name: String,
        value: String,
        difference: ReaderDifference.Kind
    ) throws {
        let planted = try results(kind, [(name, value)])
        let comparison = ReaderComparison()
        let found = comparison.differences(planted, try results(kind))
        #expect(found.contains { $0.kind == difference }, "\(found)")
        let search = ProfileSearch(kind: kind, hands: true, comparison: comparison, reader: planted)
        let (settings, remaining) = search.run(from: [])
        #expect(remaining == [], "\(settings)")
        #expect(settings.contains { $0.name == name }, "\(settings)")
    }

    @Test func theSameMessagesInAnotherOrderAreADifferenceOfOrder() {
        func probe(_ texts: [String]) -> [ProbeResult] {
            let observations = texts.map { Observation(kind: .message, text: $0, delay: .zero) }
            return [ProbeResult(name: "p", observations: observations)]
        }
        let found = ReaderComparison().differences(probe(["a", "b"]), probe(["b", "a"]))
        #expect(found.map(\.kind) == [.order])
        #expect(
            ReaderComparison().differences(probe(["a"]), probe(["a", "b"])).map(\.kind) == [
                .messages
            ]
        )
    }

    @Test func timesDifferByTheToleranceAndAThird() {
        func probe(_ milliseconds: Int64) -> [ProbeResult] {
            let delay = VirtualDuration.milliseconds(milliseconds)
            let observation = Observation(kind: .message, text: "a", delay: delay)
            return [ProbeResult(name: "p", observations: [observation])]
        }
        let comparison = ReaderComparison(tolerance: .milliseconds(20))
        #expect(comparison.differences(probe(5), probe(24)) == [])
        #expect(comparison.differences(probe(5), probe(30)).map(\.kind) == [.timing])
        #expect(comparison.differences(probe(1_000), probe(1_200)) == [], "less than a third")
    }

    // MARK: In another process

    private func conform(
        _ served: ServedProcess,
        _ arguments: String
    ) throws -> (status: Kernel.ExitStatus, report: String) {
        var child = try ChildProcess([
            "sh", "-c",
            "exec \(InterruptionTests.program) conform \(arguments) --operator "
                + "control:\(served.control) < /dev/null > \(served.folder.path)/conform 2>&1",
        ])
        let limit = MonotonicClock.now + 90_000_000_000
        let status = try child.wait(untilMonotonicNanoseconds: limit)
        let bytes = try FileBytes.read(path: served.folder.path + "/conform", limit: 1 << 20)
        FileBytes.remove(path: served.folder.path + "/conform")
        return (status, String(decoding: bytes, as: UTF8.self))
    }

    /// Times are those of a loaded machine here, so that only large ones count.
    private static let patient = "--timing-tolerance 400ms"

    @Test(arguments: ["idynamo --pty", "idynamo --tcp 127.0.0.1:0", "miura --pty"])
    func aServedSimulatorIsLikeItself(place: String) throws {
        let words = place.split(separator: " ").map(String.init)
        let served = try ServedProcess(Array(words.dropFirst()), reader: words[0])
        let endpoint = words[1] == "--pty" ? "serial:\(served.address)" : "tcp:\(served.address)"
        let (status, report) = try conform(
            served,
            "--reader \(endpoint) --as \(words[0]) \(Self.patient)"
        )
        #expect(status == .exited(0), "\(report)")
        #expect(report.contains("serial: "))
        #expect(report.contains(" the same, 0 differ\n"))
    }

    @Test func aProfileIsWrittenAndTheSimulatorFollowsIt() throws {
        let planted = "unknown-command=07,terminator=after-padding"
        let served = try ServedProcess(["--pty", "--set", planted])
        let profile = served.folder.path + "/reader.yaml"
        let reader = "--reader serial:\(served.address) --as idynamo \(Self.patient)"
        let (status, report) = try conform(served, "\(reader) --profile \(profile)")
        #expect(status == .exited(1), "\(report)")
        #expect(report.contains("errors: the reader: answer 07"), "\(report)")
        #expect(report.contains("a carriage return after the filling"), "\(report)")
        #expect(report.contains(" leaves 0 of them"), "\(report)")
        let text = String(
            decoding: try FileBytes.read(path: profile, limit: 1 << 16),
            as: UTF8.self
        )
        #expect(text.contains("reader: idynamo\nfirmware: \"21042875A01 V05\"\n"))
        #expect(text.contains("unknown-command: \"07\""))
        #expect(text.contains("terminator: \"after-padding\""))
        let (again, second) = try conform(served, "\(reader) --reader-profile \(profile)")
        #expect(again == .exited(0), "the simulator follows the profile: \(second)")
        FileBytes.remove(path: profile)
    }

    @Test func aReaderThatIsNotThereAndAHandThatIsNotAreExit3() throws {
        let streams = Streams.captured()
        let absent = ["conform", "--reader", "tcp:127.0.0.1:1", "--as", "idynamo"]
        #expect(CardRigCommand.run(absent, streams: streams) == .lost)
        #expect(String(decoding: streams.error, as: UTF8.self).contains("connection refused"))
        let served = try ServedProcess(["--tcp", "127.0.0.1:0"])
        var child = try ChildProcess([
            "sh", "-c",
            "exec \(InterruptionTests.program) conform --reader tcp:\(served.address) --as idynamo"
                + " < /dev/null > \(served.folder.path)/conform 2>&1",
        ])
        #expect(try child.wait(untilMonotonicNanoseconds: ServedProcess.limit) == .exited(3))
        let bytes = try FileBytes.read(path: served.folder.path + "/conform", limit: 1 << 20)
        #expect(String(decoding: bytes, as: UTF8.self).contains("needs a hand at idynamo"))
        FileBytes.remove(path: served.folder.path + "/conform")
    }

    @Test(arguments: [
        (["--reader", "sim:"], "conform wants a real reader"),
        (["--reader", "tcp:a:1"], "--as idynamo or --as miura"),
        (["--reader", "tcp:a:1", "--as", "dynamag"], "it is not reached over tcp"),
        (["--reader", "usb:0801:0011", "--as", "miura"], "it is not reached over usb"),
        (["--reader", "tcp:a:1", "--as", "miura", "x.yaml"], "its own probes"),
        (["--reader", "tcp:a:1", "--as", "mirua"], "the option --as wants"),
    ])
    func aWrongCommandLineIsExit2(arguments: [String], complaint: String) {
        let streams = Streams.captured()
        #expect(CardRigCommand.run(["conform"] + arguments, streams: streams) == .wrong)
        #expect(String(decoding: streams.error, as: UTF8.self).contains(complaint))
    }

    @Test(arguments: [
        (
            "reader: idynamo\nsettings: { reply-dealy: 5ms }\n",
            "2:13: error: a simulated idynamo has"
        ),
        (
            "reader: idynamo\nsettings: { reply-delay: soon }\n",
            "2:13: error: 'reply-delay' is a time"
        ),
        ("reader: idynamo\nsettings: []\n", "2:11: error: expected the settings as a map"),
        ("reader: shuttle\nsettings: {}\n", "1:9: error: expected a kind of reader"),
        ("settings: {}\n", "expected the key `reader`"),
        ("", "expected a document"),
    ])
    func aWrongProfileIsExit2WithItsPlace(text: String, complaint: String) throws {
        let folder = TemporaryFolder()
        let file = try folder.write("profile.yaml", text)
        let streams = Streams.captured()
        let arguments = ["run", "Scenarios/idynamo/charged.yaml", "--reader-profile", file]
        #expect(CardRigCommand.run(arguments, streams: streams) == .wrong)
        let errors = String(decoding: streams.error, as: UTF8.self)
        #expect(errors.contains(complaint), "\(errors)")
    }

    @Test func aScenarioIsPlayedOnASimulatorThatFollowsAProfile() throws {
        let folder = TemporaryFolder()
        let slow = try folder.write(
            "slow.yaml",
            "reader: idynamo\nsettings: { first-block-delay: 3000ms }\n"
        )
        let scenario = try folder.write(
            "quick.yaml",
            """
            scenario: A quick swipe
            rig: { reader: idynamo }
            steps:
              - plug in
              - await: deviceBecameReadyForSwipe
              - swipe: visa
              - expect: { didSwipeCard: { card: magnesafe }, within: 1s }
            """
        )
        #expect(CardRigCommand.run(["run", scenario], streams: .captured()) == .held)
        let followed = ["run", scenario, "--reader-profile", slow]
        #expect(CardRigCommand.run(followed, streams: .captured()) == .failed)
    }
}
