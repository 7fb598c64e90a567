import CaptureFiles
import CardData
import Kernel
import Reporting
import Testing

@testable import CardRigCLI

@Suite("Recorder")
struct RecorderTests {
    private let folder = TemporaryFolder()

    private func packets(_ arguments: String...) throws -> [CapturedPacket] {
        let scenario = try folder.write(
            "swipe.yaml",
            """
            scenario: A swipe
            rig: { reader: idynamo }
            steps:
              - plug in
              - await: deviceBecameReadyForSwipe
              - swipe: { card: visa }
              - expect: didSwipeCard
            """
        )
        let file = folder.path + "/run.pcapng"
        let streams = Streams.captured()
        let code = CardRigCommand.run(
            ["run", scenario, "--record", file] + arguments,
            streams: streams
        )
        #expect(code == .held)
        var reader = CaptureReader()
        let bytes = try FileBytes.read(path: file, limit: 1 << 24)
        FileBytes.remove(path: file)
        reader.append(bytes.span)
        var packets: [CapturedPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        try reader.finish()
        return packets
    }

    @Test func aDynamagIsRecordedAsUSBPacketsThatCarryItsReport() throws {
        let packets = try packets("--reader", "sim:dynamag")
        let usb = try packets.filter { $0.linkType == .usbLinuxMmapped }.map {
            try USBMonPacket(decoding: $0)
        }
        let completions = usb.filter { $0.event == .completion && $0.status == .success }
        #expect(completions.allSatisfy { $0.isIn && $0.data.count <= 8 })
        #expect(completions.map(\.data.count).reduce(0, +) == 887)
        #expect(usb.count { $0.event == .submission } == completions.count + 1)
    }

    @Test func anIDynamoIsRecordedAsBlocksOfItsStream() throws {
        let packets = try packets()
        let units = try packets.filter { $0.linkType == .exportedPDU }.map {
            try ExportedPDU(decoding: $0)
        }
        let blocks = units.filter { $0.dissectorName == "data" && !$0.bytes.isEmpty }
        #expect(!blocks.isEmpty)
        #expect(blocks.allSatisfy { $0.bytes.count == 500 && $0.direction == .inbound })
    }

    @Test func theJournalIsBesideTheWireInTheOrderOfTheRun() throws {
        let packets = try packets("--reader", "sim:dynamag")
        let journal = try packets.filter { $0.linkType == .exportedPDU }.map {
            String(decoding: try ExportedPDU(decoding: $0).bytes, as: UTF8.self)
        }
        #expect(journal.first?.contains("\"name\":\"pluggedIn\"") == true)
        #expect(journal.contains { $0.contains("\"name\":\"didSwipeCard\"") })
        let times = packets.compactMap(\.time)
        #expect(times.count == packets.count)
        #expect(times.first?.seconds == 1_717_405_200)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func severalRecordingsAreNamedAfterTheirScenarios() {
        #expect(
            Recorder.target("out", scenario: "./Scenarios/../a/b.yaml", count: 2)
                == "out/Scenarios/a/b.pcapng"
        )
        #expect(Recorder.target("out/", scenario: "/x/.y", count: 1) == "out/x/.y.pcapng")
        #expect(Recorder.target("out.pcapng", scenario: "a.yaml", count: 1) == "out.pcapng")
    }

    /// Readers without keys and audio-jack readers send cards in clear: no recording of any scenario
    /// holds a number.
    @Test func noRecordingOfAScenarioShowsACardNumber() throws {
        let place = folder.path + "/all/"
        let streams = Streams.captured()
        let code = CardRigCommand.run(["run", "Scenarios", "--record", place], streams: streams)
        #expect(code == .held)
        let files = try Paths.files(under: place, withSuffix: ".pcapng")
        #expect(files.count > 1_000)
        let numbers = TestCard.all.map { card in
            Array(card.unmaskedTrack2.dropFirst().prefix { $0 != UInt8(ascii: "=") })
        }
        for file in files {
            let bytes = try FileBytes.read(path: file, limit: 1 << 24)
            for number in numbers where bytes.contains(number) {
                Issue.record("\(file) shows a card number")
            }
            FileBytes.remove(path: file)
        }
    }
}
