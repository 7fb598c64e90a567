import CaptureFiles
import CaptureSupport
import Testing

@testable import CaptureFlows

@Suite("Text logs")
struct TextLogTests {
    private func read(_ text: String) -> Import { Import(Array(text.utf8)) }

    private struct Chunk: Equatable, CustomStringConvertible {
        var direction: FlowDirection
        var bytes: [UInt8]
        var description: String { "\(direction) \(bytes)" }
    }

    private func chunks(_ file: Import) -> [Chunk] {
        file.units.filter { $0.kind == .data }
            .map { Chunk(direction: $0.direction, bytes: Array($0.bytes)) }
    }

    @Test func intercepttyIsByteByByteAndItsMarksPointAtTheDevice() {
        let file = read("< 0x54 (T)\n< 0x0d\n> \t0x4b (K)\n> \t0x0a\n")
        #expect(file.formatName == "interceptty log")
        #expect(
            chunks(file) == [
                Chunk(direction: .toReader, bytes: hex("540d")),
                Chunk(direction: .fromReader, bytes: hex("4b0a")),
            ]
        )
        #expect(file.units.allSatisfy { $0.time == nil })
    }

    @Test func portmonsDataSettingsAndOpeningAreRead() {
        let file = read(
            """
            0\t0.00000335\tapp.exe\tIRP_MJ_CREATE\tSerial0\tSUCCESS\tOptions: Open
            1\t0.00000221\tapp.exe\tIOCTL_SERIAL_SET_BAUD_RATE\tSerial0\tSUCCESS\tRate: 9600
            2\t0.00000221\tapp.exe\tIOCTL_SERIAL_SET_LINE_CONTROL\tSerial0\tSUCCESS\tStopBits: 1 Parity: EVEN WordLength: 7
            3\t0.00000221\tapp.exe\tIOCTL_SERIAL_CLR_RTS\tSerial0\tSUCCESS
            4\t0.00011\tapp.exe\tIRP_MJ_WRITE\tSerial0\tSUCCESS\tLength 3: 01 02 03
            5\t0.00011\tapp.exe\tIRP_MJ_READ\tSerial0\tSUCCESS\tLength 4: 0A 0B
            6\t0.00011\tapp.exe\tIRP_MJ_CLOSE\tSerial0\tSUCCESS\r
            """
        )
        #expect(file.formatName == "Portmon log")
        #expect(
            file.units(of: "serial Serial0").map(\.kind) == [
                .opened, .line(.rate(9_600)),
                .line(.format(dataBits: 7, parity: 2, halfStopBits: 2)),
                .line(.requestToSend(false)), .data, .data, .missing(byteCount: 2),
                .closed(.orderly),
            ]
        )
        #expect(chunks(file).map(\.bytes) == [hex("010203"), hex("0a0b")])
    }

    @Test func aUmockdevScriptIsUnescapedAndTimed() {
        let file = read("d 0 /dev/ttyACM0\nw 5 ^A^`^[^?\nr 20   ab\nf 5 -\nr 1 ^@^M^J\n")
        #expect(file.formatName == "umockdev script")
        #expect(
            chunks(file) == [
                Chunk(direction: .toReader, bytes: hex("01 5e 1b 1f")),
                Chunk(direction: .fromReader, bytes: hex("6162")),
                Chunk(direction: .fromReader, bytes: hex("000d0a")),
            ]
        )
        #expect(file.units.map { $0.time?.nanoseconds } == [5_000_000, 25_000_000, 26_000_000])
        #expect(file.flows.map(\.key.description) == ["serial /dev/ttyACM0"])
    }

    @Test func hidReportsOfAnIoctlRecordAreControlTransfers() {
        let file = read(
            "@DEV /dev/bus/usb/001/011\nHIDIOCSFEATURE(8) 8 0100040000000000\n"
                + "USBDEVFS_REAPURBNDELAY 0 1 129 0 0 8 8 0 00000C0000000000\n"
                + "USBDEVFS_REAPURB 0 1 129 -32 0 8 0 0\n"
        )
        #expect(
            file.units.map(\.kind) == [
                .control(
                    USBSetupPacket(
                        requestType: 0x21,
                        request: 9,
                        value: 0x0301,
                        index: 0,
                        byteCount: 8
                    )
                ),
                .data, .failed(.stalled),
            ]
        )
        #expect(
            file.flows.map(\.key.description) == [
                "usb 1.11 endpoint 0x00 control", "usb 1.11 endpoint 0x81 interrupt",
            ]
        )
    }

    @Test(arguments: [
        ("> 01 02\n< 03 04\n", 0), ("TX: 0x01, 0x02\nRX: 0x03 0x04\n", 0),
        ("12:36:22.5 H->R 0102\n12:36:22.6 R->H 0304\n", 0),
        ("[2026-11-30 12:36:22.001] -> 01-02 ..\n[2026-11-30 12:36:22.002] <- 03-04 ..\n", 0),
        ("10:00:00.100 DBG client SendRaw - 01-02\n10:00:00.200 DBG client Receive - 03-04\n", 0),
        (
            "PayPalHere: > EMV Terminal Message 0102 (OK)\nPayPalHere: < EMV Terminal Message: 0304\n",
            0
        ),
        ("SEND 2 bytes:\n0000  01 02\nRECV 2 bytes:\n0000  03 04\nSEND 01 02\nRECV 03 04\n", 4),
        ("BOND LIB-Message To Terminal: 0102\nBOND LIB-Message From Terminal: 0304\n", 0),
        ("HOST\n01 02\nDEVICE\n03 04 abcdef\n", 0),
        ("C 0102   hello\n# remark\nS 0304\n", 0),
    ])
    func pastedDumpsAreReadByTheirMarks(text: String, more: Int) {
        let file = read(text)
        #expect(file.formatName == "hex dump")
        #expect(
            chunks(file).prefix(2) == [
                Chunk(direction: .toReader, bytes: hex("0102")),
                Chunk(direction: .fromReader, bytes: hex("0304")),
            ]
        )
        #expect(chunks(file).count == 2 + more / 2)
        #expect(file.notices == [])
    }

    @Test func aByteOrderMarkIsPassedOver() {
        let file = Import([0xEF, 0xBB, 0xBF] + Array("< 0x54 (T)\r\n> \t0x4b (K)\r\n".utf8))
        #expect(file.formatName == "interceptty log")
        #expect(chunks(file).map(\.bytes) == [[0x54], [0x4B]])
        #expect(Import([0xFF, 0xFE, 0x3E, 0, 0x20, 0]).refusal?.contains("UTF-16") == true)
    }

    @Test(arguments: ["Dear all,\nthe reader does not work.\n", "{\"a\": 1}\n", "add beef\n"])
    func otherTextIsRefused(text: String) {
        #expect(read(text).refusal?.contains("it is text") == true)
    }

    @Test func usbmonTextOfOldKernelsHasNoBus() {
        let file = read(
            "d5ea89a0 3575914555 S Ci:001:00 s a3 00 0000 0003 0004 4 <\n"
                + "d5ea89a0 3575914560 C Ci:001:00 0 4 = 01050000\n"
                + "dd65f0e8 4128379752 S Bo:005:02 -115 31 = 5553424351 5e000000\n"
        )
        #expect(file.formatName == "usbmon text")
        #expect(file.flows.first?.key.description == "usb 0.1 endpoint 0x00 control")
        #expect(file.notices.map(\.severity) == [.remark])
        let bulk = file.units(of: "usb 0.5 endpoint 0x02 bulk")
        #expect(bulk.map(\.kind) == [.data, .missing(byteCount: 22)])
    }

    @Test func timesOfUsbmonTextThatWrapGoOn() {
        let file = read(
            "ffff8800 4095999999 C Ii:1:002:1 0:8 2 = 0001\n"
                + "ffff8800 1 C Ii:1:002:1 0:8 2 = 0002\n"
        )
        let times = file.units.compactMap(\.time)
        #expect(times.count == 2)
        #expect(times.last == CaptureTime(microsecondsSinceEpoch: 4_096_000_001))
    }

    @Test func aLineWithoutEndIsCutAndNamed() {
        let file = read(
            "> 01 02\n> 03 04 " + String(repeating: "x", count: 2_000_000) + "\n< 05 06\n"
        )
        #expect(chunks(file).map(\.bytes) == [hex("0102"), hex("0304"), hex("0506")])
        #expect(file.notices.first?.number == 2)
    }
}

@Suite("Public text logs", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct TextCorpusTests {
    private static let command = hex("010004D0010000D4")
    private static let fromReader =
        hex("010002900093 014008E1044802 0000900076") + (0...0x27).map { UInt8($0) }
        + Array("abc\r\ndef\n\\x\"".utf8) + [0xFF]

    @Test(arguments: [
        ("socat_xv.log", "socat"), ("socat_x.log", "socat"),
        ("jpnevulator_ascii_timing.log", "jpnevulator"),
    ])
    func theSameTrafficIsInEachLog(file name: String, flow: String) throws {
        let file = Import(try Corpus.bytes("serial-text/\(name)"))
        #expect(file.bytes(of: "serial \(flow)", .toReader) == Self.command)
        #expect(file.bytes(of: "serial \(flow)", .fromReader) == Self.fromReader)
        #expect(file.notices == [])
    }

    @Test func socatKeepsChunksAndMicroseconds() throws {
        let file = Import(try Corpus.bytes("serial-text/socat_xv.log"))
        #expect(file.units.map(\.bytes.count) == [8, 6, 7, 5, 40, 13])
        // 2026-11-30 12:36:22.000229198 stands for 0.229198 s.
        #expect(file.units[1].time == CaptureTime(seconds: 1_796_042_182, nanoseconds: 229_198_000))
    }

    @Test func pyserialsSpyIsReadWithItsSignals() throws {
        let file = Import(try Corpus.bytes("serial-text/pyserial_spy.log"))
        #expect(file.bytes(of: "serial pyserial", .toReader) == Self.command)
        #expect(
            file.bytes(of: "serial pyserial", .fromReader)
                == hex("010002900093") + (0...0x13).map { UInt8($0) }
        )
        #expect(file.units.last?.kind == .line(.dataTerminalReady(false)))
        #expect(file.units[1].time == CaptureTime(seconds: 0, nanoseconds: 701_000_000))
    }

    @Test(arguments: [
        ("kkaempf_boot-windows2.usbmon", 42), ("kkaempf_start-windows.mon", 44),
        ("kkaempf_start-powerslide.mon", 114),
    ])
    func usbmonTextIsReadLineForLine(name: String, lines: Int) throws {
        let file = Import(try Corpus.bytes("usbmon-text/\(name)"))
        #expect(file.packetCount == lines)
        #expect(file.notices.map(\.severity) == [.remark])
        #expect(file.notices.first?.text.contains("32 bytes") == true)
        #expect(file.devices.first?.vendorID == (name.contains("powerslide") ? nil : 0x05E3))
        let unlinked = file.units.filter { $0.kind == .failed(.unlinked) }
        #expect(unlinked.count == (name.contains("powerslide") ? 1 : 0))
    }

    @Test func umockdevFilesAreRead() throws {
        let script = Import(try Corpus.bytes("umockdev/fido2.script"))
        #expect(script.flows.map(\.key.description) == ["serial /dev/hidraw5"])
        #expect(script.units.first?.bytes.count == 65)
        let dump = Import(try Corpus.bytes("umockdev/usbkbd.pcap.umockdev"))
        #expect(dump.units == [])
        #expect(dump.devices.contains { $0.vendorID != nil && !$0.interfaces.isEmpty })
        let record = Import(try Corpus.bytes("umockdev/fido2.ioctl"))
        #expect(record.refusal == nil)
    }

    @Test func transcriptsOfWiresAreReadAsDumps() throws {
        let serial = Import(try Corpus.bytes("wire/rfc2217_pyserial35_ser2net4311.txt"))
        #expect(serial.units.count == 29)
        #expect(serial.units.first?.direction == .fromReader)
        #expect(Array(serial.units[1].bytes.prefix(3)) == hex("fffd01"))
        let usbip = Import(try Corpus.bytes("wire/usbip_list_attach_transcript.txt"))
        #expect(usbip.units.first.map { Array($0.bytes) } == hex("0111800500000000"))
    }
}
