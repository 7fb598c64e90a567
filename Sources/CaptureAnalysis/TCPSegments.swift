import CaptureFlows

/// Writes a TCP connection anew, as IP packets of link type 101.
///
/// Sequence numbers count on in each direction from 1, acknowledgements say what the other side has
/// sent, and what is missing in the capture is passed over, so that whoever follows the stream finds
/// the same bytes and the same gaps. Checksums are right.
///
/// Source: RFC 791, RFC 8200 and RFC 9293.
struct TCPSegments: Hashable, Sendable {
    /// The most bytes of one segment; IP's length field has 16 bits.
    static let payloadByteCountLimit = 32_768

    enum Flag {
        static let fin: UInt8 = 0x01
        static let syn: UInt8 = 0x02
        static let reset: UInt8 = 0x04
        static let push: UInt8 = 0x08
        static let acknowledge: UInt8 = 0x10
    }

    private let key: TCPConnectionKey
    private var hostSequence: UInt32 = 1
    private var readerSequence: UInt32 = 1
    private var packetNumber: UInt16 = 0

    init(_ key: TCPConnectionKey) { self.key = key }

    /// The three segments that open a connection.
    mutating func opening() -> [(isFromHost: Bool, packet: [UInt8])] {
        hostSequence = 0
        readerSequence = 0
        let first = packet(fromHost: true, Flag.syn, [])
        hostSequence = 1
        let second = packet(fromHost: false, Flag.syn | Flag.acknowledge, [])
        readerSequence = 1
        return [
            (true, first), (false, second), (true, packet(fromHost: true, Flag.acknowledge, [])),
        ]
    }

    /// The segments that end it.
    mutating func closing(isAborted: Bool) -> [(isFromHost: Bool, packet: [UInt8])] {
        if isAborted {
            return [(true, packet(fromHost: true, Flag.reset | Flag.acknowledge, []))]
        }
        let first = packet(fromHost: true, Flag.fin | Flag.acknowledge, [])
        hostSequence &+= 1
        let second = packet(fromHost: false, Flag.fin | Flag.acknowledge, [])
        readerSequence &+= 1
        return [
            (true, first), (false, second), (true, packet(fromHost: true, Flag.acknowledge, [])),
        ]
    }

    /// The segments of bytes.
    mutating func data(_ bytes: ArraySlice<UInt8>, fromHost: Bool) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var rest = bytes
        while !rest.isEmpty {
            let piece = rest.prefix(Self.payloadByteCountLimit)
            rest = rest.dropFirst(piece.count)
            packets.append(packet(fromHost: fromHost, Flag.push | Flag.acknowledge, piece))
            pass(piece.count, fromHost: fromHost)
        }
        return packets
    }

    /// Passes over bytes that are not there, and lets the other side say that it has them.
    mutating func skip(_ byteCount: Int, fromHost: Bool) -> [UInt8] {
        pass(byteCount, fromHost: fromHost)
        return packet(fromHost: !fromHost, Flag.acknowledge, [])
    }

    private mutating func pass(_ byteCount: Int, fromHost: Bool) {
        let count = UInt32(truncatingIfNeeded: byteCount)
        if fromHost { hostSequence &+= count } else { readerSequence &+= count }
    }

    private mutating func packet(
        fromHost: Bool,
        _ flags: UInt8,
        _ payload: ArraySlice<UInt8>
    ) -> [UInt8] {
        let source = fromHost ? key.host : key.reader
        let destination = fromHost ? key.reader : key.host
        var segment: [UInt8] = []
        segment.big16(source.port)
        segment.big16(destination.port)
        segment.big32(fromHost ? hostSequence : readerSequence)
        let acknowledged = fromHost ? readerSequence : hostSequence
        segment.big32(flags & Flag.acknowledge == 0 ? 0 : acknowledged)
        segment += [0x50, flags]
        segment.big16(0xFFFF)
        segment += [0, 0, 0, 0]
        segment += payload

        var addresses: [UInt8] = []
        addresses.address(source)
        addresses.address(destination)
        var pseudoHeader = addresses
        pseudoHeader.big32(UInt32(segment.count))
        pseudoHeader += [0, 0, 0, 6]
        let sum = Self.checksum(pseudoHeader + segment)
        segment[16] = UInt8(truncatingIfNeeded: sum >> 8)
        segment[17] = UInt8(truncatingIfNeeded: sum)

        packetNumber &+= 1
        var packet: [UInt8] = []
        if source.isIPv6 {
            packet += [0x60, 0, 0, 0]
            packet.big16(UInt16(segment.count))
            packet += [6, 64]
            packet += addresses
        } else {
            packet += [0x45, 0]
            packet.big16(UInt16(20 + segment.count))
            packet.big16(packetNumber)
            packet += [0x40, 0, 64, 6, 0, 0]
            packet += addresses
            let sum = Self.checksum(packet)
            packet[10] = UInt8(truncatingIfNeeded: sum >> 8)
            packet[11] = UInt8(truncatingIfNeeded: sum)
        }
        return packet + segment
    }

    /// The Internet checksum (RFC 1071).
    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        var sum: UInt64 = 0
        for index in bytes.indices {
            sum += index % 2 == 0 ? UInt64(bytes[index]) << 8 : UInt64(bytes[index])
        }
        while sum > 0xFFFF { sum = (sum & 0xFFFF) + sum >> 16 }
        return ~UInt16(sum)
    }
}

extension [UInt8] {
    fileprivate mutating func big16(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    fileprivate mutating func big32(_ value: UInt32) {
        big16(UInt16(truncatingIfNeeded: value >> 16))
        big16(UInt16(truncatingIfNeeded: value))
    }

    fileprivate mutating func address(_ end: SocketEnd) {
        if end.isIPv6 {
            big32(UInt32(truncatingIfNeeded: end.high >> 32))
            big32(UInt32(truncatingIfNeeded: end.high))
            big32(UInt32(truncatingIfNeeded: end.low >> 32))
        }
        big32(UInt32(truncatingIfNeeded: end.low))
    }
}
