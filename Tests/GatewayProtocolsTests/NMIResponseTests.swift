import GatewayProtocols
import Testing

@Suite("NMI answers")
struct NMIResponseTests {
    @Test func anyOrderAndEscapedBlanksAreAccepted() throws {
        let body =
            "extra=1&response_code=202&orderid=A%261&transactionid=77&"
            + "responsetext=Insufficient+funds%21&response=2"
        let answer = try NMIResponse(decoding: bytes(body))
        #expect(answer.kind == .declined)
        #expect(answer.responseCode.meaning == "Insufficient funds")
        #expect(answer.text == "Insufficient funds!")
        #expect(answer.orderID == "A&1")
        #expect(answer.transactionID == NMITransactionID(77))
        #expect(answer.otherFields == [NMIResponse.Field(name: "extra", value: "1")])
    }

    @Test func anOrderWithLineEndsLeavesTheAnswerOneLine() throws {
        var answer = try NMIResponse(decoding: bytes("response=1&response_code=100"))
        answer.orderID = "a\r\nb\u{7F}"
        #expect(!answer.body.contains { $0 < 0x20 || $0 == 0x7F })
        #expect(try NMIResponse(decoding: answer.body).orderID == "a\r\nb\u{7F}")
    }

    static let garbage: [(body: String, code: NMIResponseError.Code, offset: Int)] = [
        ("", .missingResponse, 0),
        ("<html>502</html>", .missingResponse, 16),
        ("response=&response_code=100", .unknownResponse, 9),
        ("response=4&response_code=100", .unknownResponse, 9),
        ("response=1", .missingResponseCode, 10),
        ("response=1&response_code=10", .invalidResponseCode, 25),
        ("response=1&transactionid=12x&response_code=100", .invalidTransactionID, 25),
        ("response=1&transactionid=99999999999999999999", .invalidTransactionID, 25),
    ]

    @Test(arguments: garbage)
    func garbageIsAnErrorWithItsPlace(body: String, code: NMIResponseError.Code, offset: Int) {
        #expect(throws: NMIResponseError(code: code, offset: offset)) {
            try NMIResponse(decoding: bytes(body))
        }
    }

    @Test func anAnswerCutShortAnywhereIsNoAnswer() {
        let whole = bytes(NMIResponseVectorsTests.vectors[0].body)
        for count in 0..<whole.count {
            #expect(throws: NMIResponseError.self, "cut at \(count)") {
                try NMIResponse(decoding: Array(whole.prefix(count)))
            }
        }
    }

    @Test func valuesWithSeparatorsSurviveTheWayThereAndBack() throws {
        let answer = NMIResponse(
            kind: .error,
            text: "a & b = 100 % + c",
            transactionID: NMITransactionID(.max),
            orderID: "é&=",
            type: "sale",
            responseCode: try #require(NMIResponseCode(rawValue: 461)),
            otherFields: [NMIResponse.Field(name: "n=1", value: "%41")]
        )
        #expect(try NMIResponse(decoding: answer.body) == answer)
    }

    @Test(arguments: NMIResponseVectorsTests.vectors)
    func damagedAnswersNeverTrap(vector: NMIResponseVectorsTests.Vector) {
        var source = SeededBytes(seed: UInt64(vector.body.utf8.count))
        var refusedCount = 0
        for _ in 0..<200 {
            let damaged = source.damage(bytes(vector.body))
            guard let answer = try? NMIResponse(decoding: damaged) else {
                refusedCount += 1
                continue
            }
            #expect((try? NMIResponse(decoding: answer.body)) == answer)
        }
        #expect(refusedCount > 0)
    }
}
