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
        case .magneSafe(let swipe): self.init(EncryptedSwipe(swipe), keys, cache)
        case .encrypted(let swipe): self.init(EncryptedSwipe(swipe), keys, cache)
        case .encryptedPayment, .stored, .check: self = .invalid(Self.invalidNumber)
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

extension PAN {
    /// The number as the Query API shows it: first digit and last four, `x` between.
    var maskedInReports: MaskedCardNumber? {
        var digits: [UInt8] = []
        appendUnmasked(to: &digits)
        for index in 1..<(digits.count - 4) { digits[index] = UInt8(ascii: "x") }
        return MaskedCardNumber(digits[...])
    }
}
