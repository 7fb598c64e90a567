import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Transports

let key = SimulatedNMIGateway.Configuration().securityKey
var cache: CryptoCache { CryptoCache() }

/// A MagTek reader's swipe of a test card under the published keys.
func swipe(
    _ card: String = "visa",
    key: CipherKey = .publishedTestKey,
    variant: DUKPT.Variant = .pin
) -> MagneSafeSwipeFields {
    let ksn = KSN.publishedTestKSN.withCounter(8)
    let cache = CryptoCache()
    let used = cache.derive(key, ksn: ksn, variant: variant)
    let stripe = TestCard.named(card)!
    return MagneSafeSwipeFields(
        track1: digits(cache.encrypt(stripe.unmaskedTrack1, key: used)),
        track2: digits(cache.encrypt(stripe.unmaskedTrack2, key: used)),
        track3: digits(cache.encrypt(stripe.unmaskedTrack3, key: used)),
        ksn: digits(ksn.bytes)
    )
}

func digits(_ bytes: [UInt8]) -> [UInt8] { Array(Hexadecimal.encode(bytes).utf8) }

private let usualSwipe = swipe()

func sale(_ minorUnits: Int64, _ orderID: String) -> HTTPRequest {
    pay(.sale, minorUnits, orderID)
}

func pay(
    _ type: NMIPayment.PaymentType,
    _ minorUnits: Int64,
    _ orderID: String = "o",
    _ card: NMICardData? = nil,
    cvv: String? = nil,
    _ details: [(NMIDetail, String)] = []
) -> HTTPRequest {
    let payment = NMIPayment(
        type,
        amount: Amount(minorUnits: minorUnits),
        orderID: orderID,
        card: card ?? .magneSafe(usualSwipe),
        cvv: cvv.map { CardSecurityCode(unmasked: Array($0.utf8)) },
        details: NMIDetails(details)
    )
    return post(NMIRequest(securityKey: key, operation: .payment(payment)))
}

func followUp(
    _ type: NMIFollowUp.FollowUpType,
    _ id: NMITransactionID,
    _ minorUnits: Int64? = nil,
    _ orderID: String = ""
) -> HTTPRequest {
    let followUp = NMIFollowUp(
        type,
        transactionID: id,
        amount: minorUnits.map { Amount(minorUnits: $0) },
        orderID: orderID
    )
    return post(NMIRequest(securityKey: key, operation: .followUp(followUp)))
}

func void(_ id: NMITransactionID) -> HTTPRequest { followUp(.void, id) }

func query(_ orderID: String) -> HTTPRequest {
    post(NMIRequest(securityKey: key, operation: .query(.orderID(orderID))))
}

func post(_ request: NMIRequest) -> HTTPRequest {
    HTTPRequest(path: request.path, contentType: FormEncoder.contentType, body: request.body)
}

struct NoAnswer: Error {}

func response(_ reply: GatewayReply) throws -> HTTPResponse {
    guard case .answer(let response, _) = reply.wire else { throw NoAnswer() }
    return response
}

func body(_ reply: GatewayReply) throws -> String {
    String(decoding: try response(reply).body, as: UTF8.self)
}

func parsedFields(_ reply: GatewayReply) throws -> FormFields {
    try FormFields(decoding: try response(reply).body, as: .response)
}

func parsedReport(_ reply: GatewayReply) throws -> NMIQueryResponse {
    try NMIQueryResponse(decoding: try response(reply).body)
}
