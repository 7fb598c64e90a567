import Testing

@testable import CaptureFiles

@Suite("usbmon records")
struct USBMonPacketTests {
    /// A packet as a reader would deliver it, for bytes that stand in no file.
    private func packet(
        _ bytes: [UInt8],
        linkType: LinkType = .usbLinuxMmapped,
        order: ByteOrder = .littleEndian
    ) throws -> CapturedPacket {
        let builder = BlockBuilder(order: order)
        let file =
            builder.section() + builder.interface(linkType.rawValue)
            + builder.enhanced(bytes)
        return try #require(Reading(file).packets.first)
    }

    @Test(arguments: [ByteOrder.littleEndian, .bigEndian])
    func recordsSurviveARoundTripInBothByteOrders(order: ByteOrder) throws {
        for record in CaptureSample.records() {
            let bytes = record.encode(byteOrder: order)
            let decoded = try USBMonPacket(decoding: packet(bytes, order: order))
            var expected = record
            expected.time.nanoseconds -= expected.time.nanoseconds % 1_000
            #expect(decoded == expected)
        }
    }

    @Test func aReportIsLaidOutAsTheRegistrySays() throws {
        let record = USBMonPacket.interruptInCompletion(
            of: USBMonPacket.URB(id: 0x0102_0304_0506_0708, busNumber: 0x0A0B, deviceAddress: 12),
            endpointAddress: 1,
            report: [0xDE, 0xAD],
            at: CaptureTime(seconds: 258, nanoseconds: 3_000)
        )
        var expected: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1, 0x43, 1, 0x81, 12, 0x0B, 0x0A, 0x2D, 0]
        expected += [2, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]
        expected += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]
        expected += [0xDE, 0xAD]
        #expect(record.encode() == expected)
    }

    @Test func aControlRequestCarriesItsSetupPacket() throws {
        let record = CaptureSample.records()[0]
        let bytes = record.encode()
        #expect(Array(bytes[40..<48]) == [0x81, 6, 0, 0x22, 0, 0, 64, 0])
        #expect(bytes[14] == 0)
        #expect(bytes[15] == UInt8(ascii: "<"))
        #expect(Array(bytes[28..<32]) == [0x8D, 0xFF, 0xFF, 0xFF])
        let decoded = try USBMonPacket(decoding: packet(bytes))
        #expect(decoded.setup == CaptureSample.getReportDescriptor)
        #expect(decoded.isIn)
        #expect(decoded.endpointNumber == 0)
    }

    @Test func theShortHeaderIsReadWithoutTheLongOnesFields() throws {
        let long = CaptureSample.records()[5].encode()
        let short = Array(long[..<48] + long[64...])
        let record = try USBMonPacket(decoding: packet(short, linkType: .usbLinux))
        #expect(Array(record.data) == CaptureSample.report)
        #expect(record.transferFlags == 0)
        #expect(record.deviceAddress == 7)
    }

    @Test(arguments: 0..<64)
    func aRecordTooShortIsAnErrorWithItsOffset(byteCount: Int) throws {
        let bytes = Array(CaptureSample.records()[0].encode()[..<byteCount])
        let packet = try packet(bytes)
        let error = #expect(throws: CaptureError.self) { try USBMonPacket(decoding: packet) }
        #expect(
            error?.code == .headerTooShort(.usbLinuxMmapped, byteCount: byteCount, needed: 64)
        )
        #expect(error?.byteOffset == packet.dataByteOffset)
        #expect(error?.blockNumber == 3)
    }

    @Test func fieldsWithoutMeaningAreErrorsWithTheirOffset() throws {
        for index in [8, 9] {
            var bytes = CaptureSample.records()[0].encode()
            bytes[index] = 0x40
            let packet = try packet(bytes)
            let error = #expect(throws: CaptureError.self) { try USBMonPacket(decoding: packet) }
            #expect(error?.byteOffset == packet.dataByteOffset + index)
        }
        let ethernet = try packet([1, 2, 3], linkType: LinkType(rawValue: 1))
        let error = #expect(throws: CaptureError.self) { try USBMonPacket(decoding: ethernet) }
        #expect(error?.code == .unsupportedLinkType(LinkType(rawValue: 1)))
    }

    @Test func aRecordCutByTheCaptureSaysSo() throws {
        let bytes = CaptureSample.records()[5].encode()
        let record = try USBMonPacket(decoding: packet(Array(bytes.dropLast(87))))
        #expect(record.data.count == 800)
        #expect(record.capturedByteCount == 887)
        #expect(record.isCut)
        #expect(try !USBMonPacket(decoding: packet(bytes)).isCut)
        // An IN submission asks for bytes that nobody expects in the record.
        #expect(!CaptureSample.records()[4].isCut)
    }

    @Test(arguments: [ByteOrder.littleEndian, .bigEndian])
    func isochronousDescriptorsStandBeforeTheData(order: ByteOrder) throws {
        var record = CaptureSample.records()[5]
        record.transfer = .isochronous
        record.isochronousErrorCount = 1
        record.isochronousDescriptors = [
            USBMonPacket.IsochronousDescriptor(status: 0, offset: 0, byteCount: 3),
            USBMonPacket.IsochronousDescriptor(status: -18, offset: 64, byteCount: 0),
        ]
        record.data = [1, 2, 3]
        record.capturedByteCount = 35
        record.time.nanoseconds = 5_000
        let bytes = record.encode(byteOrder: order)
        #expect(try USBMonPacket(decoding: packet(bytes, order: order)) == record)

        // Three descriptors do not fit the 35 bytes that the header promises.
        for count: UInt32 in [3, .max] {
            var tooMany = bytes
            tooMany.replaceSubrange(60..<64, with: BlockBuilder(order: order).number(count))
            let packet = try packet(tooMany, order: order)
            let error = #expect(throws: CaptureError.self) { try USBMonPacket(decoding: packet) }
            #expect(error?.byteOffset == packet.dataByteOffset + 60)
        }
    }
}
