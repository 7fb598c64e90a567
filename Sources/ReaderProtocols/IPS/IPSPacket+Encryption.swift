public import CardCrypto
public import CardData

/// What a reader makes of a card, and the way back for who has the key.
extension IPSPacket {
    /// Makes the packet that a reader sends for a card, or `nil` when no track gives a number.
    ///
    /// Tracks are encrypted with triple DES in CBC mode from a vector of zeros (assumed). A track that
    /// was not read is zeros.
    /// - Parameters:
    ///   - card: The card.
    ///   - settings: What is assumed of the reader.
    ///   - read: Which tracks were decoded; track 3 is never read.
    ///   - key: The base derivation key of the reader's initial key.
    ///   - ksn: The key serial number of this swipe.
    ///   - cache: The cipher.
    public init?(
        card: TestCard,
        settings: IPSReaderSettings = IPSReaderSettings(),
        read: StripeTracks = .all,
        key: CipherKey,
        ksn: KSN,
        cache: CryptoCache
    ) {
        let first = read.contains(.track1) ? card.unmaskedTrack1 : []
        let second = read.contains(.track2) ? card.unmaskedTrack2 : []
        let track1 = Track1(parsing: first)
        let track2 = Track2(parsing: second)
        guard let pan = track2?.pan ?? track1?.pan else { return nil }
        var digits: [UInt8] = []
        pan.appendUnmasked(to: &digits)
        var date: [UInt8] = []
        (track2?.expirationDate ?? track1?.expirationDate)?.appendStripe(to: &date)
        let workingKey = cache.derive(key, ksn: ksn, variant: settings.keyVariant)
        let encrypt = { (text: [UInt8]) in
            cache.encrypt(text.prefix(Self.trackByteCount), key: workingKey)
        }
        self.init(
            version: settings.version,
            encryptionMode: settings.encryptionMode.rawValue,
            cardNumberDigitCount: UInt8(clamping: digits.count),
            leadingDigits: Hexadecimal.decode(digits.prefix(6)) ?? [],
            trailingDigits: Hexadecimal.decode(digits.suffix(4)) ?? [],
            expiration: Hexadecimal.decode(date) ?? [],
            name: track1?.name ?? [],
            ksn: ksn,
            track2: encrypt(second),
            track1: settings.track1Content == .beginning ? encrypt(first) : []
        )
    }

    /// Decrypts track 2, without the zeros behind it; empty when it was not read.
    ///
    /// The result is in clear: for the gateway's side and for tests, never for output.
    public func unmaskedTrack2(
        key: CipherKey,
        settings: IPSReaderSettings = IPSReaderSettings(),
        cache: CryptoCache
    ) -> [UInt8] {
        if track2.allSatisfy({ $0 == 0 }) { return [] }
        let workingKey = cache.derive(key, ksn: ksn, variant: settings.keyVariant)
        var text = cache.decrypt(track2, key: workingKey) ?? []
        while text.last == 0 { text.removeLast() }
        return text
    }
}
