import Kernel
import Reporting
import Testing
import USBIP
import USBIPClient

@testable import CardRigCLI

/// Readers that are USB devices, in a process of their own, with a client that does what a kernel
/// does. Real kernels do it in `.ci/guest`.
@Suite("serve --usbip", .serialized)
struct ServedUSBTests {
    private static func request(
        _ type: UInt8,
        _ code: UInt8,
        _ value: UInt16,
        _ byteCount: UInt16
    ) -> USBControlRequest {
        USBControlRequest(type: type, code: code, value: value, index: 0, byteCount: byteCount)
    }

    private func client(_ served: ServedProcess) throws -> USBIPClient {
        let client = try USBIPClient(to: try served.socketAddress())
        try client.take()
        try client.configure()
        return client
    }

    @Test func aSwipeIsOneReportThatWaitsForTheFirstTransfer() throws {
        let served = try ServedProcess(["--usbip", "127.0.0.1:0"], reader: "dynamag")
        let client = try client(served)
        // Nobody asks for it yet; a report lost here would be lost for good.
        #expect(try served.say("swipe visa") == "ok")
        try client.read(endpoint: 1, byteCount: 888)
        let first = try client.answer()
        #expect(first.data.count == 887)
        try client.read(endpoint: 1, byteCount: 888)
        #expect(try served.say("swipe visa") == "ok")
        let second = try client.answer()
        #expect(second.data.count == 887)
        // Each has a key of its own: KSN at 495.
        #expect(first.data[495..<505] != second.data[495..<505])
        let clear = Array(("4" + String(repeating: "1", count: 15)).utf8)
        #expect(!first.data.indices.contains { first.data[$0...].starts(with: clear) })
    }

    @Test func aCommandIsAFeatureReportAndItsAnswerAnother() throws {
        let served = try ServedProcess(["--usbip", "127.0.0.1:0"], reader: "dynamag")
        let client = try client(served)
        let getSoftware = [0x00, 0x01, 0x00] + [UInt8](repeating: 0, count: 57)
        try client.ask(Self.request(0x21, 9, 0x0300, 60), data: getSoftware)
        #expect(try client.answer().status == 0)
        try client.ask(Self.request(0xA1, 1, 0x0300, 60))
        let answer = try client.answer().data
        #expect(answer.count == 60)
        #expect(Array(answer[..<2]) == [0x00, 0x0B])
        // Another length is stalled, and so is what it does not know.
        try client.ask(Self.request(0xA1, 1, 0x0300, 24))
        #expect(try client.answer().status == -32)
        try client.ask(Self.request(0xC0, 1, 0, 8))
        #expect(try client.answer().status == -32)
    }

    @Test func aResetTakesTheReaderOffTheBusAndBack() throws {
        let served = try ServedProcess(["--usbip", "127.0.0.1:0"], reader: "dynamag")
        let first = try client(served)
        let reset = [0x02] + [UInt8](repeating: 0, count: 59)
        try first.ask(Self.request(0x21, 9, 0x0300, 60), data: reset)
        #expect(try first.answer().status == 0)
        #expect(try first.receiveToTheEnd() == [])
        _ = try client(served)
    }

    @Test func unpluggingInTheMiddleOfASwipeEndsItAndNothingOfItComesLater() throws {
        let served = try ServedProcess(
            ["--usbip", "127.0.0.1:0", "--set", "packet-size=1"],
            reader: "dynamag"
        )
        let first = try client(served)
        try first.read(endpoint: 1, byteCount: 887)
        #expect(try served.say("swipe visa") == "ok")
        #expect(try served.say("unplug") == "ok")
        #expect(try first.receiveToTheEnd() == [])
        #expect(try served.say("swipe visa") == "error the reader is not plugged in")
        #expect(try served.say("plug in") == "ok")
        // Nobody gives it power: the card goes through, and nothing comes of it.
        #expect(try served.say("swipe visa") == "ok")
        #expect(served.errors.contains("no computer has attached it"))
        let second = try client(served)
        try second.read(endpoint: 1, byteCount: 887)
        #expect(try served.say("swipe amex") == "ok")
        #expect(try second.answer().data.count == 887)
    }

    @Test func aMiuraAnswersOnItsLineOnceAProgramHasOpenedIt() throws {
        let served = try ServedProcess(["--usbip", "127.0.0.1:0"], reader: "miura")
        let client = try client(served)
        try client.ask(Self.request(0x21, 0x20, 0, 7), data: [0x80, 0x25, 0, 0, 0, 0, 8])
        #expect(try client.answer().status == 0)
        try client.ask(Self.request(0x21, 0x22, 3, 0))
        #expect(try client.answer().status == 0)
        try client.read(endpoint: 1, byteCount: 512)
        // RESET DEVICE, soft: the probe of hosts that look for a reader.
        let probe: [UInt8] = [0x01, 0x00, 0x04, 0xD0, 0x00, 0x00, 0x00, 0xD5]
        try client.submit(
            USBIPTransfer(
                number: 0,
                isIn: false,
                endpoint: 1,
                byteCount: probe.count,
                data: probe[...]
            )
        )
        #expect(try client.answer().status == 0)
        let answer = try client.answer().data
        #expect(answer.first == 0x01)
        // 9F1E is the serial number.
        #expect(answer.indices.contains { answer[$0...].starts(with: [0x9F, 0x1E, 8]) })
    }

    @Test func aHundredClientsLeaveNothingBehind() throws {
        let served = try ServedProcess(["--usbip", "127.0.0.1:0"], reader: "dynamag")
        _ = try client(served)
        try served.wait { try served.say("status").hasSuffix("no client") }
        let before = try served.holdings()
        for _ in 0..<100 {
            // It leaves with a transfer that waits.
            try client(served).read(endpoint: 1, byteCount: 888)
            try served.wait { try served.say("status").hasSuffix("no client") }
        }
        #expect(try served.holdings() == before)
        #expect(before.contains { $0.isNumber })
    }

    @Test func aScenarioFileSwipesAndPullsTheReaderOut() throws {
        let folder = TemporaryFolder()
        let file = try folder.write(
            "hands.yaml",
            """
            scenario: Swiped and pulled out
            rig: { reader: dynamag }
            steps:
              - wait: 300ms
              - swipe: visa
              - wait: 500ms
              - unplug
            """
        )
        let served = try ServedProcess(
            ["--usbip", "127.0.0.1:0", "--steps", file],
            reader: "dynamag"
        )
        let client = try client(served)
        try client.read(endpoint: 1, byteCount: 888)
        #expect(try client.answer().data.count == 887)
        #expect(try client.receiveToTheEnd() == [])
        try served.wait { served.output.contains("unplug: ok") }
        #expect(served.output.contains("swipe visa good: ok"))
        FileBytes.remove(path: file)
    }

    @Test func stepsOfAnAppAreRefusedWithTheirLine() throws {
        let streams = Streams.captured()
        let file = "Scenarios/idynamo/good-swipe.yaml"
        let command = ["serve", "dynamag", "--usbip", "127.0.0.1:0", "--steps", file]
        #expect(CardRigCommand.run(command, streams: streams) == .wrong)
        let text = String(decoding: streams.error, as: UTF8.self)
        #expect(text.contains("line 5 is no act of a hand"))
    }

    @Test(arguments: [
        ("idynamo --usbip 127.0.0.1:0", "an iDynamo is no USB device"),
        ("dynamag --tcp 127.0.0.1:0", "a Dynamag is a USB device and no stream"),
        ("dynamag --pty", "a Dynamag is a USB device and no stream"),
        ("dynamag", "say where, with --usbip HOST:PORT"),
        ("miura --usbip 127.0.0.1:0 --pty", "a reader is at one place"),
        ("dynamag --usbip 3240", "--usbip"),
        ("dynamag --usbip 127.0.0.1:0 --set packet-size=65", "1 to 64"),
        ("miura --usbip 127.0.0.1:0 --set usb-serial=a/b", "1 to 32 letters and digits"),
    ])
    func whatCannotBeIsRefusedAndWhatCanIsSaid(arguments: String, words: String) {
        let streams = Streams.captured()
        let command = ["serve"] + arguments.split(separator: " ").map(String.init)
        #expect(CardRigCommand.run(command, streams: streams) == .wrong)
        #expect(String(decoding: streams.error, as: UTF8.self).contains(words))
    }

    @Test func theDescriptionSaysWhatOfTheDescriptorsIsAssumed() {
        for reader in ["dynamag", "miura"] {
            let streams = Streams.captured()
            #expect(
                CardRigCommand.run(["serve", reader, "--describe"], streams: streams) == .held
            )
            let text = String(decoding: streams.output, as: UTF8.self)
            #expect(text.contains("assumed  "))
            #expect(text.contains("option --set usb-power="))
        }
    }
}
