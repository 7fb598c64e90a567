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

    mutating func nextPcapPacket(
        _ resolution: TimestampResolution
    ) throws(CaptureError) -> CapturedPacket? {
        if interfaces.isEmpty {
            guard bufferedByteCount >= Self.fileHeaderByteCount else { return nil }
            try readFileHeader(resolution)
        }
        guard bufferedByteCount >= Self.recordHeaderByteCount else { return nil }
        let captured = Int(buffer.load32(at: start + 8, byteOrder))
        let byteCount = Self.recordHeaderByteCount + captured
        guard byteCount <= Self.blockByteCountLimit else {
            throw error(
                .blockTooLong(byteCount: byteCount, limit: Self.blockByteCountLimit),
                at: start
            )
        }
        guard bufferedByteCount >= byteCount else { return nil }

        let seconds = Int64(buffer.load32(at: start, byteOrder))
        let fraction = UInt64(buffer.load32(at: start + 4, byteOrder))
        // A damaged fraction must not move the packet out of its second.
        let nanoseconds = resolution == .nanoseconds ? fraction : fraction * 1_000
        let dataStart = start + Self.recordHeaderByteCount
        counts.packets += 1
        blockCount += 1
        let packet = CapturedPacket(
            packetNumber: counts.packets,
            blockNumber: blockCount,
            byteOffset: byteOffset,
            dataByteOffset: byteOffset + Self.recordHeaderByteCount,
            sectionNumber: 1,
            interfaceNumber: 0,
            linkType: interfaces[0].linkType,
            byteOrder: byteOrder,
            time: CaptureTime(
                seconds: seconds,
                nanoseconds: UInt32(min(nanoseconds, 999_999_999))
            ),
            hasIrregularTime: nanoseconds >= 1_000_000_000,
            direction: .unknown,
            dropCount: nil,
            originalByteCount: Int(buffer.load32(at: start + 12, byteOrder)),
            comments: [],
            data: buffer[dataStart..<dataStart + captured]
        )
        consume(byteCount)
        return packet
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
