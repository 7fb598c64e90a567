import GatewayProtocols
import Testing

@Suite("NMI code tables")
struct NMICodeTests {
    @Test func everyAddressCodeOfTheManualHasAMeaningAndAFinding() {
        let table: [(codes: String, finding: NMIAVSCode.Finding)] = [
            ("XYDM26", .match), ("AB37", .addressOnly), ("WZPL15", .zipOnly), ("NC48", .noMatch),
            ("UGIRES0O", .notChecked),
        ]
        var count = 0
        for (codes, finding) in table {
            for character in codes {
                let code = NMIAVSCode(String(character))
                #expect(code?.finding == finding, "\(character)")
                #expect(code?.meaning != "Unknown", "\(character)")
                count += 1
            }
        }
        #expect(count == 28)
        #expect(NMIAVSCode("") == nil)
        #expect(NMIAVSCode("YY") == nil)
        #expect(NMIAVSCode("?")?.meaning == "Unknown")
    }

    @Test func everySecurityCodeLetterIsKnown() {
        #expect(NMICVVCode.allCases.map(\.rawValue).joined() == "MNPSU")
        #expect(NMICVVCode(rawValue: "M")?.meaning == "CVV2/CVC2 match")
        #expect(NMICVVCode(rawValue: "") == nil)
    }

    @Test func everyCodeOfTheManualHasAMeaningAndAKind() {
        let codes: [Int] = [
            100, 200, 201, 202, 203, 204, 220, 221, 222, 223, 224, 225, 226, 240, 250, 251, 252,
            253, 260, 261, 262, 263, 264, 300, 301, 400, 410, 411, 420, 421, 430, 440, 441, 460,
            461,
        ]
        for number in codes {
            let code = NMIResponseCode(rawValue: number)
            #expect(code?.meaning != "Unknown", "\(number)")
            let kind: NMIResponse.Kind =
                number == 100 ? .approved : number < 300 ? .declined : .error
            #expect(code?.usualKind == kind, "\(number)")
        }
    }

    @Test func anAnswersLettersAreRead() throws {
        let body = "response=1&avsresponse=N&cvvresponse=M&response_code=100"
        let answer = try NMIResponse(decoding: bytes(body))
        #expect(answer.avsCode?.finding == .noMatch)
        #expect(answer.cvvCode == .match)
    }

    /// Source: Direct Post API manual, "Partial payments".
    @Test func aPartialApprovalKeepsItsExtraFields() throws {
        let body =
            "response=1&responsetext=SUCCESS&transactionid=1&response_code=100"
            + "&partial_payment_id=123456789&partial_payment_balance=70.00&amount_authorized=30.00"
        let answer = try NMIResponse(decoding: bytes(body))
        #expect(answer.kind == .approved)
        #expect(
            answer.otherFields == [
                NMIResponse.Field(name: "partial_payment_id", value: "123456789"),
                NMIResponse.Field(name: "partial_payment_balance", value: "70.00"),
                NMIResponse.Field(name: "amount_authorized", value: "30.00"),
            ]
        )
    }
}
