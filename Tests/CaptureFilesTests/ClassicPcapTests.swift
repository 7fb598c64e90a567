import Testing

@testable import CaptureFiles

@Suite("Classic pcap")
struct ClassicPcapTests {
    @Test(arguments: [ByteOrder.littleEndian, .bigEndian], [UInt32(0xA1B2_C3D4), 0xA1B2_3C4D])
    func bothByteOrdersAndBothMagicsAreRead(order: ByteOrder, magic: UInt32) throws {
        let file = CaptureSample.pcap(order: order, magic: magic)
        let reading = Reading(file)
        #expect(reading.error == nil)
        try #require(reading.packets.count == 2)
        let first = reading.packets[0]
        #expect(first.linkType == .usbLinux)
        #expect(first.byteOrder == order)
        #expect(Array(first.data) == [1, 2, 3])
        #expect(first.originalByteCount == 9)
        #expect(first.byteOffset == 24)
        let scale: UInt32 = magic == 0xA1B2_C3D4 ? 1_000 : 1
        #expect(first.time == CaptureTime(seconds: 5, nanoseconds: 250_000 * scale))
        #expect(reading.packets[1].blockNumber == 2)
        for index in 1..<file.count {
            #expect(Reading(file, pieces: [index, .max]) == reading)
        }
    }

    @Test func theUpperHalfOfTheLinkTypeIsNotPartOfIt() throws {
        var file = CaptureSample.pcap()
        file[23] = 0x24
        #expect(Reading(file).packets.first?.linkType == .usbLinux)
    }

    @Test func aRecordCutShortIsNamedAfterTheWholeOnes() {
        let file = CaptureSample.pcap()
        let reading = Reading(Array(file.dropLast()))
        #expect(reading.packets.count == 1)
        #expect(reading.error?.code == .cutShort(presentByteCount: 19, expectedByteCount: 20))
        #expect(reading.error?.blockNumber == 2)
        let header = Reading(Array(file.prefix(20)))
        #expect(header.error?.code == .cutShort(presentByteCount: 20, expectedByteCount: 24))
    }

    @Test func aRecordBeyondTheLimitIsAnErrorAtItsOffset() {
        var file = CaptureSample.pcap()
        file[35] = 0xFF
        let reading = Reading(file)
        guard case .blockTooLong = reading.error?.code else {
            Issue.record("\(reading)")
            return
        }
        #expect(reading.error?.byteOffset == 24)
        #expect(reading.error?.blockNumber == 1)
    }

    @Test func anotherVersionIsRefused() {
        var file = CaptureSample.pcap()
        file[4] = 3
        #expect(Reading(file).error?.code == .unsupportedVersion(major: 3, minor: 4))
    }
}

@Suite("Capture time")
struct CaptureTimeTests {
    @Test(arguments: [
        (UInt8(6), UInt64(1_500_001), Int64(1), UInt32(500_001_000)),
        (9, 1_500_000_001, 1, 500_000_001), (0, 7, 7, 0), (3, 7_005, 7, 5_000_000),
        (12, 1_500_000_001_999, 1, 500_000_001), (19, .max, 1, 844_674_407),
        (25, .max, 0, 1_844), (127, .max, 0, 0), (0x80, 3, 3, 0),
        (0x81, 3, 1, 500_000_000), (0x94, 1 << 20 | 1 << 19, 1, 500_000_000),
        (0xBF, .max, 1, 999_999_999), (0xC1, .max, 0, 499_999_999), (0xFF, .max, 0, 0),
    ])
    func everyResolutionGivesSecondsAndNanoseconds(
        option: UInt8,
        units: UInt64,
        seconds: Int64,
        nanoseconds: UInt32
    ) {
        let resolution = TimestampResolution(optionValue: option)
        let time = resolution.time(units: units, offsetSeconds: 0)
        #expect(time == CaptureTime(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test func theInterfacesOffsetIsAddedToEachTimestamp() throws {
        let builder = BlockBuilder()
        let offset = builder.option(14, builder.number(Int64(-3_600)))
        let file =
            builder.section() + builder.interface(1, offset)
            + builder.enhanced([1], units: 1_000_000)
        let packet = try #require(Reading(file).packets.first)
        #expect(packet.time == CaptureTime(seconds: -3_599, nanoseconds: 0))
    }

    @Test func nanosecondsSinceTheEpochSurviveARoundTrip() {
        for count in [0, 1, -1, -1_000_000_000, 1_550_331_845_117_282_000, Int64.max] {
            #expect(CaptureTime(nanosecondsSinceEpoch: count).nanosecondsSinceEpoch == count)
        }
        #expect(CaptureTime(seconds: .max, nanoseconds: 0).nanosecondsSinceEpoch == nil)
        #expect(
            CaptureTime(seconds: 1, nanoseconds: 1_500_000_000)
                == CaptureTime(seconds: 2, nanoseconds: 500_000_000)
        )
    }
}
