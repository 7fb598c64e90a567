import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Transports

extension Rig {
    /// Keeps a test card that somebody typed in, as the app keeps one that was swiped.
    ///
    /// - Parameters:
    ///   - name: The card's name.
    ///   - securityCode: The code that was typed with it; `nil` is none.
    ///   - isEncrypted: Whether the app encrypts it with the merchant's key, which the gateway's
    ///     report `sdk_key` gave the merchant; the code is then inside.
    /// - Returns: Whether there was such a card, an app and a gateway with a key.
    public mutating func enterCard(
        _ name: String,
        securityCode: String?,
        isEncrypted: Bool
    ) -> Bool {
        touched.formUnion(.payments)
        guard isAppAlive, payments != nil, let stripe = TestCard.named(name),
            let track = Track2(parsing: stripe.unmaskedTrack2), let date = track.expirationDate
        else { return false }
        let code = securityCode.map { Array($0.utf8) }
        guard isEncrypted else {
            payments?.card = .keyed(NMIKeyedCard(track.pan, expires: date))
            payments?.securityCode = code.map { CardSecurityCode(unmasked: $0) }
            return true
        }
        guard let merchant = payments?.merchant else { return false }
        if merchant.key == .unusable {
            payments?.card = .encryptedPayment(MerchantSetup.failedEncryption)
            return true
        }
        let isForeign = merchant.key == .foreign
        guard let key = isForeign ? MerchantSetup.foreignKey : merchantKey() else { return false }
        let card = DirectPostCard.keyed(
            unmaskedNumber: Array(track.pan.unmasked.utf8),
            expirationDate: Array(date.description.utf8),
            cvv: code
        )
        var generator = payments?.generator ?? SplitMix64(seed: 0)
        let value = try? PGEncrypt(key).encrypt(
            card,
            includingCVV: code != nil,
            using: &generator
        )
        payments?.generator = generator
        guard let value else { return false }
        var bytes = Array(value.utf8)
        // A letter of the cryptogram at the end, in front of the padding of two Base64s.
        if merchant.key == .damaged, bytes.count > 16 {
            let place = bytes.count - 16
            bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        }
        payments?.card = .encryptedPayment(bytes)
        return true
    }

    /// The merchant's key, as the merchant got it from the gateway's report `sdk_key` before the
    /// run: a copy of the gateway is asked, so that no request of the run is counted.
    private func merchantKey() -> PGEncryptKey? {
        guard var gateway = payments?.gateway else { return nil }
        let request = NMIRequest(
            securityKey: gateway.configuration.securityKey,
            operation: .query(.report(.sdkKey, id: ""))
        )
        let reply = gateway.receive(
            HTTPRequest(
                path: request.path,
                contentType: FormEncoder.contentType,
                body: request.body
            ),
            at: now,
            cache: cache
        )
        guard case .answer(let response, _) = reply.wire,
            let report = try? NMIQueryResponse(decoding: response.body)
        else { return nil }
        return report.sdkKey.flatMap { try? PGEncryptKey($0) }
    }
}
