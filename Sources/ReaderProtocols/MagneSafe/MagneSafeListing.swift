import CardCrypto
import CardData

/// How the parts of a swipe are shown to people: never a track in clear.
enum MagneSafeListing {
    /// A track's text with number and issuer's data hidden; sentinels, name and date stay.
    ///
    /// Used for masked fields too: readers leave them clear at level 2, and cards of other kinds
    /// are not masked at all.
    static func track(_ bytes: [UInt8]) -> SafeText {
        guard bytes.count > 2 else { return SafeText(scrubbing: printable(bytes)) }
        var text = hidden(bytes)
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
                    for index in (end + 1)...second { text[index] = letter(bytes[index]) }
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
        return SafeText(scrubbing: String(decoding: text, as: UTF8.self))
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

    /// Bytes that a reader sends as text, such as a serial number.
    static func printable(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.map { $0 >= 0x20 && $0 < 0x7F ? $0 : 0x2E }, as: UTF8.self)
    }

    /// What the bits of a reader's status say.
    static func meaning(_ status: ReaderEncryptionStatus) -> String {
        let names: [(ReaderEncryptionStatus, String)] = [
            (.keysExhausted, "keys used up"), (.initialKeyInjected, "initial key injected"),
            (.encryptionEnabled, "encryption enabled"),
            (.authenticationRequired, "authentication required"),
            (.timedOut, "timed out waiting for a swipe"),
            (.messageTooShort, "encrypting head: message too short"),
            (.wrongMessageType, "encrypting head: wrong message type"),
            (.keySynchronisationError, "keys of reader and encrypting head differ"),
            (.encryptionCounterExpired, "encryption counter used up"),
            (.secondaryKeyInjected, "secondary key injected"),
            (.secondaryKeyForTracks, "secondary key for tracks"),
            (.dataVariant, "data variant for tracks"),
            (.secondaryKeyForMagnePrint, "secondary key for MagnePrint"),
            (.magnePrintDataVariant, "data variant for MagnePrint"),
        ]
        let set = names.filter { status.contains($0.0) }.map(\.1)
        return set.isEmpty ? "no keys" : set.joined(separator: ", ")
    }

    /// What the bits of a MagnePrint status say.
    static func meaning(_ status: MagnePrintStatus) -> String {
        let names: [(MagnePrintStatus, String)] = [
            (.capable, "MagnePrint capable"), (.statusOnly, "status only"), (.noise, "noise"),
            (.tooSlow, "too slow"), (.tooFast, "too fast"), (.reversed, "swiped in reverse"),
        ]
        return names.filter { status.contains($0.0) }.map(\.1).joined(separator: ", ")
    }

    static func meaning(_ type: CardEncodeType?) -> String {
        switch type {
        case .iso: "ISO/ABA, a payment card"
        case .aamva: "AAMVA, a driver's licence"
        case .reserved: "reserved"
        case .blank: "blank: no data and no error"
        case .other: "neither ISO nor AAMVA"
        case .undetermined: "errors, and the rest blank"
        case .unreadable: "nothing could be decoded"
        case nil: "not a type that readers send"
        }
    }

    /// A counter with its meaning.
    static func meaning(counter: UInt64) -> String {
        switch counter {
        case 0xFF_FFFF: "not counted"
        case 0: "used up"
        default: "\(counter) left"
        }
    }
}
