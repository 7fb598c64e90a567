public import CardData
import EventLoops
public import GatewayProtocols
import Journal
import SDKCore
import SimulatedGateways
import Transports

/// What an app tells the gateway beside money and order.
public struct PaymentExtras: Hashable, Sendable {
    /// Name, address and the like.
    public var details = NMIDetails()
    /// As whom the gateway is to keep what pays when it is approved, or `nil`.
    public var vault: NMIVaultOrder?
    /// To what it is subscribed when it is approved, or `nil`.
    public var subscription: NMISubscriptionOrder?

    /// Creates what tells nothing.
    public init() {}
}

// What an app asks of NMI beside charges, and what follows them. Each method returns whether it
// could be asked.
extension Rig {
    /// Pays out to what pays, without an earlier payment.
    public mutating func credit(
        _ amount: Amount,
        orderID: String?,
        extras: PaymentExtras = PaymentExtras()
    ) -> Bool {
        let now = now
        guard let request = newMoney(.creditRequested, amount, orderID, extras) else {
            return false
        }
        payments?.client.credit(request, at: now)
        carryOutPayments()
        return true
    }

    /// Has what pays looked at, without money.
    public mutating func validate(
        orderID: String?,
        extras: PaymentExtras = PaymentExtras()
    ) -> Bool {
        let now = now
        guard let request = newMoney(.validationRequested, nil, orderID, extras) else {
            return false
        }
        payments?.client.validate(request, at: now)
        carryOutPayments()
        return true
    }

    /// Records a payment that the issuer authorised by telephone.
    public mutating func recordOffline(
        _ amount: Amount,
        code: String?,
        orderID: String?,
        extras: PaymentExtras = PaymentExtras()
    ) -> Bool {
        let now = now
        var extras = extras
        extras.details[.authorizationCode] = code
        guard let request = newMoney(.offlineRequested, amount, orderID, extras) else {
            return false
        }
        payments?.client.recordOffline(request, at: now)
        carryOutPayments()
        return true
    }

    /// Adds data to the charge or authorisation that was approved last.
    public mutating func update(_ details: NMIDetails) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        guard isAppAlive, let id = payments?.lastApproved else { return false }
        journal.begin(.updateRequested, at: now)
        addTransactionID(id)
        journal.end()
        payments?.client.update(id, details, at: now)
        carryOutPayments()
        return true
    }

    /// Lets a bank account pay from now on.
    public mutating func enterCheck(_ check: NMICheck) -> Bool {
        touched.formUnion(.payments)
        guard isAppAlive, payments != nil else { return false }
        payments?.card = .check(check)
        return true
    }

    /// Lets a customer of the gateway's vault pay from now on; nothing is asked.
    public mutating func useCustomer(_ id: String) -> Bool {
        touched.formUnion(.payments)
        guard isAppAlive, payments != nil else { return false }
        payments?.card = .stored(NMIStoredPayment(customerID: id))
        return true
    }

    /// Changes the gateway's vault: what pays is kept as a customer, or a customer is forgotten.
    public mutating func changeCustomer(
        _ action: NMIVaultRequest.Action,
        _ id: String,
        details: NMIDetails = NMIDetails()
    ) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        guard isAppAlive, payments != nil else { return false }
        let card = payments?.card
        guard action == .delete || card != nil else { return false }
        if case .check = card, action != .delete { payments?.checkNames.insert(id) }
        journal.begin(.customerRequested, at: now)
        journal.add(.action, .symbol(Symbol(action)))
        journal.add(.customer, .text(SafeText(scrubbing: id)))
        journal.end()
        payments?.client.change(
            NMIVaultRequest(
                action,
                customerID: id,
                card: action == .delete ? nil : card,
                details: details
            ),
            at: now
        )
        carryOutPayments()
        return true
    }

    /// Has the gateway keep a plan.
    public mutating func addPlan(_ plan: NMIPlan) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        guard isAppAlive, payments != nil else { return false }
        journal.begin(.planRequested, at: now)
        journal.add(.plan, .text(SafeText(scrubbing: plan.id)))
        journal.add(.amount, .amount(plan.amount))
        journal.end()
        payments?.client.change(.addPlan(plan), at: now)
        carryOutPayments()
        return true
    }

    /// Subscribes what pays to a plan that the gateway keeps.
    public mutating func subscribe(
        to planID: String,
        startDate: String,
        orderID: String?,
        details: NMIDetails = NMIDetails()
    ) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        guard isAppAlive, let card = payments?.card else { return false }
        payments?.orderCount += 1
        let order = orderID ?? "order-\(payments?.orderCount ?? 0)"
        journal.begin(.subscriptionRequested, at: now)
        journal.add(.action, .symbol(.add))
        journal.add(.plan, .text(SafeText(scrubbing: planID)))
        addOrderID(order)
        journal.end()
        payments?.client.change(
            .subscribe(
                NMISubscriptionOrder(.known(planID), startDate: startDate),
                card: card,
                orderID: order,
                details: details
            ),
            at: now
        )
        carryOutPayments()
        return true
    }

    /// Ends the subscription that began last.
    public mutating func unsubscribe() -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        guard isAppAlive, let id = payments?.lastSubscription else { return false }
        journal.begin(.subscriptionRequested, at: now)
        journal.add(.action, .symbol(.delete))
        journal.add(.subscription, .text(SafeText(scrubbing: id)))
        journal.end()
        payments?.client.change(.delete(subscriptionID: id), at: now)
        carryOutPayments()
        return true
    }

    // MARK: How it ends

    mutating func finish(_ request: NMIVaultRequest.Action, _ id: String, _ result: RegisterResult)
    {
        journal.begin(.customerFinished, at: now)
        journal.add(.result, .symbol(Symbol(result)))
        journal.add(.action, .symbol(Symbol(request)))
        journal.add(.customer, .text(SafeText(scrubbing: result.id ?? id)))
        journal.end()
    }

    mutating func finish(_ change: NMIClient.RecurringChange, _ result: RegisterResult) {
        switch change {
        case .plan(let id):
            journal.begin(.planFinished, at: now)
            journal.add(.result, .symbol(Symbol(result)))
            journal.add(.plan, .text(SafeText(scrubbing: id)))
            journal.end()
        case .subscription(let orderID):
            if let id = result.id { payments?.lastSubscription = id }
            journal.begin(.subscriptionFinished, at: now)
            journal.add(.result, .symbol(Symbol(result)))
            journal.add(.action, .symbol(.add))
            addOrderID(orderID)
            if let id = result.id { journal.add(.subscription, .text(SafeText(scrubbing: id))) }
            journal.end()
        case .change(let id), .end(let id):
            if case .end = change, result.id != nil { payments?.lastSubscription = nil }
            journal.begin(.subscriptionFinished, at: now)
            journal.add(.result, .symbol(Symbol(result)))
            journal.add(.action, .symbol(.delete))
            journal.add(.subscription, .text(SafeText(scrubbing: id)))
            journal.end()
        }
    }
}

extension RegisterResult {
    /// The id under which it is kept; `nil` without an approval.
    var id: String? {
        guard case .approved(let id) = self else { return nil }
        return id
    }
}

extension Symbol {
    init(_ result: RegisterResult) {
        switch result {
        case .approved: self = .approved
        case .error: self = .error
        case .unknown: self = .unknown
        }
    }

    init(_ action: NMIVaultRequest.Action) {
        switch action {
        case .add: self = .add
        case .update: self = .update
        case .delete: self = .delete
        }
    }
}
