import CardData
import EventLoops
import GatewayProtocols
import SimulatedGateways
import Testing
import Transports

/// Customers that are kept, plans, subscriptions, checks and payments in parts.
@Suite("Vault, plans and checks at the gateway")
struct VaultAndRecurringTests {
    static func send(
        _ operation: NMIRequest.Operation,
        _ gateway: inout SimulatedNMIGateway,
        at now: VirtualInstant = .zero
    ) throws -> NMIResponse {
        let request = NMIRequest(securityKey: key, operation: operation)
        let reply = gateway.receive(post(request), at: now, cache: cache)
        return try NMIResponse(decoding: response(reply).body)
    }

    static func sale(
        _ card: NMICardData,
        _ minorUnits: Int64 = 100,
        _ details: [(NMIDetail, String)] = [],
        vault: NMIVaultOrder? = nil,
        subscription: NMISubscriptionOrder? = nil
    ) -> NMIRequest.Operation {
        .payment(
            NMIPayment(
                .sale,
                amount: Amount(minorUnits: minorUnits),
                card: card,
                details: NMIDetails(details),
                vault: vault,
                subscription: subscription
            )
        )
    }

    static let swiped = NMICardData.magneSafe(swipe())
    static let check = NMICheck(
        name: "Ann Payer",
        routingNumber: Array("490000018".utf8),
        unmaskedAccount: Array("24413815".utf8),
        accountType: .savings
    )

    @Test func aCustomerIsAddedChargedChangedAndDeleted() throws {
        var gateway = SimulatedNMIGateway()
        let add = NMIVaultRequest(
            .add,
            card: Self.swiped,
            details: NMIDetails([(.lastName, "Löwe")])
        )
        let added = gateway.receive(
            post(NMIRequest(securityKey: key, operation: .vault(add))),
            at: .zero,
            cache: cache
        )
        #expect(
            try body(added)
                == "response=1&responsetext=Customer Added&authcode=&transactionid=&avsresponse="
                + "&cvvresponse=&orderid=&type=&response_code=100&customer_vault_id=1000000001"
        )
        let stored = NMICardData.stored(NMIStoredPayment(customerID: "1000000001"))
        let charged = try Self.send(Self.sale(stored), &gateway)
        #expect(charged.kind == .approved)
        #expect(charged.otherFields == [.init(name: "customer_vault_id", value: "1000000001")])
        #expect(
            gateway.ledger.entries.last?.maskedCardNumber?.description == "4xxxxxxxxxxx1111"
        )
        #expect(gateway.ledger.entries.last?.customerID == "1000000001")
        let updated = try Self.send(
            .vault(
                NMIVaultRequest(
                    .update,
                    customerID: "1000000001",
                    card: .magneSafe(swipe("mastercard"))
                )
            ),
            &gateway
        )
        #expect(updated.text == "Customer Update Successful")
        let report = try EncryptedPaymentTests.report(
            .report(.customerVault, id: "1000000001"),
            &gateway
        )
        #expect(report.customers.count == 1)
        #expect(report.customers[0]["last_name"] == "Löwe")
        #expect(report.customers[0]["cc_number"] == "5xxxxxxxxxxx1111")
        let deleted = try Self.send(
            .vault(NMIVaultRequest(.delete, customerID: "1000000001")),
            &gateway
        )
        #expect(deleted.text == "Customer Deleted")
        let gone = try Self.send(Self.sale(stored), &gateway)
        #expect(gone.text == "Invalid Customer Vault Id REFID:3150000001")
        #expect(gone.otherFields == [.init(name: "customer_vault_id", value: "1000000001")])
        #expect(gateway.ledger.entries.count == 1)
    }

    @Test func wrongVaultRequestsChangeNothing() throws {
        var gateway = SimulatedNMIGateway()
        for (request, text) in [
            (NMIVaultRequest(.add), "Billing Information missing REFID:3150000001"),
            (
                NMIVaultRequest(.delete, customerID: "000000000"),
                "Invalid Customer Vault Id REFID:3150000002"
            ),
            (
                NMIVaultRequest(.update, customerID: "x"),
                "Invalid Customer Vault Id REFID:3150000003"
            ),
            (NMIVaultRequest(.add, customerID: "me", card: Self.swiped), "Customer Added"),
            (
                NMIVaultRequest(.add, customerID: "me", card: Self.swiped),
                "Duplicate Customer Vault Id REFID:3150000004"
            ),
        ] {
            #expect(try Self.send(.vault(request), &gateway).text == text)
        }
    }

    @Test func aSaleMayAddACustomerAndKeepsNoneWhenItIsDeclined() throws {
        var gateway = SimulatedNMIGateway()
        let order = NMIVaultOrder(isNew: true, customerID: "c")
        let declined = try Self.send(Self.sale(Self.swiped, 50, vault: order), &gateway)
        #expect(declined.kind == .declined)
        let stored = NMICardData.stored(NMIStoredPayment(customerID: "c"))
        #expect(try Self.send(Self.sale(stored), &gateway).kind == .error)
        let approved = try Self.send(Self.sale(Self.swiped, 500, vault: order), &gateway)
        #expect(approved.otherFields == [.init(name: "customer_vault_id", value: "c")])
        #expect(try Self.send(Self.sale(stored), &gateway).kind == .approved)
        let again = try Self.send(Self.sale(Self.swiped, 500, vault: order), &gateway)
        #expect(again.text == "Duplicate Customer Vault Id REFID:3150000002")
    }

    // MARK: Checks

    @Test func aCheckIsApprovedDeclinedAndRefundedOnlyWhenItIsNamed() throws {
        var gateway = SimulatedNMIGateway()
        let approved = try Self.send(Self.sale(.check(Self.check)), &gateway)
        #expect(approved.kind == .approved)
        let declined = try Self.send(Self.sale(.check(Self.check), 99), &gateway)
        #expect(declined.text == "FAILED")
        #expect(declined.kind == .declined)
        #expect(declined.authCode == "123456")
        let id = try #require(approved.transactionID)
        for (isCheck, kind) in [(false, NMIResponse.Kind.error), (true, .approved)] {
            let refund = NMIFollowUp(
                .refund,
                transactionID: id,
                amount: Amount(minorUnits: 40),
                isCheck: isCheck
            )
            #expect(try Self.send(.followUp(refund), &gateway).kind == kind)
        }
        let report = try EncryptedPaymentTests.report(.transactionID(id), &gateway)
        #expect(report.transactions[0].transactionType == "ck")
        let fields = report.transactions[0].otherFields
        #expect(fields.contains(.init(name: "check_account", value: "xxxx3815")))
        #expect(fields.contains(.init(name: "account_type", value: "savings")))
        #expect(fields.contains(.init(name: "account_holder_type", value: "personal")))
    }

    @Test func checksOnlySellCreditAndVerify() throws {
        var gateway = SimulatedNMIGateway()
        for type in [NMIPayment.PaymentType.auth, .offline] {
            let payment = NMIPayment(
                type,
                amount: Amount(minorUnits: 100),
                card: .check(Self.check),
                details: NMIDetails([(.authorizationCode, "1")])
            )
            #expect(try Self.send(.payment(payment), &gateway).kind == .error)
        }
        var wrong = Self.check
        wrong.routingNumber[8] = UInt8(ascii: "9")
        let answer = try Self.send(Self.sale(.check(wrong)), &gateway)
        #expect(answer.text == "Invalid ABA number REFID:3150000003")
        #expect(gateway.ledger.entries.isEmpty)
    }

    // MARK: Plans

    static let monthly = NMIPlan(
        id: "gold",
        name: "Gold",
        amount: Amount(minorUnits: 999),
        paymentCount: 3,
        schedule: .months(1, day: 31)
    )

    private static func day(_ number: Int64) -> VirtualInstant {
        .zero + .seconds(86_400) * number
    }

    @Test func aPlanChargesOnItsDaysByTheCalendarAndEnds() throws {
        var gateway = SimulatedNMIGateway()
        #expect(try Self.send(.recurring(.addPlan(Self.monthly)), &gateway).text == "Plan Added")
        let subscribe = NMIRecurringRequest.subscribe(
            NMISubscriptionOrder(.known("gold")),
            card: Self.swiped,
            orderID: "sub-1",
            details: NMIDetails()
        )
        let answer = try Self.send(.recurring(subscribe), &gateway)
        #expect(answer.kind == .approved)
        #expect(answer.otherFields == [.init(name: "subscription_id", value: "20000000001")])
        #expect(gateway.ledger.entries.isEmpty)
        // From 2024-06-03: the last days of June, July and August.
        let records = gateway.advance(to: Self.day(200))
        #expect(records.count == 6)
        #expect(gateway.ledger.entries.map(\.state) == [.complete, .complete, .complete])
        #expect(gateway.ledger.entries.map(\.orderID) == ["sub-1", "sub-1", "sub-1"])
        let report = try EncryptedPaymentTests.report(
            .transactions(NMITransactionFilter()),
            &gateway
        )
        #expect(
            report.transactions.map { $0.actions[0].date }
                == ["20240630230000", "20240731230000", "20240831230000"]
        )
        #expect(report.transactions[0].actions.map(\.type) == [.sale, .settle])
        let subscriptions = try EncryptedPaymentTests.report(.report(.recurring, id: ""), &gateway)
            .subscriptions
        #expect(subscriptions[0]["plan/plan_amount"] == "9.99")
        #expect(subscriptions[0]["completed_payments"] == "3")
        #expect(subscriptions[0]["remaining_payments"] == "0")
        #expect(subscriptions[0]["next_charge_date"] == nil)
    }

    @Test func aSubscriptionByASaleOfASaleOnlyAndNotByAValidate() throws {
        var gateway = SimulatedNMIGateway()
        let order = NMISubscriptionOrder(
            .own(
                NMIPlan(amount: Amount(minorUnits: 500), paymentCount: 0, schedule: .days(7))
            ),
            startDate: "20240610"
        )
        let answer = try Self.send(Self.sale(Self.swiped, subscription: order), &gateway)
        #expect(answer.otherFields == [.init(name: "subscription_id", value: "20000000001")])
        _ = gateway.advance(to: Self.day(22))
        // The sale itself, then 10, 17 and 24 June.
        #expect(
            gateway.ledger.entries.map(\.source) == ["swipe"]
                + Array(repeating: "recurring", count: 3)
        )
        #expect(
            try Self.send(.recurring(.delete(subscriptionID: "20000000001")), &gateway).kind
                == .approved
        )
        _ = gateway.advance(to: Self.day(60))
        #expect(gateway.ledger.entries.count == 4)
        let validate = NMIPayment(
            .validate,
            amount: Amount(minorUnits: 0),
            card: Self.swiped,
            subscription: order
        )
        #expect(try Self.send(.payment(validate), &gateway).kind == .error)
    }

    @Test func aCheckThatIsSubscribedNeedsAName() throws {
        var gateway = SimulatedNMIGateway()
        _ = try Self.send(.recurring(.addPlan(Self.monthly)), &gateway)
        let order = NMISubscriptionOrder(.known("gold"))
        let refused = try Self.send(
            Self.sale(.check(Self.check), 100, [(.company, "Ltd")], subscription: order),
            &gateway
        )
        #expect(refused.text == "The Customer Name is required REFID:3150000001")
        let taken = try Self.send(
            Self.sale(
                .check(Self.check),
                100,
                [(.firstName, "A"), (.lastName, "B")],
                subscription: order
            ),
            &gateway
        )
        #expect(taken.kind == .approved)
    }

    // MARK: Payments in parts

    @Test func aPartOfThePublishedExampleIsApproved() throws {
        var gateway = SimulatedNMIGateway()
        var bytes: [UInt8] = Array("security_key=\(key)&type=sale&amount=100.00&".utf8)
        bytes += Array("partial_payments=settle_partial&ccexp=1030&ccnumber=".utf8)
        bytes += Array(("4" + String(repeating: "0", count: 14) + "2").utf8)
        let reply = gateway.receive(
            HTTPRequest(path: NMIRequest.transactPath, contentType: "", body: bytes),
            at: .zero,
            cache: cache
        )
        let answer = try NMIResponse(decoding: response(reply).body)
        #expect(answer.kind == .approved)
        #expect(
            answer.otherFields == [
                .init(name: "partial_payment_id", value: "100000001"),
                .init(name: "partial_payment_balance", value: "70.00"),
                .init(name: "amount_authorized", value: "30.00"),
            ]
        )
        #expect(gateway.ledger.entries[0].amount == Amount(minorUnits: 3_000))
        let rest = try Self.send(
            Self.sale(Self.swiped, 7_000, [(.partialPaymentID, "100000001")]),
            &gateway
        )
        #expect(
            rest.otherFields.contains(.init(name: "partial_payment_balance", value: "0.00"))
        )
        #expect(
            try Self.send(.completePartialPayment(id: "100000001"), &gateway).kind == .approved
        )
        #expect(try Self.send(.completePartialPayment(id: "1"), &gateway).kind == .error)
    }
}
