import CaptureFiles
import Testing

@testable import CaptureFlows

@Suite("USB in captures")
struct USBFlowsTests {
    private func mac(_ packets: String...) -> Import {
        Import(PacketBuilder.pcap(266, packets.map(hex)))
    }

    @Test func macOSRecordsAreControlTransfersOfTheirDevice() {
        // The first packet of a public capture, and an answer to it.
        let head = "0001 20 00 08000000 00000000 00000000 c406980100000000 00001014 01 1a 80 00"
        let answer = "0001 20 01 08000000 00000000 00000000 c406980100000000 00001014 01 1a 80 00"
        let file = mac(head + "8006000100000800", answer + "1201000202000040")
        #expect(file.flows.map(\.key.description) == ["usb 20.26 endpoint 0x00 control"])
        #expect(
            file.units.map(\.kind) == [
                .control(
                    USBSetupPacket(
                        requestType: 0x80,
                        request: 6,
                        value: 0x0100,
                        index: 0,
                        byteCount: 8
                    )
                )
            ]
        )
        #expect(file.units.first.map { Array($0.bytes) } == hex("1201000202000040"))
    }

    @Test func outDataThatMacOSShowsTwiceAreToldOnce() {
        let submission =
            "0001 20 00 02000000 00000000 00000000 0100000000000000 00001014 01 05 01 02"
        let completion =
            "0001 20 01 02000000 00000000 00000000 0100000000000000 00001014 01 05 01 02"
        #expect(mac(submission + "aabb", completion + "aabb").units.map(\.bytes.count) == [2])
        #expect(mac(submission, completion + "aabb").units.map(\.bytes.count) == [2])
    }

    /// A USBPcap packet of a control transfer on device 1.5.
    private func stage(_ stage: UInt8, isReturn: Bool, id: UInt64 = 7, _ data: String) -> [UInt8] {
        let bytes = hex(data)
        return hex("1c00") + PacketBuilder.big(id).reversed() + hex("00000000 0800")
            + [isReturn ? 1 : 0] + hex("0100 0500 00 02")
            + PacketBuilder.little(UInt32(bytes.count))
            + [stage] + bytes
    }

    private static let report = String(repeating: "55", count: 64)

    @Test func bothGenerationsOfUSBPcapGiveTheSameTransfer() {
        let setup = "2109000200004000"
        let old = Import(
            PacketBuilder.pcap(
                249,
                [
                    stage(0, isReturn: false, setup), stage(1, isReturn: false, Self.report),
                    stage(2, isReturn: true, ""),
                ]
            )
        )
        let new = Import(
            PacketBuilder.pcap(
                249,
                [stage(0, isReturn: false, setup + Self.report), stage(3, isReturn: true, "")]
            )
        )
        for file in [old, new] {
            #expect(file.units.count == 1)
            #expect(file.units.first?.bytes.count == 64)
            #expect(file.units.first?.direction == .toReader)
            #expect(file.notices == [])
        }
        #expect(old.units.first?.kind == new.units.first?.kind)
    }

    @Test func descriptorsThatUSBPcapMadeUpAreNoTraffic() {
        let descriptor = "12010002000000400108110000010102 0301"
        let file = Import(
            PacketBuilder.pcap(
                249,
                [
                    stage(0, isReturn: false, id: 0, "8006000100001200"),
                    stage(3, isReturn: true, id: 0, descriptor),
                ]
            )
        )
        #expect(file.units == [])
        #expect(file.devices.first?.vendorID == 0x0801)
        #expect(file.devices.first?.productID == 0x0011)
    }

    /// A usbmon record, link type 220, on device 1.5.
    private func usbmon(
        _ event: Character,
        _ transfer: UInt8,
        _ endpoint: UInt8,
        status: Int32 = 0,
        length: Int? = nil,
        setup: String? = nil,
        dataFlag: UInt8 = 0,
        _ data: String = ""
    ) -> [UInt8] {
        let bytes = hex(data)
        var record = hex("0900000000000000") + [event.asciiValue ?? 0, transfer, endpoint, 5, 1, 0]
        record += [setup == nil ? 0x2D : 0, dataFlag] + [UInt8](repeating: 0, count: 12)
        record += PacketBuilder.little(UInt32(bitPattern: status))
        record += PacketBuilder.little(UInt32(length ?? bytes.count))
        record += PacketBuilder.little(UInt32(bytes.count))
        record += hex(setup ?? "0000000000000000") + [UInt8](repeating: 0, count: 16)
        return record + bytes
    }

    private func read(_ packets: [[UInt8]]) -> Import { Import(PacketBuilder.pcap(220, packets)) }

    @Test func aDeviceThatLeavesIsToldOnce() {
        let file = read([
            usbmon("C", 1, 0x81, "0011"), usbmon("C", 1, 0x81, status: -108),
            usbmon("C", 1, 0x81, status: -108), usbmon("S", 2, 0x80, setup: "8006000100001200"),
            usbmon("C", 2, 0x80, "120100020000004001081100000101020301"),
        ])
        let kinds = file.units(of: "usb 1.5 endpoint 0x81 interrupt").map(\.kind)
        let gone = USBStatus.shutDown
        #expect(kinds.prefix(3) == [.data, .failed(gone), .closed(.unplugged)])
        #expect(file.devices.first?.productID == 0x0011)
    }

    @Test func configuringADeviceOpensIt() {
        let file = read([
            usbmon("S", 2, 0, setup: "0009010000000000"), usbmon("C", 2, 0, dataFlag: 0x3E),
        ])
        #expect(
            file.units.map(\.kind) == [
                .control(
                    USBSetupPacket(requestType: 0, request: 9, value: 1, index: 0, byteCount: 0)
                ),
                .opened,
            ]
        )
    }

    @Test func aStallIsAFailureOfItsEndpoint() {
        let file = read([
            usbmon("S", 3, 0x02, "aabbcc"),
            usbmon("C", 3, 0x02, status: -32, length: 0, dataFlag: 0x3E),
            usbmon("E", 3, 0x02, status: -19, length: 3, dataFlag: 0x45),
        ])
        #expect(
            file.units.map(\.kind) == [
                .data, .failed(.stalled), .failed(USBStatus(rawValue: -19)), .closed(.unplugged),
            ]
        )
    }

    @Test func namesOfADeviceAreReadFromItsStrings() {
        let file = read([
            usbmon("S", 2, 0x80, setup: "8006000100001200"),
            usbmon("C", 2, 0x80, "120100020000004001081100000101020301"),
            usbmon("S", 2, 0x80, setup: "800602030904ff00"),
            usbmon("C", 2, 0x80, "0a034d00610067002100"),
            usbmon("S", 2, 0x80, setup: "800603030904ff00"),
            usbmon("C", 2, 0x80, "0a0353004500520031 00"),
        ])
        #expect(file.devices.first?.product == "Mag!")
        #expect(file.devices.first?.manufacturer == nil)
    }

    @Test func interfacesAreReadFromTheConfiguration() {
        let file = read([
            usbmon("S", 2, 0x80, setup: "8006000200002200"),
            usbmon(
                "C",
                2,
                0x80,
                "09022200010100a032 090400000103000000 0921010100012240 00 07058103080001"
            ),
        ])
        #expect(
            file.devices.first?.interfaces == [
                USBDeviceSeen.Interface(
                    number: 0,
                    interfaceClass: 3,
                    subclass: 0,
                    interfaceProtocol: 0,
                    endpoints: [0x81]
                )
            ]
        )
    }

    @Test func aCutReportSaysHowMuchIsMissing() {
        let file = read([usbmon("C", 1, 0x81, length: 337, "0102")])
        #expect(file.units.map(\.kind) == [.data, .missing(byteCount: 335)])
        #expect(file.units.first?.isCut == true)
    }

    @Test func thePlaceOfBytesInTheFileIsTold() {
        let file = read([usbmon("C", 1, 0x81, "0102")])
        #expect(file.units.first?.byteOffset == 24 + 16 + 64)
    }
}
