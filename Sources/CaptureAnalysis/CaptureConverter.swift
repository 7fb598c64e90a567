import CaptureFiles
public import CaptureFlows
import CardData

/// Writes what any capture holds as a pcapng file of our form, item by item.
///
/// | conversation | becomes |
/// | --- | --- |
/// | USB endpoints | link type 220 (usbmon): IN transfers as completions, OUT as submissions |
/// | TCP connections | link type 101: segments with right numbers and checksums |
/// | RFCOMM channels, serial lines, exported PDUs | link type 252 as `data` |
/// | journals | link type 252 as `json` |
///
/// Times are kept to the nanosecond (in usbmon headers to the microsecond); a capture without times
/// begins at 1970. Remarks stay on their packets. What is missing is written as a gap that readers
/// of the file find again. Nothing is kept in memory but a flow's numbers.
public struct CaptureConverter: Sendable {
    /// The first bytes of the file, with its interfaces.
    public let beginning: [UInt8]
    /// How many units with bytes were written.
    public private(set) var unitCount = 0
    /// How many bytes of conversations were written.
    public private(set) var byteCount = 0
    /// How many packets were written.
    public private(set) var packetCount = 0

    private let writer: CaptureWriter
    private var interfaces: [InterfaceName: CaptureWriter.Interface] = [:]
    private var swapped: [Bool]
    private var connections: [Flow.ID: TCPSegments] = [:]
    private var pendingComments: [CaptureComment] = []
    /// A unit of which the file has less than was moved, until it is told how much.
    private var cutUnit: (unit: FlowUnit, flow: Flow)?
    private var lastTime = CaptureTime(seconds: 0, nanoseconds: 0)

    private struct InterfaceName: Hashable, Sendable {
        var linkType: LinkType
        var name: String
    }

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - application: Who writes (shb_userappl).
    ///   - comments: Remarks on the file as a whole.
    ///   - flows: All flows of the capture, as an import of it ended with.
    ///   - isSwapped: Whether host and reader of a flow are exchanged in the file.
    public init(
        application: String,
        comments: [String],
        flows: [Flow],
        isSwapped: (Flow.ID) -> Bool = { _ in false }
    ) {
        var writer = CaptureWriter(
            application: application,
            comments: comments.map(Self.scrubbed)
        )
        var bytes = writer.sectionHeader
        for flow in flows {
            let name = Self.interfaceName(of: flow)
            guard interfaces[name] == nil else { continue }
            let added = writer.addInterface(
                name.linkType,
                name: Self.scrubbed(name.name),
                description: nil
            )
            bytes += added.bytes
            interfaces[name] = added.interface
        }
        self.writer = writer
        beginning = bytes
        swapped = flows.indices.map(isSwapped)
    }

    /// Returns the blocks of the next item.
    public mutating func take(_ item: CaptureItem, flows: [Flow]) -> [UInt8] {
        switch item {
        case .notice: return []
        case .comment(let comment):
            guard let number = comment.packetNumber else { return [] }
            var bytes: [UInt8] = []
            if pendingComments.first.map({ $0.packetNumber != number }) ?? false {
                bytes += flushComments()
            }
            if pendingComments.count < 64 { pendingComments.append(comment) }
            return bytes
        case .unit(var unit):
            guard flows.indices.contains(unit.flow) else { return [] }
            if swapped.indices.contains(unit.flow), swapped[unit.flow] {
                unit.direction = unit.direction.exchanged
            }
            return take(unit, flows[unit.flow])
        }
    }

    /// Returns the blocks of what still waits.
    public mutating func finish() -> [UInt8] { flushCutUnit(missing: 0) + flushComments() }

    private mutating func take(_ unit: FlowUnit, _ flow: Flow) -> [UInt8] {
        var bytes: [UInt8] = []
        if case .missing(let count) = unit.kind, let cut = cutUnit, cut.unit.flow == unit.flow {
            return flushCutUnit(missing: count ?? 1)
        }
        bytes += flushCutUnit(missing: 0)
        if pendingComments.first.map({ $0.packetNumber != unit.packetNumber }) ?? false {
            bytes += flushComments()
        }
        lastTime = unit.time ?? lastTime
        if unit.isCut, !unit.isContinued {
            cutUnit = (unit, flow)
            return bytes
        }
        return bytes + blocks(unit, flow, missing: 0)
    }

    private mutating func flushCutUnit(missing: Int) -> [UInt8] {
        guard let cut = cutUnit else { return [] }
        cutUnit = nil
        return blocks(cut.unit, cut.flow, missing: missing)
    }

    // MARK: Units

    private mutating func blocks(_ unit: FlowUnit, _ flow: Flow, missing: Int) -> [UInt8] {
        if !unit.bytes.isEmpty {
            unitCount += 1
            byteCount += unit.bytes.count
        }
        switch flow.key {
        case .usb(let key): return usbBlocks(unit, key, flow, missing)
        case .tcp(let key): return tcpBlocks(unit, key, flow, missing)
        case .rfcomm, .serial: return streamBlocks(unit, "data", flow, missing)
        case .exported(_, let dissector): return streamBlocks(unit, dissector, flow, missing)
        case .journal: return streamBlocks(unit, "json", flow, missing)
        }
    }

    private mutating func usbBlocks(
        _ unit: FlowUnit,
        _ key: USBEndpointKey,
        _ flow: Flow,
        _ missing: Int
    ) -> [UInt8] {
        let time = unit.time ?? lastTime
        let isIn =
            key.endpoint & 0x80 != 0 || key.endpoint & 0x0F == 0 && unit.direction != .toReader
        let address = key.endpoint & 0x0F | (isIn ? 0x80 : 0)
        let urb = USBMonPacket.URB(
            id: UInt64(key.device) << 8 | UInt64(address),
            busNumber: key.bus,
            deviceAddress: UInt8(truncatingIfNeeded: key.device)
        )
        var packets: [USBMonPacket] = []
        switch unit.kind {
        case .data where isIn:
            packets.append(
                .completion(
                    of: urb,
                    transfer: key.transfer,
                    endpointAddress: address,
                    data: Array(unit.bytes),
                    at: time
                ).moving(byteCount: unit.bytes.count + missing)
            )
        case .data:
            packets.append(
                .submission(
                    of: urb,
                    transfer: key.transfer,
                    endpointAddress: address,
                    byteCount: 0,
                    data: Array(unit.bytes),
                    at: time
                ).moving(byteCount: unit.bytes.count + missing)
            )
        case .control(let setup):
            let question = USBMonPacket.controlSubmission(
                of: urb,
                setup: setup,
                data: setup.isIn ? [] : Array(unit.bytes),
                at: time
            )
            if setup.isIn {
                packets.append(question)
                packets.append(
                    .controlCompletion(
                        of: urb,
                        setup: setup,
                        data: Array(unit.bytes),
                        at: time
                    ).moving(byteCount: unit.bytes.count + missing)
                )
            } else {
                packets.append(question.moving(byteCount: unit.bytes.count + missing))
            }
        case .failed(let status):
            packets.append(
                .completion(
                    of: urb,
                    transfer: key.transfer,
                    endpointAddress: address,
                    status: status,
                    at: time
                )
            )
        case .opened, .closed, .missing, .line:
            // Told by the control transfers and failures that are written, or by remarks.
            return []
        }
        guard let interface = interfaces[Self.interfaceName(of: flow)] else { return [] }
        var bytes: [UInt8] = []
        for (index, packet) in packets.enumerated() {
            packetCount += 1
            bytes += writer.packet(
                packet,
                on: interface,
                comments: index == 0 ? takeComments() : []
            )
        }
        return bytes
    }

    private mutating func tcpBlocks(
        _ unit: FlowUnit,
        _ key: TCPConnectionKey,
        _ flow: Flow,
        _ missing: Int
    ) -> [UInt8] {
        var connection = connections[unit.flow] ?? TCPSegments(key)
        let isFromHost = unit.direction != .fromReader
        var packets: [(isFromHost: Bool, packet: [UInt8])] = []
        switch unit.kind {
        case .data:
            packets += connection.data(unit.bytes, fromHost: isFromHost).map { (isFromHost, $0) }
            if missing > 0 {
                packets.append((!isFromHost, connection.skip(missing, fromHost: isFromHost)))
            }
        case .missing(let count):
            packets.append((!isFromHost, connection.skip(count ?? 1, fromHost: isFromHost)))
        case .opened: packets += connection.opening()
        case .closed(.superseded), .closed(.unplugged): break
        case .closed(.orderly): packets += connection.closing(isAborted: false)
        case .closed(.aborted): packets += connection.closing(isAborted: true)
        case .control, .failed, .line: break
        }
        connections[unit.flow] = connection
        guard let interface = interfaces[Self.interfaceName(of: flow)] else { return [] }
        var bytes: [UInt8] = []
        for packet in packets {
            packetCount += 1
            bytes += writer.packet(
                packet.packet,
                on: interface,
                at: unit.time ?? lastTime,
                direction: packet.isFromHost ? .outbound : .inbound,
                comments: takeComments()
            )
        }
        return bytes
    }

    private mutating func streamBlocks(
        _ unit: FlowUnit,
        _ dissector: String,
        _ flow: Flow,
        _ missing: Int
    ) -> [UInt8] {
        var comments = takeComments()
        var bytes: [UInt8] = []
        var missing = missing
        switch unit.kind {
        case .data, .control: bytes = Array(unit.bytes)
        case .missing(let count): missing += count ?? 1
        case .opened: Self.add("attached", to: &comments)
        case .closed(let ending):
            Self.add(ending == .orderly ? "detached: left" : "detached: cut", to: &comments)
        case .line(let change): comments.append("line: \(change)")
        case .failed: return []
        }
        guard let interface = interfaces[Self.interfaceName(of: flow)] else { return [] }
        packetCount += 1
        let packet = ExportedPDU(
            dissectorName: dissector,
            direction: unit.direction.packetDirection,
            bytes: bytes
        ).encode()
        return writer.packet(
            packet,
            originalByteCount: packet.count + missing,
            on: interface,
            at: unit.time ?? lastTime,
            direction: unit.direction.packetDirection,
            comments: comments
        )
    }

    // MARK: Remarks

    private mutating func takeComments() -> [String] {
        defer { pendingComments.removeAll() }
        return pendingComments.map { Self.scrubbed($0.text) }
    }

    /// Writes remarks on packets that are no units, as a packet without bytes of the same interface.
    private mutating func flushComments() -> [UInt8] {
        guard let first = pendingComments.first else { return [] }
        let time = first.time ?? lastTime
        let stream = InterfaceName(linkType: .exportedPDU, name: first.interfaceName)
        let usb = InterfaceName(linkType: .usbLinuxMmapped, name: first.interfaceName)
        let texts = takeComments()
        if let interface = interfaces[stream] {
            packetCount += 1
            return writer.packet(
                ExportedPDU(bytes: []),
                on: interface,
                at: time,
                comments: texts
            )
        }
        if let interface = interfaces[usb] {
            packetCount += 1
            let urb = USBMonPacket.URB(id: 1, busNumber: 1, deviceAddress: 1)
            return writer.packet(
                USBMonPacket.interruptInSubmission(
                    of: urb,
                    endpointAddress: 0x81,
                    byteCount: 64,
                    at: time
                ),
                on: interface,
                comments: texts
            )
        }
        return []
    }

    private static func add(_ remark: String, to comments: inout [String]) {
        if !comments.contains(where: { AttachmentRemark($0) != nil }) { comments.append(remark) }
    }

    /// Hides what could be a card number, line by line.
    private static func scrubbed(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { SafeText(scrubbing: String($0)).description }
            .joined(separator: "\n")
    }

    private static func interfaceName(of flow: Flow) -> InterfaceName {
        switch flow.key {
        case .usb(let key):
            InterfaceName(
                linkType: .usbLinuxMmapped,
                name: flow.interfaceName.isEmpty ? "usbmon\(key.bus)" : flow.interfaceName
            )
        case .tcp:
            InterfaceName(
                linkType: .raw,
                name: flow.interfaceName.isEmpty ? "tcp" : flow.interfaceName
            )
        case .exported(let interface, _), .journal(let interface):
            InterfaceName(linkType: .exportedPDU, name: interface)
        case .rfcomm, .serial:
            InterfaceName(linkType: .exportedPDU, name: flow.key.description)
        }
    }
}

extension FlowDirection {
    /// The same with host and reader exchanged.
    fileprivate var exchanged: FlowDirection {
        switch self {
        case .toReader: .fromReader
        case .fromReader: .toReader
        case .unknown: .unknown
        }
    }

    fileprivate var packetDirection: PacketDirection {
        switch self {
        case .toReader: .outbound
        case .fromReader: .inbound
        case .unknown: .unknown
        }
    }
}
