import CardCrypto
public import CardData

extension FieldListing {
    /// Lists the fields of one ASCII message, with or without its terminator and padding.
    ///
    /// Tracks without any separator are ``SureSwipeText``.
    /// Masked and clear tracks are masked again. What is wrong is named with its byte: a field
    /// that is missing or has another form than readers send, or a wrong checksum.
    /// - Complexity: O(*n*); no more than 4,096 bytes are looked at.
    /// Source: see ``MagneSafeStreamLayout``.
    public init(magneSafeStream text: [UInt8]) {
        self.init()
        var end = text.count
        while end > 0, Self.isFiller(text[end - 1]) { end -= 1 }
        let start = text[..<end].firstIndex { !Self.isFiller($0) } ?? 0
        guard start < end else {
            complain("there is no message", at: 0)
            return
        }
        guard end - start <= 4_096 else {
            complain("the message is longer than any reader's", at: start + 4_096)
            return
        }
        var message = MagneSafeStreamMessage(text, start..<end)
        // A termination string (property 0x22) may follow the four characters of the format code.
        if message.separatorCount == message.expectedSeparatorCount, message.separatorCount > 0,
            end - message.separators[message.separatorCount - 1] > 5
        {
            end = message.separators[message.separatorCount - 1] + 5
            message = MagneSafeStreamMessage(text, start..<end)
        }
        let isSureSwipe = message.separatorCount == 0
        addTracks(of: message, text, isClear: isSureSwipe)
        if isSureSwipe, fields.contains(where: { $0.name.hasPrefix("track") }) {
            addForm(text, start..<end)
            return
        }
        guard message.separatorCount == message.expectedSeparatorCount else {
            let found = message.separatorCount
            complain(
                "a message has \(message.expectedSeparatorCount) separators '|', and this has "
                    + "\(found)",
                at: found > message.expectedSeparatorCount ? message.separators[12] : end
            )
            addPieces(of: text, start..<end)
            return
        }
        let isEncrypting = message.isEncrypting(text)
        for field in MagneSafeStreamLayout.fields {
            if field == .encryptionCounter, !message.hasCounterField { continue }
            if field.isMagnePrint, message.isShort { continue }
            add(field, of: message, text, isEncrypting: isEncrypting)
        }
        do {
            _ = try message.record(text)
        } catch {
            complain(Self.words(error.code), at: error.offset)
        }
        if end < text.count {
            add(
                "terminator and padding",
                at: end,
                byteCount: text.count - end,
                text[end] == 0x0D
                    ? SafeText("CR")
                    : SafeText(scrubbing: MagneSafeListing.printable(text[end...].prefix(8))),
                meaning: "\(text.count - end) bytes"
            )
        }
    }

    private static func isFiller(_ byte: UInt8) -> Bool {
        byte == MagneSafeStreamLayout.terminator || byte == MagneSafeStreamLayout.padding
            || byte == 0x0A
    }

    private static func words(_ code: MagneSafeError.Code) -> String {
        switch code {
        case .checksumMismatch: "the checksum is not that of the characters before it"
        case .malformed: "this is no field that a reader sends"
        case .truncated: "the message stops before its end"
        case .tooLong: "the message is longer than any reader's"
        case .wrongReportLength: "this is the length of no report"
        }
    }

    /// Says that the message is tracks and no more.
    private mutating func addForm(_ text: [UInt8], _ range: Range<Int>) {
        add(
            "form",
            at: range.upperBound,
            byteCount: 0,
            SafeText("SureSwipe"),
            meaning: "tracks and no more; a message of the other form has 12 separators '|'"
        )
        do {
            _ = try SureSwipeText(text[range])
        } catch {
            complain(Self.words(error.code), at: range.lowerBound + error.offset)
        }
    }

    private mutating func addTracks(
        of message: MagneSafeStreamMessage,
        _ text: [UInt8],
        isClear: Bool
    ) {
        let range = message.maskedTracks
        var position = range.lowerBound
        while position < range.upperBound {
            let number = MagneSafeMaskedTracks.trackNumber(text[position])
            guard number > 0,
                let last = text[position..<range.upperBound].firstIndex(
                    of: MagneSafeStreamLayout.endSentinel
                )
            else {
                let start = position
                position += 1
                while position < range.upperBound,
                    MagneSafeMaskedTracks.trackNumber(text[position]) == 0
                {
                    position += 1
                }
                if number > 0 { complain("track \(number) has no end sentinel '?'", at: start) }
                add(
                    number > 0 ? "track \(number)" : "text between tracks",
                    at: start,
                    byteCount: position - start,
                    SafeText(track: Array(text[start..<position]))
                )
                continue
            }
            let bytes = Array(text[position...last])
            let isError = bytes.count == 3 && bytes[1] == 0x45
            add(
                isClear ? "track \(number)" : "track \(number) masked",
                at: position,
                byteCount: bytes.count,
                isError ? SafeText("E") : SafeText(track: bytes),
                meaning: isError ? "error" : isClear ? "masked here" : ""
            )
            position = last + 1
        }
    }

    /// Lists what stands between separators when their number is wrong.
    private mutating func addPieces(of text: [UInt8], _ range: Range<Int>) {
        var start = range.upperBound
        if let first = text[range].firstIndex(of: MagneSafeStreamLayout.separator) {
            start = first + 1
        }
        var index = 1
        while start <= range.upperBound, index <= 32 {
            let rest = text[start..<range.upperBound]
            let end = rest.firstIndex(of: MagneSafeStreamLayout.separator) ?? range.upperBound
            // What the piece is is not known, and it may be a track in clear.
            add(
                "piece \(index)",
                at: start,
                byteCount: end - start,
                SafeText(scrubbing: "\(end - start) characters")
            )
            start = end + 1
            index += 1
        }
    }

    private mutating func add(
        _ field: MagneSafeStreamLayout.Field,
        of message: MagneSafeStreamMessage,
        _ text: [UInt8],
        isEncrypting: Bool
    ) {
        let range = message.text(of: field)
        let bytes = Array(text[range])
        let decoded = Hexadecimal.decode(bytes)
        let shown = decoded.map { SafeText(wireBytes: $0) } ?? SafeText("not hexadecimal")
        var value = bytes.isEmpty ? SafeText("none") : shown
        var meaning = ""
        let name: String
        switch field {
        case .readerStatus:
            name = "reader encryption status"
            if let decoded, decoded.count == 2 {
                let status = UInt16(decoded[1]) << 8 | UInt16(decoded[0])
                meaning = MagneSafeListing.meaning(ReaderEncryptionStatus(rawValue: status))
            }
        case .track1, .track2, .track3:
            name = "track \(field.rawValue) encrypted"
            if isEncrypting, let decoded {
                (value, meaning) = Self.track(decoded, isCryptogram: true)
                if decoded.count % 8 != 0 {
                    complain("a cryptogram has whole blocks of 8 bytes", at: range.lowerBound)
                }
            } else if !isEncrypting {
                (value, meaning) = Self.track(bytes, isCryptogram: false)
                if !bytes.isEmpty { meaning = "clear in the message, masked here" }
            }
        case .magnePrintStatus:
            name = "MagnePrint status"
            if let decoded, decoded.count == 4 {
                let status = decoded.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                meaning = MagneSafeListing.meaning(MagnePrintStatus(rawValue: status))
            }
        case .magnePrint:
            name = "MagnePrint data"
            if let decoded {
                (value, meaning) = Self.magnePrint(decoded, isCryptogram: isEncrypting)
            }
        case .serial:
            name = "device serial number"
            if !bytes.isEmpty { value = SafeText(scrubbing: MagneSafeListing.printable(bytes)) }
        case .sessionID:
            name = "session id"
            meaning = isEncrypting ? "encrypted" : ""
        case .ksn: name = "DUKPT key serial number"
        case .encryptionCounter:
            name = "encryption counter"
            let number = (decoded ?? []).prefix(3).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            meaning = MagneSafeListing.meaning(counter: number)
        case .clearCRC:
            name = "checksum"
            if !bytes.isEmpty {
                meaning = message.hasRightChecksum(text) ? "right" : "wrong"
            }
        case .encryptedCRC: name = "encrypted checksum"
        case .formatCode:
            name = "format code"
            value = SafeText(scrubbing: MagneSafeListing.printable(bytes.prefix(4)))
        }
        add(name, at: range.lowerBound, byteCount: range.count, value, meaning: meaning)
    }
}
