import CaptureFiles

/// Who sent a Bluetooth packet, or that the file does not tell.
enum HCISide: Int, Sendable {
    case host
    case controller
    case unknown

    var direction: FlowDirection {
        switch self {
        case .host: .toReader
        case .controller: .fromReader
        case .unknown: .unknown
        }
    }

    var opposite: HCISide {
        switch self {
        case .host: .controller
        case .controller: .host
        case .unknown: .unknown
        }
    }
}

/// One packet between host and Bluetooth controller, whoever recorded it.
struct HCIRecord: Sendable {
    enum Kind: Sendable {
        case command
        case event
        /// Data of a classic connection.
        case asynchronous
    }

    var kind: Kind
    var side: HCISide
    var adapter: UInt16
    /// What follows H4's first byte.
    var payload: ArraySlice<UInt8>
    /// Where `payload` begins in the file.
    var byteOffset: Int

    /// Reads the record in a captured packet; `nil` for one that does not matter here.
    ///
    /// Sources: tcpdump.org, LINKTYPE_BLUETOOTH_*; BlueZ, doc/btsnoop-protocol.rst; Wireshark,
    /// wiretap/btsnoop.c and packetlogger.c. The direction bit of link type 201 is as in libpcap's
    /// bluetooth.h (set: received), which real files confirm.
    static func decoding(_ packet: CapturedPacket) throws(DecodingFailure) -> HCIRecord? {
        let data = packet.data
        switch packet.linkType {
        case .bluetoothH4:
            return try h4(packet, at: 0, side: side(packet.direction))
        case .btsnoopH4:
            return try h4(packet, at: 0, side: packet.recordFlags & 1 == 0 ? .host : .controller)
        case .bluetoothH4WithDirection:
            guard data.count >= 5 else { throw .tooShort(packet.linkType, packet, needed: 5) }
            return try h4(packet, at: 4, side: data.byte(3) & 1 == 0 ? .host : .controller)
        case .btsnoopH1:
            let isReceived = packet.recordFlags & 1 != 0
            let isControl = packet.recordFlags & 2 != 0
            return record(
                isControl ? (isReceived ? .event : .command) : .asynchronous,
                isReceived ? .controller : .host,
                packet,
                at: 0
            )
        case .packetLogger:
            switch packet.recordFlags {
            case 0: return record(.command, .host, packet, at: 0)
            case 1: return record(.event, .controller, packet, at: 0)
            case 2: return record(.asynchronous, .host, packet, at: 0)
            case 3: return record(.asynchronous, .controller, packet, at: 0)
            default: return nil
            }
        case .bluetoothMonitor:
            guard data.count >= 4 else { throw .tooShort(packet.linkType, packet, needed: 4) }
            return monitor(packet, opcode: data.big16(2), adapter: data.big16(0), at: 4)
        default:
            return monitor(
                packet,
                opcode: UInt16(truncatingIfNeeded: packet.recordFlags),
                adapter: UInt16(truncatingIfNeeded: packet.recordFlags >> 16),
                at: 0
            )
        }
    }

    private static func side(_ direction: PacketDirection) -> HCISide {
        switch direction {
        case .inbound: .controller
        case .outbound: .host
        case .unknown: .unknown
        }
    }

    @inline(__always)
    private static func h4(
        _ packet: CapturedPacket,
        at offset: Int,
        side: HCISide
    ) throws(DecodingFailure) -> HCIRecord? {
        guard packet.data.count > offset else {
            throw .tooShort(packet.linkType, packet, needed: offset + 1)
        }
        switch packet.data.byte(offset) {
        case 1: return record(.command, .host, packet, at: offset + 1)
        case 2: return record(.asynchronous, side, packet, at: offset + 1)
        case 4: return record(.event, .controller, packet, at: offset + 1)
        case 3, 5: return nil
        case let indicator: throw DecodingFailure("an H4 packet type cannot be \(indicator)")
        }
    }

    @inline(__always)
    private static func monitor(
        _ packet: CapturedPacket,
        opcode: UInt16,
        adapter: UInt16,
        at offset: Int
    ) -> HCIRecord? {
        switch opcode {
        case 2: record(.command, .host, packet, adapter: adapter, at: offset)
        case 3: record(.event, .controller, packet, adapter: adapter, at: offset)
        case 4: record(.asynchronous, .host, packet, adapter: adapter, at: offset)
        case 5: record(.asynchronous, .controller, packet, adapter: adapter, at: offset)
        default: nil
        }
    }

    @inline(__always)
    private static func record(
        _ kind: Kind,
        _ side: HCISide,
        _ packet: CapturedPacket,
        adapter: UInt16 = 0,
        at offset: Int
    ) -> HCIRecord {
        HCIRecord(
            kind: kind,
            side: side,
            adapter: adapter,
            payload: packet.data.dropFirst(offset),
            byteOffset: packet.dataByteOffset + offset
        )
    }
}
