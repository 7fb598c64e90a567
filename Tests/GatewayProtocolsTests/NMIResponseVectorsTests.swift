import GatewayProtocols
import Testing

/// Published captures of answers: omnipay-nmi `tests/Mock`, active_merchant `nmi_test.rb` and
/// `network_merchants_test.rb`, and the Direct Post API manual, "Rate limits".
@Suite("NMI answers, published captures")
struct NMIResponseVectorsTests {
    struct Vector: Sendable {
        var body: String
        var kind: NMIResponse.Kind
        var code: Int
        var id: UInt64?
        var authCode = ""
        var type = ""
        var orderID = ""
        var reference: UInt64?
        var avs = ""
        var cvv = ""
        var others: [NMIResponse.Field] = []
    }

    static let vectors: [Vector] = [
        Vector(
            body: "response=1&responsetext=SUCCESS&authcode=123456&transactionid=2577715564&a"
                + "vsresponse=&cvvresponse=M&orderid=&type=sale&response_code=100",
            kind: .approved,
            code: 100,
            id: 2_577_715_564,
            authCode: "123456",
            type: "sale",
            cvv: "M"
        ),
        Vector(
            body: "response=1&responsetext=SUCCESS&authcode=123456&transactionid=2577708057&a"
                + "vsresponse=&cvvresponse=M&orderid=&type=auth&response_code=100",
            kind: .approved,
            code: 100,
            id: 2_577_708_057,
            authCode: "123456",
            type: "auth",
            cvv: "M"
        ),
        Vector(
            body: "response=2&responsetext=DECLINE&authcode=&transactionid=2577715978&avsresp"
                + "onse=&cvvresponse=M&orderid=&type=sale&response_code=200",
            kind: .declined,
            code: 200,
            id: 2_577_715_978,
            type: "sale",
            cvv: "M"
        ),
        Vector(
            body: "response=1&responsetext=SUCCESS&authcode=123456&transactionid=2577708057&a"
                + "vsresponse=&cvvresponse=&orderid=&type=capture&response_code=100",
            kind: .approved,
            code: 100,
            id: 2_577_708_057,
            authCode: "123456",
            type: "capture"
        ),
        Vector(
            body: "response=3&responsetext=A capture requires that the existing transaction b"
                + "e an AUTH REFID:143498124&authcode=&transactionid=2577708057&avsresponse=&"
                + "cvvresponse=&orderid=&type=capture&response_code=300",
            kind: .error,
            code: 300,
            id: 2_577_708_057,
            type: "capture",
            reference: 143_498_124
        ),
        Vector(
            body: "response=1&responsetext=Transaction Void Successful&authcode=123456&transa"
                + "ctionid=2577708057&avsresponse=&cvvresponse=&orderid=&type=void&response_c"
                + "ode=100",
            kind: .approved,
            code: 100,
            id: 2_577_708_057,
            authCode: "123456",
            type: "void"
        ),
        Vector(
            body: "response=3&responsetext=Only transactions pending settlement can be voided"
                + " REFID:3161855545&authcode=&transactionid=2762816924&avsresponse=&cvvrespo"
                + "nse=&orderid=&type=void&response_code=300",
            kind: .error,
            code: 300,
            id: 2_762_816_924,
            type: "void",
            reference: 3_161_855_545
        ),
        Vector(
            body: "response=1&responsetext=SUCCESS&authcode=&transactionid=2577725848&avsresp"
                + "onse=&cvvresponse=&orderid=&type=refund&response_code=100",
            kind: .approved,
            code: 100,
            id: 2_577_725_848,
            type: "refund"
        ),
        Vector(
            body: "response=3&responsetext=Refund amount may not exceed the transaction balan"
                + "ce REFID:143498703&authcode=&transactionid=&avsresponse=&cvvresponse=&orde"
                + "rid=&type=refund&response_code=300",
            kind: .error,
            code: 300,
            type: "refund",
            reference: 143_498_703
        ),
        Vector(
            body: "response=1&responsetext=SUCCESS&authcode=&transactionid=2577728141&avsresp"
                + "onse=&cvvresponse=&orderid=&type=credit&response_code=100",
            kind: .approved,
            code: 100,
            id: 2_577_728_141,
            type: "credit"
        ),
        Vector(
            body: "response=1&responsetext=SUCCESS&authcode=&transactionid=2762837000&avsresp"
                + "onse=N&cvvresponse=N&orderid=&type=validate&response_code=100",
            kind: .approved,
            code: 100,
            id: 2_762_837_000,
            type: "validate",
            avs: "N",
            cvv: "N"
        ),
        Vector(
            body: "response=1&responsetext=Customer Added&authcode=&transactionid=&avsrespons"
                + "e=&cvvresponse=&orderid=&type=&response_code=100&customer_vault_id=4528944"
                + "59",
            kind: .approved,
            code: 100,
            others: [
                NMIResponse.Field(name: "customer_vault_id", value: "452894459")
            ]
        ),
        Vector(
            body: "response=3&responsetext=Invalid Customer Vault Id REFID:3150033421&authcod"
                + "e=&transactionid=&avsresponse=&cvvresponse=&orderid=&type=&response_code=3"
                + "00&customer_vault_id=000000000",
            kind: .error,
            code: 300,
            reference: 3_150_033_421,
            others: [
                NMIResponse.Field(name: "customer_vault_id", value: "000000000")
            ]
        ),
        Vector(
            body: "response=1&responsetext=SUCCESS&authcode=123456&transactionid=2762757839&a"
                + "vsresponse=N&cvvresponse=N&orderid=b6c1c57f709cfaa65a5cf5b8532ad181&type=&"
                + "response_code=100",
            kind: .approved,
            code: 100,
            id: 2_762_757_839,
            authCode: "123456",
            orderID: "b6c1c57f709cfaa65a5cf5b8532ad181",
            avs: "N",
            cvv: "N"
        ),
        Vector(
            body: "response=3&responsetext=Invalid Credit Card Number REFID:3162207528&authco"
                + "de=&transactionid=&avsresponse=&cvvresponse=&orderid=f95e02a07bb77447c8b20"
                + "01795540771&type=credit&response_code=300",
            kind: .error,
            code: 300,
            type: "credit",
            orderID: "f95e02a07bb77447c8b2001795540771",
            reference: 3_162_207_528
        ),
        Vector(
            body: "response=2&responsetext=FAILED&authcode=123456&transactionid=2762783009&av"
                + "sresponse=&cvvresponse=&orderid=8070b75a09d75c3e84e1c17d44bbbf34&type=&res"
                + "ponse_code=200",
            kind: .declined,
            code: 200,
            id: 2_762_783_009,
            authCode: "123456",
            orderID: "8070b75a09d75c3e84e1c17d44bbbf34"
        ),
        Vector(
            body: "response=3&responsetext=Invalid Username&authcode=&transactionid=0&avsresp"
                + "onse=&cvvresponse=&orderid=1&type=sale&response_code=300",
            kind: .error,
            code: 300,
            type: "sale",
            orderID: "1"
        ),
        Vector(
            body: "response=1&responsetext=SUCCESS&authcode=123456&transactionid=1869031575&a"
                + "vsresponse=N&cvvresponse=N&orderid=1&type=auth&response_code=100&merchant_"
                + "defined_field_6=&merchant_defined_field_7=&customer_vault_id=",
            kind: .approved,
            code: 100,
            id: 1_869_031_575,
            authCode: "123456",
            type: "auth",
            orderID: "1",
            avs: "N",
            cvv: "N",
            others: [
                NMIResponse.Field(name: "merchant_defined_field_6", value: ""),
                NMIResponse.Field(name: "merchant_defined_field_7", value: ""),
                NMIResponse.Field(name: "customer_vault_id", value: ""),
            ]
        ),
        Vector(
            body: "response=3&responsetext=Duplicate transaction REFID:13132563&authcode=&tra"
                + "nsactionid=0&avsresponse=&cvvresponse=&orderid=21650&type=sale&response_co"
                + "de=300",
            kind: .error,
            code: 300,
            type: "sale",
            orderID: "21650",
            reference: 13_132_563
        ),
        Vector(
            body: "response=3&responsetext=Rate limit exceeded&authcode=&transactionid=&avsre"
                + "sponse=&cvvresponse=&orderid=&type=&response_code=301",
            kind: .error,
            code: 301
        ),
    ]

    @Test(arguments: vectors)
    func parses(vector: Vector) throws {
        let answer = try NMIResponse(decoding: bytes(vector.body))
        #expect(answer.kind == vector.kind)
        #expect(Int(answer.responseCode.rawValue) == vector.code)
        #expect(answer.transactionID?.number == vector.id)
        #expect(answer.authCode == vector.authCode)
        #expect(answer.type == vector.type)
        #expect(answer.orderID == vector.orderID)
        #expect(answer.referenceNumber == vector.reference)
        #expect(answer.avsResponse == vector.avs)
        #expect(answer.cvvResponse == vector.cvv)
        #expect(answer.otherFields == vector.others)
    }

    /// Nothing stored is written as an empty id: two captures have a zero there.
    @Test(arguments: vectors)
    func isWrittenAsItWasCaptured(vector: Vector) throws {
        let captured = vector.body.split(separator: "&")
            .map { $0 == "transactionid=0" ? "transactionid=" : $0 }
            .joined(separator: "&")
        #expect(text(try NMIResponse(decoding: bytes(vector.body)).body) == captured)
    }
}
