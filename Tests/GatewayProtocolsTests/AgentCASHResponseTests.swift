import CardData
import GatewayProtocols
import JSON
import Testing

@Suite("AgentCASH responses")
struct AgentCASHResponseTests {
    private static let transaction = AgentCASHTransaction(
        id: 7,
        state: .captured,
        authorisation: AgentCASHAuthorisation(
            amount: Amount(minorUnits: 15_00),
            currency: "GBP",
            capturesAtOnce: true,
            externalID: "invoice 7",
            reference: "till-1",
            card: AgentCASHCard(entryMode: .chip, verification: .onlinePIN)
        ),
        responseCode: "00"
    )

    @Test func aTransactionIsReadAsItWasWritten() {
        let body = Self.transaction.json.encoded
        #expect(AgentCASHResponse(decoding: body) == .transaction(Self.transaction))
    }

    @Test func aListIsReadWholeOrNotAtAll() {
        func list(_ items: [JSONValue]) -> AgentCASHResponse? {
            AgentCASHResponse(decoding: JSONValue.members(("transactions", .array(items))).encoded)
        }
        #expect(list([]) == .transactions([]))
        let one = Self.transaction.json
        #expect(list([one, one]) == .transactions([Self.transaction, Self.transaction]))
        #expect(list([one, .null]) == nil)
    }

    @Test(arguments: AgentCASHError.Code.allCases)
    func aRefusalIsRead(_ code: AgentCASHError.Code) {
        let error = AgentCASHError(code, member: "amount")
        #expect(AgentCASHResponse(decoding: error.json.encoded) == .refused(error))
    }

    @Test(arguments: ["", "{", "null", "[]", "{}", "7", #"{"error":{"code":"other"}}"#, "<html>"])
    func whatIsNoAnswerIsNone(_ text: String) {
        #expect(AgentCASHResponse(decoding: Array(text.utf8)) == nil)
    }
}
