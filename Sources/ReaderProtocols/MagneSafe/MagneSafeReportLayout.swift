import CardCrypto

/// Where each field of a swipe lies in the HID input report, for writing and reading.
///
/// | generation | bytes | after the MagnePrint length at 855 |
/// | --- | --- | --- |
/// | older | 856 | nothing |
/// | V5 | 887 | encryption counter (3), MagneSafe version (8), hash of track 2 (20) |
///
/// The version is written as `V05` and the hash as zeros (what exactly readers hash is not
/// published); neither is read.
/// Source: MagneSafe V5 Communication Reference Manual 99875475, HID report descriptor and
/// examples 3 and 11 (856 bytes).
public enum MagneSafeReportLayout {
    /// The length of a V5 reader's report, in bytes.
    public static let byteCount = 887
    /// The length of the older generation's report, in bytes.
    public static let olderByteCount = 856

    /// The bytes set aside for each encrypted and each masked track.
    static let trackByteCount = 112
    /// The bytes set aside for MagnePrint data.
    static let magnePrintByteCount = 128
    /// The useful bytes of a MagnePrint, sent even when there is none.
    static let absoluteMagnePrintByteCount: UInt8 = 54

    static let decodeStatus = 0
    static let encryptedLengths = 3
    static let encodeType = 6
    static let encryptedTracks = 7
    static let magnePrintStatus = 344
    static let magnePrintLength = 348
    static let magnePrint = 349
    static let serial = 477
    static let serialByteCount = 16
    static let readerStatus = 493
    static let ksn = 495
    static let maskedLengths = 505
    static let maskedTracks = 508
    static let sessionID = 844
    static let absoluteLengths = 852
    static let absoluteMagnePrintLength = 855
    static let encryptionCounter = 856
    static let version = 859
}

extension MagneSafeRecord {
    /// Returns the HID input report of the swipe.
    ///
    /// Fields longer than their place are cut.
    /// - Parameter byteCount: ``MagneSafeReportLayout/byteCount`` or
    ///   ``MagneSafeReportLayout/olderByteCount``; anything else counts as the former.
    /// - Returns: The whole report, zeros where no field lies.
    public func report(byteCount: Int = MagneSafeReportLayout.byteCount) -> [UInt8] {
        typealias Layout = MagneSafeReportLayout
        let isOlder = byteCount == Layout.olderByteCount
        var report = [UInt8](
            repeating: 0,
            count: isOlder ? Layout.olderByteCount : Layout.byteCount
        )
        Self.write(track1, 0, into: &report)
        Self.write(track2, 1, into: &report)
        Self.write(track3, 2, into: &report)
        report[Layout.encodeType] = (encodeType ?? .iso).rawValue
        let status = magnePrintStatus?.rawValue ?? 0
        for index in 0..<4 {
            report[Layout.magnePrintStatus + index] = UInt8(
                truncatingIfNeeded: status >> (index * 8)
            )
        }
        report[Layout.magnePrintLength] = UInt8(min(magnePrint.count, Layout.magnePrintByteCount))
        Self.put(magnePrint, Layout.magnePrint, limit: Layout.magnePrintByteCount, into: &report)
        Self.put(serial, Layout.serial, limit: Layout.serialByteCount - 1, into: &report)
        report[Layout.readerStatus] = UInt8(readerStatus.rawValue >> 8)
        report[Layout.readerStatus + 1] = UInt8(readerStatus.rawValue & 0xFF)
        if let ksn { Self.put(ksn.bytes, Layout.ksn, limit: 10, into: &report) }
        for index in 0..<8 {
            report[Layout.sessionID + index] =
                UInt8(truncatingIfNeeded: sessionID >> (56 - index * 8))
        }
        report[Layout.absoluteMagnePrintLength] = Layout.absoluteMagnePrintByteCount
        if !isOlder {
            let counter = encryptionCounter ?? 0xFF_FFFF
            for index in 0..<3 {
                report[Layout.encryptionCounter + index] =
                    UInt8(truncatingIfNeeded: counter >> (16 - index * 8))
            }
            Self.put([0x56, 0x30, 0x35], Layout.version, limit: 8, into: &report)
        }
        return report
    }

    /// Reads a HID input report.
    ///
    /// - Throws: ``MagneSafeError`` with `wrongReportLength` unless it has 856 or 887 bytes, and
    ///   `malformed` when a length exceeds its field or the encode type is unknown.
    public init(report: some Collection<UInt8>) throws(MagneSafeError) {
        typealias Layout = MagneSafeReportLayout
        let report = Array(report)
        guard report.count == Layout.byteCount || report.count == Layout.olderByteCount else {
            throw MagneSafeError(.wrongReportLength, offset: report.count)
        }
        guard let encodeType = CardEncodeType(rawValue: report[Layout.encodeType]) else {
            throw MagneSafeError(.malformed, offset: Layout.encodeType)
        }
        let track1 = try Self.track(0, of: report)
        let track2 = try Self.track(1, of: report)
        let track3 = try Self.track(2, of: report)
        let magnePrint = try Self.field(
            Layout.magnePrint,
            lengthAt: Layout.magnePrintLength,
            limit: Layout.magnePrintByteCount,
            of: report
        )
        var status: UInt32 = 0
        for index in 0..<4 {
            status |= UInt32(report[Layout.magnePrintStatus + index]) << UInt32(index * 8)
        }
        var sessionID: UInt64 = 0
        for index in 0..<8 { sessionID = sessionID << 8 | UInt64(report[Layout.sessionID + index]) }
        let serial = report[Layout.serial..<(Layout.serial + Layout.serialByteCount)]
        let ksn = report[Layout.ksn..<(Layout.ksn + 10)]
        var counter: UInt32 = 0xFF_FFFF
        if report.count == Layout.byteCount {
            counter = 0
            for index in 0..<3 {
                counter = counter << 8 | UInt32(report[Layout.encryptionCounter + index])
            }
        }
        self.init(
            track1: track1,
            track2: track2,
            track3: track3,
            encodeType: encodeType,
            readerStatus: ReaderEncryptionStatus(
                rawValue: UInt16(report[Layout.readerStatus]) << 8
                    | UInt16(report[Layout.readerStatus + 1])
            ),
            magnePrintStatus: MagnePrintStatus(rawValue: status),
            magnePrint: magnePrint,
            serial: Array(serial.prefix { $0 != 0 }),
            sessionID: sessionID,
            ksn: ksn.allSatisfy { $0 == 0 } ? nil : KSN(ksn),
            encryptionCounter: counter == 0xFF_FFFF ? nil : counter
        )
    }

    private static func write(_ track: Track, _ number: Int, into report: inout [UInt8]) {
        typealias Layout = MagneSafeReportLayout
        let place = number * Layout.trackByteCount
        let limit = Layout.trackByteCount
        report[Layout.decodeStatus + number] = track.status == .failed ? 1 : 0
        report[Layout.encryptedLengths + number] = UInt8(min(track.encrypted.count, limit))
        put(track.encrypted, Layout.encryptedTracks + place, limit: limit, into: &report)
        report[Layout.maskedLengths + number] = UInt8(min(track.masked.count, limit))
        put(track.masked, Layout.maskedTracks + place, limit: limit, into: &report)
        report[Layout.absoluteLengths + number] = UInt8(clamping: track.absoluteByteCount)
    }

    private static func track(
        _ number: Int,
        of report: [UInt8]
    ) throws(MagneSafeError) -> Track {
        typealias Layout = MagneSafeReportLayout
        let place = number * Layout.trackByteCount
        let encrypted = try field(
            Layout.encryptedTracks + place,
            lengthAt: Layout.encryptedLengths + number,
            limit: Layout.trackByteCount,
            of: report
        )
        let masked = try field(
            Layout.maskedTracks + place,
            lengthAt: Layout.maskedLengths + number,
            limit: Layout.trackByteCount,
            of: report
        )
        let hasFailed = report[Layout.decodeStatus + number] & 1 == 1
        let isBlank = encrypted.isEmpty && masked.isEmpty
        return Track(
            status: hasFailed ? .failed : (isBlank ? .blank : .read),
            masked: hasFailed ? [] : masked,
            encrypted: hasFailed ? [] : encrypted,
            absoluteByteCount: hasFailed ? 0 : Int(report[Layout.absoluteLengths + number])
        )
    }

    private static func field(
        _ offset: Int,
        lengthAt lengthOffset: Int,
        limit: Int,
        of report: [UInt8]
    ) throws(MagneSafeError) -> [UInt8] {
        let length = Int(report[lengthOffset])
        guard length <= limit else { throw MagneSafeError(.malformed, offset: lengthOffset) }
        return Array(report[offset..<(offset + length)])
    }

    private static func put(
        _ bytes: [UInt8],
        _ offset: Int,
        limit: Int,
        into report: inout [UInt8]
    ) {
        for index in 0..<min(bytes.count, limit) { report[offset + index] = bytes[index] }
    }
}
