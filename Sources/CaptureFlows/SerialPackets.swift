import CaptureFiles

/// Serial bytes that stand in packets of their own: exported PDUs and RTAC's link type.
///
/// Exported PDUs of one conversation begin with the same tags: what they say is remembered, since
/// reading their text again for each packet would be most of the work.
struct SerialPackets: Sendable {
    /// What the tags of an exported PDU on an interface say.
    private struct Head: Sendable {
        var tags: ArraySlice<UInt8>
        var sectionNumber: Int
        var interfaceNumber: Int
        var flow: Flow.ID
        var direction: FlowDirection
    }

    private static let headCountLimit = 16

    private var heads: [Head] = []

    /// Link type 252: our own recordings, and what Wireshark exports.
    mutating func takeExported(
        _ packet: CapturedPacket,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        let missing = max(0, packet.originalByteCount - packet.data.count)
        if let byteCount = Self.headByteCount(packet.data), packet.data.count > byteCount {
            let tags = packet.data.prefix(byteCount)
            for index in heads.indices
            where heads[index].interfaceNumber == packet.interfaceNumber
                && heads[index].sectionNumber == packet.sectionNumber && heads[index].tags == tags
            {
                output.put(
                    heads[index].flow,
                    .data,
                    heads[index].direction,
                    packet.data.dropFirst(byteCount),
                    at: packet.dataByteOffset + byteCount,
                    missing: missing
                )
                return
            }
        }
        try takeNewHead(packet, missing, &output)
    }

    /// The length of the tags before an exported PDU's bytes.
    private static func headByteCount(_ data: ArraySlice<UInt8>) -> Int? {
        var offset = 0
        while offset + 4 <= data.count {
            let byteCount = Int(data.big16(offset + 2))
            if data.big16(offset) == 0 { return offset + 4 + byteCount }
            offset += 4 + byteCount
        }
        return nil
    }

    private mutating func takeNewHead(
        _ packet: CapturedPacket,
        _ missing: Int,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        let unit: ExportedPDU
        do throws(CaptureError) {
            unit = try ExportedPDU(decoding: packet)
        } catch {
            throw DecodingFailure(error.reason)
        }
        let name = output.interfaceName
        let isJournal = unit.dissectorName == "json"
        let key: FlowKey =
            isJournal
            ? .journal(interface: name)
            : .exported(interface: name, dissector: String(unit.dissectorName.prefix(64)))
        guard let id = output.flow(key) else { return }
        let direction: FlowDirection =
            switch unit.direction {
            case .inbound: .fromReader
            case .outbound: .toReader
            case .unknown: .unknown
            }
        let tagByteCount = unit.bytes.startIndex - packet.data.startIndex
        let offset = packet.dataByteOffset + tagByteCount
        for comment in packet.comments where !isJournal && unit.bytes.isEmpty {
            if comment == "attached" {
                output.put(id, .opened, direction, at: offset)
            } else if comment.hasPrefix("detached") {
                output.put(id, .closed(.unplugged), direction, at: offset)
            }
        }
        if heads.count < Self.headCountLimit, tagByteCount <= 256 {
            heads.append(
                Head(
                    tags: Array(packet.data.prefix(tagByteCount))[...],
                    sectionNumber: packet.sectionNumber,
                    interfaceNumber: packet.interfaceNumber,
                    flow: id,
                    direction: direction
                )
            )
        }
        guard !unit.bytes.isEmpty || missing > 0 else { return }
        output.put(id, .data, direction, unit.bytes, at: offset, missing: missing)
    }

    /// Link type 250; TX goes from the host to the reader.
    ///
    /// Source: tcpdump.org, LINKTYPE_RTAC_SERIAL; Wireshark, packet-rtacser.c.
    func takeRTAC(
        _ packet: CapturedPacket,
        _ output: inout FlowOutput
    ) throws(DecodingFailure) {
        let headerByteCount = 12
        guard packet.data.count >= headerByteCount else {
            throw .tooShort(packet.linkType, packet, needed: headerByteCount)
        }
        guard let id = output.flow(.serial(name: output.interfaceName)) else { return }
        let event = packet.data.byte(8)
        let signals = packet.data.byte(9)
        let offset = packet.dataByteOffset + headerByteCount
        let direction: FlowDirection
        switch event {
        case 1, 3: direction = .toReader
        case 2, 4: direction = .fromReader
        default: direction = .unknown
        }
        let data = packet.data.dropFirst(headerByteCount)
        let missing = max(0, packet.originalByteCount - packet.data.count)
        if !data.isEmpty || missing > 0 {
            output.put(id, .data, direction, data, at: offset, missing: missing)
        }
        switch event {
        case 0:
            output.put(id, .line(.requestToSend(signals & 0x08 != 0)), .toReader, at: offset)
            output.put(id, .line(.dataTerminalReady(signals & 0x10 != 0)), .toReader, at: offset)
        case 1...4, 6: break
        case 5, 10: output.putMissing(id, .unknown, byteCount: nil, at: offset)
        case 7, 8: output.putMissing(id, .fromReader, byteCount: nil, at: offset)
        case 9: output.put(id, .line(.breakSignal(true)), .unknown, at: offset)
        default: throw DecodingFailure("an RTAC event cannot be \(event)")
        }
    }
}
