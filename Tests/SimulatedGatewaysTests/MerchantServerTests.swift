import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

@Suite("The merchant's server")
struct MerchantServerTests {
    static let server = MerchantServer(credentials: .securityKey(key))

    @Test func encryptedCardsArePassedOnWithTheMerchantsCredentials() throws {
        let value = try EncryptedPaymentTests.encrypt(EncryptedPaymentTests.keyed)
        let cards: [NMICardData] = [
            .encryptedPayment(Array(value.utf8)), .magneSafe(swipe()),
        ]
        for card in cards {
            var gateway = SimulatedNMIGateway()
            let request = try #require(
                MerchantServer.request(
                    card: card,
                    amount: Amount(minorUnits: 1_099),
                    orderID: "o 1"
                )
            )
            #expect(!String(decoding: request.body, as: UTF8.self).contains(key))
            guard case .post(let post) = Self.server.take(request) else {
                Issue.record("the server answered by itself")
                continue
            }
            let reply = gateway.receive(post, at: .zero, cache: cache)
            let answer = Self.server.answer(to: .answered(try response(reply)))
            #expect(try NMIResponse(decoding: answer.body).kind == .approved)
            #expect(gateway.ledger.entries[0].orderID == "o 1")
            #expect(gateway.ledger.entries[0].amount == Amount(minorUnits: 1_099))
        }
    }

    @Test(arguments: [
        "amount=1.00&ccnumber=1&ccexp=1025", "cardData=QQ==&cvv=1", "track_2=;1=1?", "amount=1.00",
        "cardData=QQ==&type=credit", "cardData=QQ==&security_key=x", "cardData=%",
        "cardData=Q&zip=1",
    ])
    func whatIsInClearOrNotForAppsIsRefused(body: String) {
        let request = HTTPRequest(
            path: MerchantServer.path,
            contentType: FormEncoder.contentType,
            body: Array(body.utf8)
        )
        guard case .answer(let answer) = Self.server.take(request) else {
            Issue.record("the server passed it on")
            return
        }
        #expect(answer.status == 400)
    }

    @Test func typedCardsInClearCannotEvenBeAskedFor() {
        let keyed = NMICardData.keyed(NMIKeyedCard(unmaskedNumber: [], expiration: []))
        #expect(
            MerchantServer.request(card: keyed, amount: Amount(minorUnits: 1), orderID: "") == nil
        )
    }

    @Test func whatHappensBehindItIsToldApart() {
        #expect(Self.server.answer(to: .refused).status == 503)
        #expect(Self.server.answer(to: .reset).status == 504)
        #expect(Self.server.answer(to: .timedOut).status == 504)
    }
}
