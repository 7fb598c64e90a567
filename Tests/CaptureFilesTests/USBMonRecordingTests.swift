import CaptureSupport
import Testing

@testable import CaptureFiles

/// What a real kernel recorded of a reader that it had attached over USB/IP.
@Suite("A recording of usbmon")
struct USBMonRecordingTests {
    private static let path = "Captures/usb/dynamag-swipe-usbip.pcap"

    private func records() throws -> [USBMonPacket] {
        let reading = Reading(try Corpus.checkoutBytes(Self.path))
        #expect(reading.error == nil)
        return try reading.packets.map { try USBMonPacket(decoding: $0) }
    }

    @Test func everyPacketIsAWholeRecordOfTheMappedInterface() throws {
        let packets = Reading(try Corpus.checkoutBytes(Self.path)).packets
        #expect(packets.count == 135)
        #expect(packets.allSatisfy { $0.linkType == .usbLinuxMmapped && !$0.isCut })
    }

    @Test func aSwipeIsOneTransferOf887Bytes() throws {
        let reports = try records().filter {
            $0.transfer == .interrupt && $0.isIn && $0.endpointNumber == 1 && $0.data.count == 887
        }
        #expect(reports.count == 1)
        // The manual's layout: the reader encrypts (495 is the KSN, 493 the encryption status).
        let report = try #require(reports.first).data
        let first = report.startIndex
        #expect(Array(report[(first + 493)..<(first + 495)]) == [0x00, 0x06])
        #expect(report[(first + 495)..<(first + 505)].contains { $0 != 0 })
    }

    @Test func theHostReadsTheReportDescriptorAndSetsTheIdleRate() throws {
        let setups = try records().compactMap(\.setup)
        #expect(setups.contains { $0.requestType == 0x81 && $0.value == 0x2200 })
        #expect(setups.contains { $0.requestType == 0x00 && $0.request == 9 && $0.value == 1 })
    }
}
