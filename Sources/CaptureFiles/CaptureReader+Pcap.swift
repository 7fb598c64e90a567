extension CaptureReader {
    private static let fileHeaderByteCount = 24
    private static let recordHeaderByteCount = 16

    /// The whole length of what is being waited for; `nil` until it can be known.
    var expectedRecordByteCount: Int? {
        switch format {
        case .btsnoop: return expectedBtsnoopByteCount
        case .packetLogger: return expectedPacketLoggerByteCount
        case .pcap, .pcapng, nil: break
        }
        guard !interfaces.isEmpty else { return Self.fileHeaderByteCount }
        guard bufferedByteCount >= Self.recordHeaderByteCount else { return nil }
        return Self.recordHeaderByteCount + Int(buffer.load32(at: start + 8, byteOrder))
    }

    mutating func readPcapPacket(
        _ resolution: TimestampResolution,
        into packet: inout CapturedPacket
    ) throws(CaptureError) -> Bool {
        if interfaces.isEmpty {
            guard bufferedByteCount >= Self.fileHeaderByteCount else { return false }
            try readFileHeader(resolution)
        }
        guard bufferedByteCount >= Self.recordHeaderByteCount else { return false }
        let captured = Int(buffer.load32(at: start + 8, byteOrder))
        let byteCount = Self.recordHeaderByteCount + captured
        guard byteCount <= Self.blockByteCountLimit else {
            throw error(
                .blockTooLong(byteCount: byteCount, limit: Self.blockByteCountLimit),
                at: start
            )
        }
        guard bufferedByteCount >= byteCount else { return false }

        let seconds = Int64(buffer.load32(at: start, byteOrder))
        let fraction = UInt64(buffer.load32(at: start + 4, byteOrder))
        // A damaged fraction must not move the packet out of its second.
        let nanoseconds = resolution == .nanoseconds ? fraction : fraction * 1_000
        let dataStart = start + Self.recordHeaderByteCount
        begin(
            &packet,
            interface: 0,
            data: dataStart..<dataStart + captured,
            originalByteCount: Int(buffer.load32(at: start + 12, byteOrder))
        )
        packet.time = CaptureTime(
            seconds: seconds,
            nanoseconds: UInt32(min(nanoseconds, 999_999_999))
        )
        packet.hasIrregularTime = nanoseconds >= 1_000_000_000
        blockCount += 1
        consume(byteCount)
        return true
    }

    private mutating func readFileHeader(
        _ resolution: TimestampResolution
    ) throws(CaptureError) {
        let major = Int(buffer.load16(at: start + 4, byteOrder))
        let minor = Int(buffer.load16(at: start + 6, byteOrder))
        guard major == 2, minor == 4 else {
            throw CaptureError(
                .unsupportedVersion(major: major, minor: minor),
                byteOffset: 4,
                blockNumber: 0
            )
        }
        // The upper half of the field holds the length of the frame check sequence.
        let linkType = UInt16(truncatingIfNeeded: buffer.load32(at: start + 20, byteOrder))
        interfaces = [
            CapturedInterface(
                linkType: LinkType(rawValue: linkType),
                snapByteCount: buffer.load32(at: start + 16, byteOrder),
                resolution: resolution,
                offsetSeconds: 0
            )
        ]
        consume(Self.fileHeaderByteCount)
    }
}
