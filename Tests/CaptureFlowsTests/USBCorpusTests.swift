import CaptureFiles
import CaptureSupport
import Testing

@testable import CaptureFlows

@Suite("USB in public captures", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct USBCorpusTests {
    @Test func aKeyboardsReportsAreUnitsOfItsEndpoint() throws {
        let file = Import(try Corpus.bytes("pcap-usb/umockdev_usbkbd.pcapng"))
        let units = file.units(of: "usb 1.11 endpoint 0x81 interrupt")
        let pressed = hex("00000c0000000000")
        let released = hex("0000000000000000")
        let reports = units.filter { $0.kind == .data }
        #expect(
            reports.map { Array($0.bytes) } == (0..<14).map { $0 % 2 == 0 ? pressed : released }
        )
        #expect(reports.allSatisfy { $0.direction == .fromReader && $0.time != nil })
        #expect(
            units.filter { $0.kind != .data }.map(\.kind) == [.failed(.unlinked)]
                || units.filter { $0.kind != .data }.isEmpty
        )
        #expect(file.units.filter { $0.kind == .failed(.stalled) }.count == 2)
        #expect(file.notices == [])
        #expect(file.packetCount == 177)
    }

    @Test func bulkTransfersOfAFingerprintReaderAreUnits() throws {
        let file = Import(try Corpus.bytes("pcap-usb/libfprint_synaptics.pcapng"))
        let device = try #require(file.devices.first { $0.vendorID == 0x06CB })
        #expect(device.productID == 0x00BD)
        #expect(file.units.filter { $0.kind == .failed(.unlinked) }.count == 3)
        #expect(file.units.filter { $0.kind == .failed(.stalled) }.count == 1)
        #expect(file.notices == [])
    }

    @Test func windowsReportsAreUnits() throws {
        let file = Import(try Corpus.bytes("pcap-usb/usbmon-tools_usbpcap1.pcap"))
        let tablet = try #require(file.devices.first { $0.vendorID == 0x0627 })
        #expect(tablet.productID == 1)
        let reports = file.units.filter { $0.kind == .data && $0.bytes.count == 6 }
        #expect(reports.count == 246)
        let keys = Import(try Corpus.bytes("pcap-usb/therealdreg_usbpcap_hid_keys.pcapng"))
        let mouse = keys.units(of: "usb 1.10 endpoint 0x81 interrupt").filter { $0.kind == .data }
        let keyboard = keys.units(of: "usb 1.23 endpoint 0x81 interrupt")
            .filter { $0.kind == .data }
        #expect(mouse.count == 1_788)
        #expect(keyboard.count == 20)
        #expect(keys.packetCount == 3_700)
    }

    @Test func theLineSettingsOfOldUSBPcapAreRead() throws {
        let name = "pcap-usb/svhelper_cdc_windows_usbpcap.pcapng.gz"
        let file = Import(try Corpus.bytes(name))
        #expect(file.packetCount == 608)
        let changes = file.units.compactMap { unit -> FlowUnit.LineChange? in
            if case .line(let change) = unit.kind { change } else { nil }
        }
        #expect(changes.contains(.rate(115_200)))
        #expect(changes.contains(.format(dataBits: 8, parity: 0, halfStopBits: 2)))
        #expect(changes.contains(.dataTerminalReady(false)))
        let setting = file.units.first { unit in
            if case .control(let setup) = unit.kind { setup.request == 0x20 } else { false }
        }
        #expect(setting.map { Array($0.bytes) } == hex("00c20100000008"))
    }

    @Test func packedFilesAreReadAsWhatIsInThem() throws {
        let file = Import(try Corpus.bytes("pcap-usb/svhelper_cdc_ubuntu_usbmon.pcapng.gz"))
        #expect(file.packetCount == 1_492)
        #expect(file.formatName == "pcapng")
    }

    @Test func aBusAnalysersCaptureIsRefused() throws {
        let file = Import(try Corpus.bytes("pcap-usb/packetry_mouse.pcap"))
        #expect(file.packetCount == 2_182)
        #expect(file.refusal?.hasPrefix("link type 288 (USB_2_0): raw USB packets") == true)
        #expect(file.units == [])
    }

    @Test func theBigEndianTwinGivesTheSameUnits() throws {
        let little = Import(try Corpus.bytes("pcap-usb/usbmon-tools_test1.pcap"))
        let big = Import(try Corpus.bytes("derived/usbmon-tools_test1_bigendian.pcap"))
        #expect(big.units.map(\.bytes) == little.units.map(\.bytes))
        #expect(big.units.map(\.time) == little.units.map(\.time))
        #expect(big.units.filter { $0.kind == .data }.count == 6)
    }

    @Test func remarksComeBeforeTheUnitsOfTheirPacket() throws {
        let file = Import(try Corpus.bytes("derived/usbmon-tools_test1_comments.pcapng"))
        #expect(
            file.comments.map(\.text) == [
                "CardRig corpus: comments test", "swipe start", "second report",
            ]
        )
        #expect(file.comments.map(\.packetNumber) == [nil, 5, 7])
    }

    @Test func aFileCutShortIsReadUpToThere() throws {
        let file = Import(try Corpus.bytes("derived/umockdev_usbkbd_truncated.pcapng"))
        #expect(file.packetCount == 114)
        #expect(file.notices.count == 1)
        #expect(file.notices.first?.severity == .end)
        #expect(file.notices.first?.description.contains("cut short") == true)
    }
}
