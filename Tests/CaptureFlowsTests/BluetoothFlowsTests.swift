import CaptureFiles
import Testing

@testable import CaptureFlows

@Suite("RFCOMM in captures")
struct BluetoothFlowsTests {
    private typealias Sample = BluetoothSample

    private func check(_ file: Import) {
        #expect(file.notices == [])
        #expect(file.bytes(of: Sample.name, .toReader) == Sample.command)
        #expect(file.bytes(of: Sample.name, .fromReader) == Sample.answer + Sample.long)
        #expect(file.bytes(of: Sample.otherName, .toReader) == [0xAA])
    }

    @Test(arguments: Sample.containers.dropFirst(), [1, 5, 27, .max])
    func everyContainerGivesTheSameBytes(container: String, fragment: Int) {
        let file = Import(Sample(fragment: fragment).file(container))
        check(file)
        #expect(file.flows.allSatisfy { !$0.isDirectionGuessed })
        #expect(
            file.units(of: Sample.otherName).map(\.kind) == [
                .opened, .line(.modemStatus(0x8D)), .data, .closed(.orderly),
            ]
        )
        #expect(
            file.units(of: Sample.name).map(\.kind) == [
                .opened, .line(.modemStatus(0x8D)), .data, .data, .data, .data, .closed(.aborted),
            ]
        )
    }

    @Test func withoutDirectionsTheOneWhoOpenedIsTheHost() {
        let file = Import(Sample().file("187"))
        check(file)
        #expect(file.flows.contains { $0.isDirectionGuessed })
    }

    @Test func aLogThatBeginsLaterIsRecognisedByItsFrames() {
        let all = Sample().packets
        let later = all.suffix(10).map {
            [0, 0, 0, $0.isFromHost ? 0 : 1, $0.indicator] + $0.bytes
        }
        let file = Import(PacketBuilder.pcap(201, later))
        let name = "rfcomm handle 11 channel 2 dlci 4"
        #expect(file.bytes(of: name, .toReader) == Sample.command)
        #expect(file.bytes(of: name, .fromReader) == Sample.answer + Sample.long)
    }

    @Test func aFrameWithAWrongCheckIsLeftOutAndNamed() {
        var packets = Sample().packets
        let index = packets.firstIndex { $0.bytes.suffix(9).starts(with: Sample.command) }
        packets[index ?? 0].bytes[packets[index ?? 0].bytes.count - 1] ^= 1
        let file = Import(
            PacketBuilder.pcap(
                201,
                packets.map { [0, 0, 0, $0.isFromHost ? 0 : 1, $0.indicator] + $0.bytes }
            )
        )
        #expect(file.bytes(of: Sample.name, .toReader) == [])
        #expect(file.notices.first?.text.contains("check") == true)
        #expect(file.notices.first?.number == (index ?? 0) + 1)
    }

    @Test func cutPacketsSayWhatIsMissing() {
        let packets = Sample().packets.map {
            [0, 0, 0, $0.isFromHost ? 0 : 1, $0.indicator] + $0.bytes
        }
        let file = Import(PacketBuilder.pcap(201, packets, cut: 60))
        let missing = file.units(of: Sample.name).compactMap { unit in
            if case .missing(let count) = unit.kind { count } else { nil }
        }
        // 60 bytes, less direction, H4, ACL, L2CAP and RFCOMM headers: 43 of 300 are there.
        #expect(missing == [257])
        #expect(
            file.bytes(of: Sample.name, .fromReader) == Sample.answer + Sample.long.prefix(43)
        )
    }

    @Test func theCheckIsThatOfTheStandard() {
        for bytes in [[0x03, 0x3F, 0x01], [0x0B, 0xEF], [0x11, 0x73, 0x01]] as [[UInt8]] {
            #expect(RFCOMMSession.check(bytes[...]) == PacketBuilder.check(bytes))
        }
        // SABM on DLCI 0 as it is seen on the air.
        #expect(RFCOMMSession.isFrame(hex("03 3f 01 1c")[...]))
    }
}
