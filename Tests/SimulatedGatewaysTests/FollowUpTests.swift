import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

@Suite("Captures, refunds and the other types at the gateway")
struct FollowUpTests {
    static let id1 = NMITransactionID(10_000_000_001)!
    static let id2 = NMITransactionID(10_000_000_002)!
    static let ticket = " REFID:3150000001"

    static func gateway(after requests: HTTPRequest...) -> SimulatedNMIGateway {
        var gateway = SimulatedNMIGateway()
        for request in requests { _ = gateway.receive(request, at: .zero, cache: cache) }
        return gateway
    }

    static func answer(
        _ gateway: inout SimulatedNMIGateway,
        _ request: HTTPRequest
    ) throws -> NMIResponse {
        let reply = gateway.receive(request, at: .zero, cache: cache)
        return try NMIResponse(decoding: response(reply).body)
    }

    @Test func anAuthorisationIsPendingUntilItIsCapturedInPart() throws {
        var gateway = Self.gateway(after: pay(.auth, 1_000))
        #expect(gateway.ledger.entries.map(\.state) == [.pending])
        gateway.settle(at: .zero)
        #expect(gateway.ledger.entries.map(\.state) == [.pending])

        let reply = gateway.receive(followUp(.capture, Self.id1, 700), at: .zero, cache: cache)
        #expect(
            try body(reply)
                == "response=1&responsetext=SUCCESS&authcode=123456&transactionid=10000000001"
                + "&avsresponse=&cvvresponse=&orderid=&type=capture&response_code=100"
        )
        #expect(
            reply.records.last
                == .captured(
                    number: 2,
                    transactionID: Self.id1,
                    amount: Amount(minorUnits: 700),
                    orderID: "o"
                )
        )
        let entry = try #require(gateway.ledger.entry(Self.id1))
        #expect(entry.type == .auth)
        #expect(entry.amount == Amount(minorUnits: 1_000))
        #expect(entry.settlementAmount == Amount(minorUnits: 700))
        #expect(entry.state == .pendingsettlement)
        let settled = gateway.settle(at: .zero)
        #expect(
            settled == [
                .settled(
                    transactionID: Self.id1,
                    amount: Amount(minorUnits: 700),
                    orderID: "o"
                )
            ]
        )
        let report = try parsedReport(gateway.receive(query("o"), at: .zero, cache: cache))
        #expect(report.transactions.map(\.condition) == [.complete])
        #expect(report.transactions[0].settledAmount == Amount(minorUnits: 700))
        #expect(report.transactions[0].actions.map(\.type) == [.auth, .capture, .settle])
    }

    @Test func aCaptureNeedsAPendingAuthorisationAndAtMostItsAmount() throws {
        var gateway = Self.gateway(after: pay(.auth, 100), pay(.sale, 100))
        let cases: [(request: HTTPRequest, text: String, id: NMITransactionID?)] = [
            (
                followUp(.capture, Self.id1, 500),
                "The specified amount of 5.00 exceeds the authorization amount of 1.00", Self.id1
            ),
            (followUp(.capture, Self.id1, 0), "Invalid amount", Self.id1),
            (
                followUp(.capture, Self.id2, 100),
                "A capture requires that the existing transaction be an AUTH", Self.id2
            ),
            (followUp(.capture, .one, 100), "Invalid Transaction ID specified", nil),
        ]
        for (request, text, id) in cases {
            let answer = try Self.answer(&gateway, request)
            #expect(answer.kind == .error)
            #expect(answer.text.hasPrefix(text + " REFID:"))
            #expect(answer.transactionID == id)
        }
        #expect(try Self.answer(&gateway, followUp(.capture, Self.id1, 100)).kind == .approved)
        let again = try Self.answer(&gateway, followUp(.capture, Self.id1, 100))
        #expect(again.text.hasPrefix("A capture requires"))
    }

    @Test func anUncapturedAuthorisationCanBeVoidedWithAReason() throws {
        var gateway = Self.gateway(after: pay(.auth, 100))
        let request = NMIFollowUp(.void, transactionID: Self.id1, voidReason: .posTimeout)
        let posted = post(NMIRequest(securityKey: key, operation: .followUp(request)))
        #expect(try Self.answer(&gateway, posted).text == "Transaction Void Successful")
        let entry = try #require(gateway.ledger.entry(Self.id1))
        #expect(entry.state == .canceled)
        #expect(entry.actions.last?.voidReason == .posTimeout)
        #expect(try Self.answer(&gateway, followUp(.capture, Self.id1, 100)).kind == .error)
    }

    @Test func aRefundIsANewTransactionAndAtMostWhatIsLeft() throws {
        var gateway = Self.gateway(after: sale(1_000, "o"))
        let first = gateway.receive(followUp(.refund, Self.id1, 300, "r"), at: .zero, cache: cache)
        #expect(
            try body(first)
                == "response=1&responsetext=SUCCESS&authcode=&transactionid=10000000002"
                + "&avsresponse=&cvvresponse=&orderid=r&type=refund&response_code=100"
        )
        #expect(
            first.records.last
                == .booked(
                    number: 2,
                    transactionID: Self.id2,
                    type: .refund,
                    amount: Amount(minorUnits: 300),
                    orderID: "r",
                    state: .pendingsettlement
                )
        )
        let tooMuch = try Self.answer(&gateway, followUp(.refund, Self.id1, 701))
        #expect(
            tooMuch.text == "Refund amount may not exceed the transaction balance" + Self.ticket
        )
        #expect(tooMuch.transactionID == nil)
        // Zero, and no amount, are all that is left.
        #expect(try Self.answer(&gateway, followUp(.refund, Self.id1, 0)).kind == .approved)
        #expect(gateway.ledger.entries.last?.amount == Amount(minorUnits: 700))
        #expect(gateway.ledger.entries.last?.originalID == Self.id1)
        #expect(try Self.answer(&gateway, followUp(.refund, Self.id1)).kind == .error)
        #expect(gateway.ledger.entries.count == 3)
    }

    @Test func aVoidedRefundGivesItsMoneyBackToTheBalance() throws {
        var gateway = Self.gateway(after: sale(1_000, "o"), followUp(.refund, Self.id1))
        // A sale of which something was paid back stays.
        #expect(try Self.answer(&gateway, void(Self.id1)).kind == .error)
        #expect(try Self.answer(&gateway, void(Self.id2)).kind == .approved)
        #expect(gateway.ledger.entry(Self.id1)?.refundedAmount == Amount(minorUnits: 0))
        #expect(try Self.answer(&gateway, followUp(.refund, Self.id1)).kind == .approved)
    }

    @Test func whatTookNoMoneyCannotBeRefunded() throws {
        var gateway = Self.gateway(
            after: pay(.auth, 100),
            sale(50, "o"),
            sale(100, "o"),
            void(NMITransactionID(10_000_000_003)!),
            pay(.credit, 100),
            pay(.validate, 0)
        )
        #expect(gateway.ledger.entries.count == 5)
        for entry in gateway.ledger.entries {
            let answer = try Self.answer(&gateway, followUp(.refund, entry.transactionID))
            #expect(answer.text.hasPrefix("Refund amount may not exceed"), "\(entry.type)")
        }
        #expect(gateway.ledger.entries.count == 5)
    }

    @Test func refundsBeforeSettlementAreAnOption() throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.refundsBeforeSettlement = false
        var gateway = SimulatedNMIGateway(configuration)
        _ = gateway.receive(sale(100, "o"), at: .zero, cache: cache)
        #expect(try Self.answer(&gateway, followUp(.refund, Self.id1)).kind == .error)
        gateway.settle(at: .zero)
        #expect(try Self.answer(&gateway, followUp(.refund, Self.id1)).kind == .approved)
    }

    @Test func creditsValidationsAndOfflinePaymentsAreBookedAsSuch() throws {
        var gateway = SimulatedNMIGateway()
        let requests = [
            pay(.credit, 100), pay(.validate, 0), pay(.offline, 100, [(.authorizationCode, "A1")]),
            pay(.credit, 99),
        ]
        let answers = try requests.map { try Self.answer(&gateway, $0) }
        #expect(answers.map(\.authCode) == ["", "", "A1", ""])
        #expect(answers.map(\.kind) == [.approved, .approved, .approved, .declined])
        #expect(answers.map(\.type) == ["credit", "validate", "offline", "credit"])
        #expect(
            gateway.ledger.entries.map(\.state) == [
                .pendingsettlement, .complete, .pendingsettlement, .failed,
            ]
        )
        #expect(gateway.ledger.entries.map(\.type) == [.credit, .validate, .offline, .credit])
    }

    @Test func anUpdateAddsDataToATransaction() throws {
        var gateway = Self.gateway(after: pay(.sale, 100, [(.tax, "0.10")]))
        let update = NMIFollowUp(
            .update,
            transactionID: Self.id1,
            details: NMIDetails([(.purchaseOrder, "77"), (.tax, "0.20")])
        )
        let request = post(NMIRequest(securityKey: key, operation: .followUp(update)))
        #expect(try Self.answer(&gateway, request).transactionID == Self.id1)
        let details = try #require(gateway.ledger.entry(Self.id1)).details
        #expect(details[.purchaseOrder] == "77")
        #expect(details[.tax] == "0.20")
    }

    @Test(arguments: [
        (GatewayFault.Phase.afterBooking, LedgerState.pendingsettlement),
        (.beforeBooking, .pending),
    ])
    func aFaultOfACaptureIsFoundByItsKind(phase: GatewayFault.Phase, state: LedgerState) {
        var gateway = Self.gateway(after: pay(.auth, 100))
        gateway.schedule(GatewayFault(kind: .capture, phase: phase, answer: .timeout))
        let reply = gateway.receive(followUp(.capture, Self.id1, 100), at: .zero, cache: cache)
        #expect(reply.wire == .silence)
        #expect(gateway.ledger.entries.map(\.state) == [state])
    }

    // MARK: Test triggers

    static let checks: [(details: [(NMIDetail, String)], cvv: String?, avs: String, code: String)] =
        [
            ([], nil, "", ""), ([], "", "", ""), ([], "999", "", "M"), ([], "998", "", "N"),
            ([(.address1, "888"), (.zip, "77777")], "999", "Y", "M"),
            ([(.address1, "888")], nil, "N", ""), ([(.zip, "77777")], nil, "N", ""),
            ([(.address1, "888"), (.zip, "77778")], nil, "N", ""), ([(.city, "x")], nil, "", ""),
        ]

    @Test(arguments: checks.indices)
    func addressAndSecurityCodeTriggerTheirLetters(index: Int) throws {
        let (details, cvv, avs, code) = Self.checks[index]
        var gateway = SimulatedNMIGateway()
        let answer = try Self.answer(&gateway, pay(.sale, 100, cvv: cvv, details))
        #expect(answer.avsResponse == avs)
        #expect(answer.cvvResponse == code)
        let report = try parsedReport(gateway.receive(query("o"), at: .zero, cache: cache))
        #expect(report.transactions[0].avsResponse == avs)
        #expect(report.transactions[0].cvvResponse == code)
    }

    // MARK: Duplicates

    @Test func aDuplicateIsRefusedWithinTheWindowOnly() throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.duplicateWindow = .seconds(1_200)
        var gateway = SimulatedNMIGateway(configuration)
        let mastercard = NMICardData.magneSafe(swipe("mastercard"))
        let moments: [(second: Int64, request: HTTPRequest, isApproved: Bool)] = [
            (0, sale(99, "o"), false), (1, sale(100, "o"), true), (2, sale(100, "o"), false),
            (3, sale(100, "other"), true), (4, sale(101, "o"), true),
            (5, pay(.auth, 100), true), (6, pay(.sale, 100, "o", mastercard), true),
            (7, pay(.sale, 100, [(.duplicateSeconds, "0")]), true),
            (1_206, sale(100, "o"), false), (1_207, sale(100, "o"), true),
            (1_300, pay(.sale, 100, [(.duplicateSeconds, "10")]), true),
        ]
        for (second, request, isApproved) in moments {
            let now = VirtualInstant(nanoseconds: second * 1_000_000_000)
            let reply = gateway.receive(request, at: now, cache: cache)
            let answer = try NMIResponse(decoding: response(reply).body)
            #expect((answer.kind == .approved) == isApproved, "second \(second)")
            if answer.kind == .error {
                #expect(answer.text.hasPrefix("Duplicate transaction REFID:"))
                #expect(answer.transactionID == nil)
            }
        }
    }

    @Test func theKeyOfDuplicatesAndTheRightToSwitchOffAreOptions() throws {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.duplicateWindow = .seconds(60)
        configuration.duplicatesNeedSameOrder = false
        configuration.allowsDuplicateCheckOff = false
        var gateway = SimulatedNMIGateway(configuration)
        #expect(try Self.answer(&gateway, sale(100, "o")).kind == .approved)
        #expect(try Self.answer(&gateway, sale(100, "other")).kind == .error)
        let off = try Self.answer(&gateway, pay(.sale, 100, [(.duplicateSeconds, "0")]))
        #expect(off.text.hasPrefix("Disabling Duplicate Check is not allowed"))
    }
}

private func pay(
    _ type: NMIPayment.PaymentType,
    _ minorUnits: Int64,
    _ details: [(NMIDetail, String)]
) -> HTTPRequest {
    pay(type, minorUnits, "o", nil, cvv: nil, details)
}

private func pay(
    _ type: NMIPayment.PaymentType,
    _ minorUnits: Int64,
    cvv: String?,
    _ details: [(NMIDetail, String)]
) -> HTTPRequest {
    pay(type, minorUnits, "o", nil, cvv: cvv, details)
}
