import GatewayProtocols
import SDKCore
import Testing

@Suite("App that charges through Inner Fence")
struct InnerFenceClientTests {
    private static func request() -> InnerFenceChargeRequest {
        var request = InnerFenceChargeRequest()
        request[.returnURL] = "com-innerfence-ChargeDemo://chargeResponse"
        request[.amount] = "10.00"
        return request
    }

    private static func answer(
        _ events: [InnerFenceClient.Event],
        _ code: InnerFenceChargeResponse.Code = .cancelled
    ) throws -> [UInt8] {
        guard case .openURL(let url, _) = events.first else { return [] }
        let request = try InnerFenceChargeRequest(decoding: Array(url.utf8))
        let returnURL = try #require(request[.returnURL])
        return Array(InnerFenceChargeResponse(code).url(appendedTo: returnURL).utf8)
    }

    @Test
    func anAnswerIsTakenOnceAndNothingElseChangesTheClient() throws {
        var client = InnerFenceClient(InnerFenceClient.Configuration())
        let answer = try Self.answer(
            client.submit(Self.request(), orderID: "5", isInstalled: true)
        )
        for count in 0..<answer.count {
            let before = client
            let events = client.open(Array(answer[..<count]))
            if case .answered = events.first { Issue.record("a part of an answer was taken") }
            #expect(client == before)
        }
        guard case .answered(let response, let order) = client.open(answer).first else {
            Issue.record("the answer was refused")
            return
        }
        #expect(response.code == .cancelled)
        #expect(order == "5")
        let after = client
        guard case .refused(.byClass(let error)) = client.open(answer).first else {
            Issue.record("the answer was taken twice")
            return
        }
        #expect(error.code == .noOutstandingRequest)
        #expect(client == after)
    }

    @Test
    func theNonceStaysBehindWhereThereIsNoTerminalApp() {
        var client = InnerFenceClient(InnerFenceClient.Configuration())
        let events = client.submit(Self.request(), orderID: "5", isInstalled: false)
        #expect(events == [.notInstalled(orderID: "5")])
        #expect(client.savedNonce != nil)
    }

    @Test
    func withoutAReturnURLNoNonceIsSaved() {
        var client = InnerFenceClient(InnerFenceClient.Configuration())
        var request = Self.request()
        request[.returnURL] = nil
        _ = client.submit(request, orderID: "5", isInstalled: true)
        #expect(client.savedNonce == nil)
    }

    @Test
    func anotherActionIsNoAnswer() {
        var client = InnerFenceClient(InnerFenceClient.Configuration())
        let url = Array("com-innerfence-ChargeDemo://CHARGERESPONSE?ifcc_responseType=error".utf8)
        #expect(client.open(url) == [.ignored])
    }

    @Test
    func anAnswerToAnotherRecordIsRefused() throws {
        var client = InnerFenceClient(InnerFenceClient.Configuration())
        let answer = try Self.answer(
            client.submit(Self.request(), orderID: "5", isInstalled: true)
        )
        let other = String(decoding: answer, as: UTF8.self)
            .replacing("record_id=1", with: "record_id=2")
        #expect(client.open(Array(other.utf8)) == [.refused(.otherRecord)])
    }

    @Test
    func theSameSeedDrawsTheSameNonces() {
        var configuration = InnerFenceClient.Configuration()
        configuration.seed = 7
        var first = InnerFenceClient(configuration)
        var second = InnerFenceClient(configuration)
        let request = Self.request()
        let events = first.submit(request, orderID: "5", isInstalled: true)
        #expect(events == second.submit(request, orderID: "5", isInstalled: true))
        configuration.seed = 8
        var third = InnerFenceClient(configuration)
        #expect(events != third.submit(request, orderID: "5", isInstalled: true))
    }
}
