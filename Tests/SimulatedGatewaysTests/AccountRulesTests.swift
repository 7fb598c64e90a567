import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

/// What the merchant's account takes, how often, and what a request may look like.
@Suite("Rules of the gateway's account")
struct AccountRulesTests {
    static func send(
        _ body: [UInt8],
        type: String = "",
        _ gateway: inout SimulatedNMIGateway
    ) throws
        -> NMIResponse
    {
        let request = HTTPRequest(path: NMIRequest.transactPath, contentType: type, body: body)
        let reply = gateway.receive(request, at: .zero, cache: cache)
        return try NMIResponse(decoding: response(reply).body)
    }

    static let start = "security_key=\(key)&type=sale&amount=1.00"

    static let wrong: [(body: [UInt8], type: String, text: String)] = [
        (Array(start.utf8) + [UInt8](repeating: 0x26, count: 66_000), "", "Request too large"),
        (Array((start + String(repeating: "&a=1", count: 512)).utf8), "", "Too many fields"),
        (Array((start + "&zip=%4").utf8), "", "Invalid percent-encoding"),
        (Array((start + "&zip=%zz").utf8), "", "Invalid percent-encoding"),
        (
            Array((start + "&" + String(repeating: "n", count: 129) + "=1").utf8), "",
            "Field name too long"
        ),
        (
            Array((start + "&company=" + String(repeating: "x", count: 4_097)).utf8), "",
            "Field value too long"
        ),
        (Array((start + "&zip=1%002").utf8), "", "NUL byte in a field"),
        (Array(start.utf8) + [0x26, 0x61, 0x3D, 0x00], "", "NUL byte in a field"),
        (Array((start + "&city=%C0%80").utf8), "", "Invalid UTF-8 in a field"),
        (Array((start + "&city=%ED%A0%80").utf8), "", "Invalid UTF-8 in a field"),
        (Array((start + "&city=%FC").utf8), "", "Invalid UTF-8 in a field"),
        (Array(start.utf8), "application/json", "Unsupported content type"),
        (Array(start.utf8), "multipart/form-data; boundary=x", "Unsupported content type"),
    ]

    @Test(arguments: wrong)
    func aRequestBeyondALimitHasATextOfItsOwn(body: [UInt8], type: String, text: String) throws {
        var gateway = SimulatedNMIGateway()
        let answer = try Self.send(body, type: type, &gateway)
        #expect(answer.kind == .error)
        #expect(answer.responseCode == .rejected)
        #expect(answer.text == text + " REFID:3150000001")
        #expect(gateway.ledger.entries.isEmpty)
    }

    @Test func aRepeatedNameCountsLastOrIsRefused() throws {
        let repeated = Array((Self.start + "&type=void&transactionid=1").utf8)
        var last = SimulatedNMIGateway()
        #expect(
            try Self.send(repeated, &last).text
                == "Invalid Transaction ID specified REFID:3150000001"
        )
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.repeatedFields = .refused
        var strict = SimulatedNMIGateway(configuration)
        #expect(try Self.send(repeated, &strict).text == "Duplicate field REFID:3150000001")
        #expect(
            try Self.send(Array(Self.start.utf8), &strict).text
                == "Invalid Credit Card Number REFID:3150000002"
        )
    }

    @Test func lettersOutsideASCIISurvive() throws {
        var gateway = SimulatedNMIGateway()
        let request = pay(.sale, 100, "größe-日本-😀", nil, [(.city, "Köln")])
        let answer = try NMIResponse(
            decoding: response(gateway.receive(request, at: .zero, cache: cache)).body
        )
        #expect(answer.orderID == "größe-日本-😀")
    }

    static let keyed: NMICardData = {
        let pan = TestCard.named("visa").flatMap { Track2(parsing: $0.unmaskedTrack2) }?.pan
        return .keyed(
            NMIKeyedCard(
                unmaskedNumber: Array((pan?.unmasked ?? "").utf8),
                expiration: Array("1025".utf8)
            )
        )
    }()

    @Test(arguments: [
        (SimulatedNMIGateway.Configuration.AccountKind.retail, true, false),
        (.moto, false, true), (.retailAndMOTO, true, true),
    ])
    func anAccountTakesTheCardsOfItsKind(
        kind: SimulatedNMIGateway.Configuration.AccountKind,
        takesSwipes: Bool,
        takesTyped: Bool
    ) throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.accountKind = kind
        var gateway = SimulatedNMIGateway(configuration)
        let swiped = try NMIResponse(
            decoding: response(gateway.receive(sale(100, "a"), at: .zero, cache: cache)).body
        )
        let typed = try NMIResponse(
            decoding: response(
                gateway.receive(pay(.sale, 100, "b", Self.keyed), at: .zero, cache: cache)
            ).body
        )
        #expect((swiped.kind == .approved) == takesSwipes)
        #expect((typed.kind == .approved) == takesTyped)
    }

    @Test func creditsMayBeSwitchedOffAndOutsideTestModeSmallAmountsPass() throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.allowsCredits = false
        configuration.isTestMode = false
        var gateway = SimulatedNMIGateway(configuration)
        func kind(_ request: HTTPRequest) throws -> NMIResponse.Kind {
            let reply = gateway.receive(request, at: .zero, cache: cache)
            return try NMIResponse(decoding: response(reply).body).kind
        }
        #expect(try kind(pay(.credit, 500)) == .error)
        #expect(try kind(sale(50, "a")) == .approved)
        let once: [(NMIDetail, String)] = [(.testMode, "enabled")]
        #expect(try kind(pay(.sale, 50, "b", Self.keyed, once)) == .declined)
        // A card that is not of the list's date pays in earnest.
        #expect(try kind(pay(.sale, 50, "c", nil, once)) == .approved)
    }

    // MARK: Limits of rate

    @Test func beyondTheRateNothingIsBookedAndImpatienceCosts() throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.rateLimit = .init(requestCount: 2, window: .seconds(10))
        var gateway = SimulatedNMIGateway(configuration)
        func send(_ second: Int64) throws -> String {
            let now = VirtualInstant.zero + .seconds(second)
            return try body(gateway.receive(sale(500, "o"), at: now, cache: cache))
        }
        #expect(try send(0).hasPrefix("response=1"))
        #expect(try send(1).hasPrefix("response=1"))
        #expect(
            try send(9)
                == "response=3&responsetext=Rate limit exceeded&authcode=&transactionid="
                + "&avsresponse=&cvvresponse=&orderid=&type=&response_code=301"
        )
        // The window began anew at the refused request.
        #expect(try send(18).hasPrefix("response=3"))
        #expect(try send(27).hasPrefix("response=3"))
        #expect(try send(37).hasPrefix("response=1"))
        #expect(gateway.ledger.entries.count == 3)
    }

    @Test func theWholeSystemsLimitIsAStatusAndFailuresLowerTheOther() throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.systemRateLimit = .init(requestCount: 30, window: .seconds(10))
        configuration.rateLimit = .init(requestCount: 25, window: .seconds(60))
        var gateway = SimulatedNMIGateway(configuration)
        let wrong = post(NMIRequest(securityKey: "x", operation: .query(.orderID("o"))))
        for _ in 0..<10 { _ = gateway.receive(wrong, at: .zero, cache: cache) }
        for number in 1...20 {
            let reply = gateway.receive(sale(500, "o"), at: .zero, cache: cache)
            let isTaken = try body(reply).hasPrefix("response=1")
            #expect(isTaken == (number <= 2))
        }
        let beyond = try response(gateway.receive(sale(500, "o"), at: .zero, cache: cache))
        #expect(beyond.status == 429)
        #expect(beyond.body.isEmpty)
    }

    // MARK: The calendar

    @Test func aDayIsSettledAtItsCutOffAndReportedAsABatch() throws {
        var gateway = SimulatedNMIGateway()
        #expect(gateway.nextCalendarInstant == nil)
        _ = gateway.receive(sale(500, "a"), at: .zero, cache: cache)
        _ = gateway.receive(pay(.auth, 700, "b"), at: .zero, cache: cache)
        // The run begins at 09:00, and the cut-off is at 23:00.
        let cutOff = VirtualInstant.zero + .seconds(14 * 3_600)
        #expect(gateway.nextCalendarInstant == cutOff)
        let before = VirtualInstant(nanoseconds: cutOff.nanoseconds - 1)
        #expect(gateway.advance(to: before).isEmpty)
        let reply = gateway.receive(query("a"), at: cutOff, cache: cache)
        #expect(gateway.ledger.entries.map(\.state) == [.complete, .pending])
        #expect(reply.records.count == 2)
        let action = try parsedReport(reply).transactions[0].actions[1]
        #expect(action.type == .settle)
        #expect(action.responseText == "ACCEPTED")
        #expect(action.batchID == "1")
        #expect(action.date == "20240603230000")
        #expect(gateway.nextCalendarInstant == nil)
        // A century in which nothing is to be done takes no time.
        #expect(gateway.advance(to: cutOff + .seconds(86_400) * 36_500).isEmpty)
        var never = SimulatedNMIGateway.Configuration()
        never.cutOffSecondsOfDay = nil
        var other = SimulatedNMIGateway(never)
        _ = other.receive(sale(500, "a"), at: .zero, cache: cache)
        #expect(other.advance(to: cutOff + .seconds(86_400)).isEmpty)
    }

    @Test func aFilterChoosesPagesTypesAndTimes() throws {
        var gateway = SimulatedNMIGateway()
        for number in 1...5 {
            let now = VirtualInstant.zero + .seconds(Int64(number))
            _ = gateway.receive(sale(Int64(number) * 100, "o\(number)"), at: now, cache: cache)
        }
        _ = gateway.receive(pay(.auth, 50, "bad", Self.keyed), at: .zero, cache: cache)
        func orders(_ change: (inout NMITransactionFilter) -> Void) throws -> [String] {
            var filter = NMITransactionFilter()
            change(&filter)
            return try EncryptedPaymentTests.report(.transactions(filter), &gateway)
                .transactions.map(\.orderID)
        }
        #expect(try orders { $0.conditions = [.failed] } == ["bad"])
        #expect(try orders { $0.actions = [.auth] } == ["bad"])
        #expect(try orders { $0.sources = ["api"] } == ["bad"])
        #expect(
            try orders {
                $0.resultLimit = 2
                $0.pageNumber = 1
            } == ["o3", "o4"]
        )
        #expect(
            try orders {
                $0.isNewestFirst = true
                $0.resultLimit = 2
            } == ["bad", "o5"]
        )
        #expect(
            try orders {
                $0.startDate = "20240603090003"
                $0.endDate = "20240603090004"
            } == ["o3", "o4"]
        )
        #expect(try orders { $0.cardLastFour = "1111" }.count == 6)
        #expect(try orders { $0.cardLastFour = "1112" }.isEmpty)
        #expect(try orders { $0.transactionType = "ck" }.isEmpty)
    }

    @Test func olderAnswersMayHaveTheIDZero() throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.usesOlderLoginText = true
        configuration.duplicateWindow = .seconds(1_200)
        configuration.duplicatesAnswerIDZero = true
        var gateway = SimulatedNMIGateway(configuration)
        let login = NMICredentials.login(username: "x", password: "y")
        let payment = NMIPayment(
            .sale,
            amount: Amount(minorUnits: 100),
            orderID: "1",
            card: Self.keyed
        )
        let wrong = post(NMIRequest(login, operation: .payment(payment)))
        #expect(
            try body(gateway.receive(wrong, at: .zero, cache: cache))
                == "response=3&responsetext=Invalid Username&authcode=&transactionid=0"
                + "&avsresponse=&cvvresponse=&orderid=1&type=sale&response_code=300"
        )
        _ = gateway.receive(sale(500, "21650"), at: .zero, cache: cache)
        #expect(
            try body(gateway.receive(sale(500, "21650"), at: .zero, cache: cache))
                == "response=3&responsetext=Duplicate transaction REFID:3150000001&authcode="
                + "&transactionid=0&avsresponse=&cvvresponse=&orderid=21650&type=sale"
                + "&response_code=300"
        )
    }
}
