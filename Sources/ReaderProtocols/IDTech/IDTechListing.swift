import CardData

/// How the parts of an ID TECH packet are shown to people: never a track in clear.
enum IDTechListing {
    /// A track's text: sentinels, separators, the ends of the number, the name and the date stay.
    ///
    /// Masked fields are clear for cards of other kinds, so everything else is hidden here too.
    static func track(_ bytes: [UInt8]) -> SafeText {
        guard !bytes.isEmpty else { return SafeText("none") }
        var text = [UInt8](repeating: 0x2A, count: bytes.count)
        if !isDigit(bytes[0]), 0x20..<0x7F ~= bytes[0] { text[0] = bytes[0] }
        if let end = bytes.lastIndex(of: 0x3F) { text[end] = 0x3F }
        let isTrack1 = bytes[0] == 0x25
        let separator: UInt8 = isTrack1 ? 0x5E : 0x3D
        let start = isTrack1 ? 2 : 1
        guard bytes.count > start, let end = bytes[start...].firstIndex(of: separator),
            let number = MaskedCardNumber(bytes[start..<end])
        else { return SafeText(scrubbing: String(decoding: text, as: UTF8.self)) }
        var shown: [UInt8] = []
        number.append(to: &shown)
        text.replaceSubrange(start..<end, with: shown)
        if isTrack1, !isDigit(bytes[1]), 0x20..<0x7F ~= bytes[1] { text[1] = bytes[1] }
        text[end] = separator
        var date = end + 1
        if isTrack1 {
            let name = bytes[(end + 1)...]
            guard let second = name.firstIndex(of: separator), second - end <= 27 else {
                return SafeText(scrubbing: String(decoding: text, as: UTF8.self))
            }
            for index in (end + 1)...second {
                let isLetter = !isDigit(bytes[index]) && 0x20..<0x7F ~= bytes[index]
                if isLetter { text[index] = bytes[index] }
            }
            date = second + 1
        }
        if ExpirationDate(stripe: bytes[date...].prefix(4)) != nil {
            for index in date..<(date + 4) { text[index] = bytes[index] }
        }
        return SafeText(scrubbing: String(decoding: text, as: UTF8.self))
    }

    /// A cryptogram as hexadecimal, unless a wrong flag has put a track's characters there.
    static func cryptogram(_ bytes: [UInt8]) -> SafeText {
        if bytes.isEmpty { return SafeText("none") }
        var run = 0
        for byte in bytes {
            let isOfATrack = isDigit(byte) || [0x25, 0x3B, 0x3D, 0x5E, 0x2A, 0x3F].contains(byte)
            run = isOfATrack ? run + 1 : 0
            if run == 8 { return SafeText("not shown: it looks like text") }
        }
        return SafeText(wireBytes: bytes)
    }

    static func meaning(_ type: IDTechRecord.EncodeType?) -> String {
        switch type {
        case .iso: "ISO/ABA, a payment card"
        case .aamva: "AAMVA, a driver's licence"
        case .other: "neither ISO nor AAMVA"
        case .raw: "raw, not decoded"
        case .jis2: "JIS II"
        case .jis1: "JIS I"
        case .manual: "entered by hand"
        case nil: "not a type that readers send"
        }
    }

    static func meaning(_ status: IDTechTrackStatus) -> String {
        var parts: [String] = []
        for track in 0..<3 {
            let isSampled = status.rawValue >> UInt8(track + 3) & 1 == 1
            let state = status.isFailed(track) ? "not decoded" : (isSampled ? "decoded" : "blank")
            parts.append("track \(track + 1) \(state)")
        }
        if status.contains(.optionalBytes) { parts.append("optional bytes follow") }
        return parts.joined(separator: ", ")
    }

    static func meaning(field1 byte: UInt8) -> String {
        var parts = sent(byte & 7, "masked")
        let attributes = IDTechAttributes(rawValue: byte)
        parts.append(attributes.contains(.aes) ? "AES" : "TDES")
        parts.append(attributes.contains(.pinKey) ? "PIN key" : "data key")
        if attributes.contains(.fixedKey) { parts.append("fixed key") }
        if byte & 0x80 != 0 { parts.append("serial number") }
        return parts.joined(separator: ", ")
    }

    static func meaning(field2 byte: UInt8) -> String {
        var parts = sent(byte & 7, "encrypted") + sent(byte >> 3 & 7, "hashed")
        if byte & 0x40 != 0 { parts.append("session id") }
        if byte & 0x80 != 0 { parts.append("KSN") }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    private static func sent(_ bits: UInt8, _ word: String) -> [String] {
        let tracks = (0..<3).filter { bits >> UInt8($0) & 1 == 1 }.map { "T\($0 + 1)" }
        return tracks.isEmpty ? [] : [tracks.joined(separator: "+") + " " + word]
    }

    static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    // MARK: What would be right

    /// Two hexadecimal digits.
    static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }

    /// The two bytes of a length, as they are sent.
    static func length(_ count: Int) -> String {
        hexadecimal(UInt8(truncatingIfNeeded: count)) + " "
            + hexadecimal(UInt8(truncatingIfNeeded: count >> 8))
    }

    static func noEnd(_ found: UInt8) -> String {
        "the end byte 03 is expected here, found \(hexadecimal(found))"
    }

    /// Which encode types there are, when a byte has another one.
    static func encodeTypes(not byte: UInt8) -> String {
        let isEnhanced = byte & 0x80 != 0
        let types = IDTechRecord.EncodeType.allCases.map {
            hexadecimal($0.rawValue | byte & 0x80) + " " + meaning($0)
        }
        return "the card encode type \(hexadecimal(byte)) is none; in the "
            + (isEnhanced ? "enhanced" : "original") + " format there are "
            + types.joined(separator: "; ")
    }

    /// What is wrong with a text of tracks in clear.
    static func reason(ofText error: IDTechError) -> String {
        switch error.code {
        case .truncated: "the end byte 0D (CR) is expected, and the input ends"
        case .tooLong: "a text has at most \(IDTechClearText.maximumByteCount) bytes"
        default:
            "a track is expected here: % (track 1, at the beginning) or ; (tracks 2 and 3), its "
                + "characters and ?, or 7F around it"
        }
    }
}
