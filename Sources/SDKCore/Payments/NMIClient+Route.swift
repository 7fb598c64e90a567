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

    /// The path to which the merchant's server takes payments; assumed, as the server is.
    static let chargePath = "/charge"
    /// The path to which the merchant's server takes look-ups by order; assumed.
    static let lookUpPath = "/order"

    /// What the merchant's server is asked; `nil` for what it does not take: card data in clear, and
    /// anything that is no charge, no authorisation and no look-up of one.
    ///
    /// Source: SDK document, "End-to-End Encryption", the form field `cardData`.
    static func relayed(
        _ operation: NMIRequest.Operation,
        hasWaited: Bool,
        plant: Plant?
    ) -> HTTPRequest? {
        var form = FormEncoder()
        switch operation {
        case .query(.orderID(let orderID)):
            form.append("orderid", orderID)
            return post(lookUpPath, form)
        case .payment(let payment):
            guard payment.type == .sale || payment.type == .auth, let card = payment.card else {
                return nil
            }
            form.append("type", payment.type.rawValue)
            form.append("amount", payment.amount.description)
            form.append("orderid", payment.orderID)
            let takesClear =
                switch plant {
                case .sendsCardsToMerchant: payment.type == .sale
                case .authorizesCardsAtMerchant: payment.type == .auth
                case .sendsWaitingCardsToMerchant: hasWaited
                default: false
                }
            guard append(card, to: &form, takesClear: takesClear) else { return nil }
            return post(chargePath, form)
        case .followUp, .vault, .recurring, .completePartialPayment, .query: return nil
        }
    }

    private static func post(_ path: String, _ form: FormEncoder) -> HTTPRequest {
        HTTPRequest(path: path, contentType: FormEncoder.contentType, body: form.bytes)
    }

    private static func append(
        _ card: NMICardData,
        to form: inout FormEncoder,
        takesClear: Bool
    ) -> Bool {
        switch card {
        case .encryptedPayment(let value):
            form.append("cardData", value)
            return true
        case .magneSafe, .encrypted: break
        case .keyed where takesClear, .tracks where takesClear: break
        case .keyed, .tracks, .stored, .check: return false
        }
        let payment = NMIPayment(.sale, amount: Amount(minorUnits: 0), card: card)
        let body = NMIRequest(securityKey: "", operation: .payment(payment)).body
        guard let fields = try? FormFields(decoding: body, as: .request) else { return false }
        for index in 0..<fields.count {
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            guard name != "security_key", name != "type", name != "amount" else { continue }
            form.append(name, Array(fields.value(at: index)))
        }
        return true
    }
}
