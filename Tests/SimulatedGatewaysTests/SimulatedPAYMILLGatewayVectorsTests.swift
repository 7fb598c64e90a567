import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

@Suite("Simulated PAYMILL")
struct SimulatedPAYMILLGatewayTests {
    static let later = VirtualInstant.zero + .seconds(1)

    static func response(
        _ gateway: inout SimulatedPAYMILLGateway,
        _ request: HTTPRequest,
        at now: VirtualInstant = .zero
    ) throws -> HTTPResponse {
        guard case .answer(let response, _) = gateway.receive(request, at: now).wire else {
            throw NoAnswer()
        }
        return response
    }

    /// Makes a token as a client without a browser does.
    static func token(
        _ gateway: inout SimulatedPAYMILLGateway,
        _ number: String = "4111111111111111",
        expires: (String, String) = ("12", "2018"),
        at now: VirtualInstant = .zero
    ) throws -> PAYMILLTokenAnswer {
        var request = HTTPRequest(method: "GET", path: "/", contentType: "", body: [])
        request.query =
            PAYMILLTokenRequest(
                publicKey: gateway.configuration.publicKey,
                card: PAYMILLCard(
                    unmaskedNumber: number,
                    expiryMonth: expires.0,
                    expiryYear: expires.1,
                    unmaskedCode: "123"
                ),
                amount: .decimal("10.00"),
                currency: "EUR"
            ).query
        let response = try response(&gateway, request, at: now)
        return try #require(PAYMILLTokenAnswer(decoding: response.body))
    }

    static func tokenID(
        _ gateway: inout SimulatedPAYMILLGateway,
        _ number: String = "4111111111111111",
        expires: (String, String) = ("12", "2018")
    ) throws -> String {
        try token(&gateway, number, expires: expires).result.get().id
    }

    static func ask(
        _ gateway: inout SimulatedPAYMILLGateway,
        _ operation: PAYMILLRequest.Operation,
        _ version: PAYMILLVersion = .v2,
        key: String? = nil,
        at now: VirtualInstant = .zero
    ) throws -> PAYMILLResponse {
        let request = PAYMILLRequest(operation, version: version)
        let value = PAYMILLPrivateKey.authorization(key ?? gateway.configuration.privateKey)
        var http = HTTPRequest(
            method: request.method,
            path: request.path,
            contentType: FormEncoder.contentType,
            fields: [HTTPField("Authorization", value)],
            body: request.body
        )
        http.query = request.query
        let response = try response(&gateway, http, at: now)
        return try #require(PAYMILLResponse(status: response.status, body: response.body))
    }

    static func charge(_ token: String, _ minorUnits: Int64 = 1_000) -> PAYMILLRequest.Operation {
        .charge(
            PAYMILLRequest.Money(
                amount: Amount(minorUnits: minorUnits),
                currency: "EUR",
                source: .token(token),
                description: "order-1"
            )
        )
    }

    struct NoAnswer: Error {}

    // MARK: Tokens

    @Test func aTokenPaysOnce() throws {
        var gateway = SimulatedPAYMILLGateway()
        let id = try Self.tokenID(&gateway)
        #expect(id.hasPrefix("tok_") && id.utf8.count == 32)
        #expect(try Self.ask(&gateway, Self.charge(id)).isApproval)
        let again = try Self.ask(&gateway, Self.charge(id))
        guard case .refused(let refusal) = again else { throw NoAnswer() }
        #expect(refusal.status == 412)
        #expect(gateway.books.transactions.count == 1)
    }

    @Test(arguments: [(300, true), (301, false)])
    func aTokenIsGoodForFiveMinutes(seconds: Int, isGood: Bool) throws {
        var gateway = SimulatedPAYMILLGateway()
        let id = try Self.tokenID(&gateway)
        let now = VirtualInstant.zero + .seconds(Int64(seconds))
        #expect(try Self.ask(&gateway, Self.charge(id), at: now).isApproval == isGood)
    }

    @Test func aLateTokenMayGiveAFailedTransaction() throws {
        var configuration = SimulatedPAYMILLGateway.Configuration()
        configuration.lateTokens = .failedTransaction
        var gateway = SimulatedPAYMILLGateway(configuration)
        let id = try Self.tokenID(&gateway)
        let answer = try Self.ask(&gateway, Self.charge(id), at: .zero + .seconds(301))
        #expect(answer.transaction?.responseCode == .initiationExpired)
    }

    @Test func aCardKeptOfALateTokenFailsItsCharge() throws {
        var configuration = SimulatedPAYMILLGateway.Configuration()
        configuration.lateTokens = .failedTransaction
        var gateway = SimulatedPAYMILLGateway(configuration)
        let id = try Self.tokenID(&gateway)
        let late = VirtualInstant.zero + .seconds(301)
        let kept = try Self.ask(&gateway, .createPayment(token: id, client: ""), at: late)
        let payment = try #require(kept.payment)
        let charge = try Self.ask(&gateway, Self.charge(payment: payment.id), at: late)
        #expect(charge.transaction?.responseCode == .initiationExpired)
    }

    @Test func aKeptCardIsComparedUntilItsFirstCharge() throws {
        var configuration = SimulatedPAYMILLGateway.Configuration()
        configuration.comparesTokenAmounts = true
        var gateway = SimulatedPAYMILLGateway(configuration)
        let id = try Self.tokenID(&gateway)
        let kept = try Self.ask(&gateway, .createPayment(token: id, client: ""))
        let payment = try #require(kept.payment).id
        let codes = try [1_100, 1_000, 1_100].map {
            try Self.ask(&gateway, Self.charge(payment: payment, $0)).transaction?.responseCode
        }
        #expect(codes == [.moneyMismatch, .success, .success])
    }

    @Test func aFaultDeclinesWithPAYMILLsCode() throws {
        var gateway = SimulatedPAYMILLGateway()
        var fault = GatewayFault(kind: .sale, answer: .decline(.declined))
        fault.paymillCode = .acquirerTimeout
        gateway.schedule(fault)
        let answer = try Self.ask(&gateway, Self.charge(try Self.tokenID(&gateway)))
        #expect(answer.transaction?.responseCode == .acquirerTimeout)
    }

    @Test(arguments: [
        ("account.expiry.month", "13", "100.100.201"), ("account.expiry.month", "", "100.100.200"),
        ("account.expiry.year", "30", "100.100.301"), ("account.expiry.year", "", "100.100.300"),
        ("account.expiry.year", "2013", "100.100.303"),
        ("account.verification", "12345", "100.100.601"),
        ("account.verification", "1234", "100.100.601"), ("account.holder", "A", "100.100.401"),
        ("account.holder", "Ada%07Lovelace", "100.100.402"), ("account.number", "", "100.100.100"),
        ("account.number", "9111111111111111", "100.100.101"),
    ]) func theProcessorNamesTheField(name: String, value: String, code: String) throws {
        var gateway = SimulatedPAYMILLGateway()
        var fields = [
            "account.number": "4111111111111111", "account.expiry.month": "12",
            "account.expiry.year": "2018", "account.verification": "123", "account.holder": "Ada L",
        ]
        fields[name] = value
        let query = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let body = try Self.bridge(&gateway, query.joined(separator: "&")).body
        #expect(String(decoding: body, as: UTF8.self).contains("\"\(code)\""))
        #expect(gateway.books.tokens.isEmpty)
    }

    @Test(arguments: [
        "transaction.mode=BOTH", "transaction.mode=LIVE", "jsonPFunction=alert(1)//",
        "jsonPFunction=a..b", "jsonPFunction=", "account.number=1&account.number=2",
        "account.holder=%00", "account.holder=%FF",
    ]) func theBridgeAnswersWithAnErrorWhatIsNoRequest(text: String) throws {
        var gateway = SimulatedPAYMILLGateway()
        let body = String(decoding: try Self.bridge(&gateway, text).body, as: UTF8.self)
        #expect(body.hasPrefix(#"{"error":{"message":"#))
    }

    @Test func theBridgeIsAskedByGETOnly() throws {
        var gateway = SimulatedPAYMILLGateway()
        let request = HTTPRequest(path: "/", contentType: FormEncoder.contentType, body: [])
        #expect(try Self.response(&gateway, request).status == 405)
    }

    static func bridge(
        _ gateway: inout SimulatedPAYMILLGateway,
        _ query: String
    ) throws -> HTTPResponse {
        var request = HTTPRequest(method: "GET", path: "/", contentType: "", body: [])
        request.query = "channel.id=\(gateway.configuration.publicKey)&\(query)"
        return try response(&gateway, request)
    }

    static func charge(payment: String, _ minorUnits: Int64 = 1_000) -> PAYMILLRequest.Operation {
        .charge(
            PAYMILLRequest.Money(
                amount: Amount(minorUnits: minorUnits),
                currency: "EUR",
                source: .payment(payment)
            )
        )
    }

    @Test(arguments: ["5431111111111111", "4222222222222222", "4111111111111112", "1"])
    func anyOtherCardGetsNoToken(number: String) throws {
        var gateway = SimulatedPAYMILLGateway()
        guard case .failure = try Self.token(&gateway, number).result else { throw NoAnswer() }
        #expect(gateway.books.tokens.isEmpty)
    }

    @Test func anotherKeyGetsNoToken() throws {
        var gateway = SimulatedPAYMILLGateway()
        var request = HTTPRequest(method: "GET", path: "/", contentType: "", body: [])
        request.query = "channel_id=nobody&account_number=4111111111111111"
        let response = try Self.response(&gateway, request)
        let answer = try #require(PAYMILLTokenAnswer(decoding: response.body))
        #expect(answer.result == .failure(.invalidPublicKey))
    }

    @Test func threeDSecureWantsTheIssuersPage() throws {
        var configuration = SimulatedPAYMILLGateway.Configuration()
        configuration.hasThreeDSecure = true
        var gateway = SimulatedPAYMILLGateway(configuration)
        let first = try Self.token(&gateway, "4012888888881881").result.get()
        let second = try Self.token(&gateway, "4012888888881881").result.get()
        #expect(first.redirect != nil)
        for (token, answer) in [(first, "ok"), (second, "cancelled")] {
            guard case .refused = try Self.ask(&gateway, Self.charge(token.id)) else {
                throw NoAnswer()
            }
            let page = HTTPRequest(
                path: SimulatedPAYMILLGateway.issuerPath,
                contentType: FormEncoder.contentType,
                body: Array("MD=\(token.id)&answer=\(answer)".utf8)
            )
            let message = try Self.response(&gateway, page)
            #expect(String(decoding: message.body, as: UTF8.self) == answer)
        }
        // The page ends once.
        let again = HTTPRequest(
            path: SimulatedPAYMILLGateway.issuerPath,
            contentType: FormEncoder.contentType,
            body: Array("MD=\(second.id)&answer=ok".utf8)
        )
        #expect(try Self.response(&gateway, again).status == 409)
        #expect(try Self.ask(&gateway, Self.charge(first.id)).isApproval)
        #expect(try !Self.ask(&gateway, Self.charge(second.id)).isApproval)
        // Its money must be that of the token.
        let third = try Self.token(&gateway, "4012888888881881").result.get()
        let isEnded = gateway.endIssuerPage(ofToken: 3, isConfirmed: true)
        #expect(isEnded)
        let other = try Self.ask(&gateway, Self.charge(third.id, 999))
        #expect(other.transaction?.responseCode.rawValue == 40_301)
    }

    // MARK: Money

    @Test func theKeyIsLookedAtBeforeThePath() throws {
        var gateway = SimulatedPAYMILLGateway()
        let show = PAYMILLRequest.Operation.show(.transactions, "nonexistent")
        #expect(try Self.ask(&gateway, show, key: "wrong") == .refused(.accessDenied))
        #expect(try Self.ask(&gateway, show) == .refused(.noSuchTransaction))
    }

    @Test(arguments: PAYMILLVersion.allCases)
    func heldMoneyIsTakenOnce(version: PAYMILLVersion) throws {
        var gateway = SimulatedPAYMILLGateway()
        let id = try Self.tokenID(&gateway)
        guard case .charge(let money) = Self.charge(id) else { return }
        let held = try Self.ask(&gateway, .preauthorize(money), version)
        #expect(held.isApproval && held.transaction?.status == .preauth)
        let preauthorization = try #require(held.preauthorization)
        var capture = money
        capture.source = .preauthorization(preauthorization.id)
        capture.amount = Amount(minorUnits: 400)
        #expect(try Self.ask(&gateway, .charge(capture), version).isApproval)
        #expect(
            try Self.ask(&gateway, .charge(capture), version) == .refused(.preauthorizationUsed)
        )
        #expect(
            try Self.ask(&gateway, .remove(.preauthorizations, preauthorization.id), version)
                == .refused(.preauthorizationUsed)
        )
    }

    @Test(arguments: PAYMILLVersion.allCases)
    func moneyIsPaidBackUpToWhatIsLeft(version: PAYMILLVersion) throws {
        var gateway = SimulatedPAYMILLGateway()
        let id = try Self.tokenID(&gateway)
        let transaction = try #require(try Self.ask(&gateway, Self.charge(id)).transaction)
        func refund(_ minorUnits: Int64) throws -> PAYMILLResponse {
            try Self.ask(
                &gateway,
                .refund(
                    transaction: transaction.id,
                    Amount(minorUnits: minorUnits),
                    description: ""
                ),
                version
            )
        }
        let first = try refund(400)
        #expect(first.isApproval && first.refund?.amount == Amount(minorUnits: 400))
        #expect(try refund(601) == .refused(.refundTooHigh(version)))
        #expect(try refund(600).isApproval)
        #expect(try refund(1) == .refused(.refundTooHigh(version)))
        #expect(gateway.books.transactions[0].transaction.status == .refunded)
    }

    @Test func theTriggerCardDeclinesByItsExpiry() throws {
        var configuration = SimulatedPAYMILLGateway.Configuration()
        configuration.startSecondsSince1970 = 1_575_158_400
        var gateway = SimulatedPAYMILLGateway(configuration)
        for (expires, code) in [(("05", "2020"), 50_102), (("01", "2020"), 50_501)] {
            let id = try Self.tokenID(&gateway, "5105105105105100", expires: expires)
            let answer = try Self.ask(&gateway, Self.charge(id))
            #expect(answer.transaction?.responseCode.rawValue == code)
            #expect(!answer.isApproval)
        }
        configuration.startSecondsSince1970 = 1_672_531_200
        gateway = SimulatedPAYMILLGateway(configuration)
        let late = try Self.token(&gateway, "5105105105105100", expires: ("05", "2020"))
        #expect(late.result == .failure(.invalidCardExpiry))
    }

    @Test func listsAreFiltered() throws {
        var gateway = SimulatedPAYMILLGateway()
        for amount in [100, 200, 300] as [Int64] {
            let id = try Self.tokenID(&gateway)
            _ = try Self.ask(&gateway, Self.charge(id, amount))
        }
        var list = PAYMILLRequest.List()
        list.filters = [PAYMILLRequest.List.Filter("amount", ">150")]
        list.order = "created_at_desc"
        let found = try Self.ask(&gateway, .list(.transactions, list)).transactions
        #expect(found?.map(\.originAmount.minorUnits) == [300, 200])
        list.order = "amount"
        let ordered = try Self.ask(&gateway, .list(.transactions, list)).transactions
        #expect(ordered?.map(\.originAmount.minorUnits) == [200, 300])
    }

    // MARK: Webhooks

    @Test func aWebhookThatFailsFiveTimesIsSwitchedOff() throws {
        var gateway = SimulatedPAYMILLGateway()
        let types = ["transaction.created", "transaction.succeeded"]
        let url = "http://merchant.example/hooks"
        _ = try Self.ask(&gateway, .createWebhook(url: url, eventTypes: types))
        let id = try Self.tokenID(&gateway)
        _ = try Self.ask(&gateway, Self.charge(id))
        var now = VirtualInstant.zero
        var attempts = 0
        var events: [String] = []
        while let due = gateway.webhooks.nextDue {
            now = max(now, due)
            while let attempt = gateway.webhooks.nextAttempt(at: now) {
                attempts += 1
                events.append(attempt.event)
                let event = try #require(PAYMILLEvent(decoding: attempt.request.body))
                #expect(event.type == attempt.event)
                if event.type == "transaction.created" {
                    #expect(event.transaction?.responseCode == .undefined)
                }
                gateway.webhookEnded(attempt.number, status: 500, at: now)
            }
        }
        #expect(attempts == 10 && Array(events.prefix(2)) == types)
        #expect(now == VirtualInstant.zero + .seconds(4 * 3_600))
        #expect(gateway.books.webhooks.map(\.isActive) == [false])
    }

    @Test func idsAreTheSameForTheSameSeed() throws {
        var first = SimulatedPAYMILLGateway()
        var second = SimulatedPAYMILLGateway()
        #expect(try Self.tokenID(&first) == Self.tokenID(&second))
        #expect(first == second)
    }

    @Test func neverTrapsOnRequestsOfAnyKind() {
        var gateway = SimulatedPAYMILLGateway()
        var random = SplitMix64(seed: 5)
        let paths = [
            "/", "/v2/", "/v2/transactions", "/v2.1/clients/x", "/issuer", "/v2/refunds/a",
        ]
        for _ in 0..<2_000 {
            let body = (0..<Int(random.next(below: 40))).map { _ in UInt8(random.next(below: 256)) }
            var request = HTTPRequest(
                method: ["GET", "POST", "PUT", "DELETE"][Int(random.next(below: 4))],
                path: paths[Int(random.next(below: 6))],
                contentType: "",
                fields: [
                    HTTPField(
                        "authorization",
                        PAYMILLPrivateKey.authorization(gateway.configuration.privateKey)
                    )
                ],
                body: body
            )
            request.query = String(decoding: body, as: UTF8.self)
            _ = gateway.receive(request, at: .zero)
        }
        #expect(gateway.requestCount == 2_000)
    }
}
