import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

@Suite("Simulated NMI gateway")
struct SimulatedNMIGatewayTests {
    static let id1 = NMITransactionID(10_000_000_001)!
    static let id2 = NMITransactionID(10_000_000_002)!

    @Test func aSaleOfOneOrMoreIsApprovedAndAwaitsSettlement() throws {
        var gateway = SimulatedNMIGateway()
        let reply = gateway.receive(sale(1_099, "o1"), at: .zero, cache: cache)
        #expect(
            try body(reply)
                == "response=1&responsetext=SUCCESS&authcode=123456&transactionid=10000000001"
                + "&avsresponse=&cvvresponse=&orderid=o1&type=sale&response_code=100"
        )
        #expect(
            reply.records == [
                .requestReceived(
                    number: 1,
                    kind: .sale,
                    amount: Amount(minorUnits: 1_099),
                    orderID: "o1"
                ),
                .booked(
                    number: 1,
                    transactionID: Self.id1,
                    type: .sale,
                    amount: Amount(minorUnits: 1_099),
                    orderID: "o1",
                    state: .pendingsettlement
                ),
            ]
        )
        guard case .answer(_, let delay) = reply.wire else { return #expect(Bool(false)) }
        #expect(delay == .milliseconds(150))
        #expect(gateway.ledger.entry(Self.id1)?.state == .pendingsettlement)
    }

    @Test(arguments: [(99, "DECLINE", "200"), (100, "SUCCESS", "100"), (1, "DECLINE", "200")])
    func amountsBelowOneAreDeclined(minorUnits: Int64, text: String, code: String) throws {
        var gateway = SimulatedNMIGateway()
        let fields = try parsedFields(
            gateway.receive(sale(minorUnits, "o"), at: .zero, cache: cache)
        )
        #expect(fields.text(of: "responsetext") == text)
        #expect(fields.text(of: "response_code") == code)
        #expect(fields.text(of: "transactionid") == "10000000001")
        #expect(
            gateway.ledger.entries.map(\.state) == [code == "100" ? .pendingsettlement : .failed]
        )
    }

    @Test func aVoidCancelsWhatAwaitsSettlementOnceAndKeepsTheId() throws {
        var gateway = SimulatedNMIGateway()
        _ = gateway.receive(sale(500, "o"), at: .zero, cache: cache)
        let reply = gateway.receive(void(Self.id1), at: .zero, cache: cache)
        #expect(
            try body(reply)
                == "response=1&responsetext=Transaction Void Successful&authcode=123456"
                + "&transactionid=10000000001&avsresponse=&cvvresponse=&orderid=&type=void"
                + "&response_code=100"
        )
        #expect(
            reply.records.last
                == .voided(
                    number: 2,
                    transactionID: Self.id1,
                    amount: Amount(minorUnits: 500),
                    orderID: "o"
                )
        )
        #expect(gateway.ledger.entry(Self.id1)?.state == .canceled)

        let again = gateway.receive(void(Self.id1), at: .zero, cache: cache)
        #expect(
            try body(again)
                == "response=3&responsetext=Only transactions pending settlement can be voided "
                + "REFID:3150000001&authcode=&transactionid=10000000001&avsresponse="
                + "&cvvresponse=&orderid=&type=void&response_code=300"
        )
        #expect(again.records.count == 1)
    }

    @Test func whatIsSettledDeclinedOrUnknownCannotBeVoided() throws {
        var gateway = SimulatedNMIGateway()
        _ = gateway.receive(sale(500, "o"), at: .zero, cache: cache)
        gateway.settle(at: .zero)
        _ = gateway.receive(sale(50, "o"), at: .zero, cache: cache)
        #expect(gateway.ledger.entries.map(\.state) == [.complete, .failed])
        for (id, text) in [
            (Self.id1, "Only transactions pending settlement can be voided REFID:3150000001"),
            (Self.id2, "Only transactions pending settlement can be voided REFID:3150000002"),
            (NMITransactionID.one, "Invalid Transaction ID specified REFID:3150000003"),
        ] {
            let fields = try parsedFields(gateway.receive(void(id), at: .zero, cache: cache))
            #expect(fields.text(of: "responsetext") == text)
        }
        #expect(gateway.ledger.entries.map(\.state) == [.complete, .failed])
    }

    @Test func aLookUpFindsEveryTransactionOfTheOrderWithItsActions() throws {
        var gateway = SimulatedNMIGateway()
        _ = gateway.receive(sale(50, "o & o"), at: .zero, cache: cache)
        _ = gateway.receive(sale(700, "other"), at: .zero, cache: cache)
        let later = VirtualInstant(nanoseconds: 3_661_000_000_000)
        _ = gateway.receive(sale(700, "o & o"), at: later, cache: cache)
        let report = try parsedReport(gateway.receive(query("o & o"), at: later, cache: cache))
        #expect(report.errorText == nil)
        #expect(
            report.transactions.map(\.transactionID) == [
                Self.id1, NMITransactionID(10_000_000_003),
            ]
        )
        #expect(report.transactions.map(\.condition) == [.failed, .pendingsettlement])
        #expect(
            report.transactions.map { $0.actions.map(\.date) } == [
                ["20240603090000"], ["20240603100101"],
            ]
        )
        #expect(report.transactions[1].actions.map(\.amount) == [Amount(minorUnits: 700)])
        #expect(
            try parsedReport(gateway.receive(query("none"), at: later, cache: cache))
                == NMIQueryResponse()
        )
    }

    @Test func theSameSaleTwiceIsBookedTwice() {
        var gateway = SimulatedNMIGateway()
        for _ in 0..<2 { _ = gateway.receive(sale(700, "o"), at: .zero, cache: cache) }
        #expect(gateway.ledger.entries(orderID: "o").map(\.transactionID) == [Self.id1, Self.id2])
    }

    static let wrongBodies: [(body: String, text: String)] = [
        ("type=sale&amount=1.00", "Authentication Failed"),
        ("security_key=&type=void", "Authentication Failed"),
        ("security_key=wrong&type=sale", "Specified API key not found REFID:3150000001"),
        ("security_key=+key&type=sale", "Specified API key not found REFID:3150000001"),
        ("security_key=key&type=sale", "Invalid amount REFID:3150000001"),
        ("security_key=key&type=sale&amount=x", "Invalid amount REFID:3150000001"),
        ("security_key=key&amount=1.00", "Invalid Credit Card Number REFID:3150000001"),
        (
            "security_key=key&amount=1.00&magnesafe_ksn=FFFF9876543210E00008",
            "Unable to decrypt swipe data REFID:3150000001"
        ),
        ("security_key=key&type=void", "Invalid Transaction ID specified REFID:3150000001"),
        ("security_key=key&type=recapture", "Invalid Transaction Type REFID:3150000001"),
        (
            "security_key=key&type=capture",
            "Invalid Transaction ID / Object ID specified:  REFID:3150000001"
        ),
        ("username=cardrig&password=wrong&amount=1.00", "Authentication Failed"),
        ("username=other&password=cardrig-demo&amount=1.00", "Authentication Failed"),
        (
            "username=cardrig&password=cardrig-demo&amount=1.00",
            "Invalid Credit Card Number REFID:3150000001"
        ),
        ("security_key=key&amount=1.00&payment=cash", "Invalid payment REFID:3150000001"),
        (
            "security_key=key&type=void&transactionid=1&void_reason=x",
            "Invalid void reason REFID:3150000001"
        ),
        (
            "security_key=key&type=offline&amount=1.00",
            "Invalid authorization code REFID:3150000001"
        ),
        ("security_key=key&amount=1.00&dup_seconds=x", "Invalid dup_seconds REFID:3150000001"),
        ("security_key=key&type=%", "Invalid percent-encoding REFID:3150000001"),
    ]

    @Test(arguments: wrongBodies)
    func aWrongRequestIsAnErrorThatBooksNothing(body: String, text: String) throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.securityKey = "key"
        var gateway = SimulatedNMIGateway(configuration)
        let request = HTTPRequest(
            path: NMIRequest.transactPath,
            contentType: FormEncoder.contentType,
            body: Array((body + "&orderid=o").utf8)
        )
        let reply = gateway.receive(request, at: .zero, cache: cache)
        let answer = try NMIResponse(decoding: try response(reply).body)
        #expect(answer.kind == .error)
        #expect(answer.responseCode == .rejected)
        #expect(answer.text == text)
        #expect(answer.transactionID == nil)
        #expect(answer.orderID == (body.hasSuffix("%") ? "" : "o"))
        #expect(gateway.ledger.entries.isEmpty)
        #expect(reply.records.count == 1)
    }

    @Test func aQueryWithAWrongKeyIsAnErrorReportAndAnUnknownPathIs404() throws {
        var gateway = SimulatedNMIGateway()
        let wrong = NMIRequest(securityKey: "wrong", operation: .query(.orderID("o")))
        let report = try parsedReport(gateway.receive(post(wrong), at: .zero, cache: cache))
        #expect(report.errorText == "Specified API key not found REFID:3150000001")
        var lost = query("o")
        lost.path = "/"
        let reply = gateway.receive(lost, at: .zero, cache: cache)
        #expect(try response(reply).status == 404)
    }

    @Test func damagedRequestsNeverTrapAndAnythingBookedIsInTheRecords() {
        var gateway = SimulatedNMIGateway()
        var state: UInt64 = 7
        for _ in 0..<500 {
            var request = sale(700, "o")
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let place = Int(state >> 33) % request.body.count
                request.body[place] = UInt8(truncatingIfNeeded: state >> 24)
            }
            let countBefore = gateway.ledger.entries.count
            let reply = gateway.receive(request, at: .zero, cache: cache)
            #expect(reply.records.count - 1 == gateway.ledger.entries.count - countBefore)
        }
        #expect(gateway.requestCount == 500)
    }
}
