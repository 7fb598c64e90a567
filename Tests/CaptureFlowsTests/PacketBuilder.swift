import CaptureFiles

/// Builds the files and packets that tests read, from the formats' rules.
enum PacketBuilder {
    /// A classic pcap file, little-endian with microseconds; packets are a millisecond apart.
    static func pcap(_ linkType: UInt16, _ packets: [[UInt8]], cut: Int = .max) -> [UInt8] {
        var file = hex("d4c3b2a1 0200 0400 00000000 00000000 00000400")
        file += little(UInt32(linkType))
        for (index, packet) in packets.enumerated() {
            let kept = packet.prefix(cut)
            file += little(UInt32(1_700_000_000)) + little(UInt32(index * 1_000))
            file += little(UInt32(kept.count)) + little(UInt32(packet.count)) + kept
        }
        return file
    }

    static func little(_ value: UInt16) -> [UInt8] { big(value.byteSwapped) }
    static func little(_ value: UInt32) -> [UInt8] { big(value.byteSwapped) }

    static func big(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

    static func big(_ value: UInt32) -> [UInt8] {
        big(UInt16(value >> 16)) + big(UInt16(truncatingIfNeeded: value))
    }

    static func big(_ value: UInt64) -> [UInt8] {
        big(UInt32(value >> 32)) + big(UInt32(truncatingIfNeeded: value))
    }

    // MARK: TCP

    /// One side of a TCP connection of a test.
    struct Segment {
        var isFromHost = true
        var sequence: UInt32
        var acknowledgement: UInt32 = 0
        var flags: UInt8 = 0x18
        var payload: [UInt8] = []
        var hostPort: UInt16 = 40_000
        var readerPort: UInt16 = 6_543
    }

    static func tcp(_ segment: Segment) -> [UInt8] {
        let ports =
            segment.isFromHost
            ? big(segment.hostPort) + big(segment.readerPort)
            : big(segment.readerPort) + big(segment.hostPort)
        return ports + big(segment.sequence) + big(segment.acknowledgement)
            + [0x50, segment.flags, 0xFF, 0xFF, 0, 0, 0, 0] + segment.payload
    }

    static func ipv4(_ segment: Segment) -> [UInt8] {
        let body = tcp(segment)
        let addresses: [UInt8] =
            segment.isFromHost
            ? [192, 0, 2, 1, 192, 0, 2, 2] : [192, 0, 2, 2, 192, 0, 2, 1]
        var header: [UInt8] = [0x45, 0] + big(UInt16(20 + body.count)) + [0, 1, 0, 0, 64, 6, 0, 0]
        header += addresses
        var sum = 0
        for index in stride(from: 0, to: 20, by: 2) {
            sum += Int(header[index]) << 8 | Int(header[index + 1])
        }
        while sum > 0xFFFF { sum = sum & 0xFFFF + sum >> 16 }
        header.replaceSubrange(10..<12, with: big(UInt16(0xFFFF - sum)))
        return header + body
    }

    static func ipv6(_ segment: Segment) -> [UInt8] {
        let body = tcp(segment)
        let host = hex("20010db8000000000000000000000001")
        let reader = hex("20010db8000000000000000000000002")
        return [0x60, 0, 0, 0] + big(UInt16(body.count)) + [6, 64]
            + (segment.isFromHost ? host + reader : reader + host) + body
    }

    static func ethernet(_ segment: Segment) -> [UInt8] {
        hex("020000000002 020000000001 0800") + ipv4(segment)
    }

    // MARK: Bluetooth

    /// An RFCOMM frame; credits stand behind the length and do not count in it.
    static func rfcomm(
        dlci: UInt8,
        control: UInt8,
        isCommand: Bool = true,
        credits: UInt8? = nil,
        _ information: [UInt8] = []
    ) -> [UInt8] {
        var frame: [UInt8] = [dlci << 2 | (isCommand ? 2 : 0) | 1, control]
        let length = information.count
        frame +=
            length < 128
            ? [UInt8(length << 1 | 1)] : [UInt8(length << 1 & 0xFE), UInt8(length >> 7)]
        let covered = control & 0xEF == 0xEF ? 2 : frame.count
        let check = Self.check(Array(frame[..<covered]))
        if let credits { frame.append(credits) }
        return frame + information + [check]
    }

    /// 3GPP TS 07.10, section 5.2.1.6, bit by bit.
    static func check(_ bytes: [UInt8]) -> UInt8 {
        var register: UInt8 = 0xFF
        for byte in bytes {
            for bit in 0..<8 {
                let isOdd = register & 1 != byte >> UInt8(bit) & 1
                register >>= 1
                if isOdd { register ^= 0xE0 }
            }
        }
        return ~register
    }

    /// An L2CAP frame on a channel.
    static func l2cap(_ cid: UInt16, _ payload: [UInt8]) -> [UInt8] {
        little(UInt16(payload.count)) + little(cid) + payload
    }

    /// ACL packets of a frame, in fragments of at most so many bytes.
    static func acl(
        _ frame: [UInt8],
        handle: UInt16 = 0x0B,
        isFromHost: Bool,
        fragment: Int = .max
    ) -> [[UInt8]] {
        var rest = frame[...]
        var packets: [[UInt8]] = []
        while !rest.isEmpty {
            let part = rest.prefix(fragment)
            rest = rest.dropFirst(fragment)
            let boundary: UInt16 = packets.isEmpty ? (isFromHost ? 0 : 2) : 1
            packets.append(
                little(handle | boundary << 12) + little(UInt16(part.count)) + part
            )
        }
        return packets
    }
}
