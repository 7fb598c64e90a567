import CardCrypto

extension MagneSafeRecord {
    /// Returns the HID input report of the swipe.
    ///
    /// Fields longer than their place are cut.
    /// - Parameter byteCount: ``MagneSafeReportLayout/byteCount``,
    ///   ``MagneSafeReportLayout/olderByteCount`` or ``MagneSafeReportLayout/sureSwipeByteCount``;
    ///   anything else counts as the first.
    /// - Returns: The whole report, zeros where no field lies.
    public func report(byteCount: Int = MagneSafeReportLayout.byteCount) -> [UInt8] {
        let layout = MagneSafeReportLayout.ofReports(byteCount: byteCount) ?? .v5
        var report = [UInt8](repeating: 0, count: layout.byteCount)
        let tracks: InlineArray<3, Track> = [track1, track2, track3]
        for field in layout.fields { write(field, tracks, into: &report) }
        return report
    }

    @inline(__always)
    private func write(
        _ field: MagneSafeReportLayout.Field,
        _ tracks: borrowing InlineArray<3, Track>,
        into report: inout [UInt8]
    ) {
        switch field.content {
        case .decodeStatus:
            report[field.offset] = tracks[field.track].status == .failed ? 1 : 0
        case .encryptedLength:
            report[field.offset] = Self.length(
                tracks[field.track].encrypted,
                MagneSafeReportLayout.trackByteCount
            )
        case .encodeType: report[field.offset] = (encodeType ?? .iso).rawValue
        case .encryptedTrack: Self.put(tracks[field.track].encrypted, field, into: &report)
        case .cardStatus: report[field.offset] = cardStatus
        case .magnePrintStatus:
            let status = magnePrintStatus?.rawValue ?? 0
            for index in 0..<4 {
                report[field.offset + index] = UInt8(truncatingIfNeeded: status >> (index * 8))
            }
        case .magnePrintLength: report[field.offset] = Self.length(magnePrint, 128)
        case .magnePrint: Self.put(magnePrint, field, into: &report)
        case .serial:
            // Terminated by a zero: the last byte stays free.
            for index in 0..<min(serial.count, field.byteCount - 1) {
                report[field.offset + index] = serial[index]
            }
        case .readerStatus:
            Self.put(UInt64(readerStatus.rawValue), field, into: &report)
        case .ksn: if let ksn { Self.put(ksn.bytes, field, into: &report) }
        case .maskedLength:
            report[field.offset] = Self.length(
                tracks[field.track].masked,
                MagneSafeReportLayout.trackByteCount
            )
        case .maskedTrack: Self.put(tracks[field.track].masked, field, into: &report)
        case .sessionID: Self.put(sessionID, field, into: &report)
        case .absoluteLength:
            report[field.offset] = UInt8(clamping: tracks[field.track].absoluteByteCount)
        case .absoluteMagnePrintLength:
            report[field.offset] = MagneSafeReportLayout.absoluteMagnePrintByteCount
        case .encryptionCounter:
            Self.put(UInt64(encryptionCounter ?? 0xFF_FFFF), field, into: &report)
        case .version:
            report[field.offset] = 0x56
            report[field.offset + 1] = 0x30
            report[field.offset + 2] = 0x35
        case .track2Hash: Self.put(track2Hash, field, into: &report)
        case .clearLength:
            report[field.offset] = Self.length(
                tracks[field.track].encrypted,
                MagneSafeReportLayout.sureSwipeTrackByteCount
            )
        case .clearTrack: Self.put(tracks[field.track].encrypted, field, into: &report)
        }
    }

    /// Reads the HID input report of a MagneSafe reader, 856 or 887 bytes.
    ///
    /// - Throws: ``MagneSafeError`` with `wrongReportLength` for another length, and `malformed`
    ///   when a length exceeds its field or the encode type is unknown.
    public init(report: some Collection<UInt8>) throws(MagneSafeError) {
        let report = Array(report)
        switch report.count {
        case MagneSafeReportLayout.byteCount: try self.init(report, .v5)
        case MagneSafeReportLayout.olderByteCount: try self.init(report, .older)
        default: throw MagneSafeError(.wrongReportLength, offset: report.count)
        }
    }

    /// Reads the report of a SureSwipe reader, 337 bytes: clear tracks and nothing else.
    ///
    /// A record like one of security level 2 without keys comes out; its tracks are in clear in
    /// the encrypted and in the masked field.
    /// - Throws: ``MagneSafeError`` as for the longer reports.
    public init(sureSwipeReport report: some Collection<UInt8>) throws(MagneSafeError) {
        let report = Array(report)
        guard report.count == MagneSafeReportLayout.sureSwipeByteCount else {
            throw MagneSafeError(.wrongReportLength, offset: report.count)
        }
        try self.init(report, .sureSwipe)
    }

    private init(
        _ report: [UInt8],
        _ layout: MagneSafeReportLayout
    ) throws(MagneSafeError) {
        self.init(encodeType: .iso, readerStatus: [], magnePrintStatus: [])
        // Lengths stand before their tracks in the report, or directly.
        var lengths = InlineArray<3, Int>(repeating: 0)
        var maskedLengths = InlineArray<3, Int>(repeating: 0)
        var magnePrintLength = 0
        for field in layout.fields {
            let range = field.offset..<(field.offset + field.byteCount)
            switch field.content {
            case .decodeStatus:
                if report[field.offset] & 1 == 1 { setTrack(field.track, .failed) }
            case .encryptedLength:
                lengths[field.track] = try Self.length(
                    report,
                    field,
                    MagneSafeReportLayout.trackByteCount
                )
            case .clearLength:
                lengths[field.track] = try Self.length(
                    report,
                    field,
                    MagneSafeReportLayout.sureSwipeTrackByteCount
                )
            case .encodeType:
                guard let type = CardEncodeType(rawValue: report[field.offset]) else {
                    throw MagneSafeError(.malformed, offset: field.offset)
                }
                encodeType = type
            case .encryptedTrack:
                readTrack(field.track, report[range].prefix(lengths[field.track])) {
                    $0.encrypted = $1
                }
            case .clearTrack:
                readTrack(field.track, report[range].prefix(lengths[field.track])) {
                    $0.encrypted = $1
                    $0.masked = $1
                    $0.absoluteByteCount = $1.count
                }
            case .cardStatus:
                if report[field.offset] != 0 { cardStatus = report[field.offset] }
            case .magnePrintStatus:
                var status: UInt32 = 0
                for index in range.reversed() { status = status << 8 | UInt32(report[index]) }
                magnePrintStatus = MagnePrintStatus(rawValue: status)
            case .magnePrintLength: magnePrintLength = try Self.length(report, field, 128)
            case .magnePrint: magnePrint = Array(report[range].prefix(magnePrintLength))
            case .serial: serial = Array(report[range].prefix { $0 != 0 })
            case .readerStatus:
                readerStatus = ReaderEncryptionStatus(
                    rawValue: UInt16(truncatingIfNeeded: Self.number(report[range]))
                )
            case .ksn:
                ksn = report[range].allSatisfy { $0 == 0 } ? nil : KSN(report[range])
            case .maskedLength:
                maskedLengths[field.track] = try Self.length(
                    report,
                    field,
                    MagneSafeReportLayout.trackByteCount
                )
            case .maskedTrack:
                readTrack(field.track, report[range].prefix(maskedLengths[field.track])) {
                    $0.masked = $1
                }
            case .sessionID: sessionID = Self.number(report[range])
            case .absoluteLength:
                let count = Int(report[field.offset])
                if track(field.track).status != .failed {
                    updateTrack(field.track) { $0.absoluteByteCount = count }
                }
            case .absoluteMagnePrintLength, .version: break
            case .encryptionCounter:
                let counter = UInt32(truncatingIfNeeded: Self.number(report[range]))
                encryptionCounter = counter == 0xFF_FFFF ? nil : counter
            case .track2Hash:
                if !report[range].allSatisfy({ $0 == 0 }) { track2Hash = Array(report[range]) }
            }
        }
    }

    // MARK: Tracks by number

    @inline(__always)
    func track(_ index: Int) -> Track {
        switch index {
        case 0: track1
        case 1: track2
        default: track3
        }
    }

    private mutating func setTrack(_ index: Int, _ track: Track) {
        updateTrack(index) { $0 = track }
    }

    @inline(__always)
    private mutating func updateTrack(_ index: Int, _ change: (inout Track) -> Void) {
        switch index {
        case 0: change(&track1)
        case 1: change(&track2)
        default: change(&track3)
        }
    }

    /// Puts bytes of a track that has no error into the record; having some makes it read.
    @inline(__always)
    private mutating func readTrack(
        _ index: Int,
        _ bytes: ArraySlice<UInt8>,
        _ change: (inout Track, [UInt8]) -> Void
    ) {
        guard !bytes.isEmpty, track(index).status != .failed else { return }
        updateTrack(index) {
            $0.status = .read
            change(&$0, Array(bytes))
        }
    }

    // MARK: Bytes

    private static func length(_ bytes: [UInt8], _ limit: Int) -> UInt8 {
        UInt8(min(bytes.count, limit))
    }

    private static func length(
        _ report: [UInt8],
        _ field: MagneSafeReportLayout.Field,
        _ limit: Int
    ) throws(MagneSafeError) -> Int {
        let length = Int(report[field.offset])
        guard length <= limit else { throw MagneSafeError(.malformed, offset: field.offset) }
        return length
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        for byte in bytes { value = value << 8 | UInt64(byte) }
        return value
    }

    /// Puts bytes at a field's place, cut to its length.
    private static func put(
        _ bytes: [UInt8],
        _ field: MagneSafeReportLayout.Field,
        into report: inout [UInt8]
    ) {
        for index in 0..<min(bytes.count, field.byteCount) {
            report[field.offset + index] = bytes[index]
        }
    }

    /// Puts a big-endian number at a field's place.
    private static func put(
        _ value: UInt64,
        _ field: MagneSafeReportLayout.Field,
        into report: inout [UInt8]
    ) {
        var rest = value
        for index in (0..<field.byteCount).reversed() {
            report[field.offset + index] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
        }
    }
}
