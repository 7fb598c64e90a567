import CaptureFiles
import Testing

@testable import CaptureFlows

@Suite("Serial packets in captures")
struct SerialPacketsTests {
    /// What our recorder writes of a stream: attached, bytes both ways, a journal line, detached.
    private var recording: [UInt8] {
        var writer = CaptureWriter(comments: ["scenario: a.yaml"])
        var file = writer.sectionHeader
        let journal = writer.addInterface(.exportedPDU, name: "journal")
        let reader = writer.addInterface(.exportedPDU, name: "miura")
        let other = writer.addInterface(.exportedPDU, name: "shuttle")
        file += journal.bytes + reader.bytes + other.bytes
        var number: Int64 = 0
        func add(
            _ interface: CaptureWriter.Interface,
            _ unit: ExportedPDU,
            _ comments: [String] = []
        ) {
            number += 1
            let time = CaptureTime(nanosecondsSinceEpoch: number)
            file += writer.packet(unit, on: interface, at: time, comments: comments)
        }
        add(reader.interface, ExportedPDU(bytes: []), ["attached"])
        add(reader.interface, ExportedPDU(direction: .outbound, bytes: hex("0102")))
        add(journal.interface, ExportedPDU(dissectorName: "json", bytes: Array("{}".utf8)))
        add(reader.interface, ExportedPDU(direction: .inbound, bytes: hex("0304")), ["step 1"])
        add(other.interface, ExportedPDU(direction: .inbound, bytes: hex("05")))
        add(reader.interface, ExportedPDU(direction: .inbound, bytes: hex("06")))
        add(reader.interface, ExportedPDU(bytes: []), ["detached: unplugged"])
        return file
    }

    @Test func ourRecordingsAreReadBack() {
        let file = Import(recording)
        #expect(
            file.flows.map(\.key) == [
                .exported(interface: "miura", dissector: "data"), .journal(interface: "journal"),
                .exported(interface: "shuttle", dissector: "data"),
            ]
        )
        #expect(
            file.units(of: "data miura").map(\.kind) == [
                .opened, .data, .data, .data, .closed(.unplugged),
            ]
        )
        #expect(file.bytes(of: "data miura", .toReader) == hex("0102"))
        #expect(file.bytes(of: "data miura", .fromReader) == hex("030406"))
        #expect(file.bytes(of: "data shuttle", .fromReader) == hex("05"))
        #expect(file.units(of: "journal journal").first.map { Array($0.bytes) } == Array("{}".utf8))
        #expect(
            file.comments.map(\.text) == [
                "scenario: a.yaml", "attached", "step 1", "detached: unplugged",
            ]
        )
        #expect(file.comments.map(\.interfaceName) == ["", "miura", "miura", "miura"])
        #expect(file.units.first?.time == CaptureTime(nanosecondsSinceEpoch: 1))
    }

    @Test func aCopyBehindAnotherIsReadTwice() {
        let file = Import(recording + recording)
        #expect(file.units.count == 14)
        #expect(file.flows.count == 3)
        #expect(file.comments.filter { $0.packetNumber == nil }.count == 2)
    }

    @Test func serialLinesWithSignalsAreRead() {
        // RTAC: time, event, line state, two bytes, data.
        let head = "65000000 00000000"
        let file = Import(
            PacketBuilder.pcap(
                250,
                [
                    hex(head + "01 18 0000 0102"), hex(head + "02 18 0000 0304"),
                    hex(head + "00 10 0000"), hex(head + "05 00 0000"), hex(head + "09 00 0000"),
                ]
            )
        )
        #expect(
            file.units.map(\.kind) == [
                .data, .data, .line(.requestToSend(false)), .line(.dataTerminalReady(true)),
                .missing(byteCount: nil), .line(.breakSignal(true)),
            ]
        )
        #expect(file.units.prefix(2).map(\.direction) == [.toReader, .fromReader])
    }

    @Test func recordsWithoutCommentsOrTagsAreNamed() {
        let file = Import(PacketBuilder.pcap(252, [[0, 12, 0, 40, 1], [0]]))
        #expect(file.notices.count == 2)
        #expect(file.units == [])
    }
}
