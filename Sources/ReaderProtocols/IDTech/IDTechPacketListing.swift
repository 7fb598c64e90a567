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
        case IDTechLayout.start: addRecordOrCommand(bytes)
        case IDTechAnswer.acknowledgement, IDTechAnswer.refusal: addAnswer(bytes)
        case 0x25, 0x3B, 0x7F: addText(bytes)
        case 0x20..<0x7F: addAnnouncement(bytes)
        default: complain(IDTechError(.noStart, offset: 0).reason, at: 0)
        }
    }

    private mutating func complain(_ error: IDTechError) {
        complain(error.reason, at: error.offset)
    }

    // MARK: Records

    private mutating func addRecordOrCommand(_ bytes: [UInt8]) {
        let isRecord = bytes.count >= 4 && IDTechLayout.isPlausible(bytes, from: 0)
        if !isRecord, let command = try? IDTechCommand(bytes) {
            add(command, of: bytes)
            return
        }
        do {
            try IDTechRecord.checkEnvelope(bytes)
        } catch {
            complain(error)
        }
        add("start", at: 0, byteCount: 1, SafeText(wireBytes: bytes[..<1]))
        guard bytes.count >= 3 else { return }
        let count = IDTechLayout.dataByteCount(bytes)
        add("length", at: 1, byteCount: 2, SafeText(count), meaning: "of the card data")
        addCardData(bytes, end: 3 + count)
        addTrailer(bytes, at: 3 + count)
    }

    /// The fields that are there whole; all of them only where flags and length agree.
    private mutating func addCardData(_ bytes: [UInt8], end: Int) {
        var layout: IDTechLayout?
        do {
            layout = try IDTechLayout(bytes)
        } catch {
            if bytes.count >= min(end, 10) { complain(error) }
        }
        guard let fields = layout?.fields ?? IDTechLayout.stated(bytes)?.fields else { return }
        let isAgreed = layout != nil
        for field in fields where field.range.upperBound <= min(bytes.count, end) {
            if isAgreed || field.range.count == 1 { add(field, of: bytes) }
        }
        let firstWide = fields.first { $0.range.count > 1 }?.range.lowerBound ?? end
        let rest = min(firstWide, end)..<end
        if !isAgreed, !rest.isEmpty, rest.lowerBound < bytes.count {
            let shown = rest.clamped(to: 0..<bytes.count)
            add("card data", at: shown.lowerBound, byteCount: shown.count, SafeText("not shown"))
        }
    }

    private mutating func addTrailer(_ bytes: [UInt8], at end: Int) {
        guard end >= 3, bytes.count > end else { return }
        let (lrc, sum) = IDTechRecord.checks(bytes[3..<end])
        func verdict(_ isRight: Bool) -> String { isRight ? "right" : "wrong" }
        add(
            "LRC",
            at: end,
            byteCount: 1,
            SafeText(wireBytes: [bytes[end]]),
            meaning: verdict(bytes[end] == lrc)
        )
        guard bytes.count > end + 1 else { return }
        add(
            "checksum",
            at: end + 1,
            byteCount: 1,
            SafeText(wireBytes: [bytes[end + 1]]),
            meaning: verdict(bytes[end + 1] == sum)
        )
        guard bytes.count > end + 2 else { return }
        add("end", at: end + 2, byteCount: 1, SafeText(wireBytes: [bytes[end + 2]]))
    }

    private mutating func add(_ field: IDTechLayout.Field, of bytes: [UInt8]) {
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
            name = "track \(track) masked"
            text = IDTechListing.track(value)
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

    // MARK: Everything else

    private mutating func add(_ command: IDTechCommand, of bytes: [UInt8]) {
        add("start", at: 0, byteCount: 1, SafeText(wireBytes: bytes[..<1]))
        let end = bytes.count - 2
        func name(_ number: UInt8) -> String {
            IDTechFunction(rawValue: number).map { "\($0)" } ?? ""
        }
        switch command {
        case .get(let function):
            add("command", at: 1, byteCount: 1, SafeText(wireBytes: [0x52]), meaning: "get")
            add(
                "function",
                at: 2,
                byteCount: 1,
                SafeText(wireBytes: [function]),
                meaning: name(function)
            )
        case .set(let settings):
            add("command", at: 1, byteCount: 1, SafeText(wireBytes: [0x53]), meaning: "set")
            var offset = 2
            for setting in settings {
                let code = SafeText(wireBytes: [setting.function])
                add(
                    "function",
                    at: offset,
                    byteCount: 1,
                    code,
                    meaning: name(setting.function)
                )
                offset += 1
                guard let value = setting.value else { continue }
                let text = SafeText(scrubbing: MagneSafeListing.printable(value))
                add("value", at: offset, byteCount: 1 + value.count, text)
                offset += 1 + value.count
            }
        case .other(let content):
            add("command", at: 1, byteCount: content.count, IDTechListing.cryptogram(content))
        }
        add("end", at: end, byteCount: 1, SafeText(wireBytes: [bytes[end]]))
        add("LRC", at: end + 1, byteCount: 1, SafeText(wireBytes: [bytes[end + 1]]))
    }

    private mutating func addAnswer(_ bytes: [UInt8]) {
        let first = SafeText(wireBytes: bytes[..<1])
        let isRefusal = bytes[0] == IDTechAnswer.refusal
        let word = isRefusal ? "refused" : "acknowledged"
        add("answer", at: 0, byteCount: 1, first, meaning: word)
        do {
            switch try IDTechAnswer(bytes) {
            case .acknowledged, .refused: break
            case .data(let data):
                let text = SafeText(scrubbing: MagneSafeListing.printable(data))
                add("data", at: 2, byteCount: data.count, text)
                let end = 2 + data.count
                add("end", at: end, byteCount: 1, SafeText(wireBytes: [bytes[end]]))
                let lrc = SafeText(wireBytes: [bytes[end + 1]])
                add("LRC", at: end + 1, byteCount: 1, lrc, meaning: "right")
            case .bootloader(let high, let low):
                let version = MagneSafeListing.printable([high, 0x2E, low])
                add("file version", at: 2, byteCount: 2, SafeText(scrubbing: version))
            case .calibrationFailed:
                add("result", at: 1, byteCount: 1, SafeText("calibration failed"))
            case .bytes(let value):
                add("value", at: 1, byteCount: value.count, SafeText(wireBytes: value))
            }
        } catch {
            complain(error)
        }
    }

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
            complain(error)
        }
    }

    private mutating func addAnnouncement(_ bytes: [UInt8]) {
        var line = bytes[...]
        while let last = line.last, last == 0x0D || last == 0x0A { line.removeLast() }
        guard let kind = IDTechPowerUp(line), line.count < IDTechPowerUp.maximumByteCount else {
            complain(IDTechError(.noStart, offset: 0).reason, at: 0)
            return
        }
        let text = SafeText(scrubbing: MagneSafeListing.printable(line))
        add("power-up text", at: 0, byteCount: line.count, text, meaning: "\(kind)")
    }
}
