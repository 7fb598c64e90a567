import CaptureAnalysis
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
    /// The feature request that was not answered yet.
    private var openRequest: USBSetupPacket?
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
        var remark: AttachmentRemark?
        switch traffic {
        case .attached(let attachment):
            remark = .attached(attachment)
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
        case .featureFinished(let result):
            guard let setup = openRequest.take() else { break }
            packets.append(answer(result, to: setup, at: time))
        case .detached(let reason):
            remark = .detached(reason)
            isAsked = false
            openRequest = nil
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
        return packets.flatMap { packet in
            writer.packet(
                packet,
                on: interface,
                comments: remark.take().map { ["\($0)"] } ?? []
            )
        }
    }

    private func answer(
        _ result: FeatureResult,
        to setup: USBSetupPacket,
        at time: CaptureTime
    ) -> USBMonPacket {
        let (data, status): ([UInt8], USBStatus) =
            switch result {
            case .set: ([], .success)
            case .got(let bytes): (Array(bytes), .success)
            case .stalled: ([], .stalled)
            case .timedOut: ([], .unlinked)
            }
        return .controlCompletion(
            of: controlURB,
            setup: setup,
            data: data,
            status: status,
            at: time
        )
    }

    private func question(at time: CaptureTime) -> USBMonPacket {
        .interruptInSubmission(
            of: urb,
            endpointAddress: Self.inEndpoint,
            byteCount: packetByteCount,
            at: time
        )
    }

    private mutating func requests(_ unit: TransportUnit, at time: CaptureTime) -> [USBMonPacket] {
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
            let setup = Self.feature(0x21, 0x09, id, UInt16(clamping: data.count))
            openRequest = setup
            return [.controlSubmission(of: controlURB, setup: setup, data: data, at: time)]
        case .featureGet(let id, let byteCount):
            let setup = Self.feature(0xA1, 0x01, id, UInt16(clamping: byteCount))
            openRequest = setup
            return [.controlSubmission(of: controlURB, setup: setup, at: time)]
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
        case .attached(let attachment):
            remark(.attached(attachment), at: time, writer)
        case .detached(let reason):
            remark(.detached(reason), at: time, writer)
        case .featureFinished:
            []
        }
    }

    private func remark(
        _ remark: AttachmentRemark,
        at time: CaptureTime,
        _ writer: CaptureWriter
    ) -> [UInt8] {
        writer.packet(ExportedPDU(bytes: []), on: interface, at: time, comments: ["\(remark)"])
    }
}
