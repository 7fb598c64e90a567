public import CardData

extension FieldListing {
    /// Lists the fields of a HID input report of 337, 856 or 887 bytes.
    ///
    /// Tracks and MagnePrint that are not encrypted are masked. What is wrong is named with its
    /// byte; the fields around it are listed all the same.
    /// - Complexity: O(1): at most the longest report is looked at.
    /// Source: see ``MagneSafeReportLayout``.
    public init(magneSafeReport report: [UInt8]) {
        self.init()
        guard let layout = MagneSafeReportLayout.ofReports(byteCount: report.count) else {
            complain(
                "a report has 337, 856 or 887 bytes, and this has \(report.count)",
                at: min(report.count, MagneSafeReportLayout.byteCount)
            )
            return
        }
        let isEncrypting = layout.isEncrypting(report)
        for field in layout.fields { add(field, of: report, isEncrypting: isEncrypting) }
    }

    private mutating func add(
        _ field: MagneSafeReportLayout.Field,
        of report: [UInt8],
        isEncrypting: Bool
    ) {
        let bytes = Array(report[field.offset..<(field.offset + field.byteCount)])
        let number = bytes.count <= 8 ? bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : 0
        let track = field.track + 1
        var value = SafeText(Int(clamping: number))
        var meaning = ""
        let name: String
        switch field.content {
        case .decodeStatus:
            name = "track \(track) decode status"
            meaning = number & 1 == 1 ? "error" : "no error"
        case .encryptedLength, .clearLength, .maskedLength:
            let kind =
                switch field.content {
                case .encryptedLength: " encrypted"
                case .maskedLength: " masked"
                default: ""
                }
            name = "track \(track)\(kind) length"
            let limit =
                field.content == .clearLength
                ? MagneSafeReportLayout.sureSwipeTrackByteCount
                : MagneSafeReportLayout.trackByteCount
            if number > UInt64(limit) {
                complain(
                    "the length \(number) exceeds the field's \(limit) bytes",
                    at: field.offset
                )
            } else if field.content == .encryptedLength, isEncrypting, number % 8 != 0 {
                complain(
                    "the length \(number) is no whole number of 8-byte blocks",
                    at: field.offset
                )
            }
        case .encodeType:
            name = "card encode type"
            let type = CardEncodeType(rawValue: UInt8(number))
            meaning = MagneSafeListing.meaning(type)
            if type == nil { complain("there is no encode type \(number)", at: field.offset) }
        case .encryptedTrack, .clearTrack, .maskedTrack:
            let kind = field.content == .encryptedTrack ? " encrypted" : " masked"
            name = "track \(track)" + (field.content == .clearTrack ? "" : kind)
            let used = Array(bytes.prefix(length(of: field, in: report)))
            (value, meaning) = Self.track(
                used,
                isCryptogram: field.content == .encryptedTrack && isEncrypting
            )
            if field.content != .maskedTrack, !isEncrypting, !used.isEmpty {
                meaning = "clear in the report, masked here"
            }
        case .cardStatus:
            name = "card status"
            meaning = number & 1 == 1 ? "read on insertion" : ""
        case .magnePrintStatus:
            name = "MagnePrint status"
            value = SafeText(wireBytes: bytes)
            let status = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            meaning = MagneSafeListing.meaning(MagnePrintStatus(rawValue: status))
        case .magnePrintLength:
            name = "MagnePrint length"
            if number > 128 {
                complain("the length \(number) exceeds the field's 128 bytes", at: field.offset)
            }
        case .magnePrint:
            name = "MagnePrint data"
            let used = Array(bytes.prefix(min(128, length(of: field, in: report))))
            (value, meaning) = Self.magnePrint(used, isCryptogram: isEncrypting)
        case .serial:
            name = "device serial number"
            value = SafeText(scrubbing: MagneSafeListing.printable(bytes.prefix { $0 != 0 }))
        case .readerStatus:
            name = "reader encryption status"
            value = SafeText(wireBytes: bytes)
            meaning = MagneSafeListing.meaning(ReaderEncryptionStatus(rawValue: UInt16(number)))
        case .ksn:
            name = "DUKPT key serial number"
            value = SafeText(wireBytes: bytes)
            if bytes.allSatisfy({ $0 == 0 }) { meaning = "none" }
        case .sessionID:
            name = "session id"
            value = SafeText(wireBytes: bytes)
            meaning = isEncrypting ? "encrypted" : ""
        case .absoluteLength: name = "track \(track) absolute length"
        case .absoluteMagnePrintLength: name = "MagnePrint absolute length"
        case .encryptionCounter:
            name = "encryption counter"
            meaning = MagneSafeListing.meaning(counter: number)
        case .version:
            name = "MagneSafe version"
            value = SafeText(scrubbing: MagneSafeListing.printable(bytes.prefix { $0 != 0 }))
        case .track2Hash:
            name = "hash of track 2"
            // A hash of so few digits can be undone: it is as good as the number.
            value = bytes.allSatisfy { $0 == 0 } ? SafeText("none") : SafeText("20 bytes")
        }
        add(name, at: field.offset, byteCount: field.byteCount, value, meaning: meaning)
    }

    /// The length that the report gives for a field's bytes.
    private func length(of field: MagneSafeReportLayout.Field, in report: [UInt8]) -> Int {
        guard let layout = MagneSafeReportLayout.ofReports(byteCount: report.count) else {
            return 0
        }
        let content: MagneSafeReportLayout.Content =
            switch field.content {
            case .encryptedTrack: .encryptedLength
            case .maskedTrack: .maskedLength
            case .clearTrack: .clearLength
            default: .magnePrintLength
            }
        let place = layout.fields.first { $0.content == content && $0.track == field.track }
        return place.map { Int(report[$0.offset]) } ?? 0
    }

    static func track(_ bytes: [UInt8], isCryptogram: Bool) -> (SafeText, String) {
        if bytes.isEmpty { return (SafeText("none"), "") }
        // A damaged status may call clear text encrypted.
        let isText = bytes.allSatisfy { $0 < 0x80 }
        if isCryptogram, !isText {
            return (SafeText(wireBytes: bytes), "\(bytes.count) bytes encrypted")
        }
        return (SafeText(track: bytes), "")
    }

    static func magnePrint(_ bytes: [UInt8], isCryptogram: Bool) -> (SafeText, String) {
        if bytes.isEmpty { return (SafeText("none"), "") }
        if isCryptogram { return (SafeText(wireBytes: bytes), "\(bytes.count) bytes encrypted") }
        return (SafeText("not shown"), "\(bytes.count) bytes in clear")
    }
}

extension MagneSafeReportLayout {
    /// Whether the status in a report says that its fields are encrypted.
    func isEncrypting(_ report: [UInt8]) -> Bool {
        guard let field = fields.first(where: { $0.content == .readerStatus }) else { return false }
        let value = UInt16(report[field.offset]) << 8 | UInt16(report[field.offset + 1])
        return ReaderEncryptionStatus(rawValue: value).isEncrypting
    }
}
