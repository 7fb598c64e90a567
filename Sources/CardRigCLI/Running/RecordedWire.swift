import CaptureFiles
import Rig
import Transports

/// One reader's wire in a capture: what was asked of the device and what it answered.
struct RecordedWire {
    /// The address of the endpoint that reports come from.
    static let inEndpoint: UInt8 = 0x81
    /// The address of the endpoint that reports go to.
    static let outEndpoint: UInt8 = 0x01

    private let interface: CaptureWriter.Interface
    private let urb: USBMonPacket.URB
    private let controlURB: USBMonPacket.URB
    private var isAsked = false
    private var packetByteCount = 64

    init(_ interface: CaptureWriter.Interface, reader: Int) {
        self.interface = interface
        let address = UInt8(clamping: reader + 1)
        urb = USBMonPacket.URB(id: UInt64(address) * 2, busNumber: 1, deviceAddress: address)
        controlURB = USBMonPacket.URB(
            id: UInt64(address) * 2 + 1,
            busNumber: 1,
            deviceAddress: address
        )
    }

    /// Returns the blocks of what happened on the wire.
    mutating func blocks(
        _ traffic: WireTap.Traffic,
        at time: CaptureTime,
        _ writer: CaptureWriter
    ) -> [UInt8] {
        if interface.linkType == .exportedPDU {
            return streamBlocks(traffic, at: time, writer)
        }
        var packets: [USBMonPacket] = []
        switch traffic {
        case .attached(let attachment):
            if attachment.maximumPacketByteCount > 0 {
                packetByteCount = attachment.maximumPacketByteCount
            }
            packets.append(question(at: time))
            isAsked = true
        case .fromReader(let unit):
            if !isAsked { packets.append(question(at: time)) }
            packets.append(
                .interruptInCompletion(
                    of: urb,
                    endpointAddress: Self.inEndpoint,
                    report: Array(unit.payload),
                    at: time
                )
            )
            packets.append(question(at: time))
            isAsked = true
        case .fromHost(let unit):
            packets = requests(unit, at: time)
        case .detached:
            guard isAsked else { break }
            isAsked = false
            packets.append(
                .interruptInCompletion(
                    of: urb,
                    endpointAddress: Self.inEndpoint,
                    report: [],
                    status: .shutDown,
                    at: time
                )
            )
        }
        return packets.flatMap { writer.packet($0, on: interface) }
    }

    private func question(at time: CaptureTime) -> USBMonPacket {
        .interruptInSubmission(
            of: urb,
            endpointAddress: Self.inEndpoint,
            byteCount: packetByteCount,
            at: time
        )
    }

    private func requests(_ unit: TransportUnit, at time: CaptureTime) -> [USBMonPacket] {
        let data = Array(unit.payload)
        switch unit.kind {
        case .report:
            return [
                .submission(
                    of: controlURB,
                    transfer: .interrupt,
                    endpointAddress: Self.outEndpoint,
                    byteCount: data.count,
                    data: data,
                    at: time
                )
            ]
        case .featureSet(let id):
            return [
                .controlSubmission(
                    of: controlURB,
                    setup: Self.feature(0x21, 0x09, id, UInt16(clamping: data.count)),
                    data: data,
                    at: time
                )
            ]
        case .featureGet(let id, let byteCount):
            return [
                .controlSubmission(
                    of: controlURB,
                    setup: Self.feature(0xA1, 0x01, id, UInt16(clamping: byteCount)),
                    at: time
                )
            ]
        case .bytes, .lineState:
            return []
        }
    }

    /// SET_REPORT (9) or GET_REPORT (1) of a feature report (type 3).
    ///
    /// Source: HID 1.11, sections 7.2.1 and 7.2.2.
    private static func feature(
        _ requestType: UInt8,
        _ request: UInt8,
        _ id: UInt8,
        _ byteCount: UInt16
    ) -> USBSetupPacket {
        USBSetupPacket(
            requestType: requestType,
            request: request,
            value: 0x0300 | UInt16(id),
            index: 0,
            byteCount: byteCount
        )
    }

    private func streamBlocks(
        _ traffic: WireTap.Traffic,
        at time: CaptureTime,
        _ writer: CaptureWriter
    ) -> [UInt8] {
        switch traffic {
        case .fromReader(let unit):
            writer.packet(
                ExportedPDU(direction: .inbound, bytes: Array(unit.payload)),
                on: interface,
                at: time
            )
        case .fromHost(let unit):
            writer.packet(
                ExportedPDU(direction: .outbound, bytes: Array(unit.payload)),
                on: interface,
                at: time
            )
        case .attached:
            writer.packet(ExportedPDU(bytes: []), on: interface, at: time, comments: ["attached"])
        case .detached(let reason):
            writer.packet(
                ExportedPDU(bytes: []),
                on: interface,
                at: time,
                comments: ["detached: \(reason)"]
            )
        }
    }
}
