import CardData
import EventLoops
import GatewayProtocols
import SDKCore
import SimulatedGateways
import Testing
import Transports

@Suite("Customers, plans and what else the NMI client asks")
struct NMIRegisterClientTests {
    static let id1 = NMITransactionID(10_000_000_001)!
    static let card = NMICardData.magneSafe(PaymentWorld.swipe)
    static let plan = NMIPlan(
        id: "gold",
        name: "Gold",
        amount: Amount(minorUnits: 1_000),
        paymentCount: 12,
        schedule: .months(1, day: 3)
    )
    static let subscription = NMIRecurringRequest.subscribe(
        NMISubscriptionOrder(.known("gold")),
        card: card,
        orderID: "s1",
        details: NMIDetails([(.lastName, "Roe")])
    )
    static let phases: [(GatewayFault.Phase, isDone: Bool)] = [
        (.afterBooking, true), (.beforeBooking, false),
    ]

    /// A world whose gateway keeps the plan and the subscription already.
    private static func subscribed(_ faults: [GatewayFault] = []) throws -> (PaymentWorld, String) {
        var world = PaymentWorld()
        world.client.change(.addPlan(plan), at: .zero)
        world.client.change(subscription, at: .zero)
        world.run()
        guard case .recurringFinished(2, _, .approved(let id))? = world.told.last else {
            throw NotKept()
        }
        for fault in faults { world.gateway.schedule(fault) }
        return (world, id)
    }

    private struct NotKept: Error {}

    // MARK: As sent

    @Test func aVerificationIsSentWithoutMoney() {
        var world = PaymentWorld()
        world.client.validate(PaymentWorld.request(700, "v1"), at: .zero)
        world.run()
        #expect(world.fields(of: 0) == ["type=validate", "orderid=v1"])
        #expect(
            world.told.last
                == .validationFinished(
                    payment: 1,
                    orderID: "v1",
                    .approved(transactionID: Self.id1, authCode: "")
                )
        )
        #expect(world.gateway.ledger.entries.map(\.type) == [.validate])
    }

    @Test func anOfflinePaymentIsSentWithTheIssuersCode() {
        var world = PaymentWorld()
        var request = PaymentWorld.request(700, "f1")
        request.details = NMIDetails([(.authorizationCode, "77")])
        world.client.recordOffline(request, at: .zero)
        world.run()
        #expect(
            world.fields(of: 0) == [
                "type=offline", "amount=7.00", "orderid=f1", "authorization_code=77",
            ]
        )
        #expect(world.gateway.ledger.entries.map(\.authCode) == ["77"])
        guard case .offlineFinished(1, Amount(minorUnits: 700), "f1", .approved)? = world.told.last
        else { return #expect(Bool(false), "\(world.told)") }
    }

    @Test func anUpdateIsSentWithItsTransactionAndReadAsAnswered() {
        var world = PaymentWorld()
        world.charge(700, "o1")
        world.client.update(Self.id1, NMIDetails([(.trackingNumber, "1Z 9")]), at: .zero)
        world.client.update(NMITransactionID(7)!, NMIDetails(), at: .zero)
        world.run()
        #expect(
            world.fields(of: 1) == [
                "type=update", "transactionid=10000000001", "tracking_number=1Z+9",
            ]
        )
        let ends = world.told.filter {
            if case .updateFinished = $0 { true } else { false }
        }
        #expect(ends.first == .updateFinished(payment: 2, transactionID: Self.id1, .approved))
        guard case .updateFinished(3, _, .error(.some, _))? = ends.last else {
            return #expect(Bool(false), "\(ends)")
        }
    }

    @Test func customersAreSentByTheirActionAndKeepTheIDThatTheGatewayGave() {
        var world = PaymentWorld()
        world.client.change(NMIVaultRequest(.add, card: Self.card), at: .zero)
        world.client.change(
            NMIVaultRequest(.update, customerID: "c1", details: NMIDetails([(.city, "Ulm")])),
            at: .zero
        )
        world.run()
        #expect(world.fields(of: 0) == ["customer_vault=add_customer"])
        #expect(
            world.fields(of: 1) == [
                "customer_vault=update_customer", "customer_vault_id=c1", "city=Ulm",
            ]
        )
        let ends = world.told.compactMap { action in
            if case .customerFinished(_, _, _, let result) = action { result } else { nil }
        }
        guard case .approved(let id)? = ends.first, case .error? = ends.last else {
            return #expect(Bool(false), "\(ends)")
        }
        #expect(!id.isEmpty)
    }

    @Test func plansAndSubscriptionsAreSentByTheirAction() throws {
        var (world, id) = try Self.subscribed()
        world.client.change(
            .update(subscriptionID: id, card: nil, details: NMIDetails([(.city, "Ulm")])),
            at: world.now
        )
        world.client.change(.delete(subscriptionID: id), at: world.now)
        world.run()
        #expect(
            (0..<4).map(world.fields) == [
                [
                    "recurring=add_plan", "plan_id=gold", "plan_name=Gold", "plan_amount=10.00",
                    "plan_payments=12", "month_frequency=1", "day_of_month=3",
                ],
                [
                    "recurring=add_subscription", "plan_id=gold", "orderid=s1", "last_name=Roe",
                ],
                ["recurring=update_subscription", "subscription_id=\(id)", "city=Ulm"],
                ["recurring=delete_subscription", "subscription_id=\(id)"],
            ]
        )
        #expect(
            world.told.last
                == .recurringFinished(
                    payment: 4,
                    .end(subscriptionID: id),
                    .approved(id: id)
                )
        )
        #expect(world.sent.map(\.kind) == [.recurring, .recurring, .recurring, .recurring])
    }

    @Test func whatTheGatewayDoesNotKnowIsAnError() {
        var world = PaymentWorld()
        world.client.change(Self.subscription, at: .zero)
        world.client.change(.delete(subscriptionID: "9"), at: .zero)
        world.run()
        let ends = world.told.compactMap { action in
            if case .recurringFinished(_, _, let result) = action { result } else { nil }
        }
        #expect(ends.count == 2)
        for end in ends {
            guard case .error(.some, _) = end else {
                #expect(Bool(false), "\(ends)")
                continue
            }
        }
    }

    // MARK: In doubt

    @Test(arguments: phases)
    func aVerificationInDoubtIsLookedUpByItsOrder(phase: GatewayFault.Phase, isDone: Bool) {
        var world = PaymentWorld(faults: [
            GatewayFault(kind: .validate, phase: phase, answer: .reset)
        ])
        world.client.validate(PaymentWorld.request(0, "v1"), at: .zero)
        world.run()
        #expect(world.sent.count { $0.kind == .validate } == 1)
        let result: ChargeResult =
            isDone ? .approved(transactionID: Self.id1, authCode: "") : .notCharged
        #expect(world.told.last == .validationFinished(payment: 1, orderID: "v1", result))
    }

    @Test(arguments: phases)
    func anOfflinePaymentInDoubtIsLookedUpByItsOrder(
        phase: GatewayFault.Phase,
        isDone: Bool
    ) {
        var world = PaymentWorld(faults: [
            GatewayFault(kind: .offline, phase: phase, answer: .timeout)
        ])
        var request = PaymentWorld.request(700, "f1")
        request.details = NMIDetails([(.authorizationCode, "77")])
        world.client.recordOffline(request, at: .zero)
        world.run()
        #expect(world.sent.count { $0.kind == .offline } == 1)
        #expect(world.gateway.ledger.entries.count == (isDone ? 1 : 0))
        let result: ChargeResult =
            isDone ? .approved(transactionID: Self.id1, authCode: "77") : .notCharged
        #expect(
            world.told.last
                == .offlineFinished(
                    payment: 1,
                    amount: Amount(minorUnits: 700),
                    orderID: "f1",
                    result
                )
        )
    }

    @Test func anUpdateWithoutAnAnswerIsUnknownAndNotLookedUp() {
        var world = PaymentWorld(faults: [
            GatewayFault(kind: .update, phase: .afterBooking, answer: .reset)
        ])
        world.charge(700, "o1")
        world.client.update(Self.id1, NMIDetails([(.trackingNumber, "1")]), at: .zero)
        world.client.change(NMIVaultRequest(.update, customerID: "c1"), at: .zero)
        world.refusedExchanges = [3]
        world.run()
        #expect(world.sent.map(\.kind) == [.sale, .update, .vault])
        #expect(
            world.told.contains(.updateFinished(payment: 2, transactionID: Self.id1, .unknown))
        )
        #expect(
            world.told.last
                == .customerFinished(
                    payment: 3,
                    .update,
                    customerID: "c1",
                    .error(code: nil, text: "the gateway cannot be reached")
                )
        )
    }

    @Test(arguments: phases)
    func aNewCustomerInDoubtIsLookedUpByItsID(phase: GatewayFault.Phase, isDone: Bool) {
        var world = PaymentWorld(faults: [
            GatewayFault(kind: .vault, phase: phase, answer: .garbage)
        ])
        world.client.change(
            NMIVaultRequest(.add, customerID: "c1", card: Self.card),
            at: .zero
        )
        world.run()
        #expect(
            world.sent.map(\.kind) == [.vault] + Array(repeating: .query, count: isDone ? 1 : 3)
        )
        let result: RegisterResult =
            isDone
            ? .approved(id: "c1")
            : .error(code: nil, text: "the gateway keeps no such customer")
        #expect(
            world.told.last == .customerFinished(payment: 1, .add, customerID: "c1", result)
        )
    }

    @Test(arguments: phases)
    func aCustomerWhoIsForgottenInDoubtIsLookedUp(phase: GatewayFault.Phase, isDone: Bool) {
        var world = PaymentWorld(faults: [
            GatewayFault(request: 2, kind: .vault, phase: phase, answer: .timeout)
        ])
        world.client.change(
            NMIVaultRequest(.add, customerID: "c1", card: Self.card),
            at: .zero
        )
        world.client.change(NMIVaultRequest(.delete, customerID: "c1"), at: .zero)
        world.run()
        let result: RegisterResult =
            isDone
            ? .approved(id: "c1")
            : .error(code: nil, text: "the gateway still keeps the customer")
        #expect(
            world.told.last == .customerFinished(payment: 2, .delete, customerID: "c1", result)
        )
    }

    @Test func aCustomerWithoutAnIDOfTheAppsCannotBeLookedUp() {
        var world = PaymentWorld(faults: [
            GatewayFault(kind: .vault, phase: .afterBooking, answer: .reset)
        ])
        world.client.change(NMIVaultRequest(.add, card: Self.card), at: .zero)
        world.run()
        #expect(world.sent.map(\.kind) == [.vault])
        #expect(
            world.told.last == .customerFinished(payment: 1, .add, customerID: "", .unknown)
        )
    }

    @Test(arguments: phases)
    func aPlanInDoubtIsLookedUpByItsID(phase: GatewayFault.Phase, isDone: Bool) {
        var world = PaymentWorld(faults: [
            GatewayFault(kind: .recurring, phase: phase, answer: .httpStatus(503))
        ])
        world.client.change(.addPlan(Self.plan), at: .zero)
        world.run()
        #expect(world.sent.count { $0.kind == .recurring } == 1)
        let result: RegisterResult =
            isDone
            ? .approved(id: "gold") : .error(code: nil, text: "the gateway keeps no such plan")
        #expect(world.told.last == .recurringFinished(payment: 1, .plan(id: "gold"), result))
    }

    @Test(arguments: phases)
    func aSubscriptionInDoubtIsLookedUpByItsOrder(phase: GatewayFault.Phase, isDone: Bool) {
        var world = PaymentWorld(faults: [
            GatewayFault(request: 2, phase: phase, answer: .reset)
        ])
        world.client.change(.addPlan(Self.plan), at: .zero)
        world.client.change(Self.subscription, at: .zero)
        world.run()
        #expect(world.sent.count { $0.kind == .recurring } == 2)
        guard
            case .recurringFinished(2, .subscription(orderID: "s1"), let result)? = world.told.last
        else { return #expect(Bool(false), "\(world.told)") }
        if isDone {
            guard case .approved(let id) = result else { return #expect(Bool(false), "\(result)") }
            #expect(!id.isEmpty)
        } else {
            #expect(result == .error(code: nil, text: "the gateway keeps no such subscription"))
        }
    }

    @Test(arguments: phases)
    func anEndOfASubscriptionInDoubtIsLookedUpByItsID(
        phase: GatewayFault.Phase,
        isDone: Bool
    ) throws {
        var (world, id) = try Self.subscribed([
            GatewayFault(kind: .recurring, phase: phase, answer: .reset)
        ])
        world.client.change(.delete(subscriptionID: id), at: world.now)
        world.run()
        let result: RegisterResult =
            isDone
            ? .approved(id: id)
            : .error(code: nil, text: "the gateway still keeps the subscription")
        #expect(
            world.told.last == .recurringFinished(payment: 3, .end(subscriptionID: id), result)
        )
    }

    @Test func aChangeOfASubscriptionWithoutAnAnswerIsUnknown() throws {
        var (world, id) = try Self.subscribed([
            GatewayFault(kind: .recurring, phase: .afterBooking, answer: .reset)
        ])
        world.client.change(
            .update(subscriptionID: id, card: nil, details: NMIDetails([(.city, "Ulm")])),
            at: world.now
        )
        world.run()
        #expect(
            world.told.last
                == .recurringFinished(payment: 3, .change(subscriptionID: id), .unknown)
        )
    }
}
