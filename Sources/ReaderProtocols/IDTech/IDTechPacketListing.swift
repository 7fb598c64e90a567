public import CardData

extension FieldListing {
    /// Lists one record, answer, command or text of an ID TECH reader.
    ///
    /// Tracks are masked whatever the reader did. What is wrong is named with its byte; the fields
    /// around it are listed as far as the flags and the length agree.
    /// - Complexity: O(*n*); at most ``IDTechRecord/maximumByteCount`` bytes are looked at.
    /// Source: see ``IDTechLayout`` and ``IDTechAnswer``.
    public init(idTech bytes: [UInt8]) {
        self.init()
        guard let first = bytes.first else {
            complain("a record, an answer, a command or a text is expected", at: 0)
            return
        }
        switch first {
        case IDTechLayout.start:
            if Self.isCommand(bytes) { addCommand(bytes) } else { addRecord(bytes) }
        case IDTechAnswer.acknowledgement, IDTechAnswer.refusal, 0x00: addAnswer(bytes)
        case 0x25, 0x3B, 0x7F: addText(bytes)
        case 0x20..<0x7F: addAnnouncement(bytes)
        default: complain(Self.noStart(first), at: 0)
        }
    }

    private static func noStart(_ first: UInt8) -> String {
        "no packet, answer, command or text begins with \(IDTechListing.hexadecimal(first)): a "
            + "record or command begins with 02, an answer with 06, 15 or 00, a text with %, ; or "
            + "a letter"
    }

    // MARK: Records

    /// Whether what begins with `02` is meant as a command, whole or damaged.
    private static func isCommand(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 1 else { return false }
        let isRecord = bytes.count >= 4 && IDTechLayout.isPlausible(bytes, from: 0)
        if !isRecord, (try? IDTechCommand(bytes)) != nil { return true }
        // `S`, `R` and `F` as the low half of a record's length go with a high half up to 8.
        return [0x52, 0x53, 0x46].contains(bytes[1]) && (bytes.count < 3 || bytes[2] > 0x08)
    }

    private mutating func addRecord(_ bytes: [UInt8]) {
        add("start", at: 0, byteCount: 1, SafeText(wireBytes: bytes[..<1]))
        guard bytes.count >= 3 else {
            complain(
                "the input ends; a record goes on with its length in bytes 1 and 2, a command with "
                    + "52, 53 or 46",
                at: bytes.count
            )
            return
        }
        let count = IDTechLayout.dataByteCount(bytes)
        add("length", at: 1, byteCount: 2, SafeText(count), meaning: "of the card data")
        let hasRightLength = checkLength(bytes, count)
        addCardData(bytes, end: 3 + count, isWhole: hasRightLength)
        addTrailer(bytes, at: 3 + count, isJudged: hasRightLength)
    }

    /// Names a length that does not fit the input; false where it decides what is wrong.
    private mutating func checkLength(_ bytes: [UInt8], _ count: Int) -> Bool {
        let total = count + IDTechLayout.envelopeByteCount
        let fitting = bytes.count - IDTechLayout.envelopeByteCount
        let length = "the length (bytes 1 and 2: \(IDTechListing.length(count))) is \(count)"
        var right = ""
        if (5...IDTechLayout.maximumDataByteCount).contains(fitting) {
            right = "; \(IDTechListing.length(fitting)) (\(fitting)) would fit what is here"
        }
        guard (5...IDTechLayout.maximumDataByteCount).contains(count) else {
            let range = "5 to \(IDTechLayout.maximumDataByteCount)"
            complainToo("\(length), and card data has \(range) bytes\(right)", at: 1)
            return false
        }
        guard fitting != count else { return true }
        let makes = length + ", which makes a record of \(total) bytes"
        if fitting >= 5, bytes.last == IDTechLayout.end {
            let (lrc, sum) = IDTechRecord.checks(bytes[3..<(fitting + 3)])
            if bytes[fitting + 3] == lrc, bytes[fitting + 4] == sum {
                complainToo("\(makes); here are \(bytes.count)\(right)", at: 1)
                return false
            }
        }
        if bytes.count < total {
            complainToo("\(makes); the input ends after \(bytes.count)\(right)", at: bytes.count)
            return true
        }
        if bytes[total - 1] == IDTechLayout.end {
            complainToo(
                "the packet ends before this byte: \(makes); here are \(bytes.count)",
                at: total
            )
            return true
        }
        complainToo("\(makes); here are \(bytes.count)\(right)", at: 1)
        return false
    }

    /// The fields that are there whole; all of them only where flags and length agree.
    private mutating func addCardData(_ bytes: [UInt8], end: Int, isWhole: Bool) {
        let layout = try? IDTechLayout(bytes)
        let stated = IDTechLayout.stated(bytes)
        if bytes.count > 3, IDTechRecord.EncodeType(rawValue: bytes[3] & 0x7F) == nil {
            complainToo(IDTechListing.encodeTypes(not: bytes[3]), at: 3)
        } else if layout == nil, isWhole, bytes.count >= min(end, 10) {
            complainAboutFlags(bytes, end: end, stated)
        }
        guard let fields = layout?.fields ?? stated?.fields else { return }
        let isAgreed = layout != nil
        for field in fields where field.range.upperBound <= min(bytes.count, end) {
            if isAgreed || field.range.count == 1 { add(field, of: bytes, fields) }
        }
        let firstWide = fields.first { $0.range.count > 1 }?.range.lowerBound ?? end
        let rest = min(firstWide, end)..<end
        if !isAgreed, !rest.isEmpty, rest.lowerBound < bytes.count {
            let shown = rest.clamped(to: 0..<bytes.count)
            add("card data", at: shown.lowerBound, byteCount: shown.count, SafeText("not shown"))
        }
    }

    private mutating func complainAboutFlags(
        _ bytes: [UInt8],
        end: Int,
        _ stated: IDTechLayout?
    ) {
        let count = end - 3
        var text =
            "the length (bytes 1 and 2: \(IDTechListing.length(count))) is \(count) and does not "
            + "fit the fields that the track lengths (bytes 5 to 7)"
        text += bytes[3] & 0x80 == 0 ? " announce" : " and the flags (bytes 4, 8 and 9) announce"
        if let stated {
            let announced = stated.endOfData - 3
            text += ": they have \(announced) bytes, \(IDTechListing.length(announced))"
        }
        complainToo(text, at: 1)
    }

    private mutating func addTrailer(_ bytes: [UInt8], at end: Int, isJudged: Bool) {
        guard end >= 3, bytes.count > end else { return }
        let (lrc, sum) = IDTechRecord.checks(bytes[3..<end])
        addCheck("LRC", of: bytes, at: end, right: lrc, isJudged: isJudged)
        guard bytes.count > end + 1 else { return }
        addCheck("checksum", of: bytes, at: end + 1, right: sum, isJudged: isJudged)
        guard bytes.count > end + 2 else { return }
        add("end", at: end + 2, byteCount: 1, SafeText(wireBytes: [bytes[end + 2]]))
        if isJudged, bytes[end + 2] != IDTechLayout.end {
            complainToo(IDTechListing.noEnd(bytes[end + 2]), at: end + 2)
        }
        if bytes.count > end + 3 {
            let rest = bytes.count - end - 3
            add("rest", at: end + 3, byteCount: rest, SafeText("not shown"))
        }
    }

    /// Lists an LRC or a checksum and says whether it is right, and what would be.
    mutating func addCheck(
        _ name: String,
        of bytes: [UInt8],
        at offset: Int,
        right: UInt8,
        isJudged: Bool = true
    ) {
        let found = bytes[offset]
        let wanted = IDTechListing.hexadecimal(right)
        add(
            name,
            at: offset,
            byteCount: 1,
            SafeText(wireBytes: [found]),
            meaning: found == right ? "right" : "wrong: \(wanted) would be right"
        )
        guard isJudged, found != right else { return }
        let text =
            "the \(name) is \(IDTechListing.hexadecimal(found)), and \(wanted) would be right"
        complainToo(text, at: offset)
    }

    private mutating func add(
        _ field: IDTechLayout.Field,
        of bytes: [UInt8],
        _ fields: [IDTechLayout.Field]
    ) {
        let value = Array(bytes[field.range])
        let track = field.track + 1
        let first = value.first ?? 0
        var text = SafeText(wireBytes: value)
        var meaning = ""
        let name: String
        switch field.content {
        case .encodeType:
            name = "card encode type"
            let format = first & 0x80 == 0 ? "original format" : "enhanced format"
            let type = IDTechRecord.EncodeType(rawValue: first & 0x7F)
            meaning = format + ": " + IDTechListing.meaning(type)
        case .status:
            name = "track status"
            meaning = IDTechListing.meaning(IDTechTrackStatus(rawValue: first))
        case .byteCount:
            name = "track \(track) length"
            text = SafeText(Int(first))
        case .fieldByte1:
            name = "field byte 1"
            meaning = IDTechListing.meaning(field1: first)
        case .fieldByte2:
            name = "field byte 2"
            meaning = IDTechListing.meaning(field2: first)
        case .optionalByteCount:
            name = "optional bytes length"
            text = SafeText(Int(first))
        case .optionalBytes:
            name = "optional bytes"
            text = IDTechListing.cryptogram(value)
        case .masked:
            // What is not sent encrypted is sent as it is, unless the reader masks it all the same.
            let isEncrypted = fields.contains {
                $0.content == .encrypted && $0.track == field.track
                    || $0.content == .joined && field.track < 2
            }
            let isClear = !isEncrypted && !value.isEmpty && !value.contains(0x2A)
            name = isClear ? "track \(track)" : "track \(track) masked"
            text = IDTechListing.track(value)
            if isClear { meaning = "clear in the text, masked here" }
        case .encrypted:
            name = "track \(track) encrypted"
            text = IDTechListing.cryptogram(value)
            meaning = "\(value.count) bytes"
        case .joined:
            name = "tracks 1 and 2 encrypted"
            text = IDTechListing.cryptogram(value)
            meaning = "\(value.count) bytes"
        case .sessionID: name = "session id"
        case .hash:
            name = "track \(track) hash"
            // A hash of so few digits can be undone: it is as good as the number.
            text = value.allSatisfy { $0 == 0 } ? SafeText("zeros") : SafeText("20 bytes")
        case .serial:
            name = "serial number"
            text = SafeText(scrubbing: MagneSafeListing.printable(value))
        case .ksn:
            name = "DUKPT key serial number"
            text = IDTechListing.cryptogram(value)
        }
        add(name, at: field.range.lowerBound, byteCount: field.range.count, text, meaning: meaning)
    }

    // MARK: Texts

    private mutating func addText(_ bytes: [UInt8]) {
        if IDTechClearText.isSwipeError(bytes) {
            let meaning = "the reader could not read the swipe"
            add("swipe error", at: 0, byteCount: bytes.count, SafeText("%E"), meaning: meaning)
            return
        }
        do {
            let text = try IDTechClearText(bytes)
            var offset = 0
            let tracks = [text.unmaskedTrack1, text.unmaskedTrack2, text.unmaskedTrack3]
            for (index, track) in tracks.enumerated() where !track.isEmpty {
                let meaning = "clear in the text, masked here"
                let shown = IDTechListing.track(track)
                add(
                    "track \(index + 1)",
                    at: offset,
                    byteCount: track.count,
                    shown,
                    meaning: meaning
                )
                offset += track.count
            }
            add("end", at: offset, byteCount: 1, SafeText(wireBytes: [0x0D]))
        } catch {
            add("text", at: 0, byteCount: bytes.count, SafeText("not shown"))
            complain(IDTechListing.reason(ofText: error), at: error.offset)
        }
    }

    private mutating func addAnnouncement(_ bytes: [UInt8]) {
        var line = bytes[...]
        while let last = line.last, last == 0x0D || last == 0x0A { line.removeLast() }
        guard let kind = IDTechPowerUp(line), line.count < IDTechPowerUp.maximumByteCount else {
            complain(
                Self.noStart(bytes[0]) + ", and a reader's text at power-up names the reader",
                at: 0
            )
            return
        }
        let text = SafeText(scrubbing: MagneSafeListing.printable(line))
        add("power-up text", at: 0, byteCount: line.count, text, meaning: "\(kind)")
        let end = bytes[line.count...]
        if !end.isEmpty {
            add("end", at: line.count, byteCount: end.count, SafeText(wireBytes: end))
        }
    }
}
