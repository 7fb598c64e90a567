public import EventLoops

/// Puts the packets of HID input reports together and decodes the swipes in them.
///
/// | what arrives | gives |
/// | --- | --- |
/// | packets, the last one shorter than the endpoint's | the report |
/// | a whole report of 856 or 887 bytes in one transfer | the report |
/// | a short packet, or silence, at another length | one `damaged` |
/// | the rest of a report that silence had ended | nothing: its beginning was reported already |
/// | a lone short packet within the silence after a report | nothing: the repetition of its end |
///
/// Pieces are not joined over a silence of more than ``longestSilence``, so that half a report
/// never becomes part of a later one. A report of 856 bytes in packets of 8 has no short packet: it
/// is complete after the silence, or at once when its length was given.
/// Source: USB 2.0 section 5.7.3 (a short packet ends a transfer); the silence of 50 ms is that of
/// hosts in the field (assumed).
public struct MagneSafeReportAssembler: Hashable, Sendable {
    /// The longest time between two packets of one report.
    public static let longestSilence = VirtualDuration.milliseconds(50)

    private let packetByteCount: Int
    private let reportByteCount: Int?
    private var buffer: [UInt8] = []
    private var isTooLong = false
    @usableFromInline var lastPiece: VirtualInstant?
    private var lastReport: VirtualInstant?
    /// How many bytes of the last report came before silence ended it; 0 when silence did not.
    private var endedByteCount = 0
    @usableFromInline var readings: [MagneSafeReading] = []

    /// Creates an assembler without pieces.
    ///
    /// - Parameters:
    ///   - maximumPacketByteCount: The endpoint's packet size, 1 to 64; 0 when it is not known,
    ///     and then only length and silence end a report.
    ///   - reportByteCount: The report's length from its descriptor, when it is known.
    public init(maximumPacketByteCount: Int, reportByteCount: Int? = nil) {
        packetByteCount = max(1, maximumPacketByteCount)
        self.reportByteCount = reportByteCount
        buffer.reserveCapacity(MagneSafeReportLayout.byteCount)
    }

    /// Adds one transfer: a packet, several, or a whole report.
    public mutating func append(_ transfer: ArraySlice<UInt8>, at now: VirtualInstant) {
        if let deadline, now > deadline { complete(at: deadline, isSilence: true) }
        let isFirst = lastPiece == nil
        let isShort = transfer.isEmpty || transfer.count % packetByteCount != 0
        if isFirst, transfer.isEmpty { return }
        let isLone = isShort && transfer.count < packetByteCount
        if isFirst, isLone, !Self.isReportLength(transfer.count), let lastReport,
            now - lastReport <= Self.longestSilence
        {
            return
        }
        if buffer.count + transfer.count > MagneSafeReportLayout.byteCount {
            isTooLong = true
        } else {
            buffer.append(contentsOf: transfer)
        }
        lastPiece = now
        let isWhole = isFirst && Self.isReportLength(transfer.count)
        if isShort || isWhole || hasAllBytes { complete(at: now) }
    }

    /// When silence ends the report that has begun, or `nil` when none has.
    @inlinable
    public var deadline: VirtualInstant? { lastPiece.map { $0 + Self.longestSilence } }

    /// Ends the report that has begun if its ``deadline`` is reached.
    public mutating func expire(at now: VirtualInstant) {
        guard let deadline, now >= deadline else { return }
        complete(at: deadline, isSilence: true)
    }

    /// Forgets all pieces, as when the reader is detached.
    public mutating func reset() {
        buffer.removeAll(keepingCapacity: true)
        isTooLong = false
        lastPiece = nil
        lastReport = nil
        endedByteCount = 0
        readings = []
    }

    /// Returns the next swipe, or `nil` until more pieces or silence come.
    @inlinable
    public mutating func next() -> MagneSafeReading? {
        readings.isEmpty ? nil : readings.removeFirst()
    }

    private var hasAllBytes: Bool {
        !isTooLong && buffer.count == reportByteCount ?? MagneSafeReportLayout.byteCount
    }

    private static func isReportLength(_ count: Int) -> Bool {
        count == MagneSafeReportLayout.byteCount || count == MagneSafeReportLayout.olderByteCount
    }

    /// Reads the buffer; only a reader known for it sends clear reports of 337 bytes.
    private func record() throws(MagneSafeError) -> MagneSafeRecord {
        reportByteCount == MagneSafeReportLayout.sureSwipeByteCount
            ? try MagneSafeRecord(sureSwipeReport: buffer) : try MagneSafeRecord(report: buffer)
    }

    private mutating func complete(at now: VirtualInstant, isSilence: Bool = false) {
        let isRest =
            endedByteCount > 0 && !isTooLong && Self.isReportLength(endedByteCount + buffer.count)
            && !Self.isReportLength(buffer.count)
        let isShorter = !isTooLong && buffer.count < MagneSafeReportLayout.byteCount
        endedByteCount = isSilence && isShorter && !isRest ? buffer.count : 0
        if isRest {
            // Its beginning was reported when silence ended it.
        } else if isTooLong {
            readings.append(.damaged(MagneSafeError(.tooLong, offset: 0)))
        } else {
            do {
                readings.append(.record(try record()))
            } catch {
                readings.append(.damaged(error))
            }
        }
        buffer.removeAll(keepingCapacity: true)
        isTooLong = false
        lastPiece = nil
        lastReport = now
    }
}
