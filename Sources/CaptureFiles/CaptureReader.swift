/// Reads the packets of capture files from bytes that come in pieces.
///
/// Containers are pcapng, classic pcap, btsnoop and Apple's PacketLogger.
///
/// The format is recognised by content, never by name. Feed bytes with ``append(_:)``, take packets
/// with ``next()`` until it returns `nil`, and call ``finish()`` when there are no more bytes. After
/// an error the reader is dead: each further call throws the same error. A tolerant reader goes on
/// behind a block that is wrong inside and tells it with ``takeAside()``; it only dies where it
/// cannot know where the next block begins.
///
/// | limit | value |
/// | --- | --- |
/// | one block or record | ``blockByteCountLimit`` |
/// | interfaces in a section | ``interfaceCountLimit`` |
/// | memory | twice the longest block or piece, whatever the size of the file |
///
/// Sources: draft-tuexen-opsawg-pcapng, sections 3 and 4; draft-gharris-opsawg-pcap, sections 4, 5;
/// Wireshark, wiretap/btsnoop.c and packetlogger.c.
public struct CaptureReader: Sendable {
    /// The longest block that is read, in bytes; a longer one is an error.
    public static let blockByteCountLimit = 16 * 1024 * 1024
    /// The most interfaces that a section may describe; more are an error.
    public static let interfaceCountLimit = 1_024

    /// The container formats.
    public enum Format: Hashable, Sendable {
        /// Blocks, sections and interfaces.
        case pcapng
        /// A file header and records, with times in microseconds or nanoseconds.
        case pcap(TimestampResolution)
        /// A Bluetooth log of Android or BlueZ; its link type is the datalink number.
        case btsnoop
        /// Apple's Bluetooth log, which has no header: it is not recognised here, but named.
        case packetLogger(ByteOrder)
    }

    /// The file's format; `nil` until its first bytes are there.
    public internal(set) var format: Format?
    /// The section being read; `nil` before the first and in classic pcap.
    public internal(set) var section: CaptureSection?
    /// The interfaces that the section has described so far; one in classic pcap.
    public internal(set) var interfaces: [CapturedInterface] = []
    /// What was read so far.
    public internal(set) var counts = CaptureBlockCounts()

    var buffer: [UInt8] = []
    /// Index in `buffer` of the first byte that is not read.
    var start = 0
    /// Offset in the file of the byte at `start`.
    var byteOffset = 0
    var byteOrder = ByteOrder.littleEndian
    var blockCount = 0
    private let isTolerant: Bool
    private var asides: [Aside] = []
    private var firstAside = 0
    private var isDrained = true
    private var failure: CaptureError?

    /// Creates a reader at the beginning of a file.
    ///
    /// - Parameters:
    ///   - isTolerant: Whether it goes on behind a block that is wrong inside.
    ///   - format: What the file is, for a format without a magic; `nil` to recognise it.
    public init(isTolerant: Bool = false, format: Format? = nil) {
        self.isTolerant = isTolerant
        self.format = format
        if case .packetLogger(let order) = format {
            byteOrder = order
            interfaces = [CapturedInterface(linkType: .packetLogger)]
        }
    }

    /// What a tolerant reader came past and is no packet.
    public enum Aside: Hashable, Sendable {
        /// Something wrong inside a block, which is left out.
        case problem(CaptureError)
        /// A comment on a section.
        case sectionComment(String)
    }

    /// Whether there is something aside that was not taken.
    public var hasAside: Bool { firstAside < asides.count }

    /// Returns the oldest thing aside that was not taken; what the last ``next()`` met came before
    /// the packet that it returned.
    public mutating func takeAside() -> Aside? {
        guard firstAside < asides.count else { return nil }
        defer {
            firstAside += 1
            if firstAside == asides.count {
                asides.removeAll(keepingCapacity: true)
                firstAside = 0
            }
        }
        return asides[firstAside]
    }

    mutating func noteSectionComment(_ text: String) {
        if isTolerant { asides.append(.sectionComment(text)) }
    }

    /// Notes a block that is passed over, if somebody listens.
    mutating func noteUnknown(_ type: UInt32) {
        if isTolerant { asides.append(.problem(error(.unknownBlock(type: type), at: start))) }
    }

    /// Keeps the error of a block whose end is known, or throws it.
    mutating func tell(_ error: CaptureError) throws(CaptureError) {
        guard isTolerant else { throw error }
        asides.append(.problem(error))
    }

    /// How many bytes wait for the rest of their block.
    public var bufferedByteCount: Int { buffer.count - start }

    /// Adds the next bytes of the file; any division into pieces gives the same packets.
    ///
    /// - Complexity: O(n) in the piece, amortised.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        makeRoom()
        buffer.append(contentsOf: bytes)
        if !bytes.isEmpty { isDrained = false }
    }

    /// Adds the next bytes of the file from an array.
    public mutating func append(_ bytes: [UInt8]) { append(bytes[...]) }

    /// Adds the next bytes of the file from memory that somebody else owns.
    public mutating func append(_ bytes: Span<UInt8>) {
        makeRoom()
        buffer.append(addingCapacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
        if !bytes.isEmpty { isDrained = false }
    }

    /// Returns the next whole packet, or `nil` when more bytes are needed.
    ///
    /// - Throws: ``CaptureError`` for content that is no capture or contradicts itself.
    public mutating func next() throws(CaptureError) -> CapturedPacket? {
        var packet = CapturedPacket()
        return try read(into: &packet) ? packet : nil
    }

    /// Reads the next whole packet in the place of another; `false` when more bytes are needed.
    ///
    /// The same as ``next()`` without a packet's being moved around. What stood there keeps a part
    /// of the reader's buffer alive: clear its data before more bytes are added.
    ///
    /// - Throws: ``CaptureError`` for content that is no capture or contradicts itself.
    public mutating func read(into packet: inout CapturedPacket) throws(CaptureError) -> Bool {
        if let failure { throw failure }
        do throws(CaptureError) {
            let isRead = try readPacket(into: &packet)
            isDrained = !isRead
            return isRead
        } catch {
            failure = error
            throw error
        }
    }

    /// Checks that the file ended where a block ended; call it once ``next()`` returns `nil`.
    ///
    /// - Throws: ``CaptureError`` with `cutShort`, `empty` or `notACapture`.
    public mutating func finish() throws(CaptureError) {
        if let failure { throw failure }
        precondition(isDrained, "finish() before next() returned nil would lose packets")
        if let code = endProblem() {
            let error = CaptureError(
                code,
                byteOffset: byteOffset,
                blockNumber: format == nil ? 0 : blockCount + 1
            )
            failure = error
            throw error
        }
    }

    private func endProblem() -> CaptureError.Code? {
        let present = bufferedByteCount
        switch format {
        case nil:
            return present == 0 ? .empty : .notACapture(FileKind(firstBytes: buffer[start...]))
        case .pcapng:
            guard present > 0 || counts.sections == 0 else { return nil }
            return .cutShort(presentByteCount: present, expectedByteCount: expectedBlockByteCount)
        case .pcap, .btsnoop, .packetLogger:
            guard present > 0 || interfaces.isEmpty else { return nil }
            return .cutShort(presentByteCount: present, expectedByteCount: expectedRecordByteCount)
        }
    }

    private mutating func readPacket(into packet: inout CapturedPacket) throws(CaptureError) -> Bool
    {
        while true {
            switch format {
            case .pcapng: return try readPcapngPacket(into: &packet)
            case .pcap(let resolution): return try readPcapPacket(resolution, into: &packet)
            case .btsnoop: return try readBtsnoopPacket(into: &packet)
            case .packetLogger: return try readPacketLoggerPacket(into: &packet)
            case nil:
                guard try recogniseFormat() else { return false }
            }
        }
    }

    /// Makes the packet of a block that was read so far, without time and what options say.
    mutating func begin(
        _ packet: inout CapturedPacket,
        interface number: Int,
        data: Range<Int>,
        originalByteCount: Int
    ) {
        counts.packets += 1
        packet.packetNumber = counts.packets
        packet.blockNumber = blockCount + 1
        packet.byteOffset = byteOffset
        packet.dataByteOffset = byteOffset + data.lowerBound - start
        packet.sectionNumber = max(1, counts.sections)
        packet.interfaceNumber = number
        packet.linkType = interfaces[number].linkType
        packet.byteOrder = byteOrder
        packet.time = nil
        packet.hasIrregularTime = false
        packet.direction = .unknown
        packet.dropCount = nil
        packet.originalByteCount = originalByteCount
        if !packet.comments.isEmpty { packet.comments = [] }
        packet.recordFlags = 0
        packet.data = buffer[data]
    }

    /// Sets the format; returns `false` when more bytes are needed.
    private mutating func recogniseFormat() throws(CaptureError) -> Bool {
        // Compressed files are named by their first two bytes already.
        guard bufferedByteCount >= 4 else { return false }
        switch buffer.load32(at: start, .bigEndian) {
        case 0x0A0D_0D0A:
            format = .pcapng
        case 0xA1B2_C3D4:
            format = .pcap(.microseconds)
            byteOrder = .bigEndian
        case 0xD4C3_B2A1:
            format = .pcap(.microseconds)
            byteOrder = .littleEndian
        case 0xA1B2_3C4D:
            format = .pcap(.nanoseconds)
            byteOrder = .bigEndian
        case 0x4D3C_B2A1:
            format = .pcap(.nanoseconds)
            byteOrder = .littleEndian
        case 0x6274_736E:
            format = .btsnoop
            byteOrder = .bigEndian
        default:
            throw CaptureError(
                .notACapture(FileKind(firstBytes: buffer[start..<min(start + 64, buffer.count)])),
                byteOffset: 0,
                blockNumber: 0
            )
        }
        return true
    }

    /// Drops what was read once it is half of the buffer, so that the cost of moving is amortised.
    private mutating func makeRoom() {
        guard start > 0, start >= buffer.count - start else { return }
        buffer.removeFirst(start)
        start = 0
    }

    func error(_ code: CaptureError.Code, at index: Int) -> CaptureError {
        CaptureError(code, byteOffset: byteOffset + index - start, blockNumber: blockCount + 1)
    }

    /// Moves past a block that was read.
    mutating func consume(_ byteCount: Int) {
        start += byteCount
        byteOffset += byteCount
    }
}
