import GatewayProtocols
import JSON
import Testing

@Suite("NMI webhooks")
struct NMIWebhookTests {
    /// Source: kicbac-js, test of the signature.
    static let published = (
        key: "whsec_test_kicbac_8675309",
        header: "t=0011223344556677,"
            + "s=60d204d6b673db8f87a5163cbe66cb5de7bf71961332a9370580309633acf6e0",
        body: "{\"foo\":1}"
    )

    /// Made for CardRig; the code was computed with OpenSSL.
    static let own = (
        key: "cardrig-webhook-test-key",
        header: "t=a1b2c3d4e5f60718,"
            + "s=12491e6ec91ba3a261c3332c1a9855eb3fba18f499307d1f962188addc4a574e",
        body: """
        {"event_id":"00000000-0000-4000-8000-000000000001",\
        "event_type":"transaction.sale.failure","event_body":{"merchant":{"id":"1234",\
        "name":"Test Account"},"features":{"is_test_mode":true},\
        "transaction_id":"1234560001","transaction_type":"cc","condition":"failed",\
        "order_id":"ord-1","requested_amount":"0.99","currency":"USD",\
        "action":{"amount":"0.99","action_type":"sale","date":"20260101000000",\
        "success":"0","source":"api","response_text":"DECLINE","response_code":"200"}}}
        """
    )

    @Test(arguments: [published, own])
    func aPublishedSignatureIsGoodAndAnyChangeOfTheBodyIsNot(
        key: String,
        header: String,
        body: String
    ) throws {
        let signature = try #require(NMIWebhookSignature(header: header))
        #expect(signature.isValid(for: bytes(body), key: key))
        #expect(!signature.isValid(for: bytes(body + "\n"), key: key))
        #expect(!signature.isValid(for: bytes(body), key: key + "x"))
        let again = NMIWebhookSignature(signing: bytes(body), nonce: signature.nonce, key: key)
        #expect(again.header == header)
    }

    @Test func theEnvelopeOfAGoodSignatureMayStillBeNone() throws {
        #expect(throws: NMIWebhookError.missing("event_id")) {
            try NMIWebhookEvent(decoding: bytes(Self.published.body))
        }
        let event = try NMIWebhookEvent(decoding: bytes(Self.own.body))
        #expect(Self.own.body.utf8.count == 472)
        #expect(event.type == "transaction.sale.failure")
        #expect(event.body["action"]?["response_code"]?.text == "200")
        #expect(event.body["features"]?["is_test_mode"] == .bool(true))
        #expect(event.bytes == bytes(Self.own.body))
    }

    static let hex = String(repeating: "a", count: 64)

    @Test(arguments: [
        "t=abcdef", "", "t=,s=\(hex)", "s=\(hex),t=abc", "t=a,s=\(hex)a", "t=a,s=",
        "t=a,s=\(hex),x=1",
        "t=a, s=\(hex)", "t=a,s=" + String(repeating: "g", count: 64),
        "t=" + String(repeating: "a", count: 257) + ",s=\(hex)",
    ])
    func anotherFormOfTheHeaderIsRefused(header: String) {
        #expect(NMIWebhookSignature(header: header) == nil)
    }

    @Test(arguments: [
        "{\"event_id\":\"1\",\"event_type\":\"t\",\"event_body\":[]}", "[]", "null",
        "{\"event_id\":1,\"event_type\":\"t\",\"event_body\":{}}",
        "{\"event_id\":\"1\",\"event_type\":\"\",\"event_body\":{}}",
    ])
    func aBodyWithoutTheThreeMembersIsNoEvent(body: String) {
        #expect(throws: NMIWebhookError.self) { try NMIWebhookEvent(decoding: bytes(body)) }
    }
}
