/// What the fuzzer's bytes become before they are read: as they are, or inside a right container.
enum FuzzedReader: String {
    case any, pcapng, usb, tcp, bluetooth, serial, btsnoop, packetlogger, text, gzip
    /// Not fuzzed: every prefix of a given file is read.
    case prefixes

    func file(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .any, .prefixes: bytes
        case .pcapng: Self.sectionHead + bytes
        case .usb: Self.pcap([220, 189, 249, 266], bytes)
        case .tcp: Self.pcap([1, 101, 113, 276, 0, 108, 228, 229], bytes)
        case .bluetooth: Self.pcap([201, 254, 187], bytes)
        case .serial: Self.pcap([252, 250], bytes)
        case .btsnoop: Self.btsnoop(bytes)
        case .packetlogger: Self.loggerHead + bytes
        case .text: Self.text(bytes)
        case .gzip: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bytes
        }
    }

    /// A section with an interface of each kind.
    private static let sectionHead: [UInt8] = {
        var file: [UInt8] = [
            0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0,
        ]
        file += [UInt8](repeating: 0xFF, count: 8) + [28, 0, 0, 0]
        for linkType in [UInt8(220), 1, 201, 252] {
            file += [1, 0, 0, 0, 20, 0, 0, 0, linkType, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0]
        }
        return file
    }()

    /// A classic file, so that the fuzzer need not learn record headers.
    ///
    /// The first byte chooses the link type, then come packets with their length before them.
    private static func pcap(_ linkTypes: [UInt16], _ bytes: [UInt8]) -> [UInt8] {
        let linkType = linkTypes[Int(bytes.first ?? 0) % linkTypes.count]
        var file: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0]
        file += [UInt8](repeating: 0, count: 8) + [0, 0, 4, 0]
        file += [UInt8(linkType & 0xFF), UInt8(linkType >> 8), 0, 0]
        var rest = bytes.dropFirst()
        while let length = rest.first {
            let packet = rest.dropFirst().prefix(Int(length))
            rest = rest.dropFirst(1 + packet.count)
            file += [0, 0, 0, 0, 0, 0, 0, 0, UInt8(packet.count), 0, 0, 0]
            // Every other packet is longer on the wire than what was captured.
            file += [UInt8(packet.count), packet.count % 2 == 0 ? 0 : 1, 0, 0]
            file += packet
        }
        return file
    }

    private static func btsnoop(_ bytes: [UInt8]) -> [UInt8] {
        let datalinks: [UInt16] = [1_002, 1_001, 2_001, 1_003]
        let datalink = datalinks[Int(bytes.first ?? 0) % datalinks.count]
        return Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0]
            + [UInt8(datalink >> 8), UInt8(datalink & 0xFF)] + bytes.dropFirst()
    }

    /// Two records that make the rest one.
    private static let loggerHead: [UInt8] = [
        0, 0, 0, 12, 0x65, 0, 0, 0, 0, 0, 0, 1, 0, 3, 0x0C, 0,
        0, 0, 0, 12, 0x65, 0, 0, 0, 0, 0, 0, 2, 1, 0x0E, 1, 0,
    ]

    /// A line that makes the text one of a format, then the rest.
    private static func text(_ bytes: [UInt8]) -> [UInt8] {
        let lines = [
            "ffff88030b710880 2930692217 S Ci:1:002:0 s 80 06 0100 0000 0012 18 <",
            "> 2026/11/30 12:36:22.000229198  length=6 from=0 to=5",
            "2026-11-30 12:36:27.802398: HOST", "< 0x54 (T)",
            "000000.000 TX   0000  01 00 04 D0", "0 0.1 app.exe IRP_MJ_CREATE Serial0 SUCCESS",
            "d 0 /dev/ttyACM0", "@DEV /dev/bus/usb/001/011", "P: /devices/pci", "> 01 02 03",
        ]
        let line = lines[Int(bytes.first ?? 0) % lines.count]
        return Array(line.utf8) + [0x0A] + bytes.dropFirst()
    }
}
