import Kernel
import Reporting
import Testing

@testable import CardRigCLI

@Suite("Replay")
struct ReplayVerbTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: String...) -> (code: ExitCode, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(arguments, streams: streams)
        return (
            code, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    private static let swipe = """
        scenario: A swipe, and the reader is pulled out
        rig: { reader: READER }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - wait: 2s
          - swipe: { card: visa }
          - await: didSwipeCard
          - unplug
          - await: deviceDisconnected
        """

    private static let payment = """
        scenario: A chip-and-PIN payment
        rig: { reader: miura, gateway: agentcash }
        steps:
          - charge: { amount: 15.99 }
          - insert: emv-visa-pin
          - await: pinAsked
          - keys: 1234 enter
          - await: { completed: { result: approved } }
          - remove card
        """

    @Test(arguments: ["idynamo", "dynamag", "shuttle", "ips", "miura"])
    func aRecordedRunOfEachReaderReplayedGivesTheSameJournal(_ reader: String) throws {
        let text =
            reader == "miura" ? Self.payment : Self.swipe.replacing("READER", with: reader)
        let scenario = try folder.write("\(reader).yaml", text)
        let file = folder.path + "/\(reader).pcapng"
        let recorded = run("run", scenario, "--record", file)
        #expect(recorded.code == .held, "\(recorded.error)")
        let replayed = run("replay", file, "--expect", file)
        #expect(replayed.code == .held, "\(replayed.error)")
        #expect(replayed.error.contains("the journal is as expected"))
        #expect(!replayed.error.contains("differs"))
    }

    @Test func aJournalOfAnotherRunDiffersAndTheFirstRecordIsNamed() throws {
        let first = try folder.write("a.yaml", Self.swipe.replacing("READER", with: "idynamo"))
        let second = try folder.write(
            "b.yaml",
            Self.swipe.replacing("READER", with: "idynamo").replacing("visa", with: "mastercard")
        )
        let left = folder.path + "/a.pcapng"
        let right = folder.path + "/b.pcapng"
        #expect(run("run", first, "--record", left).code == .held)
        #expect(run("run", second, "--record", right).code == .held)
        let replayed = run("replay", left, "--expect", right)
        #expect(replayed.code == .failed)
        #expect(replayed.error.contains("expected"))
        #expect(replayed.error.contains("card: visa"))
    }

    @Test func aCaptureOfAnotherToolIsPlayedAtTheSDKCore() {
        let capture = "Captures/usb/dynamag-swipe-usbip.pcap"
        guard Paths.kind(of: capture) != nil else { return }
        let replayed = run("replay", capture)
        #expect(replayed.code == .held, "\(replayed.error)")
        #expect(replayed.output.contains("sdk didSwipeCard reader: dynamag"))
    }

    @Test func whatIsNoCaptureIsExitTwo() throws {
        let file = try folder.write("x.txt", "nothing of the kind\n")
        #expect(run("replay", file).code == .wrong)
        #expect(run("replay").code == .wrong)
        #expect(run("replay", folder.path + "/none").code == .wrong)
    }
}
