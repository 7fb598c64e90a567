// A card that was typed in is encrypted on the phone and charged through the merchant's server.
//
// After the SDK document, "End-to-End Encryption": the server asks the gateway for the merchant's
// key, the app encrypts with it, and what the server posts holds no card in clear.
import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Transports

/// Stands for the wire between the merchant's server and the gateway.
func post(_ request: NMIRequest, to gateway: inout SimulatedNMIGateway) -> [UInt8] {
    let reply = gateway.receive(
        HTTPRequest(path: request.path, contentType: FormEncoder.contentType, body: request.body),
        at: .zero,
        cache: CryptoCache()
    )
    guard case .answer(let response, _) = reply.wire else { return [] }
    return response.body
}

let configuration = SimulatedNMIGateway.Configuration()
var gateway = SimulatedNMIGateway(configuration)
let credentials = NMICredentials.securityKey(configuration.securityKey)

// The server: the key comes with the report `sdk_key`.
let query = NMIRequest(credentials, operation: .query(.report(.sdkKey, id: "")))
let report = try NMIQueryResponse(decoding: post(query, to: &gateway))
guard let keyText = report.sdkKey else { throw PGEncryptError.noKey }

// The app: PGEncrypt *encryption = [[PGEncrypt alloc] init]; [encryption setKey: …];
var encryption = PGEncrypt()
try encryption.setKey(keyText)
guard let stripe = TestCard.named("visa"), let track = Track2(parsing: stripe.unmaskedTrack2) else {
    throw PGEncryptError.noKey
}
let card = DirectPostCard.keyed(
    unmaskedNumber: Array(track.pan.unmasked.utf8),
    expirationDate: Array("1025".utf8),
    cvv: Array("999".utf8)
)
// NSString *encryptedCardData = [encryption encrypt:card includeCVV:YES];
var generator = SystemRandomNumberGenerator()
let cardData = try encryption.encrypt(card, includingCVV: true, using: &generator)
print("encrypted_payment has \(cardData.utf8.count) characters")

// The server: type=sale&amount=1.00&encrypted_payment=…
let sale = NMIPayment(
    .sale,
    amount: Amount(minorUnits: 100),
    orderID: "example-1",
    card: .encryptedPayment(Array(cardData.utf8))
)
let answer = try NMIResponse(
    decoding: post(NMIRequest(credentials, operation: .payment(sale)), to: &gateway)
)
print("\(answer.kind): \(answer.text), CVV \(answer.cvvCode?.meaning ?? "not checked")")
print("booked for \(gateway.ledger.entries[0].maskedCardNumber?.description ?? "an unknown card")")
