extension SafeText {
    /// A track's text with number and issuer's data hidden; sentinels, name and date stay.
    ///
    /// Used for masked fields too: readers leave them clear at level 2, and cards of other kinds
    /// are not masked at all.
    package init(track bytes: [UInt8]) {
        guard bytes.count > 2 else {
            self.init(scrubbing: String(decoding: bytes.map(Self.letter), as: UTF8.self))
            return
        }
        var text = Self.hidden(bytes)
        let isTrack1 = bytes[0] == 0x25 && bytes[1] == 0x42
        let separator: UInt8 = isTrack1 ? 0x5E : 0x3D
        let start = isTrack1 ? 2 : 1
        if let end = bytes[start...].firstIndex(of: separator),
            let number = MaskedCardNumber(bytes[start..<end])
        {
            var shown: [UInt8] = []
            number.append(to: &shown)
            text.replaceSubrange(start..<end, with: shown)
            var date = end + 1
            if isTrack1 {
                text[1] = bytes[1]
                text[end] = separator
                if let second = bytes[(end + 1)...].firstIndex(of: separator), second - end <= 27 {
                    for index in (end + 1)...second { text[index] = Self.letter(bytes[index]) }
                    date = second + 1
                } else {
                    date = text.count
                }
            } else {
                text[end] = separator
            }
            let isDate = ExpirationDate(stripe: bytes[min(date, bytes.count)...].prefix(4)) != nil
            if isDate, bytes[0] != 0x2B {
                for index in date..<(date + 4) { text[index] = bytes[index] }
            }
        }
        self.init(scrubbing: String(decoding: text, as: UTF8.self))
    }

    /// Letters, blanks and name separators; digits have no place in a name.
    private static func letter(_ byte: UInt8) -> UInt8 {
        byte >= 0x20 && byte < 0x7F && !(byte >= 0x30 && byte <= 0x39) ? byte : 0x2A
    }

    private static func hidden(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8](repeating: 0x2A, count: bytes.count)
        text[0] = letter(bytes[0])
        text[bytes.count - 1] = letter(bytes[bytes.count - 1])
        return text
    }
}
