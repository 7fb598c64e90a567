import CardCrypto
import CardData

/// How the parts of a swipe are shown to people: never a track in clear.
enum MagneSafeListing {
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
