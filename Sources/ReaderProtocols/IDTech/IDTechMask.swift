import CardData

/// How an ID TECH reader shows a track of a bank card, and its LRC character.
///
/// `%*4266********9999^BUSH JR/GEORGE W.MR^****?*`: the format code becomes the mask character, the
/// ends of the number stay, the name stays, what follows is hidden but the end sentinel.
/// Source: SecureMag User Manual, Data Format, Masked Track Data, and its samples.
struct IDTechMask {
    var leadingCount: Int
    var trailingCount: Int
    var character: UInt8
    var showsExpirationDate: Bool

    init(_ settings: IDTechReaderSettings) {
        leadingCount = min(max(0, settings.leadingClearDigitCount), 6)
        trailingCount = min(max(0, settings.trailingClearDigitCount), 4)
        character = settings.maskCharacter
        showsExpirationDate = settings.showsExpirationDate
    }

    /// Masks track 1 with its sentinels, LRC character included when it is sent.
    func track1(_ clear: [UInt8]) -> [UInt8] {
        guard let first = clear.firstIndex(of: 0x5E), first > 2,
            let second = clear[(first + 1)...].firstIndex(of: 0x5E)
        else { return hidden(clear) }
        var text = hidden(clear)
        text[0] = clear[0]
        show(clear, number: 2..<first, date: second + 1, in: &text)
        for index in first...second { text[index] = clear[index] }
        return text
    }

    /// Masks track 2 or 3 with its sentinels, LRC character included when it is sent.
    func track2(_ clear: [UInt8]) -> [UInt8] {
        guard let separator = clear.firstIndex(of: 0x3D), separator > 1 else {
            return hidden(clear)
        }
        var text = hidden(clear)
        text[0] = clear[0]
        show(clear, number: 1..<separator, date: separator + 1, in: &text)
        text[separator] = clear[separator]
        return text
    }

    private func show(
        _ clear: [UInt8],
        number: Range<Int>,
        date: Int,
        in text: inout [UInt8]
    ) {
        // A short number keeps at least its middle third hidden.
        if number.count >= leadingCount + trailingCount + 2 {
            for index in number.prefix(leadingCount) { text[index] = clear[index] }
            for index in number.suffix(trailingCount) { text[index] = clear[index] }
        }
        guard showsExpirationDate else { return }
        for index in date..<min(date + 4, clear.count) { text[index] = clear[index] }
    }

    /// Everything hidden but the end sentinel.
    private func hidden(_ clear: [UInt8]) -> [UInt8] {
        var text = [UInt8](repeating: character, count: clear.count)
        if let end = clear.lastIndex(of: 0x3F) { text[end] = 0x3F }
        return text
    }

    /// Returns a track with its LRC character, the exclusive or of the characters' values, at its
    /// end.
    ///
    /// - Parameters:
    ///   - track: The clear track with its sentinels.
    ///   - zero: The character of value 0: `20` on track 1, `30` on tracks 2 and 3.
    /// - Returns: One character more.
    static func withLRC(_ track: [UInt8], zero: UInt8) -> [UInt8] {
        let mask: UInt8 = zero == 0x20 ? 0x3F : 0x0F
        let lrc = track.reduce(UInt8(0)) { $0 ^ (($1 &- zero) & mask) }
        return track + [zero + lrc]
    }
}
