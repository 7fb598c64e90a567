import CardData
import GatewayProtocols
import Transports

extension NMIClient {
    /// Whom the client asks.
    public enum Route: Hashable, Sendable {
        /// The gateway itself, with the merchant's credentials.
        case gateway
        /// The merchant's own server, which has the credentials and takes encrypted card data.
        case merchantServer
    }

    /// The path to which the merchant's server takes payments and what follows them; assumed, as
    /// the server is.
    static let chargePath = "/charge"
    /// The path to which the merchant's server takes look-ups; assumed.
    static let lookUpPath = "/order"

    /// What the merchant's server is asked: the gateway's fields without credentials, and an
    /// encrypted card as `cardData`; `nil` for a card, a security code or a bank account in clear,
    /// which it does not take.
    ///
    /// Source: SDK document, "End-to-End Encryption", the form field `cardData`; the others are
    /// assumed.
    static func relayed(
        _ operation: NMIRequest.Operation,
        hasWaited: Bool,
        plant: Plant?
    ) -> HTTPRequest? {
        let request = NMIRequest(securityKey: "", operation: operation)
        guard let fields = try? FormFields(decoding: request.body, as: .request) else { return nil }
        let sendsClear = sendsClear(operation, hasWaited: hasWaited, plant)
        var form = FormEncoder()
        for index in 0..<fields.count {
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            let value = Array(fields.value(at: index))
            switch name {
            case "security_key": break
            case "encrypted_payment": form.append("cardData", value)
            case _ where clearNames.contains(name) && !sendsClear: return nil
            default: form.append(name, value)
            }
        }
        return HTTPRequest(
            path: request.path == NMIRequest.queryPath ? lookUpPath : chargePath,
            contentType: FormEncoder.contentType,
            body: form.bytes
        )
    }

    /// The fields that show a card or a bank account.
    private static let clearNames = [
        "ccnumber", "ccexp", "cvv", "track_1", "track_2", "track_3", "checkaccount", "checkaba",
    ]

    /// Whether a planted mistake sends a card in clear.
    private static func sendsClear(
        _ operation: NMIRequest.Operation,
        hasWaited: Bool,
        _ plant: Plant?
    ) -> Bool {
        guard case .payment(let payment) = operation else { return false }
        switch plant {
        case .sendsCardsToMerchant: return payment.type == .sale
        case .authorizesCardsAtMerchant: return payment.type == .auth
        case .sendsWaitingCardsToMerchant: return hasWaited
        default: return false
        }
    }
}
