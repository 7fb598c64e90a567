import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

/// What a journal of requests may keep, and that it still leads to the same books.
@Suite("Requests without what must not be kept")
struct KeepableRequestTests {
    private static let pan =
        TestCard.named("visa")
        .flatMap { Track2(parsing: $0.unmaskedTrack2) }.map { String($0.pan.unmasked) } ?? ""

    private static let forms: [String] = [
        "type=sale&amount=5.00&ccnumber=PAN&ccexp=1025&cvv=987&orderid=o",
        "type=sale&amount=5.00&ccnumber=PAN&ccexp=1025&cvv=999&dup_seconds=60",
        "type=auth&amount=0.50&ccnumber=PAN&ccexp=1025",
        "type=sale&amount=5.00&ccnumber=PAN&ccexp=&cvv=987",
        "type=sale&amount=5.00&ccnumber=1&ccexp=1025&cvv=987",
        "type=sale&amount=5.00&track_2=%3BPAN%3D29121010000%3F&cvv=987",
        "type=sale&amount=5.00&encrypted_payment=damaged&cvv=987",
        "type=sale&amount=5.00&customer_vault_id=c1&cvv=987",
        "type=sale&amount=5.00&customer_vault_id=nobody&cvv=987",
        "type=validate&ccnumber=PAN&ccexp=1025&cvv=987&customer_vault=add_customer",
        "customer_vault=add_customer&customer_vault_id=c2&ccnumber=PAN&ccexp=1025&cvv=987",
        "customer_vault=update_customer&customer_vault_id=c1&ccnumber=PAN&ccexp=1030",
        "recurring=add_subscription&plan_payments=0&plan_amount=2.00&day_frequency=7&ccnumber=PAN"
            + "&ccexp=1025&cvv=987",
        "type=sale&amount=nothing&ccnumber=PAN&ccexp=1025&cvv=987",
        "type=void&transactionid=10000000001&cvv=987",
        "type=sale&payment=check&amount=5.00&checkname=Roe&checkaba=490000018"
            + "&checkaccount=24413815&cvv=987",
        "type=sale&amount=%zz&cvv=987", "type=sale&orderid=a%00b&cvv=987",
        "type=sale&amount=5.00&ccnumber=PAN&ccexp=1025&cvv=987&cvv=986", "x", "",
    ]

    private static func gateway(
        _ repeated: SimulatedNMIGateway.Configuration.RepeatedFields = .lastCounts
    ) -> SimulatedNMIGateway {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.repeatedFields = repeated
        configuration.webhookURL = "https://merchant.example/hook"
        var gateway = SimulatedNMIGateway(configuration)
        for form in [
            "type=sale&amount=1.00&ccnumber=PAN&ccexp=1025&customer_vault=add_customer"
                + "&customer_vault_id=c1"
        ] {
            _ = gateway.receive(request(form), at: .zero, cache: cache)
        }
        return gateway
    }

    private static func request(
        _ form: String,
        key securityKey: String = key,
        type: String = FormEncoder.contentType
    ) -> HTTPRequest {
        let text = "security_key=\(securityKey)&" + form.replacing("PAN", with: pan)
        return HTTPRequest(
            path: NMIRequest.transactPath,
            contentType: type,
            body: Array(text.utf8)
        )
    }

    /// Plays a request, and what may be kept of it, and compares what became of both.
    private static func compare(
        _ request: HTTPRequest,
        _ repeated: SimulatedNMIGateway.Configuration.RepeatedFields = .lastCounts,
        fault: GatewayFault? = nil
    ) -> String {
        var first = gateway(repeated)
        if let fault { first.schedule(fault) }
        var second = first
        first.keepsCardMemory = true
        let reply = first.receive(request, at: .zero + .seconds(1), cache: cache)
        let kept = first.keepable(request, memory: reply.cardMemory)
        let again = second.receive(
            kept,
            at: .zero + .seconds(1),
            cache: cache,
            recalling: reply.cardMemory
        )
        #expect(again.records.count == reply.records.count)
        #expect(second.snapshot() == first.snapshot())
        #expect(second.ledger == first.ledger)
        return String(decoding: kept.body, as: UTF8.self) + (reply.cardMemory ?? "")
    }

    @Test(arguments: forms)
    func aKeptRequestLeadsToTheSameBooksWithoutTheCode(form: String) {
        for text in [
            Self.compare(Self.request(form)), Self.compare(Self.request(form), .refused),
            Self.compare(Self.request(form, key: "wrong")),
            Self.compare(Self.request(form, type: "application/json")),
            Self.compare(
                Self.request(form),
                fault: GatewayFault(kind: .sale, answer: .decline(.declined))
            ),
            Self.compare(
                Self.request(form),
                fault: GatewayFault(kind: .void, phase: .afterBooking, answer: .reset)
            ),
        ] {
            #expect(!text.contains("987") && !text.contains("986"), "\(text)")
            #expect(!text.contains(Self.pan), "\(text)")
        }
    }

    @Test func swipesAndEncryptedPaymentsAreKeptAsWhatTheyHeld() throws {
        let value = try EncryptedPaymentTests.encrypt(EncryptedPaymentTests.keyed)
        for card in [NMICardData.magneSafe(swipe()), .encryptedPayment(Array(value.utf8))] {
            let request = pay(.sale, 700, "o", card, cvv: "987")
            let text = Self.compare(request)
            #expect(text.contains("encrypted_payment=recalled"))
            #expect(!text.contains("magnesafe_track_2=3") && !text.contains(value.prefix(40)))
            #expect(!text.contains("987"))
        }
    }

    @Test func aGatewayOfWhichNothingIsKeptDoesNotSayWhatItRead() {
        var gateway = SimulatedNMIGateway()
        let reply = gateway.receive(sale(500, "o"), at: .zero, cache: cache)
        #expect(reply.cardMemory == nil)
    }
}
