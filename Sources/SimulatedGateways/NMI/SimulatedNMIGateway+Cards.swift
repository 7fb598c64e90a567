import CardCrypto
import CardData
import GatewayProtocols

extension SimulatedNMIGateway {
    /// Finds out what pays, or recalls it where a kept request says so.
    mutating func resolve(
        _ data: NMICardData,
        _ cvv: CardSecurityCode?,
        _ cache: CryptoCache
    ) -> CardResolution {
        if let recalled { return recalled }
        let resolution = open(data, cvv, cache)
        if keepsCardMemory { cardMemory = memory(of: resolution, data) }
        return resolution
    }

    private func open(
        _ data: NMICardData,
        _ cvv: CardSecurityCode?,
        _ cache: CryptoCache
    ) -> CardResolution {
        switch data {
        case .keyed, .tracks, .magneSafe, .encrypted: return read(data, cvv, cache)
        case .stored(let stored):
            guard let customer = vault.customer(stored.customerID) else {
                return .unknownCustomer(stored.customerID)
            }
            return .card(customer.card, cvv)
        case .check(let check):
            guard check.hasValidRoutingNumber else { return .invalid("Invalid ABA number") }
            // A bank account has no security code.
            return .card(PayingCard(check: check), nil)
        case .encryptedPayment(let value):
            let found: (card: NMICardData?, cvv: CardSecurityCode?)
            switch decrypt(value) {
            case .failure(let problem):
                return .invalid("\(configuration.encryptedPaymentErrorText): \(problem.text)")
            case .success(let text):
                do {
                    let isDecoded = configuration.decodesEncryptedPayments
                    found = try NMICardData.decrypted(text, as: isDecoded ? .response : .raw)
                } catch {
                    return .undecryptable
                }
            }
            guard let card = found.card else { return .invalid("Invalid Credit Card Number") }
            return read(card, found.cvv ?? cvv, cache)
        }
    }

    private func read(
        _ data: NMICardData,
        _ cvv: CardSecurityCode?,
        _ cache: CryptoCache
    ) -> CardResolution {
        switch NMICardReading(data, keys: configuration.baseDerivationKeys, cache: cache) {
        case .card(let pan, let date, let entryMode):
            .card(PayingCard(pan: pan, expirationDate: date, entryMode: entryMode), cvv)
        case .invalid(let text): .invalid(text)
        case .undecryptable: .undecryptable
        }
    }

    private struct EncryptedPaymentProblem: Error { var text: String }

    /// Opens an `encrypted_payment` with the key that the `sdk_key` report hands out.
    private func decrypt(_ value: [UInt8]) -> Result<[UInt8], EncryptedPaymentProblem> {
        guard let pair = configuration.keyPair else {
            return .failure(EncryptedPaymentProblem(text: "the merchant has no key"))
        }
        do throws(PGEncryptedPaymentError) {
            let payment = try PGEncryptedPayment(value)
            guard payment.keyNumber == pair.key.number else {
                return .failure(EncryptedPaymentProblem(text: "the key is not the merchant's"))
            }
            return .success(try pair.privateKey.unmaskedText(of: payment))
        } catch {
            return .failure(EncryptedPaymentProblem(text: error.description))
        }
    }
}

extension NMICheck {
    /// Whether the digits of the routing number fit together.
    ///
    /// Source: American Bankers Association, routing number check digit: the digits times 3, 7, 1,
    /// 3, … add up to a multiple of 10.
    fileprivate var hasValidRoutingNumber: Bool {
        var sum = 0
        for (index, byte) in routingNumber.enumerated() {
            sum += Int(byte &- 0x30) * [3, 7, 1][index % 3]
        }
        return routingNumber.count == 9 && sum % 10 == 0 && sum > 0
    }
}
