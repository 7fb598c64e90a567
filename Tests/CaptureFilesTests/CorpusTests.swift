import CaptureSupport
import Testing

@testable import CaptureFiles

@Suite(
    "Public captures",
    .enabled(if: Corpus.isPresent, "\(Corpus.absence)")
)
struct CorpusTests {
    /// How many records of a file there are, by what they are.
    private struct Tally: Hashable {
        var packets: Int
        var stalled: Int
        var unlinked: Int
        var interruptReports: Int
        var bulkCompletions: Int
    }

    private func tally(_ records: [USBMonPacket]) -> Tally {
        let completions = records.filter { $0.event == .completion }
        return Tally(
            packets: records.count,
            stalled: completions.filter { $0.status == .stalled }.count,
            unlinked: completions.filter { $0.status == .unlinked }.count,
            interruptReports: completions.filter {
                $0.transfer == .interrupt && $0.status == .success
            }.count,
            bulkCompletions: completions.filter {
                $0.transfer == .bulk && $0.status == .success
            }.count
        )
    }

    private func records(_ name: String) throws -> [USBMonPacket] {
        let reading = Reading(try Corpus.bytes(name), pieces: [4_096])
        #expect(reading.error == nil)
        return try reading.records()
    }

    @Test func theKeyboardCaptureIsReadRecordForRecord() throws {
        let records = try records("pcap-usb/umockdev_usbkbd.pcapng")
        #expect(
            tally(records)
                == Tally(
                    packets: 177,
                    stalled: 2,
                    unlinked: 1,
                    interruptReports: 16,
                    bulkCompletions: 0
                )
        )
        let keyboard = records.filter { $0.busNumber == 1 && $0.deviceAddress == 11 }
        #expect(keyboard.filter { $0.status == .stalled }.count == 1)
        let reports = keyboard.filter {
            $0.event == .completion && $0.endpointAddress == 0x81 && $0.status == .success
        }
        #expect(reports.allSatisfy { $0.transfer == .interrupt && $0.isIn })
        let pressed: [UInt8] = [0, 0, 0x0C, 0, 0, 0, 0, 0]
        let released = [UInt8](repeating: 0, count: 8)
        #expect(
            reports.map { Array($0.data) } == (0..<14).map { $0 % 2 == 0 ? pressed : released }
        )
    }

    @Test func theFingerprintReadersCapturesAreReadRecordForRecord() throws {
        #expect(
            tally(try records("pcap-usb/libfprint_synaptics.pcapng"))
                == Tally(
                    packets: 406,
                    stalled: 1,
                    unlinked: 3,
                    interruptReports: 50,
                    bulkCompletions: 110
                )
        )
        #expect(
            tally(try records("pcap-usb/libfprint_upektc_img.pcapng"))
                == Tally(
                    packets: 336,
                    stalled: 0,
                    unlinked: 3,
                    interruptReports: 0,
                    bulkCompletions: 102
                )
        )
    }

    @Test func anInterfaceWithoutOptionsCountsMicroseconds() throws {
        var reader = CaptureReader()
        let bytes = try Corpus.bytes("pcap-usb/libfprint_upektc_img.pcapng")
        let reading = Reading(&reader, bytes)
        #expect(reader.interfaces.count == 1)
        #expect(reader.interfaces.first?.resolution == .microseconds)
        #expect(reader.interfaces.first?.name == nil)
        #expect(reader.counts.statistics == 0)
        // The record holds its own time: the container's must be the same.
        for packet in reading.packets {
            #expect(try USBMonPacket(decoding: packet).time == packet.time)
        }
    }

    @Test func aPcapngFileNamedPcapIsReadByItsContent() throws {
        let name = "pcap-usb/usbmon-tools_test1.pcap"
        var reader = CaptureReader()
        let reading = Reading(&reader, try Corpus.bytes(name))
        #expect(reader.format == .pcapng)
        #expect(reader.interfaces.map(\.name) == ["usbmon1"])
        #expect(reader.interfaces.first?.snapByteCount == 262_144)
        let records = try reading.records()
        #expect(records.count == 16)
        let reports = records.filter { $0.event == .completion && $0.transfer == .interrupt }
        #expect(
            reports.map { Array($0.data.prefix(3)) } == [
                [1, 0x20, 0], [1, 0, 0], [1, 0x40, 0], [1, 0, 0], [1, 0x80, 0], [1, 0, 0],
            ]
        )
        #expect(
            reports.allSatisfy { $0.data.count == 8 && $0.data.dropFirst(2).allSatisfy { $0 == 0 } }
        )
        #expect(records.last?.urbID == 0xDAB6_B880)
        #expect(
            reading.packets.first?.time
                == CaptureTime(seconds: 1_550_331_845, nanoseconds: 117_282_000)
        )
    }

    @Test func theBigEndianTwinIsEqualFieldForField() throws {
        let little = Reading(try Corpus.bytes("pcap-usb/usbmon-tools_test1.pcap"))
        var reader = CaptureReader()
        let bytes = try Corpus.bytes("derived/usbmon-tools_test1_bigendian.pcap")
        let big = Reading(&reader, bytes)
        #expect(big.packets.count == 16)
        #expect(big.packets.allSatisfy { $0.byteOrder == .bigEndian })
        #expect(try big.records() == little.records())
        #expect(big.packets.map(\.time) == little.packets.map(\.time))
    }

    @Test func theTruncatedFileGivesItsWholePacketsFirst() throws {
        let bytes = try Corpus.bytes("derived/umockdev_usbkbd_truncated.pcapng")
        let whole = Reading(try Corpus.bytes("pcap-usb/umockdev_usbkbd.pcapng"))
        let reading = Reading(bytes)
        #expect(reading.packets.count == 114)
        #expect(reading.packets == Array(whole.packets[..<114]))
        let error = try #require(reading.error)
        #expect(error.byteOffset == whole.packets[114].byteOffset)
        guard case .cutShort(let present, .some) = error.code else {
            Issue.record("\(error)")
            return
        }
        #expect(error.byteOffset + present == 12_345)
        #expect(error.description.contains("cut short"))
    }

    @Test func commentsAreReadFromPacketsAndTheSection() throws {
        var reader = CaptureReader()
        let bytes = try Corpus.bytes("derived/usbmon-tools_test1_comments.pcapng")
        let reading = Reading(&reader, bytes)
        #expect(reader.section?.comments == ["CardRig corpus: comments test"])
        #expect(reading.packets.count == 16)
        for packet in reading.packets {
            switch packet.packetNumber {
            case 5: #expect(packet.comments == ["swipe start"])
            case 7: #expect(packet.comments == ["second report"])
            default: #expect(packet.comments == [])
            }
        }
    }

    @Test(arguments: [
        ("pcap-usb/usbmon-tools_usbpcap1.pcap", 498, UInt16(249)),
        ("pcap-usb/therealdreg_usbpcap_hid_keys.pcapng", 3_700, 249),
        ("pcap-usb/packetry_mouse.pcap", 2_182, 288),
        ("pcap-net/resp_2_inline.pcap", 14, 113), ("pcap-net/zmtp1.pcap", 16, 1),
        ("pcap-net/bgp-role.pcapng", 9, 113), ("pcap-net/pptp.pcap", 23, 1),
        ("pcap-net/tcp-handshake-nano.pcap", 3, 113),
        ("pcap-net/timestamp_invalid_micro.pcap", 3, 113),
        ("pcap-net/LINKTYPE_RAW_ipv4.pcap", 1, 101),
        ("pcap-net/unsupported-link-type-160.pcap", 1, 160),
    ])
    func filesOfOtherLinkTypesAreReadAsContainers(
        name: String,
        packetCount: Int,
        linkType: UInt16
    ) throws {
        let reading = Reading(try Corpus.bytes(name), pieces: [1_000])
        #expect(reading.error == nil)
        #expect(reading.packets.count == packetCount)
        let type = LinkType(rawValue: linkType)
        #expect(reading.packets.allSatisfy { $0.linkType == type })
        if linkType == 288 || linkType == 160 {
            let refusal = #expect(throws: UnsupportedLinkType.self) { try type.requireSupport() }
            #expect(refusal?.description.contains("\(linkType)") == true)
        } else {
            #expect(throws: Never.self) { try type.requireSupport() }
        }
        for packet in reading.packets {
            #expect(throws: CaptureError.self) { try USBMonPacket(decoding: packet) }
        }
    }

    @Test func aBusAnalysersCaptureIsRefusedByName() {
        #expect(
            UnsupportedLinkType(linkType: LinkType(rawValue: 288)).description
                .hasPrefix("link type 288 (USB_2_0): raw USB packets of a bus analyser")
        )
    }

    @Test func theBigEndianClassicFileIsReadAsSuch() throws {
        let reading = Reading(try Corpus.bytes("pcap-net/pptp.pcap"))
        #expect(reading.packets.count == 23)
        #expect(reading.packets.allSatisfy { $0.byteOrder == .bigEndian })
    }

    @Test func nanosecondsAreKept() throws {
        var reader = CaptureReader()
        let reading = Reading(&reader, try Corpus.bytes("pcap-net/tcp-handshake-nano.pcap"))
        #expect(reader.format == .pcap(.nanoseconds))
        #expect(
            reading.packets.first?.time
                == CaptureTime(seconds: 1_418_145_369, nanoseconds: 924_505_488)
        )
    }

    @Test func aFractionOutOfRangeStaysInItsSecondAndIsMarked() throws {
        let reading = Reading(try Corpus.bytes("pcap-net/timestamp_invalid_micro.pcap"))
        #expect(reading.packets.map(\.hasIrregularTime) == [false, true, true])
        #expect(
            reading.packets.map(\.time) == [
                CaptureTime(seconds: 1_418_145_369, nanoseconds: 999_999_000),
                CaptureTime(seconds: 1_418_145_370, nanoseconds: 999_999_999),
                CaptureTime(seconds: 1_418_145_370, nanoseconds: 999_999_999),
            ]
        )
    }

    @Test(arguments: [
        ("pcap-usb/svhelper_cdc_ubuntu_usbmon.pcapng.gz", FileKind.gzip),
        ("usbmon-text/kkaempf_start-windows.mon", .text),
    ])
    func otherFilesAreNamed(name: String, kind: FileKind) throws {
        #expect(Reading(try Corpus.bytes(name)).error?.code == .notACapture(kind))
    }

    @Test func aBluetoothLogIsReadRecordForRecord() throws {
        let reading = Reading(try Corpus.bytes("bt/btsnoop-extcap_hci_only.log"))
        #expect(reading.error == nil)
        #expect(reading.packets.count == 222)
        #expect(reading.packets.allSatisfy { $0.linkType == .btsnoopH4 })
        // H4: 1 is a command, which the host sends; 4 an event, which it receives.
        #expect(
            reading.packets.allSatisfy {
                $0.direction == ($0.data.first == 1 ? .outbound : .inbound)
            }
        )
    }

    @Test func everySplitIntoTwoPiecesGivesTheSamePackets() throws {
        let bytes = try Corpus.bytes("derived/usbmon-tools_test1_comments.pcapng")
        let whole = Reading(bytes)
        for index in 1..<bytes.count {
            #expect(Reading(bytes, pieces: [index, .max]) == whole, "split at byte \(index)")
        }
    }
}
