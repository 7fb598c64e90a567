import CardCrypto
import CardData
import GatewayProtocols

/// What a gateway makes of a request's card data.
enum NMICardReading {
    /// A card; `nil` where its swipe was taken without being decrypted.
    case card(PAN?, ExpirationDate?, entryMode: String)
    /// The number or the date is none.
    case invalid(String)
    /// No key of the gateway's opens the swipe, or what it opens is no track.
    case undecryptable

    init(
        _ data: NMICardData,
        keys: [CipherKey],
        cache: CryptoCache
    ) {
        switch data {
        case .keyed(let card): self.init(card)
        case .tracks(let tracks):
            self.init(tracks.unmaskedTrack1[...], tracks.unmaskedTrack2[...])
        case .magneSafe(let swipe):
            self.init(
                EncryptedSwipe(swipe.track1, swipe.track2, swipe.track3, ksn: swipe.ksn),
                keys,
                cache
            )
        case .encrypted(let tracks):
            self.init(
                EncryptedSwipe(tracks.track1, tracks.track2, tracks.track3, ksn: tracks.ksn),
                keys,
                cache
            )
        }
    }

    private init(_ card: NMIKeyedCard) {
        guard let pan = card.pan, pan.isLuhnValid else {
            self = .invalid(Self.invalidNumber)
            return
        }
        guard let date = card.expirationDate else {
            // Assumed: Collect.js has the first text, and no public source has one for the second.
            self = .invalid(card.expiration.isEmpty ? "ccexp is empty" : "Invalid expiration date")
            return
        }
        self = .card(pan, date, entryMode: "Keyed")
    }

    /// Reads the number from track 2, or from track 1 where there is no track 2.
    private init(_ track1: ArraySlice<UInt8>, _ track2: ArraySlice<UInt8>) {
        if let track = Track2(parsing: track2), track.pan.isLuhnValid {
            self = .card(track.pan, track.expirationDate, entryMode: "Swiped")
        } else if let track = Track1(parsing: track1), track.pan.isLuhnValid {
            self = .card(track.pan, track.expirationDate, entryMode: "Swiped")
        } else {
            self = .invalid(Self.invalidNumber)
        }
    }

    private init(_ swipe: EncryptedSwipe, _ keys: [CipherKey], _ cache: CryptoCache) {
        guard !keys.isEmpty else {
            self = .card(nil, nil, entryMode: "Swiped")
            return
        }
        guard let (track1, track2) = swipe.decrypt(keys, cache) else {
            self = .undecryptable
            return
        }
        self.init(track1, track2)
    }

    private static let invalidNumber = "Invalid Credit Card Number"
}

/// The encrypted tracks of one swipe in hexadecimal digits, and its key serial number.
private struct EncryptedSwipe {
    let tracks: InlineArray<3, [UInt8]>
    let ksn: [UInt8]

    init(_ track1: [UInt8], _ track2: [UInt8], _ track3: [UInt8], ksn: [UInt8]) {
        tracks = [track1, track2, track3]
        self.ksn = ksn
    }

    /// The variants under which readers encrypt tracks, the usual one first.
    private static let variants: [DUKPT.Variant] = [.pin, .dataRequest]

    /// Returns tracks 1 and 2 in clear, empty where there is none, under the first key that opens
    /// all tracks.
    func decrypt(
        _ keys: [CipherKey],
        _ cache: CryptoCache
    ) -> (track1: ArraySlice<UInt8>, track2: ArraySlice<UInt8>)? {
        guard let ksn = Hexadecimal.decode(ksn).flatMap({ KSN($0) }) else { return nil }
        var cryptograms = InlineArray<3, [UInt8]>(repeating: [])
        for index in 0..<3 {
            guard let bytes = Hexadecimal.decode(tracks[index]) else { return nil }
            cryptograms[index] = bytes
        }
        for key in keys {
            for variant in Self.variants {
                let used = cache.derive(key, ksn: ksn, variant: variant)
                guard let track1 = Self.track(1, cryptograms[0], used, cache),
                    let track2 = Self.track(2, cryptograms[1], used, cache),
                    Self.track(3, cryptograms[2], used, cache) != nil
                else { continue }
                return (track1, track2)
            }
        }
        return nil
    }

    /// Returns a track with its sentinels, or `nil` when the cryptogram holds none.
    ///
    /// A track begins with its sentinel, holds characters of its alphabet up to `?`, and is padded
    /// with zeros. A wrong key or a damaged block gives eight bytes of noise, which pass for
    /// characters less than once in 60,000 cases.
    private static func track(
        _ number: Int,
        _ cryptogram: [UInt8],
        _ key: CipherKey,
        _ cache: CryptoCache
    ) -> ArraySlice<UInt8>? {
        guard !cryptogram.isEmpty else { return [] }
        guard let bytes = cache.decrypt(cryptogram, key: key), let first = bytes.first,
            isSentinel(first, ofTrack: number)
        else { return nil }
        var end = 1
        while end < bytes.count, bytes[end] != 0x3F {
            guard bytes[end] >= 0x20, bytes[end] <= 0x5F else { return nil }
            end += 1
        }
        guard end < bytes.count else { return nil }
        for index in (end + 1)..<bytes.count where bytes[index] != 0 { return nil }
        return bytes[...end]
    }

    private static func isSentinel(_ byte: UInt8, ofTrack number: Int) -> Bool {
        switch (number, byte) {
        case (1, 0x25), (2, 0x3B): true
        // `;` as a rule; the others stand on stripes of other formats.
        case (3, 0x3B), (3, 0x2B), (3, 0x21), (3, 0x23), (3, 0x25): true
        case (_, _): false
        }
    }
}

extension PAN {
    /// The number as the Query API shows it: first digit and last four, `x` between.
    var maskedInReports: MaskedCardNumber? {
        var digits: [UInt8] = []
        appendUnmasked(to: &digits)
        for index in 1..<(digits.count - 4) { digits[index] = UInt8(ascii: "x") }
        return MaskedCardNumber(digits[...])
    }
}
