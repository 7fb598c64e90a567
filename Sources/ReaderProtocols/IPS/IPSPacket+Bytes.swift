import CardCrypto
public import CardData

/// The bytes of a packet, and what they say of the card.
extension IPSPacket {
    /// Reads a packet of exactly 128 bytes, digits and name included.
    ///
    /// - Throws: ``IPSError`` with `truncated`, `trailingBytes` or `malformed`.
    public init(_ packet: some Collection<UInt8>) throws(IPSError) {
        let bytes = Array(packet)
        guard bytes.count >= Self.byteCount else {
            throw IPSError(.truncated, offset: bytes.count)
        }
        guard bytes.count == Self.byteCount else {
            throw IPSError(.trailingBytes, offset: Self.byteCount)
        }
        guard PAN.digitCounts.contains(Int(bytes[4])) else { throw IPSError(.malformed, offset: 4) }
        for index in 5..<12 where bytes[index] >> 4 > 9 || bytes[index] & 0xF > 9 {
            throw IPSError(.malformed, offset: index)
        }
        guard 1...12 ~= bytes[11] >> 4 * 10 + bytes[11] & 0xF else {
            throw IPSError(.malformed, offset: 11)
        }
        for index in 12..<38 where !(0x20..<0x7F ~= bytes[index]) {
            throw IPSError(.malformed, offset: index)
        }
        self.init(fields: bytes)
    }

    /// Takes the fields of at least 128 bytes as they are.
    init(fields bytes: [UInt8]) {
        self.init(
            firstByte: bytes[0],
            version: bytes[1],
            encryptionMode: bytes[2],
            fourthByte: bytes[3],
            cardNumberDigitCount: bytes[4],
            leadingDigits: Array(bytes[5..<8]),
            trailingDigits: Array(bytes[8..<10]),
            expiration: Array(bytes[10..<12]),
            name: Array(bytes[12..<38]),
            ksn: KSN(bytes[38..<48]) ?? .publishedTestKSN,
            track2: Array(bytes[48..<88]),
            track1: Array(bytes[88..<128])
        )
    }

    /// The 128 bytes as the reader sends them.
    public var packet: [UInt8] {
        [firstByte, version, encryptionMode, fourthByte, cardNumberDigitCount]
            + leadingDigits + trailingDigits + expiration + name + ksn.bytes + track2 + track1
    }

    /// The first six digits, stars and the last four; `nil` for a length that no card has.
    public var maskedCardNumber: MaskedCardNumber? {
        let hiddenCount = max(0, Int(cardNumberDigitCount) - 10)
        guard hiddenCount <= 9 else { return nil }
        let stars = [UInt8](repeating: 0x2A, count: hiddenCount)
        let text = Hexadecimal.ascii(leadingDigits) + stars + Hexadecimal.ascii(trailingDigits)
        return MaskedCardNumber(text[...])
    }

    /// Returns the card of a packet, or `nil` when there is none to tell of.
    ///
    /// An IPS never reports a bad read: for `nil` the app is told nothing. Observed: fewer than 128
    /// bytes give nothing, bytes after them are not looked at, and everything else is passed on.
    /// Careful: exactly one packet with digits where digits belong, a KSN, and a cryptogram that is
    /// not all zeros.
    public static func card(
        fromPacket packet: [UInt8],
        reading: PacketReading = .careful
    ) -> EncryptedCard? {
        switch reading {
        case .observed:
            packet.count < byteCount
                ? nil : card(from: IPSPacket(fields: packet), reading: .observed)
        case .careful:
            (try? IPSPacket(packet)).flatMap { card(from: $0, reading: .careful) }
        }
    }

    /// Returns the card of a packet whose bytes are all there; see ``card(fromPacket:reading:)``.
    public static func card(
        from packet: IPSPacket,
        reading: PacketReading = .careful
    ) -> EncryptedCard? {
        var card = EncryptedCard(
            library: .ips,
            maskedCardNumber: packet.maskedCardNumber,
            expirationText: ShownTrack.expirationText(Hexadecimal.ascii(packet.expiration)[...]),
            cardholderName: SafeText(scrubbing: String(decoding: packet.name, as: UTF8.self)),
            track1: packet.track1,
            track2: packet.track2,
            track3: [],
            ksn: packet.ksn.bytes
        )
        guard reading == .careful else { return card }
        if packet.track1.allSatisfy({ $0 == 0 }) { card.track1 = nil }
        if packet.track2.allSatisfy({ $0 == 0 }) { card.track2 = nil }
        let hasKSN = packet.ksn.bytes.contains { $0 != 0 }
        guard hasKSN, card.track1 != nil || card.track2 != nil else { return nil }
        card.cardholderName = ShownTrack.name(packet.name[...])
        return card
    }
}

extension Hexadecimal {
    /// Two upper-case characters for each byte, as ASCII.
    static func ascii(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return text
    }
}
