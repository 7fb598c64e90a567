import Transports
import USBIP

/// Devices for tests: one HID reader with packets of 8 bytes, and one serial line.
enum Devices {
    static let reportDescriptor: [UInt8] = [0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0xC0]

    static let hid: USBDeviceModel = {
        let function = HIDFunction(reportDescriptor: reportDescriptor)
        return USBDeviceModel(
            vendorID: 0x0801,
            productID: 0x0002,
            release: 0x0100,
            strings: ["Mag-Tek", "USB Swipe Reader"],
            interfaces: [
                USBDeviceModel.Interface(
                    USBDeviceModel.Kind(3),
                    classDescriptors: function.classDescriptor,
                    endpoints: [
                        USBDeviceModel.Endpoint(
                            address: 0x81,
                            .interrupt,
                            packetByteCount: 8,
                            interval: 1
                        )
                    ]
                )
            ],
            function: .hid(function)
        )
    }()

    static let serialLine = USBDeviceModel(
        vendorID: 0x0525,
        productID: 0xA4A7,
        release: 0x0300,
        strings: ["Miura", "Line", "17000470"],
        interfaces: [
            USBDeviceModel.Interface(
                USBDeviceModel.Kind(2, 2, 1),
                classDescriptors: ACMFunction.functionalDescriptors,
                endpoints: [
                    USBDeviceModel.Endpoint(
                        address: 0x82,
                        .interrupt,
                        packetByteCount: 10,
                        interval: 9
                    )
                ]
            ),
            USBDeviceModel.Interface(
                USBDeviceModel.Kind(10),
                endpoints: [
                    USBDeviceModel.Endpoint(address: 0x81, .bulk, packetByteCount: 512),
                    USBDeviceModel.Endpoint(address: 0x01, .bulk, packetByteCount: 512),
                ]
            ),
        ],
        function: .serialLine(ACMFunction()),
        usbRelease: 0x0200,
        deviceClass: USBDeviceModel.Kind(2),
        controlPacketByteCount: 64,
        speed: .high
    )

    /// A port that a host has configured.
    static func configured(_ model: USBDeviceModel) throws -> USBIPPort {
        var port = USBIPPort(model)
        let request = USBControlRequest(type: 0, code: 9, value: 1, index: 0, byteCount: 0)
        _ = try port.take(.submit(control(1_000_000, request)), endingAt: 0)
        return port
    }

    /// A control transfer.
    static func control(
        _ number: UInt32,
        _ request: USBControlRequest,
        data: [UInt8] = []
    ) -> USBIPTransfer {
        USBIPTransfer(
            number: number,
            isIn: request.isIn,
            endpoint: 0,
            byteCount: Int(request.byteCount),
            request: request,
            data: data[...]
        )
    }

    /// A transfer from an endpoint.
    static func read(_ number: UInt32, endpoint: UInt8 = 1, byteCount: Int) -> USBIPTransfer {
        USBIPTransfer(number: number, isIn: true, endpoint: endpoint, byteCount: byteCount)
    }
}

extension [USBIPPort.Effect] {
    /// What the client is answered, as (number, status, data).
    var answers: [Answer] {
        compactMap { effect in
            switch effect {
            case .answer(.finished(let result)):
                Answer(result.number, result.status, [UInt8](result.data), result.actualByteCount)
            case .answer(.unlinked(let number, let status)): Answer(number, status, [], 0)
            case .unit, .configured: nil
            }
        }
    }

    /// What the reader is given.
    var units: [TransportUnit] {
        compactMap { if case .unit(let unit) = $0 { unit } else { nil } }
    }
}

struct Answer: Equatable {
    var number: UInt32
    var status: USBIPReturn.Status
    var data: [UInt8]
    var actualByteCount: Int

    init(
        _ number: UInt32,
        _ status: USBIPReturn.Status,
        _ data: [UInt8] = [],
        _ actualByteCount: Int? = nil
    ) {
        self.number = number
        self.status = status
        self.data = data
        self.actualByteCount = actualByteCount ?? data.count
    }
}

/// Reads bytes in pairs of hexadecimal digits, with blanks between.
func bytes(_ text: String) -> [UInt8] {
    let digits = text.filter { $0 != " " && $0 != "\n" }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
}
