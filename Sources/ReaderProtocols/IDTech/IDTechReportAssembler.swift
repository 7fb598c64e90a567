public import EventLoops

/// Puts the packets of HID input reports of an ID TECH reader together and takes the records out.
///
/// | what arrives | gives |
/// | --- | --- |
/// | packets, the last one shorter than the endpoint's, or a whole report | what the report holds |
/// | 537 bytes | what the report holds |
/// | silence | what came so far |
///
/// A secure report (levels 3 and 4) has no header: the record begins at its first byte, and zeros
/// fill it up to 537. A report in clear (levels 1 and 2) has nine bytes before its text: the decode
/// status and length of three tracks, the encode type, the length of the text. What is neither is
/// handed on as it is, for who reads it to refuse.
///
/// Assumed: the text's length has its low byte first, as a record's; pieces are not joined over a
/// silence of more than 50 ms, as with MagTek's reports.
/// Source: MS246 manual 80096504-001 (a rebadged SecureMag), USB HID Data Format.
public struct IDTechReportAssembler: Hashable, Sendable {
    /// The longest time between two packets of one report.
    public static let longestSilence = VirtualDuration.milliseconds(50)
    /// The length of a secure report.
    public static let secureByteCount = 537
    /// The bytes before the text of a report in clear.
    public static let clearHeaderByteCount = 9
    /// The text of a report in clear, at most.
    public static let clearTextByteCount = 512

    private let packetByteCount: Int
    private var buffer: [UInt8] = []
    private var lastPiece: VirtualInstant?
    private var packets: [[UInt8]] = []

    /// Creates an assembler without pieces.
    ///
    /// - Parameter maximumPacketByteCount: The endpoint's packet size, 1 to 64; 0 when it is not
    ///   known, and then only length and silence end a report.
    public init(maximumPacketByteCount: Int) {
        packetByteCount = max(1, maximumPacketByteCount)
    }

    /// Adds one transfer: a packet, several, or a whole report.
    public mutating func append(_ transfer: ArraySlice<UInt8>, at now: VirtualInstant) {
        expire(at: now)
        let isShort = transfer.isEmpty || transfer.count % packetByteCount != 0
        if buffer.isEmpty, transfer.allSatisfy({ $0 == 0 }) {
            // The padding of a report that silence had ended, or a repeated end.
            return
        }
        buffer += transfer.prefix(Self.secureByteCount - buffer.count)
        lastPiece = now
        if isShort || buffer.count >= Self.secureByteCount { complete() }
    }

    /// When silence ends the report that has begun, or `nil` when none has.
    public var deadline: VirtualInstant? { lastPiece.map { $0 + Self.longestSilence } }

    /// Ends the report that has begun if its ``deadline`` is reached.
    public mutating func expire(at now: VirtualInstant) {
        guard let deadline, now >= deadline else { return }
        complete()
    }

    /// Returns what the next report holds: a record's bytes, or a text and its carriage return, as
    /// such a reader sends them on other links; `nil` until more pieces or silence come.
    public mutating func next() -> [UInt8]? { packets.isEmpty ? nil : packets.removeFirst() }

    private mutating func complete() {
        lastPiece = nil
        defer { buffer.removeAll(keepingCapacity: true) }
        guard buffer.contains(where: { $0 != 0 }) else { return }
        packets.append(Self.packet(in: buffer))
    }

    /// What a report holds.
    static func packet(in report: [UInt8]) -> [UInt8] {
        if report.count >= 4, report[0] == IDTechLayout.start,
            IDTechLayout.isPlausible(report, from: 0)
        {
            let count = IDTechLayout.dataByteCount(report) + IDTechLayout.envelopeByteCount
            return Array(report.prefix(count))
        }
        let header = clearHeaderByteCount
        if report.count > header, report[0] <= 1, report[1] <= 1, report[2] <= 1 {
            let count = Int(report[7]) | Int(report[8]) << 8
            if count > 0, header + count <= report.count {
                let text = report[header..<(header + count)]
                return Array(text) + (text.last == 0x0D ? [] : [0x0D])
            }
        }
        return report
    }

    /// The report of a record: the record and zeros up to 537 bytes.
    public static func report(of record: [UInt8]) -> [UInt8] {
        let bytes = record.prefix(secureByteCount)
        return bytes + [UInt8](repeating: 0, count: secureByteCount - bytes.count)
    }

    /// The report of tracks in clear.
    ///
    /// - Parameters:
    ///   - tracks: The texts of the three tracks, empty where there is none.
    ///   - isDecoded: Which of them were decoded or are blank.
    ///   - encodeType: The kind of card.
    /// - Returns: 521 bytes.
    public static func clearReport(
        of tracks: [[UInt8]],
        isDecoded: [Bool],
        encodeType: IDTechRecord.EncodeType
    ) -> [UInt8] {
        var report = isDecoded.prefix(3).map { $0 ? UInt8(0) : 1 }
        report += tracks.prefix(3).map { UInt8(clamping: $0.count) }
        let text = Array((tracks.joined() + [0x0D]).prefix(clearTextByteCount))
        report.append(encodeType.rawValue)
        report += [UInt8(text.count & 0xFF), UInt8(text.count >> 8)] + text
        let length = clearHeaderByteCount + clearTextByteCount
        return report + [UInt8](repeating: 0, count: length - report.count)
    }
}
