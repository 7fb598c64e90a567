import CardData
import EventLoops
import GatewayProtocols
import SDKCore
import SimulatedGateways
import Testing
import Transports

@Suite("NMI payment client: authorisations, captures, refunds, credits")
struct NMIFollowUpClientTests {
    static let id1 = NMITransactionID(10_000_000_001)!
    static let id2 = NMITransactionID(10_000_000_002)!
    static let amount = Amount(minorUnits: 700)

    @Test func anAuthorisationIsCapturedThenRefunded() {
        var world = PaymentWorld()
        world.client.authorize(PaymentWorld.request(1_000, "o1"), at: .zero)
        world.client.capture(Self.id1, amount: Self.amount, at: .zero)
        let refund = RefundRequest(transactionID: Self.id1, orderID: "r1")
        world.client.refund(refund, at: .zero)
        world.run()
        #expect(world.sent.map(\.kind) == [.auth, .capture, .refund])
        #expect(
            world.finished == [
                .authorizationFinished(
                    payment: 1,
                    amount: Amount(minorUnits: 1_000),
                    orderID: "o1",
                    .approved(transactionID: Self.id1, authCode: "123456")
                ),
                .captureFinished(
                    payment: 2,
                    transactionID: Self.id1,
                    amount: Self.amount,
                    .approved
                ),
                .refundFinished(
                    payment: 3,
                    refund,
                    .approved(transactionID: Self.id2, authCode: "")
                ),
            ]
        )
        #expect(world.gateway.ledger.entries.map(\.type) == [.auth, .refund])
        #expect(world.gateway.ledger.entries[1].amount == Self.amount)
    }

    @Test func aCreditIsBookedAsOne() {
        var world = PaymentWorld()
        world.client.credit(PaymentWorld.request(700, "c1"), at: .zero)
        world.run()
        #expect(world.sent.map(\.kind) == [.credit])
        #expect(
            world.finished == [
                .creditFinished(
                    payment: 1,
                    amount: Self.amount,
                    orderID: "c1",
                    .approved(transactionID: Self.id1, authCode: "")
                )
            ]
        )
    }

    @Test func aLoginAndEverythingElseOfTheRequestIsSent() {
        var configuration = NMIClient.Configuration(securityKey: "")
        configuration.credentials = .login(username: "cardrig", password: "cardrig-demo")
        var world = PaymentWorld()
        world.client = NMIClient(configuration)
        var request = PaymentWorld.request(700, "o1")
        request.cvv = CardSecurityCode(unmasked: Array("999".utf8))
        request.details = NMIDetails([(.address1, "888"), (.zip, "77777")])
        world.client.charge(request, at: .zero)
        world.run()
        #expect(world.gateway.ledger.entries.map(\.cvvResponse) == ["M"])
        #expect(world.gateway.ledger.entries.map(\.avsResponse) == ["Y"])
    }

    static let phases: [(GatewayFault.Phase, isDone: Bool)] = [
        (.afterBooking, true), (.beforeBooking, false),
    ]

    @Test(arguments: phases)
    func aCaptureInDoubtIsLookedUpByItsTransaction(phase: GatewayFault.Phase, isDone: Bool) {
        var world = PaymentWorld(faults: [
            GatewayFault(kind: .capture, phase: phase, answer: .timeout)
        ])
        world.client.authorize(PaymentWorld.request(700, "o1"), at: .zero)
        world.client.capture(Self.id1, amount: Self.amount, at: .zero)
        world.run()
        #expect(world.sent.count { $0.kind == .capture } == 1)
        #expect(world.sent.count { $0.kind == .query } == (isDone ? 1 : 3))
        let result: VoidResult =
            isDone ? .approved : .error(code: nil, text: "the transaction was not captured")
        #expect(
            world.finished.last
                == .captureFinished(
                    payment: 2,
                    transactionID: Self.id1,
                    amount: Self.amount,
                    result
                )
        )
    }

    @Test(arguments: phases)
    func aRefundInDoubtIsLookedUpByItsOrder(phase: GatewayFault.Phase, isDone: Bool) {
        var world = PaymentWorld(faults: [
            GatewayFault(kind: .refund, phase: phase, answer: .reset)
        ])
        let refund = RefundRequest(transactionID: Self.id1, amount: Self.amount, orderID: "r1")
        world.charge(700, "o1")
        world.client.refund(refund, at: .zero)
        world.run()
        #expect(world.sent.count { $0.kind == .refund } == 1)
        let result: ChargeResult =
            isDone ? .approved(transactionID: Self.id2, authCode: "") : .notCharged
        #expect(world.finished.last == .refundFinished(payment: 2, refund, result))
        #expect(world.gateway.ledger.entries.count == (isDone ? 2 : 1))
    }

    @Test func aRefundWithoutAnOrderIDCannotBeLookedUp() {
        var world = PaymentWorld(faults: [
            GatewayFault(kind: .refund, phase: .afterBooking, answer: .reset)
        ])
        let refund = RefundRequest(transactionID: Self.id1, orderID: "")
        world.charge(700, "o1")
        world.client.refund(refund, at: .zero)
        world.run()
        #expect(world.finished.last == .refundFinished(payment: 2, refund, .unknown))
        #expect(!world.sent.contains { $0.kind == .query })
    }

    /// An order's refund is not taken for its charge, nor its charge for an authorisation.
    @Test func aLookUpTellsTheKindsOfMoneyOfOneOrderApart() {
        var world = PaymentWorld(faults: [GatewayFault(request: 2, answer: .reset)])
        world.charge(700, "o1")
        world.client.authorize(PaymentWorld.request(700, "o1"), at: .zero)
        world.run()
        guard case .authorizationFinished(_, _, _, let result)? = world.finished.last else {
            return #expect(Bool(false), "\(world.finished)")
        }
        #expect(result == .notCharged)
    }

    @Test func aCaptureThatWasMadeWithAnotherAmountIsAnError() {
        var world = PaymentWorld(faults: [GatewayFault(request: 3, answer: .reset)])
        world.client.authorize(PaymentWorld.request(1_000, "o1"), at: .zero)
        world.client.capture(Self.id1, amount: Amount(minorUnits: 500), at: .zero)
        world.client.capture(Self.id1, amount: Self.amount, at: .zero)
        world.run()
        guard case .captureFinished(_, _, _, let result)? = world.finished.last else {
            return #expect(Bool(false), "\(world.finished)")
        }
        #expect(
            result == .error(code: nil, text: "the transaction was captured with another amount")
        )
    }

    /// Whatever happens to any three requests, no kind of payment is sent twice, each is finished
    /// once, and what the client says agrees with the ledger.
    @Test func noCombinationOfFaultsPaysTwiceOrContradictsTheLedger() {
        let answers: [GatewayFault.Answer?] = [
            nil, .timeout, .reset, .garbage, .httpStatus(500), .error(.rejected),
        ]
        let phases: [GatewayFault.Phase] = [.beforeBooking, .afterBooking]
        var count = 0
        for kind in [GatewayRequestKind.auth, .capture, .refund, .credit] {
            for (phase, code) in phases.flatMap({ phase in (0..<216).map { (phase, $0) } }) {
                let first = answers[code % 6]
                // An error that lies about what was booked is the gateway's fault.
                if first == .error(.rejected), phase == .afterBooking { continue }
                var world = PaymentWorld()
                world.client.authorize(PaymentWorld.request(700, "o0"), at: .zero)
                world.client.capture(Self.id1, amount: Self.amount, at: .zero)
                if kind == .capture {
                    world = PaymentWorld()
                    world.client.authorize(PaymentWorld.request(700, "o0"), at: .zero)
                }
                world.run()
                world.told = []
                world.sent = []
                let before = world.gateway.ledger
                let sentBefore = world.gateway.requestCount
                for (offset, answer) in [first, answers[code / 6 % 6], answers[code / 36]]
                    .enumerated()
                {
                    guard let answer else { continue }
                    world.gateway.schedule(
                        GatewayFault(
                            request: sentBefore + 1 + offset,
                            phase: offset == 0 ? phase : .beforeBooking,
                            answer: answer
                        )
                    )
                }
                world.pay(kind, Self.id1)
                world.run()
                let isBooked = world.gateway.ledger != before
                #expect(world.sent.count { $0.kind != .query } == 1)
                #expect(world.finished.count == 1)
                switch world.finished.first.map(Claim.init) {
                case .done?: #expect(isBooked, "\(kind) \(phase) \(code)")
                case .notDone?: #expect(!isBooked, "\(kind) \(phase) \(code)")
                case .unknown?, nil: break
                }
                count += 1
            }
        }
        #expect(count == 4 * (2 * 216 - 36))
    }
}

/// What a finished payment says of the money.
private enum Claim {
    case done, notDone, unknown

    init(_ action: NMIClient.Action) {
        switch action {
        case .authorizationFinished(_, _, _, let result), .creditFinished(_, _, _, let result),
            .chargeFinished(_, _, _, let result), .refundFinished(_, _, let result),
            .offlineFinished(_, _, _, let result), .validationFinished(_, _, let result):
            switch result {
            case .approved: self = .done
            case .declined, .error, .notCharged: self = .notDone
            case .unknown: self = .unknown
            }
        case .captureFinished(_, _, _, let result), .voidFinished(_, _, let result),
            .updateFinished(_, _, let result):
            switch result {
            case .approved: self = .done
            case .declined, .error: self = .notDone
            case .unknown: self = .unknown
            }
        case .customerFinished(_, _, _, let result), .recurringFinished(_, _, let result):
            switch result {
            case .approved: self = .done
            case .error: self = .notDone
            case .unknown: self = .unknown
            }
        case .send, .cancel, .answered, .lookedUp, .unanswered: self = .unknown
        }
    }
}

extension PaymentWorld {
    /// What the client told of payments that ended, in order.
    fileprivate var finished: [NMIClient.Action] {
        told.filter { action in
            switch action {
            case .chargeFinished, .voidFinished, .authorizationFinished, .creditFinished,
                .captureFinished, .refundFinished, .offlineFinished, .validationFinished,
                .updateFinished, .customerFinished, .recurringFinished:
                true
            case .send, .cancel, .answered, .lookedUp, .unanswered: false
            }
        }
    }

    fileprivate mutating func pay(_ kind: GatewayRequestKind, _ id: NMITransactionID) {
        let amount = Amount(minorUnits: 700)
        switch kind {
        case .auth: client.authorize(PaymentWorld.request(700, "o1"), at: now)
        case .credit: client.credit(PaymentWorld.request(700, "o1"), at: now)
        case .capture: client.capture(id, amount: amount, at: now)
        case .refund:
            let request = RefundRequest(transactionID: id, amount: amount, orderID: "o1")
            client.refund(request, at: now)
        case .sale, .void, .query, .validate, .offline, .update, .vault, .recurring: break
        }
    }
}
