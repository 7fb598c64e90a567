public import CardCrypto
public import CardData

/// What a reader makes of a card, and the way back for who has the key.
extension IDTechRecord {
    /// Makes the record that a reader sends for a card.
    ///
    /// A track that the stripe has and that was not decoded has its sampling bit without its decode
    /// bit. Cards that are no bank cards are sent in clear, and without a KSN, unless
    /// ``IDTechReaderSettings/encryptsEveryCard`` is set.
    /// - Parameters:
    ///   - card: The card; its tracks are without LRC characters.
    ///   - settings: What the reader is set to.
    ///   - read: Which tracks were decoded.
    ///   - key: The base derivation key of the reader's initial key.
    ///   - ksn: The key serial number of this swipe.
    ///   - cache: The cipher.
    /// Source: SecureMag User Manual, Data Format.
    public init(
        card: TestCard,
        settings: IDTechReaderSettings,
        read: StripeTracks = .all,
        key: CipherKey,
        ksn: KSN,
        cache: CryptoCache
    ) {
        let stripe = [card.unmaskedTrack1, card.unmaskedTrack2, card.unmaskedTrack3]
        var status: IDTechTrackStatus = []
        var clear: [[UInt8]] = []
        for (index, track) in stripe.enumerated() {
            let isThere = !track.isEmpty && index < settings.trackCount
            let isRead = isThere && read.rawValue >> UInt8(index) & 1 == 1
            if isThere { status.insert(IDTechTrackStatus(rawValue: 0x08 << UInt8(index))) }
            if isRead || !isThere {
                status.insert(IDTechTrackStatus(rawValue: 0x01 << UInt8(index)))
            }
            let zero: UInt8 = index == 0 ? 0x20 : 0x30
            let text = settings.sendsLRCCharacter ? IDTechMask.withLRC(track, zero: zero) : track
            clear.append(isRead ? text : [])
        }
        self.init(
            format: settings.format,
            encodeType: Self.encodeType(stripe),
            status: status,
            cipher: settings.cipher
        )
        let isBankCard = encodeType == .iso
        let isEncrypted = isBankCard || settings.encryptsEveryCard
        let workingKey = cache.derive(key, ksn: ksn, variant: settings.keyVariant)
        let encrypt = { (text: [UInt8]) in
            settings.cipher == .aes
                ? workingKey.encryptAES(text) : cache.encrypt(text, key: workingKey)
        }
        var made: [Track] = []
        for (index, text) in clear.enumerated() {
            made.append(
                Self.track(
                    text,
                    index,
                    settings,
                    isBankCard: isBankCard,
                    cryptogram: isEncrypted ? encrypt(text) : nil
                )
            )
        }
        (track1, track2, track3) = (made[0], made[1], made[2])
        if settings.format == .enhanced {
            if settings.cipher == .aes { attributes.insert(.aes) }
            if settings.usesPINKey { attributes.insert(.pinKey) }
            serial = settings.serial.map(Self.serialBytes)
        } else if isEncrypted {
            joinedCryptogram = encrypt(clear[0] + clear[1])
        }
        if isEncrypted { self.ksn = ksn }
    }

    /// Decrypts tracks 1 to 3, cut to their lengths; a track that was not sent is empty.
    ///
    /// The result is in clear: for the gateway's side and for tests, never for output.
    /// - Returns: Three tracks, or `nil` without a KSN or with cryptograms that are no whole blocks.
    public func unmaskedTracks(key: CipherKey, cache: CryptoCache) -> [[UInt8]]? {
        guard let ksn else { return nil }
        let variant: DUKPT.Variant = attributes.contains(.pinKey) ? .pin : .dataRequest
        let workingKey = cache.derive(key, ksn: ksn, variant: variant)
        let decrypt = { (cryptogram: [UInt8]) in
            cipher == .aes
                ? workingKey.decryptAES(cryptogram) : cache.decrypt(cryptogram, key: workingKey)
        }
        if format == .original {
            guard let joined = joinedCryptogram, let text = decrypt(joined),
                text.count >= track1.byteCount + track2.byteCount
            else { return nil }
            let first = text.prefix(track1.byteCount)
            let second = text.dropFirst(track1.byteCount).prefix(track2.byteCount)
            return [Array(first), Array(second), track3.masked ?? []]
        }
        var clear: [[UInt8]] = []
        for track in tracks {
            guard let text = decrypt(track.encrypted ?? []) else { return nil }
            clear.append(Array(text.prefix(track.byteCount)))
        }
        return clear
    }

    private static func track(
        _ text: [UInt8],
        _ index: Int,
        _ settings: IDTechReaderSettings,
        isBankCard: Bool,
        cryptogram: [UInt8]?
    ) -> Track {
        var track = Track(byteCount: text.count)
        let isEnhanced = settings.format == .enhanced
        // The original format has no flags, so an empty field is as good as none.
        guard !text.isEmpty else {
            if !isEnhanced { track.masked = [] }
            return track
        }
        let mask = IDTechMask(settings)
        let isWanted = settings.maskedTracks.rawValue >> UInt8(index) & 1 == 1
        let isForced = settings.encryptsEveryCard && !isBankCard
        let isShown = !isEnhanced || (isWanted && !isForced)
        if isShown {
            // Track 3 of the original format is always clear.
            let isClear = !isBankCard || (!isEnhanced && index == 2)
            let isAlpha = index == 0
            track.masked = isClear ? text : (isAlpha ? mask.track1(text) : mask.track2(text))
        }
        if isEnhanced { track.encrypted = cryptogram }
        let hasHash = settings.sendsHashes && cryptogram != nil && (isEnhanced || index < 2)
        if hasHash {
            let null = [UInt8](repeating: 0, count: 20)
            track.hash = settings.sendsNullHashes ? null : TrackHash.sha1(text)
        }
        return track
    }

    private static func encodeType(_ stripe: [[UInt8]]) -> EncodeType {
        if stripe[0].starts(with: [0x25, 0x42]) { return .iso }
        if stripe[0].isEmpty || !stripe[0].starts(with: [0x25]) {
            return Track2(parsing: stripe[1]) == nil ? .other : .iso
        }
        return .other
    }

    private static func serialBytes(_ serial: String) -> [UInt8] {
        let digits = Array(serial.utf8.prefix(IDTechLayout.serialByteCount))
        let filling = IDTechLayout.serialByteCount - digits.count
        return Array(repeating: 0x30, count: filling) + digits
    }
}
