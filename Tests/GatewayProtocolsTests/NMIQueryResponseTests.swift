import CardData
import GatewayProtocols
import Testing

@Suite("NMI reports")
struct NMIQueryResponseTests {
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    @Test func anAuthenticationErrorIsAnErrorText() throws {
        let document =
            Self.declaration
            + "<nm_response><error_response>Invalid Username/Password REFID:200402058"
            + "</error_response></nm_response>"
        let report = try NMIQueryResponse(decoding: bytes(document))
        #expect(report.errorText == "Invalid Username/Password REFID:200402058")
        #expect(report.transactions.isEmpty)
    }

    @Test(arguments: [
        "<nm_response></nm_response>", "<nm_response/>", "<nm_response>\n</nm_response>",
    ])
    func noMatchIsAnEmptyReport(body: String) throws {
        let report = try NMIQueryResponse(decoding: bytes(Self.declaration + body))
        #expect(report == NMIQueryResponse())
    }

    /// The manual's transaction 2612675976 (Query API manual, "Response example"), shortened to the
    /// elements that matter.
    static let settled =
        declaration + """
            <nm_response>
              <transaction>
                <transaction_id>2612675976</transaction_id>
                <partial_payment_id></partial_payment_id>
                <platform_id/>
                <transaction_type>cc</transaction_type>
                <condition>complete</condition>
                <order_id>1234567890</order_id>
                <authorization_code>123456</authorization_code>
                <cc_number>4xxxxxxxxxxx1111</cc_number>
                <cc_exp>1215</cc_exp>
                <avs_response>N</avs_response>
                <csc_response>M</csc_response>
                <entry_mode>Keyed</entry_mode>
                <product><sku>RS-100</sku><amount>10.0000</amount></product>
                <action>
                  <amount>11.00</amount><action_type>sale</action_type>
                  <date>20150312215205</date><success>1</success>
                  <response_text>SUCCESS</response_text><response_code>100</response_code>
                </action>
                <action>
                  <amount>11.00</amount><action_type>level3</action_type>
                  <date>20150312215205</date><success>1</success><response_text/>
                </action>
                <action>
                  <amount>11.00</amount><action_type>settle</action_type>
                  <date>20150313171503</date><success>1</success>
                  <response_text>ACCEPTED</response_text><batch_id>76158269</batch_id>
                  <processor_batch_id>782</processor_batch_id>
                  <processor_response_code>0000000000021980</processor_response_code>
                </action>
              </transaction>
            </nm_response>
            """

    @Test func onlyTheSettleActionOfTheManualsExampleIsMoney() throws {
        let report = try NMIQueryResponse(decoding: bytes(Self.settled))
        #expect(report.transactions.count == 1)
        let transaction = try #require(report.transactions.first)
        #expect(transaction.transactionID?.number == 2_612_675_976)
        #expect(transaction.condition == .complete)
        #expect(transaction.orderID == "1234567890")
        #expect(transaction.maskedCardNumber?.description == "4xxxxxxxxxxx1111")
        #expect(transaction.expirationDate?.description == "1215")
        #expect(transaction.avsResponse == "N")
        #expect(transaction.cvvResponse == "M")
        #expect(transaction.entryMode == "Keyed")
        #expect(transaction.actions.map(\.type) == [.sale, .level3, .settle])
        #expect(transaction.actions.first?.responseCode == .approved)
        #expect(transaction.actions.last?.batchID == "76158269")
        #expect(transaction.actions.last?.date == "20150313171503")
        #expect(transaction.actions.last?.responseText == "ACCEPTED")
        #expect(transaction.settledAmount == Amount(minorUnits: 1_100))
    }

    @Test func aReportOfSeveralTransactionsGoesThereAndBack() throws {
        let report = NMIQueryResponse(
            errorText: "both & an error",
            transactions: [
                NMITransaction(
                    transactionID: NMITransactionID(1),
                    condition: .failed,
                    orderID: "é&<]]>",
                    actions: [
                        NMIAction(
                            type: .sale,
                            amount: Amount(minorUnits: 99),
                            isSuccess: false,
                            date: "20240603090000",
                            responseText: "<DECLINE> & \"more\"\r\n",
                            responseCode: .declined
                        )
                    ]
                ),
                NMITransaction(
                    transactionID: NMITransactionID(2),
                    condition: .canceled,
                    orderID: "é&<]]>",
                    authCode: "123456",
                    maskedCardNumber: MaskedCardNumber("4xxxxxxxxxxx1111"),
                    expirationDate: ExpirationDate(year: 25, month: 12),
                    entryMode: "Swiped",
                    actions: [
                        NMIAction(type: .other("check_return"), amount: nil, isSuccess: true),
                        NMIAction(type: .void, amount: Amount(minorUnits: 5), isSuccess: true),
                    ]
                ),
            ]
        )
        #expect(try NMIQueryResponse(decoding: report.body) == report)
    }

    @Test func charactersThatXMLCannotHoldAreReplaced() throws {
        let report = NMIQueryResponse(errorText: "a\u{1}b\u{FFFF}c")
        #expect(try NMIQueryResponse(decoding: report.body).errorText == "a?b?c")
    }

    @Test(arguments: [
        ("", NMIQueryResponseError.Code.malformed),
        ("response=1&response_code=100", .malformed),
        ("<html></html>", .wrongRoot),
        ("<nm_response><transaction></nm_response>", .malformed),
        ("<nm_response>", .malformed),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><nm_response>&b;</nm_response>", .malformed),
    ])
    func whatIsNoReportIsAnError(body: String, code: NMIQueryResponseError.Code) {
        let error = #expect(throws: NMIQueryResponseError.self) {
            try NMIQueryResponse(decoding: bytes(body))
        }
        #expect(error?.code == code)
    }

    @Test func damagedReportsNeverTrap() {
        var source = SeededBytes(seed: 3)
        var refusedCount = 0
        for _ in 0..<400 {
            let damaged = source.damage(bytes(Self.settled))
            guard let report = try? NMIQueryResponse(decoding: damaged) else {
                refusedCount += 1
                continue
            }
            #expect(report.transactions.count <= NMIQueryResponse.maximumItemCount)
        }
        #expect(refusedCount > 0)
    }
}
