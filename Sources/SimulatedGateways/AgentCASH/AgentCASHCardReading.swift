import CardCrypto
import CardData
import GatewayProtocols

/// What the service makes of an authorisation's card.
enum AgentCASHCardReading: String, Hashable {
    /// A card whose data it could open, or takes unopened.
    case card
    /// No key opens the block, or what it opens is no card.
    case unreadable
    /// The PIN is not the one that the issuer knows.
    case wrongPIN

    init(
        _ card: AgentCASHCard,
        keys: [CipherKey],
        issuerPIN: [UInt8],
        cache: CryptoCache
    ) {
        guard !keys.isEmpty else {
            self = .card
            return
        }
        for key in keys {
            guard let pan = Self.pan(of: card, key, cache) else { continue }
            guard card.verification == .onlinePIN else {
                self = .card
                return
            }
            let isRight = Self.isRight(issuerPIN, card, pan, key, cache)
            self = isRight ? .card : .wrongPIN
            return
        }
        self = .unreadable
    }

    /// Opens the reader's block: the track 2 of a chip (tag 57) or the tracks of a stripe (tags
    /// 5F21, 5F22), padded with zeros.
    private static func pan(
        of card: AgentCASHCard,
        _ key: CipherKey,
        _ cache: CryptoCache
    ) -> PAN? {
        guard let ksn = KSN(card.keySerialNumber) else { return nil }
        let dataKey = cache.derive(key, ksn: ksn, variant: .dataRequest)
        guard let text = cache.decrypt(card.encryptedCard, key: dataKey) else { return nil }
        // What a wrong key gives is no objects.
        guard let objects = try? TLV.objects(in: text) else { return nil }
        if let track = objects.first(.track2Equivalent)?.value {
            return pan(ofTrack2Equivalent: track)
        }
        if let track = objects.first(.track2)?.value, let parsed = Track2(parsing: track[...]) {
            return parsed.pan
        }
        if let track = objects.first(.track1)?.value, let parsed = Track1(parsing: track[...]) {
            return parsed.pan
        }
        return nil
    }

    /// The digits before the separator `D`, two in a byte.
    ///
    /// Source: EMV 4.3, Book 3, annex A, tag 57.
    private static func pan(ofTrack2Equivalent track: [UInt8]) -> PAN? {
        var digits: [UInt8] = []
        for byte in track {
            for digit in [byte >> 4, byte & 0xF] {
                if digit > 9 { return PAN(digits).flatMap { $0.isLuhnValid ? $0 : nil } }
                digits.append(0x30 + digit)
            }
        }
        return nil
    }

    /// Compares an encrypted PIN block with the PIN that the issuer knows.
    ///
    /// Source: ISO 9564-1, format 0.
    private static func isRight(
        _ pin: [UInt8],
        _ card: AgentCASHCard,
        _ pan: PAN,
        _ key: CipherKey,
        _ cache: CryptoCache
    ) -> Bool {
        guard let ksn = KSN(card.pinKeySerialNumber), pin.count <= 12 else { return false }
        let pinKey = cache.derive(key, ksn: ksn, variant: .pin)
        guard let block = cache.decrypt(card.pinBlock, key: pinKey) else { return false }
        var digits: [UInt8] = []
        pan.appendUnmasked(to: &digits)
        let account = [0, 0, 0, 0] + digits.dropLast().suffix(12).map { $0 & 0xF }
        var nibbles = [0, UInt8(pin.count)] + pin.map { $0 & 0xF }
        while nibbles.count < 16 { nibbles.append(0xF) }
        let expected = zip(nibbles, account).map { $0 ^ $1 }
        return block == stride(from: 0, to: 16, by: 2).map { expected[$0] << 4 | expected[$0 + 1] }
    }
}

extension [TLV] {
    /// Whether every way of verifying the cardholder failed, such as the PIN too often wrong.
    ///
    /// Source: EMV 4.3, Book 3, annex C5, tag 95, byte 3, bit 8.
    var sayCardholderIsNotVerified: Bool {
        guard let results = first(.verificationResults)?.value, results.count == 5 else {
            return false
        }
        return results[2] & 0x80 != 0
    }

    /// The value of the first object with a tag as upper-case hexadecimal, empty without one.
    func hexadecimal(_ tag: TLVTag) -> String {
        first(tag).map { Hexadecimal.encode($0.value) } ?? ""
    }

    /// The value of the first object with a tag as text, empty when there is none or it is not
    /// printable ASCII.
    func printableText(_ tag: TLVTag) -> String {
        guard let value = first(tag)?.value, value.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return "" }
        return String(decoding: value, as: UTF8.self)
    }
}
