import CaptureFiles

/// A Bluetooth log of a reader with serial channels, built from the formats' rules.
///
/// The host connects, opens L2CAP for RFCOMM, two channels on it with credits, talks in fragments,
/// closes one channel and loses the connection.
struct BluetoothSample {
    struct Packet {
        /// H4's first byte.
        var indicator: UInt8
        var isFromHost: Bool
        var bytes: [UInt8]
    }

    static let address = hex("00 00 0a 00 0f ff")
    static let name = "rfcomm 00:00:0a:00:0f:ff channel 2 dlci 4"
    static let otherName = "rfcomm 00:00:0a:00:0f:ff channel 3 dlci 6"
    static let command = hex("010004D0010000D4")
    static let answer = hex("010002900093")
    /// Longer than a length of seven bits.
    static let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }

    private(set) var packets: [Packet] = []
    private var fragment: Int

    /// ACL packets are at most so long.
    init(fragment: Int = .max) {
        self.fragment = fragment
        event(hex("03 0b 00 0b00") + Self.address.reversed() + hex("01 00"))
        // L2CAP: the host asks for RFCOMM (PSM 3) with its CID 0x41, the reader allocates 0x52.
        signal(isFromHost: true, hex("02 01 0400 0300 4100"))
        signal(isFromHost: false, hex("03 01 0800 5200 4100 0100 0000"))
        signal(isFromHost: false, hex("03 01 0800 5200 4100 0000 0000"))
        frame(isFromHost: true, PacketBuilder.rfcomm(dlci: 0, control: 0x3F))
        frame(isFromHost: false, PacketBuilder.rfcomm(dlci: 0, control: 0x73))
        for dlci in [UInt8(4), 6] {
            let negotiation = [dlci] + hex("F0 00 00 DE 03 00 07")
            data(0, isFromHost: true, hex("83 11") + negotiation)
            data(0, isFromHost: false, hex("81 11") + [dlci, 0xE0] + negotiation.dropFirst(2))
            frame(isFromHost: true, PacketBuilder.rfcomm(dlci: dlci, control: 0x3F))
            frame(isFromHost: false, PacketBuilder.rfcomm(dlci: dlci, control: 0x73))
            data(0, isFromHost: true, hex("E3 05") + [dlci << 2 | 3, 0x8D])
            data(0, isFromHost: false, hex("E1 05") + [dlci << 2 | 3, 0x8D])
        }
        data(4, isFromHost: true, credits: 9, [])
        data(4, isFromHost: true, Self.command)
        data(4, isFromHost: false, credits: 3, Array(Self.answer.prefix(2)))
        data(6, isFromHost: true, hex("AA"))
        data(4, isFromHost: false, Array(Self.answer.dropFirst(2)))
        data(4, isFromHost: false, Self.long)
        frame(isFromHost: true, PacketBuilder.rfcomm(dlci: 6, control: 0x53))
        frame(isFromHost: false, PacketBuilder.rfcomm(dlci: 6, control: 0x73))
        event(hex("05 04 00 0b00 08"))
    }

    private mutating func event(_ bytes: [UInt8]) {
        packets.append(Packet(indicator: 4, isFromHost: false, bytes: bytes))
    }

    private mutating func signal(isFromHost: Bool, _ bytes: [UInt8]) {
        send(isFromHost: isFromHost, PacketBuilder.l2cap(1, bytes))
    }

    private mutating func frame(isFromHost: Bool, _ bytes: [UInt8]) {
        send(isFromHost: isFromHost, PacketBuilder.l2cap(isFromHost ? 0x52 : 0x41, bytes))
    }

    private mutating func data(
        _ dlci: UInt8,
        isFromHost: Bool,
        credits: UInt8? = nil,
        _ bytes: [UInt8]
    ) {
        frame(
            isFromHost: isFromHost,
            PacketBuilder.rfcomm(
                dlci: dlci,
                control: credits == nil ? 0xEF : 0xFF,
                isCommand: isFromHost,
                credits: credits,
                bytes
            )
        )
    }

    private mutating func send(isFromHost: Bool, _ bytes: [UInt8]) {
        for packet in PacketBuilder.acl(bytes, isFromHost: isFromHost, fragment: fragment) {
            packets.append(Packet(indicator: 2, isFromHost: isFromHost, bytes: packet))
        }
    }

    // MARK: The containers

    /// The containers that carry it, by name.
    static let containers = [
        "187", "201", "254", "btsnoop 1001", "btsnoop 1002", "btsnoop 2001", "PacketLogger",
        "PacketLogger swapped",
    ]

    func file(_ container: String) -> [UInt8] {
        switch container {
        case "187": return PacketBuilder.pcap(187, packets.map { [$0.indicator] + $0.bytes })
        case "201":
            return PacketBuilder.pcap(
                201,
                packets.map { [0, 0, 0, $0.isFromHost ? 0 : 1, $0.indicator] + $0.bytes }
            )
        case "254":
            return PacketBuilder.pcap(254, packets.map { [0, 0, 0, opcode($0)] + $0.bytes })
        case "btsnoop 1001":
            return btsnoop(1_001) { packet in
                (UInt32(packet.isFromHost ? 0 : 1) | (packet.indicator == 2 ? 0 : 2), packet.bytes)
            }
        case "btsnoop 1002":
            return btsnoop(1_002) { packet in
                (packet.isFromHost ? 0 : 1, [packet.indicator] + packet.bytes)
            }
        case "btsnoop 2001":
            return btsnoop(2_001) { (UInt32(opcode($0)), $0.bytes) }
        default: return packetLogger(isSwapped: container != "PacketLogger")
        }
    }

    private func opcode(_ packet: Packet) -> UInt8 {
        packet.indicator == 4 ? 3 : packet.isFromHost ? 4 : 5
    }

    private func btsnoop(
        _ datalink: UInt32,
        _ record: (Packet) -> (flags: UInt32, bytes: [UInt8])
    ) -> [UInt8] {
        var file = Array("btsnoop\0".utf8) + PacketBuilder.big(UInt32(1))
        file += PacketBuilder.big(datalink)
        for (index, packet) in packets.enumerated() {
            let (flags, bytes) = record(packet)
            let time = 0x00DC_DDB3_0F2F_8000 + 1_700_000_000_000_000 + index * 1_000
            file += PacketBuilder.big(UInt32(bytes.count)) + PacketBuilder.big(UInt32(bytes.count))
            file += PacketBuilder.big(flags) + PacketBuilder.big(UInt32(0))
            file += PacketBuilder.big(UInt64(time)) + bytes
        }
        return file
    }

    private func packetLogger(isSwapped: Bool) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] {
            isSwapped ? PacketBuilder.little(value) : PacketBuilder.big(value)
        }
        return packets.enumerated().flatMap { index, packet -> [UInt8] in
            let type: UInt8 = packet.indicator == 4 ? 1 : packet.isFromHost ? 2 : 3
            return number(UInt32(9 + packet.bytes.count)) + number(1_700_000_000)
                + number(UInt32(index * 1_000)) + [type] + packet.bytes
        }
    }
}
