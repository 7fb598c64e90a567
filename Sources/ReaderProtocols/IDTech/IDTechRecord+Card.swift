import CardCrypto
public import CardData

/// What an SDK shows of a swipe and sends for it.
extension IDTechRecord {
    /// The number in the masked text of track 2, or else of track 1; `nil` when neither has one.
    public var maskedCardNumber: MaskedCardNumber? {
        if let text = track2.masked, let shown = ShownTrack(track2: text) { return shown.number }
        return track1.masked.flatMap { ShownTrack(track1: $0) }?.number
    }

    /// Returns the card of a record, or `nil` for a bad swipe.
    ///
    /// Careful: a card has a key serial number and at least one cryptogram of track 1 or 2, and is a
    /// bank card. Tracks that the original format encrypted in one cannot be sent in the gateway's
    /// variables, so such a card is a bad swipe, unless only one track was read. Observed: the
    /// record's bytes as ``card(fromPacket:reading:)`` reads them.
    public static func card(
        from record: IDTechRecord,
        reading: PacketReading = .careful
    ) -> EncryptedCard? {
        switch reading {
        case .observed: ObservedIDTechPacket.card(record.packet)
        case .careful: record.carefulCard
        }
    }

    /// Returns what a library makes of the bytes that a reader sent from silence to silence; `nil` is
    /// a bad swipe.
    ///
    /// Careful: anything but exactly one record is a bad swipe, bytes after its end too. Observed:
    /// see ``ObservedIDTechPacket``.
    public static func card(
        fromPacket packet: [UInt8],
        reading: PacketReading = .careful
    ) -> EncryptedCard? {
        switch reading {
        case .observed: ObservedIDTechPacket.card(packet)
        case .careful: (try? IDTechRecord(packet))?.carefulCard
        }
    }

    private var carefulCard: EncryptedCard? {
        guard let ksn, encodeType == .iso else { return nil }
        var (first, second) = (track1.encrypted ?? [], track2.encrypted ?? [])
        if format == .original {
            guard let joined = joinedCryptogram else { return nil }
            if track1.byteCount > 0, track2.byteCount > 0 { return nil }
            if track1.byteCount > 0 { first = joined } else { second = joined }
        }
        guard !first.isEmpty || !second.isEmpty else { return nil }
        let third = track3.encrypted ?? []
        let shown1 = track1.masked.flatMap { ShownTrack(track1: $0) }
        let shown2 = track2.masked.flatMap { ShownTrack(track2: $0) }
        return EncryptedCard(
            library: .uniMag,
            maskedCardNumber: shown2?.number ?? shown1?.number,
            expirationText: shown2?.expirationText ?? shown1?.expirationText,
            cardholderName: shown1?.name,
            track1: first.isEmpty ? nil : first,
            track2: second.isEmpty ? nil : second,
            track3: third.isEmpty ? nil : third,
            ksn: ksn.bytes
        )
    }
}

/// The parts of a masked track that an SDK shows.
struct ShownTrack {
    var number: MaskedCardNumber?
    /// The date as `MMYY`, mask characters where it is hidden.
    var expirationText: SafeText?
    /// The name; see ``name(_:)``.
    var name: SafeText?

    /// Reads `%*4266********9999^BUSH JR/GEORGE W.MR^...?`; `nil` for another form.
    init?(track1 bytes: [UInt8]) {
        guard bytes.count > 4, bytes[0] == 0x25, let first = bytes.firstIndex(of: 0x5E),
            first >= 2, let second = bytes[(first + 1)...].firstIndex(of: 0x5E)
        else { return nil }
        number = MaskedCardNumber(bytes[2..<first])
        expirationText = Self.expirationText(bytes[(second + 1)...].prefix(4))
        name = Self.name(bytes[(first + 1)..<second])
    }

    /// Reads `;4266********9999=***...?`; `nil` for another form.
    init?(track2 bytes: [UInt8]) {
        guard bytes.count > 2, bytes[0] == 0x3B, let separator = bytes.firstIndex(of: 0x3D)
        else { return nil }
        number = MaskedCardNumber(bytes[1..<separator])
        expirationText = Self.expirationText(bytes[(separator + 1)...].prefix(4))
    }

    /// `YYMM` as `MMYY`.
    static func expirationText(_ stripe: ArraySlice<UInt8>) -> SafeText? {
        guard stripe.count == 4 else { return nil }
        let text = Array(stripe.suffix(2)) + Array(stripe.prefix(2))
        return SafeText(scrubbing: String(decoding: text, as: UTF8.self))
    }

    /// `TEST/CARD ONE` as `CARD ONE TEST`; a name without slash as it is.
    static func swapped(_ name: ArraySlice<UInt8>) -> [UInt8] {
        guard let slash = name.firstIndex(of: 0x2F) else { return Array(name) }
        return Array(name[(slash + 1)...]) + [0x20] + Array(name[..<slash])
    }

    /// The name with the family name last, without the blanks that fill its parts up.
    static func name(_ bytes: ArraySlice<UInt8>) -> SafeText {
        var text: [UInt8] = []
        if let slash = bytes.firstIndex(of: 0x2F) {
            let family = trimmed(bytes[..<slash])
            text += trimmed(bytes[(slash + 1)...])
            if !text.isEmpty, !family.isEmpty { text.append(0x20) }
            text += family
        } else {
            text += trimmed(bytes)
        }
        return SafeText(scrubbing: String(decoding: text, as: UTF8.self))
    }

    private static func trimmed(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = name
        while rest.last == 0x20 { rest.removeLast() }
        while rest.first == 0x20 { rest.removeFirst() }
        return rest
    }
}
