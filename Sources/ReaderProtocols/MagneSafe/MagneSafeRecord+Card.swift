public import CardData

/// What an SDK shows of a swipe: taken from the masked tracks, and masked again where they are not.
extension MagneSafeRecord {
    /// The number on track 2, or else on track 1; `nil` when neither was read as a card's.
    public var maskedCardNumber: MaskedCardNumber? {
        if let fields = Self.track2Fields(of: track2) {
            if let number = MaskedCardNumber(track2.masked[fields.number]) { return number }
        }
        guard let fields = Self.track1Fields(of: track1) else { return nil }
        return MaskedCardNumber(track1.masked[fields.number])
    }

    /// The expiration date on track 2, or else on track 1.
    public var expirationDate: ExpirationDate? {
        if let fields = Self.track2Fields(of: track2) {
            let bytes = track2.masked[fields.tail...].prefix(4)
            if let date = ExpirationDate(stripe: bytes) { return date }
        }
        guard let fields = Self.track1Fields(of: track1) else { return nil }
        return ExpirationDate(stripe: track1.masked[fields.tail...].prefix(4))
    }

    /// The name on track 1 without the blanks at its end; `nil` when track 1 was not read.
    public var cardholderName: SafeText? {
        guard let fields = Self.track1Fields(of: track1) else { return nil }
        var name = track1.masked[fields.name]
        while name.last == 0x20 { name.removeLast() }
        return SafeText(scrubbing: String(decoding: name, as: UTF8.self))
    }

    /// Whether neither track 1 nor track 2 gives a card number: a bad swipe.
    public var isUnreadable: Bool { maskedCardNumber == nil }

    private struct Fields {
        var number: Range<Int>
        var name: Range<Int>
        var tail: Int
    }

    private static func track1Fields(of track: Track) -> Fields? {
        let bytes = track.masked
        guard track.status == .read, bytes.count > 4, bytes[0] == 0x25, bytes[1] == 0x42,
            let first = bytes.firstIndex(of: 0x5E),
            let second = bytes[(first + 1)...].firstIndex(of: 0x5E)
        else { return nil }
        return Fields(number: 2..<first, name: (first + 1)..<second, tail: second + 1)
    }

    private static func track2Fields(of track: Track) -> Fields? {
        let bytes = track.masked
        guard track.status == .read, bytes.count > 2, let first = bytes.firstIndex(of: 0x3D),
            first > 0
        else { return nil }
        return Fields(number: 1..<first, name: 0..<0, tail: first + 1)
    }
}
