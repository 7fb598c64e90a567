extension CaptureReader {
    private static let btsnoopHeaderByteCount = 16
    private static let btsnoopRecordByteCount = 24
    /// Microseconds from the year 0, where btsnoop counts from, to 1970.
    ///
    /// Source: Wireshark, wiretap/btsnoop.c, KUnixTimeBase.
    private static let btsnoopEpoch: Int64 = 0x00DC_DDB3_0F2F_8000
    /// The length of a PacketLogger record before its payload, and what its length field counts.
    private static let packetLoggerHeaderByteCount = 13

    /// The whole length of the btsnoop header or record that is waited for.
    var expectedBtsnoopByteCount: Int? {
        guard !interfaces.isEmpty else { return Self.btsnoopHeaderByteCount }
        guard bufferedByteCount >= 8 else { return nil }
        return Self.btsnoopRecordByteCount + Int(buffer.load32(at: start + 4, .bigEndian))
    }

    /// The whole length of the PacketLogger record that is waited for.
    var expectedPacketLoggerByteCount: Int? {
        guard bufferedByteCount >= 4 else { return nil }
        return 4 + Int(buffer.load32(at: start, byteOrder))
    }

    mutating func readBtsnoopPacket(
        into packet: inout CapturedPacket
    ) throws(CaptureError) -> Bool {
        if interfaces.isEmpty {
            guard bufferedByteCount >= Self.btsnoopHeaderByteCount else { return false }
            guard buffer.load32(at: start + 4, .bigEndian) == 0x6F6F_7000 else {
                throw error(.notACapture(.unknown), at: start)
            }
            let version = Int(buffer.load32(at: start + 8, .bigEndian))
            guard version == 1 else {
                throw error(.unsupportedVersion(major: version, minor: 0), at: start + 8)
            }
            let number = buffer.load32(at: start + 12, .bigEndian)
            let linkType = LinkType(rawValue: UInt16(clamping: number))
            interfaces = [CapturedInterface(linkType: linkType)]
            consume(Self.btsnoopHeaderByteCount)
        }
        guard bufferedByteCount >= Self.btsnoopRecordByteCount else { return false }
        let captured = Int(buffer.load32(at: start + 4, .bigEndian))
        let byteCount = Self.btsnoopRecordByteCount + captured
        try checkLength(byteCount)
        guard bufferedByteCount >= byteCount else { return false }
        let high = UInt64(buffer.load32(at: start + 16, .bigEndian))
        let low = UInt64(buffer.load32(at: start + 20, .bigEndian))
        let (sinceEpoch, overflows) = Int64(bitPattern: high << 32 | low)
            .subtractingReportingOverflow(Self.btsnoopEpoch)
        let flags = buffer.load32(at: start + 8, .bigEndian)
        let linkType = interfaces[0].linkType
        begin(
            &packet,
            interface: 0,
            data: start + Self.btsnoopRecordByteCount..<start + byteCount,
            originalByteCount: Int(buffer.load32(at: start, .bigEndian))
        )
        packet.recordFlags = flags
        packet.time = CaptureTime(microsecondsSinceEpoch: overflows ? 0 : sinceEpoch)
        packet.hasIrregularTime = overflows
        if linkType == .btsnoopH1 || linkType == .btsnoopH4 {
            packet.direction = flags & 1 == 0 ? .outbound : .inbound
        }
        blockCount += 1
        consume(byteCount)
        return true
    }

    mutating func readPacketLoggerPacket(
        into packet: inout CapturedPacket
    ) throws(CaptureError) -> Bool {
        guard bufferedByteCount >= 4 else { return false }
        let counted = Int(buffer.load32(at: start, byteOrder))
        let byteCount = 4 + counted
        try checkLength(byteCount)
        guard bufferedByteCount >= byteCount else { return false }
        let seconds = Int64(buffer.load32(at: start + 4, byteOrder))
        let microseconds = buffer.load32(at: start + 8, byteOrder)
        let type = buffer[start + 12]
        let data = start + Self.packetLoggerHeaderByteCount..<start + byteCount
        begin(&packet, interface: 0, data: data, originalByteCount: data.count)
        packet.recordFlags = UInt32(type)
        packet.time = CaptureTime(
            seconds: seconds,
            nanoseconds: min(microseconds, 999_999) * 1_000
        )
        packet.hasIrregularTime = microseconds > 999_999
        switch type {
        case 0x00, 0x02, 0x08, 0x0A: packet.direction = .outbound
        case 0x01, 0x03, 0x09, 0x0B: packet.direction = .inbound
        default: break
        }
        blockCount += 1
        consume(byteCount)
        return true
    }

    private func checkLength(_ byteCount: Int) throws(CaptureError) {
        guard byteCount <= Self.blockByteCountLimit else {
            throw error(
                .blockTooLong(byteCount: byteCount, limit: Self.blockByteCountLimit),
                at: start
            )
        }
        if case .packetLogger = format, byteCount < Self.packetLoggerHeaderByteCount {
            throw error(.badBlockLength(byteCount: byteCount), at: start)
        }
    }

    /// Returns the byte order of a PacketLogger file, judged by its first bytes, or `nil`.
    ///
    /// The first five records, as far as they are there, must have plausible lengths, times and
    /// types; at least one must be whole.
    ///
    /// Source: Wireshark, wiretap/packetlogger.c, packetlogger_check_record.
    public static func packetLoggerByteOrder(firstBytes: ArraySlice<UInt8>) -> ByteOrder? {
        guard firstBytes.count >= packetLoggerHeaderByteCount else { return nil }
        let first = firstBytes.load32(atOffset: 0, .bigEndian)
        let isSwapped = first & 0xFFFF == 0 && first >> 16 != 0
        let order = isSwapped ? ByteOrder.littleEndian : .bigEndian
        var rest = firstBytes
        for number in 0..<5 {
            guard rest.count >= packetLoggerHeaderByteCount else { break }
            let byteCount = Int(rest.load32(atOffset: 0, order))
            let type = rest[rest.startIndex + 12]
            guard 9...65_535 ~= byteCount, rest.load32(atOffset: 8, order) < 1_000_000,
                type <= 0x0B || type >= 0xF7
            else { return nil }
            if rest.count < 4 + byteCount { return number == 0 ? nil : order }
            rest = rest.dropFirst(4 + byteCount)
        }
        return order
    }
}

extension CaptureReader {
    /// Whether a file's first four bytes (or more) are those of a container with a magic.
    public static func hasMagic(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        return switch bytes.load32(atOffset: 0, .bigEndian) {
        case 0x0A0D_0D0A, 0xA1B2_C3D4, 0xD4C3_B2A1, 0xA1B2_3C4D, 0x4D3C_B2A1, 0x6274_736E: true
        default: false
        }
    }

    /// Why a file that begins so is no capture that is read, in one line.
    public static func refusal(firstBytes: ArraySlice<UInt8>) -> String {
        guard !firstBytes.isEmpty else { return "the file is empty" }
        let kind = FileKind(firstBytes: firstBytes)
        let text = "no capture of a known format: \(kind)"
        guard kind == .text else { return text }
        return text + " and no log of usbmon, socat -x, jpnevulator, interceptty, pyserial, Portmon"
            + " or umockdev, nor hex bytes with marks such as > and <"
    }

    /// The format in a few words; `nil` until it is known.
    public var formatName: String? {
        switch format {
        case .pcapng: "pcapng"
        case .pcap(.nanoseconds): "pcap with nanoseconds"
        case .pcap: "pcap"
        case .btsnoop: "btsnoop"
        case .packetLogger: "PacketLogger"
        case nil: nil
        }
    }
}

extension CaptureTime {
    /// Creates a time from a count of microseconds since 1970-01-01 UTC, which may be negative.
    public init(microsecondsSinceEpoch count: Int64) {
        let (quotient, remainder) = count.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(
            seconds: remainder < 0 ? quotient - 1 : quotient,
            nanoseconds: UInt32(remainder < 0 ? remainder + 1_000_000 : remainder) * 1_000
        )
    }
}
