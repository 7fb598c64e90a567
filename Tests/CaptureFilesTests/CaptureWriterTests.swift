import Testing

@testable import CaptureFiles

@Suite("Capture writer")
struct CaptureWriterTests {
    @Test func whatIsWrittenIsReadBack() throws {
        var reader = CaptureReader()
        let reading = Reading(&reader, CaptureSample.swipe())
        #expect(reading.error == nil)
        try #require(reading.packets.count == 10)
        #expect(reader.section?.comments == ["made by a test"])
        #expect(reader.section?.application == "cardrig")
        #expect(reader.section?.byteOrder == .littleEndian)
        #expect(reader.interfaces.map(\.name) == ["reader", "journal"])
        #expect(reader.interfaces[0].interfaceDescription == "0801:0011")
        #expect(reader.interfaces[0].resolution == .nanoseconds)
        #expect(reader.interfaces.map(\.linkType) == [.usbLinuxMmapped, .exportedPDU])

        for (packet, record) in zip(reading.packets, CaptureSample.records()) {
            #expect(packet.time == record.time)
            #expect(packet.direction == (record.isIn ? .inbound : .outbound))
            #expect(Array(packet.data) == record.encode())
        }
        #expect(reading.packets[5].comments == ["swipe: visa"])
        #expect(reading.packets[4].comments == [])

        let bytes = try ExportedPDU(decoding: reading.packets[8])
        #expect(bytes.dissectorName == "data")
        #expect(bytes.protocolColumn == "Miura")
        #expect(bytes.direction == .outbound)
        #expect(Array(bytes.bytes) == [1, 0, 4, 0xD0, 1, 0, 0, 0xD4])
        let journal = try ExportedPDU(decoding: reading.packets[9])
        #expect(journal.dissectorName == "json")
        #expect(journal.direction == .unknown)
        #expect(reading.packets[9].comments == ["line 12"])
    }

    @Test func theSameCallsGiveTheSameBytes() {
        #expect(CaptureSample.swipe() == CaptureSample.swipe())
    }

    @Test func theSectionHeaderIsLaidOutAsTheDraftSays() {
        let expected: [UInt8] = [
            0x0A, 0x0D, 0x0D, 0x0A, 40, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0,
            0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 4, 0, 3, 0, 0x72, 0x69, 0x67, 0,
            0, 0, 0, 0, 40, 0, 0, 0,
        ]
        #expect(CaptureWriter(application: "rig").sectionHeader == expected)
    }

    @Test func longTextsAreCutAtACharacter() throws {
        let comment = String(repeating: "é", count: 3_000) + "x"
        var writer = CaptureWriter()
        let (interface, block) = writer.addInterface(.exportedPDU, name: "n")
        let file =
            writer.sectionHeader + block
            + writer.packet([1], on: interface, at: CaptureSample.start, comments: ["a" + comment])
        let packet = try #require(Reading(file).packets.first)
        #expect(packet.comments == ["a" + String(repeating: "é", count: 2_047)])
    }

    @Test func aPacketBeyondTheLimitIsCutAndSaysSo() throws {
        let byteCount = CaptureWriter.packetByteCountLimit + 1
        var writer = CaptureWriter()
        let (interface, block) = writer.addInterface(name: "n")
        let file =
            writer.sectionHeader + block
            + writer.packet(
                [UInt8](repeating: 0, count: byteCount),
                on: interface,
                at: CaptureSample.start
            )
        let packet = try #require(Reading(file).packets.first)
        #expect(packet.data.count == CaptureWriter.packetByteCountLimit)
        #expect(packet.originalByteCount == byteCount)
    }

    @Test(arguments: [
        (CaptureTime(seconds: -1, nanoseconds: 5), CaptureTime(seconds: 0, nanoseconds: 0)),
        (
            CaptureTime(seconds: .max, nanoseconds: 5),
            CaptureTime(seconds: 18_446_744_073, nanoseconds: 709_551_615)
        ),
    ])
    func timesOutsideTheFormatAreWrittenAsTheNearest(
        time: CaptureTime,
        nearest: CaptureTime
    )
        throws
    {
        var writer = CaptureWriter()
        let (interface, block) = writer.addInterface(name: "n")
        let file = writer.sectionHeader + block + writer.packet([1], on: interface, at: time)
        #expect(Reading(file).packets.first?.time == nearest)
    }

    @Test func anExportedPDUCutAnywhereInItsTagsIsAnError() throws {
        let bytes = ExportedPDU(protocolColumn: "Miura", direction: .inbound, bytes: []).encode()
        let builder = BlockBuilder()
        for length in 0..<bytes.count {
            let file =
                builder.section() + builder.interface(252)
                + builder.enhanced(Array(bytes[..<length]))
            let packet = try #require(Reading(file).packets.first)
            #expect(throws: CaptureError.self) { try ExportedPDU(decoding: packet) }
        }
    }
}
