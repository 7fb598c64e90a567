import CardData

/// Commands to the reader and its answers.
/// Source: UniMag II/Shuttle User Manual, Demo Program and Commands; answers as the vendor's
/// Android demo reads them.
extension FieldListing {
    // MARK: Commands

    /// Lists a command, which may be damaged: `02`, what it asks for, `03`, LRC.
    mutating func addCommand(_ bytes: [UInt8]) {
        add("start", at: 0, byteCount: 1, SafeText(wireBytes: bytes[..<1]))
        if bytes.count > IDTechCommand.maximumByteCount {
            let limit = IDTechCommand.maximumByteCount
            complainToo("no command is longer than \(limit) bytes", at: limit)
        }
        let end = Self.endOfContent(bytes)
        let content = bytes[1..<end]
        let isKeyLoading = content.starts(with: [0x46, 0x46])
        switch content.first {
        case 0x52:
            add("command", at: 1, byteCount: 1, SafeText(wireBytes: [0x52]), meaning: "get")
            if content.count > 1 { addFunction(bytes[2], at: 2) } else { missFunction(at: 2) }
            if content.count > 2 {
                add(
                    "rest",
                    at: 3,
                    byteCount: end - 3,
                    IDTechListing.cryptogram(Array(content[3...]))
                )
                complainToo(IDTechListing.noEnd(bytes[3]) + ": a get has one function", at: 3)
            }
        case 0x53:
            add("command", at: 1, byteCount: 1, SafeText(wireBytes: [0x53]), meaning: "set")
            if content.count > 1 { addSettings(bytes, 2..<end) } else { missFunction(at: 2) }
        default:
            add(
                "command",
                at: 1,
                byteCount: content.count,
                IDTechListing.cryptogram(Array(content))
            )
        }
        let start = isKeyLoading ? IDTechLayout.start : 0
        addEnd(bytes, at: end, lrc: bytes[..<end].reduce(IDTechLayout.end ^ start, ^), "a command")
    }

    private mutating func missFunction(at offset: Int) {
        complainToo("a function is expected here: 22 for the firmware's version", at: offset)
    }

    /// Where the end byte stands, or would stand.
    private static func endOfContent(_ bytes: [UInt8]) -> Int {
        let count = bytes.count
        if count >= 4, bytes[count - 2] == IDTechLayout.end { return count - 2 }
        if count >= 3, bytes[count - 1] == IDTechLayout.end { return count - 1 }
        // The byte before the last may be a wrong end byte where a get has all that it can have.
        if count == 5, bytes[1] == 0x52 { return 3 }
        return count
    }

    /// Lists the end byte and the LRC of a command or an answer, and says which of them is missing.
    private mutating func addEnd(_ bytes: [UInt8], at end: Int, lrc: UInt8, _ what: String) {
        let wanted = IDTechListing.hexadecimal(lrc)
        guard end < bytes.count else {
            complainToo("\(what) ends with 03 and its LRC, \(wanted): both are missing", at: end)
            return
        }
        add("end", at: end, byteCount: 1, SafeText(wireBytes: [bytes[end]]))
        if bytes[end] != IDTechLayout.end { complainToo(IDTechListing.noEnd(bytes[end]), at: end) }
        guard end + 1 < bytes.count else {
            complainToo("the LRC of \(what) is missing, and \(wanted) would be right", at: end + 1)
            return
        }
        addCheck("LRC", of: bytes, at: end + 1, right: lrc)
    }

    private mutating func addFunction(_ number: UInt8, at offset: Int) {
        let meaning =
            IDTechFunction(rawValue: number).map { "\($0)" } ?? "not a function known here"
        add("function", at: offset, byteCount: 1, SafeText(wireBytes: [number]), meaning: meaning)
    }

    /// Lists settings: for each a function, a length and a value.
    private mutating func addSettings(_ bytes: [UInt8], _ range: Range<Int>) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            addFunction(bytes[offset], at: offset)
            let function = IDTechFunction(rawValue: bytes[offset])
            offset += 1
            guard offset < range.upperBound else { return }
            let count = Int(bytes[offset])
            add("length", at: offset, byteCount: 1, SafeText(count))
            offset += 1
            let rest = range.upperBound - offset
            let value = Array(bytes[offset..<(offset + min(count, rest))])
            if !value.isEmpty {
                add("value", at: offset, byteCount: value.count, Self.text(of: value, function))
            }
            guard count <= rest else {
                complainToo(
                    "the value has \(count) bytes by its length, and \(rest) are here before the end",
                    at: offset - 1
                )
                return
            }
            offset += count
        }
    }

    private static func text(of value: [UInt8], _ function: IDTechFunction?) -> SafeText {
        switch function {
        case .leadingClearDigits, .trailingClearDigits:
            if value.count == 1, value[0] < 0x20 { return SafeText(Int(value[0])) }
        default: break
        }
        guard value.allSatisfy({ 0x20..<0x7F ~= $0 }) else {
            return IDTechListing.cryptogram(value)
        }
        return SafeText(scrubbing: MagneSafeListing.printable(value))
    }

    // MARK: Answers

    /// Lists what a reader answers to a command, or what the SDK makes of no answer.
    mutating func addAnswer(_ bytes: [UInt8]) {
        let meaning: String
        switch bytes[0] {
        case 0x00: meaning = "timeout: no answer came"
        case IDTechAnswer.refusal: meaning = "refused"
        default:
            switch bytes.dropFirst().first {
            case 0x56: meaning = "failed: the reader is in its bootloader"
            case 0xEE where bytes.count == 2: meaning = "failed"
            default: meaning = "acknowledged"
            }
        }
        add("answer", at: 0, byteCount: 1, SafeText(wireBytes: bytes[..<1]), meaning: meaning)
        guard bytes.count > 1 else { return }
        guard bytes[0] == IDTechAnswer.acknowledgement else {
            complainToo(
                "\(IDTechListing.hexadecimal(bytes[0])) is an answer by itself; here are "
                    + "\(bytes.count) bytes",
                at: 1
            )
            add("rest", at: 1, byteCount: bytes.count - 1, SafeText("not shown"))
            return
        }
        if bytes[1] == IDTechLayout.start { addAnswerData(bytes) } else { addBareAnswer(bytes) }
    }

    private mutating func addAnswerData(_ bytes: [UInt8]) {
        add("start", at: 1, byteCount: 1, SafeText(wireBytes: bytes[1..<2]))
        if bytes.count > IDTechAnswer.maximumByteCount {
            let limit = IDTechAnswer.maximumByteCount
            complainToo("no answer is longer than \(limit) bytes", at: limit)
        }
        var end = bytes.count
        if let whole = IDTechAnswer.endOfData(in: bytes, from: 1) {
            end = whole - 2
        } else if bytes.count >= 4, bytes[bytes.count - 2] == IDTechLayout.end {
            end = bytes.count - 2
        } else if bytes.count >= 3, bytes.last == IDTechLayout.end {
            end = bytes.count - 1
        }
        let data = Array(bytes[2..<end])
        if Self.isSettings(data) {
            addSettings(bytes, 2..<end)
        } else if !data.isEmpty {
            let isText = data.allSatisfy { 0x20..<0x7F ~= $0 }
            let text = SafeText(scrubbing: MagneSafeListing.printable(data))
            add(
                "data",
                at: 2,
                byteCount: data.count,
                isText ? text : IDTechListing.cryptogram(data)
            )
        }
        addEnd(bytes, at: end, lrc: bytes[1..<end].reduce(IDTechLayout.end, ^), "an answer")
        if bytes.count > end + 2 {
            let rest = bytes.count - end - 2
            complainToo("the answer ends before this byte", at: end + 2)
            add("rest", at: end + 2, byteCount: rest, SafeText("not shown"))
        }
    }

    /// Whether data consists of whole settings, the first of a function that readers have.
    private static func isSettings(_ data: [UInt8]) -> Bool {
        guard let first = data.first, IDTechFunction(rawValue: first) != nil else { return false }
        var offset = 0
        while offset + 1 < data.count, data[offset + 1] > 0 { offset += 2 + Int(data[offset + 1]) }
        return offset == data.count
    }

    private mutating func addBareAnswer(_ bytes: [UInt8]) {
        let limit = IDTechAnswer.maximumBareByteCount
        if bytes.count > limit {
            complainToo(
                "an answer without 02 has at most \(limit) bytes, and here are \(bytes.count); with "
                    + "data it goes on with 02",
                at: 1
            )
            add("rest", at: 1, byteCount: bytes.count - 1, SafeText("not shown"))
            return
        }
        let value = SafeText(wireBytes: bytes[1...])
        switch (bytes[1], bytes.count) {
        case (0x56, _):
            add("mode", at: 1, byteCount: 1, SafeText(wireBytes: [0x56]), meaning: "bootloader")
            if bytes.count == 4 {
                let version = MagneSafeListing.printable([bytes[2], 0x2E, bytes[3]])
                add("file version", at: 2, byteCount: 2, SafeText(scrubbing: version))
            } else {
                complainToo(
                    "the file's version in two characters is expected after 56, and the input has "
                        + "\(bytes.count - 2)",
                    at: bytes.count
                )
                if bytes.count > 2 {
                    add("rest", at: 2, byteCount: 1, SafeText(wireBytes: bytes[2...]))
                }
            }
        case (0xEE, 2):
            add("result", at: 1, byteCount: 1, value, meaning: "calibration failed")
        case (_, 2):
            add(
                "result",
                at: 1,
                byteCount: 1,
                value,
                meaning: "calibration done, if it was asked for"
            )
        case (_, 3):
            add("value", at: 1, byteCount: 2, value, meaning: "battery level, if it was asked for")
        default:
            add("value", at: 1, byteCount: bytes.count - 1, value)
        }
    }
}
