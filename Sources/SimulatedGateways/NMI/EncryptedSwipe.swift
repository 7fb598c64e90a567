import CardCrypto
import CardData
import GatewayProtocols

/// The encrypted tracks of one swipe in hexadecimal digits, and its key serial number.
struct EncryptedSwipe {
    /// Whose reader it may come from, which decides how tracks may be encrypted and padded.
    enum Maker {
        /// MagTek: triple DES; the tracks end with their sentinel.
        case magTek
        /// ID TECH (Shuttle) and the IPS reader.
        ///
        /// Source: the manuals of ID TECH's encrypting readers: triple DES or AES under the data
        /// key, or triple DES under the PIN key; a track is encrypted with the LRC character after
        /// its end sentinel. The IPS packet has 40 bytes for each track, all zero for one that was
        /// not read; that a longer track 1 is cut after 40 characters is assumed.
        case other
    }

    /// How a track may have been encrypted.
    private enum Encryption: CaseIterable {
        case pinKey, dataKey, aesDataKey, aesPINKey

        static func all(of maker: Maker) -> [Encryption] {
            switch maker {
            case .magTek: [.pinKey, .dataKey]
            case .other: [.dataKey, .aesDataKey, .pinKey, .aesPINKey]
            }
        }

        var variant: DUKPT.Variant {
            switch self {
            case .pinKey, .aesPINKey: .pin
            case .dataKey, .aesDataKey: .dataRequest
            }
        }

        var isAES: Bool { self == .aesDataKey || self == .aesPINKey }
    }

    private let maker: Maker
    private let tracks: InlineArray<3, [UInt8]>
    private let ksn: [UInt8]

    init(_ swipe: MagneSafeSwipeFields) {
        maker = .magTek
        tracks = [swipe.track1, swipe.track2, swipe.track3]
        ksn = swipe.ksn
    }

    init(_ swipe: NMIEncryptedTracks) {
        maker = .other
        tracks = [swipe.track1, swipe.track2, swipe.track3]
        ksn = swipe.ksn
    }

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
            let isUnread = maker == .other && bytes.allSatisfy { $0 == 0 }
            cryptograms[index] = isUnread ? [] : bytes
        }
        if cryptograms[0].isEmpty, cryptograms[1].isEmpty, cryptograms[2].isEmpty { return nil }
        for key in keys {
            for encryption in Encryption.all(of: maker) {
                let used = cache.derive(key, ksn: ksn, variant: encryption.variant)
                guard let track1 = track(1, cryptograms[0], used, encryption, cache),
                    let track2 = track(2, cryptograms[1], used, encryption, cache),
                    track(3, cryptograms[2], used, encryption, cache) != nil
                else { continue }
                return (track1, track2)
            }
        }
        return nil
    }

    /// How many bytes an IPS reader has for a track.
    private static let ipsTrackByteCount = 40

    /// Returns a track with its sentinels, or `nil` when the cryptogram holds none.
    ///
    /// A track begins with its sentinel, holds characters of its alphabet up to `?`, and is padded
    /// with zeros. A wrong key or a damaged block gives eight bytes of noise, which pass for
    /// characters less than once in 60,000 cases.
    private func track(
        _ number: Int,
        _ cryptogram: [UInt8],
        _ key: CipherKey,
        _ encryption: Encryption,
        _ cache: CryptoCache
    ) -> ArraySlice<UInt8>? {
        guard !cryptogram.isEmpty else { return [] }
        let decrypted =
            encryption.isAES
            ? cache.decryptAES(cryptogram, key: key) : cache.decrypt(cryptogram, key: key)
        guard let bytes = decrypted, let first = bytes.first,
            Self.isSentinel(first, ofTrack: number)
        else { return nil }
        var end = 1
        while end < bytes.count, bytes[end] != 0x3F {
            guard bytes[end] >= 0x20, bytes[end] <= 0x5F else { return nil }
            end += 1
        }
        guard end < bytes.count else {
            let isCut = number == 1 && maker == .other && bytes.count == Self.ipsTrackByteCount
            return isCut ? bytes[...] : nil
        }
        var paddingStart = end + 1
        if maker == .other, paddingStart < bytes.count, (0x20...0x5F).contains(bytes[paddingStart])
        {
            paddingStart += 1
        }
        for index in paddingStart..<bytes.count where bytes[index] != 0 { return nil }
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
