import CaptureFiles

/// One TCP segment, with the ends that its IP header names.
struct TCPSegment: Sendable {
    var source: SocketEnd
    var destination: SocketEnd
    var sequence: UInt32
    var acknowledgement: UInt32
    var flags: UInt8
    var payload: ArraySlice<UInt8>
    /// How many bytes behind `payload` the capture cut off.
    var missingByteCount: Int
    /// Where `payload` begins in the file.
    var byteOffset: Int

    var isFinished: Bool { flags & 0x01 != 0 }
    var isSynchronising: Bool { flags & 0x02 != 0 }
    var isReset: Bool { flags & 0x04 != 0 }
    var isAcknowledging: Bool { flags & 0x10 != 0 }
    /// The payload's length on the wire.
    var byteCount: Int { payload.count + missingByteCount }
}

extension TCPSegment {
    private enum EtherType {
        static let ipv4: UInt16 = 0x0800
        static let ipv6: UInt16 = 0x86DD
    }

    private static let tcpNumber: UInt8 = 6
    private static let tagCountLimit = 4
    private static let extensionCountLimit = 8

    /// Reads the segment in a captured packet, or returns `nil` when it is none.
    ///
    /// - Throws: ``DecodingFailure`` for headers that are cut or contradict themselves, and for
    ///   fragments of IP packets, which are not put together.
    ///
    /// Sources: tcpdump.org, Link-Layer Header Types; IEEE 802.1Q; RFC 791, 8200, 9293.
    static func decoding(_ packet: CapturedPacket) throws(DecodingFailure) -> TCPSegment? {
        let bytes = packet.data
        switch packet.linkType {
        case .ethernet: return try ethernet(packet, typeOffset: 12)
        case .linuxSLL: return try ethernet(packet, typeOffset: 14)
        case .linuxSLL2:
            try need(20, bytes, packet.linkType)
            return try ip(packet, bytes.big16(0), 20)
        case .null, .loop:
            try need(4, bytes, packet.linkType)
            var family = bytes.big32(0)
            if packet.linkType == .null, family > 0xFFFF { family = family.byteSwapped }
            switch family {
            case 2: return try ip(packet, EtherType.ipv4, 4)
            case 10, 24, 28, 30: return try ip(packet, EtherType.ipv6, 4)
            default: return nil
            }
        case .ipv4: return try ip(packet, EtherType.ipv4, 0)
        case .ipv6: return try ip(packet, EtherType.ipv6, 0)
        default:
            try need(1, bytes, packet.linkType)
            switch bytes.byte(0) >> 4 {
            case 4: return try ip(packet, EtherType.ipv4, 0)
            case 6: return try ip(packet, EtherType.ipv6, 0)
            default: throw DecodingFailure("IP version \(bytes.byte(0) >> 4) is not known")
            }
        }
    }

    @inline(__always)
    private static func need(
        _ count: Int,
        _ bytes: ArraySlice<UInt8>,
        _ what: LinkType
    ) throws(DecodingFailure) {
        guard bytes.count >= count else {
            throw DecodingFailure(
                "\(bytes.count) bytes where headers of link type \(what) need at least \(count)"
            )
        }
    }

    /// Passes over VLAN tags behind an Ethernet or cooked header, whose type ends it.
    private static func ethernet(
        _ packet: CapturedPacket,
        typeOffset: Int
    ) throws(DecodingFailure) -> TCPSegment? {
        var offset = typeOffset
        for _ in 0...tagCountLimit {
            try need(offset + 2, packet.data, packet.linkType)
            let type = packet.data.big16(offset)
            switch type {
            case 0x8100, 0x88A8, 0x9100: offset += 4
            default: return try ip(packet, type, offset + 2)
            }
        }
        throw DecodingFailure("more than \(tagCountLimit) VLAN tags")
    }

    private static func ip(
        _ packet: CapturedPacket,
        _ etherType: UInt16,
        _ offset: Int
    ) throws(DecodingFailure) -> TCPSegment? {
        switch etherType {
        case EtherType.ipv4: try ipv4(packet, offset)
        case EtherType.ipv6: try ipv6(packet, offset)
        default: nil
        }
    }

    private static func ipv4(
        _ packet: CapturedPacket,
        _ start: Int
    ) throws(DecodingFailure) -> TCPSegment? {
        let bytes = packet.data
        try need(start + 20, bytes, packet.linkType)
        let headerByteCount = Int(bytes.byte(start) & 0x0F) * 4
        guard bytes.byte(start) >> 4 == 4, headerByteCount >= 20 else {
            throw DecodingFailure("an IPv4 header that begins with \(bytes.byte(start))")
        }
        guard bytes.byte(start + 9) == tcpNumber else { return nil }
        guard bytes.big16(start + 6) & 0x3FFF == 0 else {
            throw DecodingFailure(
                "a fragment of an IP packet; fragments are not put together",
                topic: .fragment
            )
        }
        let total = Int(bytes.big16(start + 2))
        // Segmentation in the network card leaves 0.
        let byteCount = total == 0 ? bytes.count - start : total
        return try tcp(
            packet,
            start + headerByteCount,
            end: start + byteCount,
            source: SocketEnd(ipv4: bytes.big32(start + 12), port: 0),
            destination: SocketEnd(ipv4: bytes.big32(start + 16), port: 0)
        )
    }

    private static func ipv6(
        _ packet: CapturedPacket,
        _ start: Int
    ) throws(DecodingFailure) -> TCPSegment? {
        let bytes = packet.data
        try need(start + 40, bytes, packet.linkType)
        guard bytes.byte(start) >> 4 == 6 else {
            throw DecodingFailure("an IPv6 header that begins with \(bytes.byte(start))")
        }
        let payloadByteCount = Int(bytes.big16(start + 4))
        let end = payloadByteCount == 0 ? bytes.count : start + 40 + payloadByteCount
        var next = bytes.byte(start + 6)
        var offset = start + 40
        for _ in 0...extensionCountLimit {
            switch next {
            case tcpNumber:
                return try tcp(
                    packet,
                    offset,
                    end: end,
                    source: SocketEnd(
                        ipv6High: bytes.big64(start + 8),
                        low: bytes.big64(start + 16),
                        port: 0
                    ),
                    destination: SocketEnd(
                        ipv6High: bytes.big64(start + 24),
                        low: bytes.big64(start + 32),
                        port: 0
                    )
                )
            case 0, 43, 60:
                try need(offset + 8, bytes, packet.linkType)
                next = bytes.byte(offset)
                offset += 8 + 8 * Int(bytes.byte(offset + 1))
            case 51:
                try need(offset + 8, bytes, packet.linkType)
                next = bytes.byte(offset)
                offset += 8 + 4 * Int(bytes.byte(offset + 1))
            case 44:
                try need(offset + 8, bytes, packet.linkType)
                guard bytes.big16(offset + 2) & 0xFFF9 == 0 else {
                    throw DecodingFailure(
                        "a fragment of an IP packet; fragments are not put together",
                        topic: .fragment
                    )
                }
                next = bytes.byte(offset)
                offset += 8
            default: return nil
            }
        }
        throw DecodingFailure("more than \(extensionCountLimit) IPv6 extension headers")
    }

    private static func tcp(
        _ packet: CapturedPacket,
        _ start: Int,
        end: Int,
        source: SocketEnd,
        destination: SocketEnd
    ) throws(DecodingFailure) -> TCPSegment {
        let bytes = packet.data
        try need(start + 20, bytes, packet.linkType)
        let headerByteCount = Int(bytes.byte(start + 12) >> 4) * 4
        guard headerByteCount >= 20, start + headerByteCount <= end else {
            throw DecodingFailure("a TCP header of \(headerByteCount) bytes does not fit")
        }
        let payloadStart = min(start + headerByteCount, bytes.count)
        let present = min(end, bytes.count) - payloadStart
        var source = source
        var destination = destination
        source.port = bytes.big16(start)
        destination.port = bytes.big16(start + 2)
        return TCPSegment(
            source: source,
            destination: destination,
            sequence: bytes.big32(start + 4),
            acknowledgement: bytes.big32(start + 8),
            flags: bytes.byte(start + 13),
            payload: bytes.part(from: payloadStart, upTo: present),
            missingByteCount: end - (start + headerByteCount) - present,
            byteOffset: packet.dataByteOffset + payloadStart
        )
    }
}
