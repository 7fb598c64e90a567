@testable import CaptureFiles

/// Files made here: what CardRig writes of one HID reader, and a small classic pcap.
enum CaptureSample {
    static let urb = USBMonPacket.URB(id: 0xFFFF_8880_0001_0000, busNumber: 3, deviceAddress: 7)
    static let start = CaptureTime(seconds: 1_700_000_000, nanoseconds: 123_456_789)

    /// 887 bytes that are no card data: the length of a Dynamag report with its report id.
    static let report = (0..<887).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 5) }

    static let getReportDescriptor = USBSetupPacket(
        requestType: 0x81,
        request: 6,
        value: 0x2200,
        index: 0,
        byteCount: 64
    )

    static func later(_ milliseconds: UInt32) -> CaptureTime {
        CaptureTime(
            seconds: start.seconds,
            nanoseconds: start.nanoseconds + milliseconds * 1_000_000
        )
    }

    static func records() -> [USBMonPacket] {
        let setReport = USBSetupPacket(
            requestType: 0x21,
            request: 9,
            value: 0x0300,
            index: 0,
            byteCount: 4
        )
        return [
            .controlSubmission(of: urb, setup: getReportDescriptor, at: later(0)),
            .controlCompletion(of: urb, setup: getReportDescriptor, status: .stalled, at: later(1)),
            .controlSubmission(of: urb, setup: setReport, data: [0, 1, 0, 0], at: later(2)),
            .controlCompletion(of: urb, setup: setReport, at: later(3)),
            .interruptInSubmission(of: urb, endpointAddress: 0x81, byteCount: 887, at: later(4)),
            .interruptInCompletion(of: urb, endpointAddress: 0x81, report: report, at: later(5)),
            .interruptInSubmission(of: urb, endpointAddress: 0x81, byteCount: 887, at: later(6)),
            .interruptInCompletion(
                of: urb,
                endpointAddress: 0x81,
                report: [],
                status: .unlinked,
                at: later(7)
            ),
        ]
    }

    /// A swipe as CardRig records it, with a serial byte and a journal line beside it.
    static func swipe() -> [UInt8] {
        var writer = CaptureWriter(comments: ["made by a test"])
        let (usb, usbBlock) = writer.addInterface(name: "reader", description: "0801:0011")
        let (pdu, pduBlock) = writer.addInterface(.exportedPDU, name: "journal")
        var file = writer.sectionHeader + usbBlock + pduBlock
        for (index, record) in records().enumerated() {
            file += writer.packet(record, on: usb, comments: index == 5 ? ["swipe: visa"] : [])
        }
        let bytes = ExportedPDU(
            protocolColumn: "Miura",
            direction: .outbound,
            bytes: [1, 0, 4, 0xD0, 1, 0, 0, 0xD4]
        )
        file += writer.packet(bytes, on: pdu, at: later(8))
        let line = Array(#"{"name":"swipeReceived","time":5}"#.utf8)
        let journal = ExportedPDU(dissectorName: "json", bytes: line)
        file += writer.packet(journal, on: pdu, at: later(9), comments: ["line 12"])
        return file
    }

    /// A swipe after the descriptors of a HID reader that is no keyboard, as the kernel asks for them.
    static func enumeratedSwipe() -> [UInt8] {
        let device: [UInt8] = [
            18, 1, 0, 2, 0, 0, 0, 8, 0x01, 0x08, 0x11, 0x00, 0, 1, 1, 2, 0, 1,
        ]
        let configuration: [UInt8] = [
            9, 2, 34, 0, 1, 1, 0, 0xA0, 50, 9, 4, 0, 0, 1, 3, 0, 0, 0,
            9, 0x21, 0x11, 1, 0, 1, 0x22, 36, 0, 7, 5, 0x81, 3, 8, 0, 1,
        ]
        func get(_ type: UInt16, _ byteCount: Int) -> USBSetupPacket {
            USBSetupPacket(
                requestType: 0x80,
                request: 6,
                value: type << 8,
                index: 0,
                byteCount: UInt16(byteCount)
            )
        }
        var writer = CaptureWriter()
        let (usb, block) = writer.addInterface(name: "reader")
        var file = writer.sectionHeader + block
        for (setup, data) in [(get(1, 18), device), (get(2, 34), configuration)] {
            file += writer.packet(.controlSubmission(of: urb, setup: setup, at: start), on: usb)
            file += writer.packet(
                .controlCompletion(of: urb, setup: setup, data: data, at: start),
                on: usb
            )
        }
        for record in records()[4...5] { file += writer.packet(record, on: usb) }
        return file
    }

    static func pcap(order: ByteOrder = .littleEndian, magic: UInt32 = 0xA1B2_C3D4) -> [UInt8] {
        let builder = BlockBuilder(order: order)
        var file = builder.number(magic) + builder.number(UInt16(2)) + builder.number(UInt16(4))
        for field: UInt32 in [0, 0, 65_535, 189] { file += builder.number(field) }
        for field: UInt32 in [5, 250_000, 3, 9] { file += builder.number(field) }
        file += [1, 2, 3]
        for field: UInt32 in [6, 0, 4, 4] { file += builder.number(field) }
        return file + [4, 5, 6, 7]
    }
}
