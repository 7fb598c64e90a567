import CaptureSupport
import Testing

@testable import CaptureFiles

extension TShark {
    /// Returns the requested fields of each packet, one line a packet.
    fileprivate static func fields(_ file: [UInt8], _ names: [String]) throws -> [[String]] {
        let arguments = names.map { "-e \($0)" }.joined(separator: " ")
        return try run(file, "-T fields \(arguments)")
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { line in
                line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
    }
}

@Suite(
    "Wireshark reads what is written",
    .enabled(if: TShark.isPresent, "\(TShark.absence)"),
    .serialized
)
struct WiresharkTests {
    @Test func aSwipeIsShownWithItsReport() throws {
        let rows = try TShark.fields(
            CaptureSample.swipe(),
            [
                "usb.urb_type", "usb.transfer_type", "usb.endpoint_address", "usb.bus_id",
                "usb.device_address", "usb.urb_status", "usb.urb_len", "usb.capdata",
                "frame.comment", "frame.time_epoch",
            ]
        )
        try #require(rows.count == 10)
        let hex = CaptureSample.report.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
        #expect(
            rows[5] == [
                "'C'", "0x01", "0x81", "3", "7", "0", "887", hex, "swipe: visa",
                "1700000000.128456789",
            ]
        )
        #expect(rows[4][..<8] == ["'S'", "0x01", "0x81", "3", "7", "-115", "887", ""])
        #expect(rows[7][..<6] == ["'C'", "0x01", "0x81", "3", "7", "-2"])
        #expect(rows[0][..<7] == ["'S'", "0x02", "0x80", "3", "7", "-115", "64"])
        #expect(rows[1][..<6] == ["'C'", "0x02", "0x80", "3", "7", "-32"])
    }

    @Test func submissionsAndCompletionsArePaired() throws {
        let rows = try TShark.fields(
            CaptureSample.swipe(),
            ["usb.request_in", "frame.packet_flags_direction"]
        )
        try #require(rows.count == 10)
        #expect(rows[..<8].map(\.[0]) == ["", "1", "", "3", "", "5", "", "7"])
        #expect(rows[5][1] == "0x00000001")
        #expect(rows[2][1] == "0x00000002")
    }

    @Test func aReportOfAnEnumeratedReaderIsShownAsHIDData() throws {
        let file = CaptureSample.enumeratedSwipe()
        let rows = try TShark.fields(
            file,
            ["usb.idVendor", "usb.idProduct", "usb.bInterfaceClass", "usbhid.data"]
        )
        try #require(rows.count == 6)
        #expect(rows[1][..<2] == ["0x0801", "0x0011"])
        #expect(rows[3][2] == "0x03")
        #expect(rows[5][3].hasPrefix("0524436281a0"))
        #expect(rows[5][3].count == 2 * 887)
    }

    @Test func serialBytesAreShownAsDataAndTheJournalAsJSON() throws {
        let rows = try TShark.fields(
            CaptureSample.swipe(),
            [
                "frame.protocols", "data.data", "json.value.string", "exported_pdu.p2p_dir",
                "_ws.col.Protocol",
            ]
        )
        try #require(rows.count == 10)
        #expect(rows[8][..<4] == ["exported_pdu:data", "010004d0010000d4", "", "0"])
        #expect(rows[8][4] == "Miura")
        #expect(rows[9][..<3] == ["exported_pdu:json", "", "swipeReceived"])
    }

    @Test func nothingInTheFileIsMalformed() throws {
        let complaints = try TShark.run(
            CaptureSample.swipe(),
            "-Y '_ws.malformed || _ws.expert.severity >= 6291456'"
        )
        #expect(complaints == "")
    }
}
