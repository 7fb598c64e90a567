import CardData
import EventLoops
import GatewayProtocols
import SDKCore
import SimulatedGateways
import Testing
import Transports

@Suite("NMI payment client")
struct NMIClientTests {
    static let id1 = NMITransactionID(10_000_000_001)!
    static let approved = ChargeResult.approved(transactionID: id1, authCode: "123456")

    @Test func anApprovedChargeIsAnsweredThenFinished() {
        var world = PaymentWorld()
        world.charge(1_099, "o1")
        world.run()
        #expect(world.told.count == 2)
        guard case .answered(1, .sale, let response)? = world.told.first else {
            return #expect(Bool(false), "first told \(world.told)")
        }
        #expect(response.kind == .approved)
        #expect(
            world.told.last
                == .chargeFinished(
                    payment: 1,
                    amount: Amount(minorUnits: 1_099),
                    orderID: "o1",
                    Self.approved
                )
        )
        #expect(world.now == .zero + .milliseconds(150))
        #expect(!world.client.isBusy)
    }

    @Test func declinesAndErrorsAreFinishedWithTheirCodeAndNotLookedUp() throws {
        var world = PaymentWorld(faults: [GatewayFault(request: 2, answer: .error(.rejected))])
        world.charge(50, "o1")
        world.charge(700, "o2")
        world.run()
        #expect(
            world.results == [
                .declined(code: .declined, text: "DECLINE"),
                .error(
                    code: .rejected,
                    text: "Transaction was rejected by gateway REFID:3150000001"
                ),
            ]
        )
        #expect(world.sent.map(\.kind) == [.sale, .sale])
    }

    static let doubts: [(answer: GatewayFault.Answer, reason: UnansweredReason)] = [
        (.timeout, .timedOut), (.reset, .reset), (.garbage, .garbage),
        (.httpStatus(500), .httpError(status: 500)), (.httpStatus(503), .httpError(status: 503)),
        (.httpApproval(502), .httpError(status: 502)), (.slow(.seconds(60)), .timedOut),
    ]

    @Test(arguments: doubts)
    func aLostAnswerToABookedChargeIsLookedUpAndFoundApproved(
        answer: GatewayFault.Answer,
        reason: UnansweredReason
    ) {
        var world = PaymentWorld(faults: [
            GatewayFault(request: 1, phase: .afterBooking, answer: answer)
        ])
        world.charge(700, "o1")
        world.run()
        #expect(world.unanswered == [reason])
        #expect(world.results == [Self.approved])
        #expect(world.sent.map(\.kind) == [.sale, .query])
        #expect(world.gateway.ledger.entries.count == 1)
    }

    @Test(arguments: doubts.prefix(5))
    func aLostAnswerToAChargeThatWasNotBookedIsLookedUpThreeTimesAndNotCharged(
        answer: GatewayFault.Answer,
        reason: UnansweredReason
    ) {
        var world = PaymentWorld(faults: [
            GatewayFault(request: 1, phase: .beforeBooking, answer: answer)
        ])
        world.charge(700, "o1")
        world.run()
        #expect(world.unanswered == [reason])
        #expect(world.results == [.notCharged])
        #expect(world.sent.map(\.kind) == [.sale, .query, .query, .query])
        let first = world.sent[1].instant
        #expect(world.sent[2].instant == first + .milliseconds(2_150))
        #expect(world.sent[3].instant == first + .milliseconds(7_300))
        #expect(world.gateway.ledger.entries.isEmpty)
    }

    @Test func aDeclineWhoseAnswerWasLostIsFoundDeclined() {
        var world = PaymentWorld(faults: [
            GatewayFault(request: 1, phase: .afterBooking, answer: .reset)
        ])
        world.charge(50, "o1")
        world.run()
        #expect(world.results == [.declined(code: .declined, text: "DECLINE")])
    }

    @Test func aRefusedConnectionIsAnErrorWithoutALookUp() {
        var world = PaymentWorld()
        world.refusedExchanges = [1]
        world.charge(700, "o1")
        world.run()
        #expect(world.results == [.error(code: nil, text: "the gateway cannot be reached")])
        #expect(world.sent.map(\.kind) == [.sale])
    }

    @Test func lookUpsThatAllFailLeaveTheChargeUnknown() {
        let lost = GatewayFault(request: 1, phase: .afterBooking, answer: .timeout)
        var world = PaymentWorld(faults: [
            lost, GatewayFault(request: 2, answer: .timeout),
            GatewayFault(request: 3, answer: .error(.rejected)),
            GatewayFault(request: 4, answer: .garbage),
        ])
        world.charge(700, "o1")
        world.run()
        #expect(world.unanswered == [.timedOut, .timedOut, .garbage])
        #expect(world.results == [.unknown])
        #expect(world.sent.map(\.kind) == [.sale, .query, .query, .query])
    }

    @Test func aLookUpAfterFailedOnesStillFindsTheCharge() {
        var world = PaymentWorld(faults: [
            GatewayFault(request: 1, phase: .afterBooking, answer: .reset),
            GatewayFault(request: 2, answer: .reset), GatewayFault(request: 3, answer: .garbage),
        ])
        world.charge(700, "o1")
        world.run()
        #expect(world.results == [Self.approved])
    }

    @Test func notFoundIsBelievedOnlyFromTheLastLookUp() {
        var world = PaymentWorld(faults: [
            GatewayFault(request: 1, answer: .reset), GatewayFault(request: 4, answer: .reset),
        ])
        world.charge(700, "o1")
        world.run()
        #expect(world.results == [.unknown])
    }

    @Test func aSecondChargeWaitsUntilTheFirstIsDoneWith() {
        var world = PaymentWorld(faults: [
            GatewayFault(request: 1, phase: .afterBooking, answer: .timeout)
        ])
        world.charge(700, "o1")
        world.charge(800, "o2")
        world.run()
        #expect(world.sent.map(\.kind) == [.sale, .query, .sale])
        #expect(world.results.count == 2)
        #expect(world.gateway.ledger.entries.map(\.orderID) == ["o1", "o2"])
    }

    @Test func chargesBeyondTheQueueAreErrorsAndNeverSent() {
        var world = PaymentWorld()
        for number in 0...257 { world.charge(700, "o\(number)") }
        world.run()
        #expect(world.results.count == 258)
        #expect(
            world.results.filter { $0 == .error(code: nil, text: "too many payments are waiting") }
                .count == 1
        )
        #expect(world.gateway.ledger.entries.count == 257)
    }

    @Test func aLateAnswerAfterTheDeadlineChangesNothing() {
        var world = PaymentWorld(faults: [
            GatewayFault(request: 1, phase: .afterBooking, answer: .slow(.seconds(31)))
        ])
        world.charge(700, "o1")
        world.run()
        #expect(world.results == [Self.approved])
        #expect(world.told.contains(.cancel(exchange: 1)))
        #expect(world.now == .zero + .milliseconds(31_150))
    }

    @Test func aDeadlineThatHasNotComeChangesNothing() {
        var world = PaymentWorld()
        world.charge(700, "o1")
        let before = world.client
        world.client.deadlineReached(at: .zero + .seconds(29))
        #expect(world.client == before)
    }

    @Test func anAnswerAboutAnotherOrderIsNoAnswer() {
        var client = NMIClient(NMIClient.Configuration(securityKey: "k"))
        client.charge(
            ChargeRequest(amount: Amount(minorUnits: 100), orderID: "mine", swipe: nil),
            at: .zero
        )
        _ = client.nextAction()
        for orderID in ["other", ""] {
            var copy = client
            let response = NMIResponse(
                kind: .approved,
                text: "SUCCESS",
                transactionID: Self.id1,
                orderID: orderID,
                responseCode: .approved
            )
            let http = HTTPResponse(contentType: "", body: response.body)
            copy.outcome(.answered(http), exchange: 1, at: .zero)
            let isAnswer = orderID.isEmpty
            if isAnswer {
                #expect(copy.nextAction() == .answered(exchange: 1, kind: .sale, response))
            } else {
                #expect(copy.nextAction() == .unanswered(exchange: 1, kind: .sale, .garbage))
            }
        }
    }

    @Test func aChargeWithoutAnOrderIDCannotBeLookedUp() {
        var world = PaymentWorld(faults: [GatewayFault(phase: .afterBooking, answer: .reset)])
        world.charge(700, "")
        world.run()
        #expect(world.results == [.unknown])
        #expect(world.sent.map(\.kind) == [.sale])
    }

    @Test func aVoidIsApprovedAndASecondOneIsAnError() {
        var world = PaymentWorld()
        world.charge(700, "o1")
        world.client.void(Self.id1, at: .zero)
        world.client.void(Self.id1, at: .zero)
        world.run()
        #expect(
            world.voidResults == [
                .approved,
                .error(
                    code: .rejected,
                    text: "Only transactions pending settlement can be voided REFID:3150000001"
                ),
            ]
        )
        #expect(world.gateway.ledger.entries.map(\.state) == [.canceled])
    }

    @Test(arguments: [
        (GatewayFault.Phase.afterBooking, VoidResult.approved, 1),
        (.beforeBooking, .error(code: nil, text: "the transaction was not canceled"), 3),
    ])
    func aVoidInDoubtIsLookedUpByItsTransaction(
        phase: GatewayFault.Phase,
        result: VoidResult,
        lookUpCount: Int
    ) {
        var world = PaymentWorld(faults: [
            GatewayFault(kind: .void, phase: phase, answer: .timeout)
        ])
        world.charge(700, "o1")
        world.client.void(Self.id1, at: .zero)
        world.run()
        #expect(world.voidResults == [result])
        #expect(world.sent.filter { $0.kind == .query }.count == lookUpCount)
    }

    /// Whatever happens to any four requests, an order is charged at most once, each charge is
    /// finished once, and what the client says agrees with the ledger.
    @Test func noCombinationOfFaultsChargesTwiceOrContradictsTheLedger() {
        let answers: [GatewayFault.Answer?] = [
            nil, .timeout, .reset, .garbage, .httpStatus(500), .error(.rejected),
            .decline(.declined),
        ]
        var count = 0
        for code in 0..<(13 * 7 * 7 * 7) {
            var faults: [GatewayFault] = []
            let first = code % 13
            if let answer = answers[(first + 1) / 2] {
                let isBefore = first % 2 == 0
                // An answer that lies about what was booked is the gateway's fault.
                switch (answer, isBefore) {
                case (.error, false), (.decline, false): continue
                case (.error, true), (.decline, true), (.timeout, _), (.reset, _), (.garbage, _),
                    (.httpStatus, _), (.slow, _), (.httpApproval, _), (.otherOrder, _),
                    (.refused, _):
                    break
                }
                let phase = isBefore ? GatewayFault.Phase.beforeBooking : .afterBooking
                faults.append(GatewayFault(request: 1, phase: phase, answer: answer))
            }
            var rest = code / 13
            for request in 2...4 {
                if let answer = answers[rest % 7] {
                    faults.append(GatewayFault(request: request, answer: answer))
                }
                rest /= 7
            }
            var world = PaymentWorld(faults: faults)
            world.charge(700, "o1")
            world.run()
            let bookedCount = world.gateway.ledger.entries.count { $0.state != .failed }
            #expect(bookedCount <= 1)
            #expect(world.results.count == 1)
            #expect(world.sent.count { $0.kind == .sale } == 1)
            switch world.results.first {
            case .approved?: #expect(bookedCount == 1)
            case .declined?, .error?, .notCharged?: #expect(bookedCount == 0)
            case .unknown?, nil: break
            }
            count += 1
        }
        #expect(count > 3_000)
    }
}
