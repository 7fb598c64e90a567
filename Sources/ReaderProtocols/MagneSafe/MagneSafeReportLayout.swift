/// Where each field of a swipe lies in a HID input report.
///
/// One table for each generation; the report descriptor, the encoder, the decoder and the listing
/// are all made from it.
///
/// | generation | bytes | holds |
/// | --- | --- | --- |
/// | older | 856 | everything up to the MagnePrint's absolute length |
/// | V5 | 887 | also encryption counter (3), MagneSafe version (8), hash of track 2 (20) |
/// | SureSwipe | 337 | three clear tracks of 110 bytes |
///
/// The version is written as `V05`. Which bytes readers hash is not published: the hash is zeros
/// unless a record has one.
/// Source: MagneSafe V5 Communication Reference Manual 99875475, HID report descriptor and
/// examples 3 and 11 (856 bytes); USB HID SureSwipe manual 99875191.
public struct MagneSafeReportLayout: Hashable, Sendable {
    /// The length of a V5 reader's report, in bytes.
    public static let byteCount = 887
    /// The length of the older generation's report, in bytes.
    public static let olderByteCount = 856
    /// The length of a SureSwipe reader's report, in bytes.
    public static let sureSwipeByteCount = 337

    /// The bytes set aside for each encrypted and each masked track.
    static let trackByteCount = 112
    /// The bytes set aside for each track of a SureSwipe report.
    static let sureSwipeTrackByteCount = 110
    /// The useful bytes of a MagnePrint, sent even when there is none.
    static let absoluteMagnePrintByteCount: UInt8 = 54

    /// What a field is about.
    enum Content: UInt8 {
        case decodeStatus, encryptedLength, encodeType, encryptedTrack, cardStatus
        case magnePrintStatus, magnePrintLength, magnePrint, serial, readerStatus, ksn
        case maskedLength, maskedTrack, sessionID, absoluteLength, absoluteMagnePrintLength
        case encryptionCounter, version, track2Hash
        case clearLength, clearTrack
    }

    /// One field of the report.
    struct Field: Hashable {
        let content: Content
        /// The index of the track that the field is about, 0 to 2; 0 for other fields.
        let track: Int
        /// The usage in page 0xFF00.
        let usage: UInt8
        let offset: Int
        let byteCount: Int

        /// Whether the descriptor declares the field as buffered bytes.
        var isBuffered: Bool { byteCount > 1 && content != .magnePrintStatus }
    }

    /// The fields in the order of the report, without gaps.
    let fields: [Field]
    /// The length of the report, in bytes.
    public let byteCount: Int
    /// The length of the feature report, in bytes.
    public let featureByteCount: Int

    /// The older generation's report.
    public static let older = MagneSafeReportLayout(magneSafe)
    /// A V5 reader's report.
    public static let v5 = MagneSafeReportLayout(
        magneSafe + [
            (.encryptionCounter, 0, 0x55, 3), (.version, 0, 0x56, 8), (.track2Hash, 0, 0x57, 20),
        ]
    )
    /// The report of a SureSwipe reader, and of a V5 reader at level 2 with property 0x38 set.
    public static let sureSwipe = MagneSafeReportLayout(
        [
            (.decodeStatus, 0, 0x20, 1), (.decodeStatus, 1, 0x21, 1), (.decodeStatus, 2, 0x22, 1),
            (.clearLength, 0, 0x28, 1), (.clearLength, 1, 0x29, 1), (.clearLength, 2, 0x2A, 1),
            (.encodeType, 0, 0x38, 1),
            (.clearTrack, 0, 0x30, sureSwipeTrackByteCount),
            (.clearTrack, 1, 0x31, sureSwipeTrackByteCount),
            (.clearTrack, 2, 0x32, sureSwipeTrackByteCount),
        ],
        featureByteCount: 24
    )

    /// Returns the layout of reports of that length, or `nil`.
    public static func ofReports(byteCount: Int) -> MagneSafeReportLayout? {
        switch byteCount {
        case Self.byteCount: v5
        case olderByteCount: older
        case sureSwipeByteCount: sureSwipe
        default: nil
        }
    }

    private typealias Row = (content: Content, track: Int, usage: UInt8, byteCount: Int)

    private static let magneSafe: [Row] = [
        (.decodeStatus, 0, 0x20, 1), (.decodeStatus, 1, 0x21, 1), (.decodeStatus, 2, 0x22, 1),
        (.encryptedLength, 0, 0x28, 1), (.encryptedLength, 1, 0x29, 1),
        (.encryptedLength, 2, 0x2A, 1),
        (.encodeType, 0, 0x38, 1),
        (.encryptedTrack, 0, 0x30, trackByteCount),
        (.encryptedTrack, 1, 0x31, trackByteCount),
        (.encryptedTrack, 2, 0x32, trackByteCount),
        (.cardStatus, 0, 0x39, 1),
        (.magnePrintStatus, 0, 0x23, 4),
        (.magnePrintLength, 0, 0x2B, 1),
        (.magnePrint, 0, 0x33, 128),
        (.serial, 0, 0x40, 16),
        (.readerStatus, 0, 0x42, 2),
        (.ksn, 0, 0x46, 10),
        (.maskedLength, 0, 0x47, 1), (.maskedLength, 1, 0x48, 1), (.maskedLength, 2, 0x49, 1),
        (.maskedTrack, 0, 0x4A, trackByteCount),
        (.maskedTrack, 1, 0x4B, trackByteCount),
        (.maskedTrack, 2, 0x4C, trackByteCount),
        (.sessionID, 0, 0x50, 8),
        (.absoluteLength, 0, 0x51, 1), (.absoluteLength, 1, 0x52, 1),
        (.absoluteLength, 2, 0x53, 1),
        (.absoluteMagnePrintLength, 0, 0x54, 1),
    ]

    private init(_ rows: [Row], featureByteCount: Int = 60) {
        var fields: [Field] = []
        var offset = 0
        for row in rows {
            fields.append(
                Field(
                    content: row.content,
                    track: row.track,
                    usage: row.usage,
                    offset: offset,
                    byteCount: row.byteCount
                )
            )
            offset += row.byteCount
        }
        self.fields = fields
        byteCount = offset
        self.featureByteCount = featureByteCount
    }

    /// The HID report descriptor: vendor page 0xFF00, no report ids.
    public var reportDescriptor: [UInt8] {
        var bytes: [UInt8] = [
            0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08,
        ]
        var index = 0
        while index < fields.count {
            let field = fields[index]
            if field.isBuffered {
                bytes += [0x09, field.usage, 0x95, UInt8(field.byteCount), 0x82, 0x02, 0x01]
                index += 1
            } else if field.byteCount > 1 {
                bytes += [0x75, UInt8(field.byteCount * 8), 0x09, field.usage]
                bytes += [0x95, 0x01, 0x81, 0x02, 0x75, 0x08]
                index += 1
            } else {
                var count: UInt8 = 0
                while index < fields.count, fields[index].byteCount == 1 {
                    bytes += [0x09, fields[index].usage]
                    count += 1
                    index += 1
                }
                bytes += [0x95, count, 0x81, 0x02]
            }
        }
        bytes += [0x09, 0x20, 0x95, UInt8(featureByteCount), 0xB2, 0x02, 0x01, 0xC0]
        return bytes
    }
}
