import CaptureFiles

/// Packets of one kind, written as a pcapng file of any length.
struct SamplePackets {
    private let linkType: LinkType
    private let make: (Int) -> (bytes: [UInt8], isInbound: Bool)

    init?(_ kind: String) {
        switch kind {
        case "usb":
            linkType = .usbLinuxMmapped
            make = Self.usb
        case "tcp":
            linkType = .ethernet
            make = Self.tcp
        case "rfcomm":
            linkType = .bluetoothH4WithDirection
            make = Self.rfcomm
        case "serial":
            linkType = .exportedPDU
            make = { number in
                let isInbound = number % 2 != 0
                let unit = ExportedPDU(
                    direction: isInbound ? .inbound : .outbound,
                    bytes: [1, 0, 4, 0xD0, 1, 0, 0, 0xD4]
                )
                return (unit.encode(), isInbound)
            }
        default: return nil
        }
    }

    /// Writes the file in pieces of about 64 KiB.
    func write<Failure: Error>(
        count: Int,
        _ take: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var writer = CaptureWriter(application: "cardrig-captures")
        var piece = writer.sectionHeader
        let (interface, block) = writer.addInterface(linkType, name: "sample")
        piece += block
        for number in 0..<count {
            let (bytes, isInbound) = make(number)
            piece += writer.packet(
                bytes,
                on: interface,
                at: CaptureTime(microsecondsSinceEpoch: Int64(1_700_000_000_000_000 + number)),
                direction: isInbound ? .inbound : .outbound
            )
            if piece.count >= 65_536 {
                try take(piece)
                piece.removeAll(keepingCapacity: true)
            }
        }
        try take(piece)
    }

    /// An interrupt endpoint's question and its report of 64 bytes, in turns.
    private static func usb(_ number: Int) -> (bytes: [UInt8], isInbound: Bool) {
        let urb = USBMonPacket.URB(id: 2, busNumber: 1, deviceAddress: 5)
        let time = CaptureTime(microsecondsSinceEpoch: Int64(1_700_000_000_000_000 + number))
        let packet: USBMonPacket =
            number % 2 == 0
            ? .interruptInSubmission(of: urb, endpointAddress: 0x81, byteCount: 64, at: time)
            : .interruptInCompletion(
                of: urb,
                endpointAddress: 0x81,
                report: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 64),
                at: time
            )
        return (packet.encode(), true)
    }

    /// A connection of 500 packets after the other, frames of 8 bytes and answers of 6.
    private static func tcp(_ number: Int) -> (bytes: [UInt8], isInbound: Bool) {
        let isFromHost = number % 2 == 0
        let exchange = UInt32(number % 500 / 2)
        let isOpening = number % 500 < 2
        let payload = isOpening ? 0 : isFromHost ? 8 : 6
        let hostNext = exchange == 0 ? 999 : 1_000 + 8 * (exchange - 1)
        let readerNext = exchange == 0 ? 4_999 : 5_000 + 6 * (exchange - 1)
        let port = UInt16(truncatingIfNeeded: 40_000 + number / 500)
        var bytes: [UInt8] = [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0]
        bytes += [0x45, 0, 0, UInt8(40 + payload), 0, 1, 0, 0, 64, 6, 0, 0]
        bytes += isFromHost ? [192, 0, 2, 1, 192, 0, 2, 2] : [192, 0, 2, 2, 192, 0, 2, 1]
        bytes += isFromHost ? big(port) + big(6_543) : big(6_543) + big(port)
        let sequence = isFromHost ? hostNext : readerNext
        let acknowledged = isFromHost ? readerNext : exchange == 0 ? 1_000 : hostNext + 8
        for value in [sequence, acknowledged] {
            bytes += big(UInt16(value >> 16)) + big(UInt16(truncatingIfNeeded: value))
        }
        let flags: UInt8 = isOpening ? (isFromHost ? 2 : 0x12) : 0x18
        bytes += [0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0]
        return (bytes + [UInt8](repeating: 0x41, count: payload), !isFromHost)
    }

    /// Frames of a serial channel whose opening is not in the log.
    private static func rfcomm(_ number: Int) -> (bytes: [UInt8], isInbound: Bool) {
        let isFromHost = number % 2 == 0
        var frame: [UInt8] = [isFromHost ? 0x13 : 0x11, 0xEF, 17] + [1, 0, 4, 0xD0, 1, 0, 0, 0xD4]
        frame.append(isFromHost ? 0xF4 : 0x0E)
        frame[frame.count - 1] = check(frame[0], frame[1])
        let length = UInt8(frame.count)
        let header: [UInt8] = [
            0, 0, 0, isFromHost ? 0 : 1, 2, 0x0B, isFromHost ? 0 : 0x20, length + 4, 0, length, 0,
            isFromHost ? 0x52 : 0x41, 0,
        ]
        return (header + frame, !isFromHost)
    }

    private static func check(_ bytes: UInt8...) -> UInt8 {
        var sum: UInt8 = 0xFF
        for byte in bytes {
            sum ^= byte
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xE0 : sum >> 1 }
        }
        return 0xFF - sum
    }

    private static func big(_ value: UInt16) -> [UInt8] {
        [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}
