import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Transports

extension SimulatedNMIGateway {
    /// Carries out a request about plans and subscriptions; the texts are assumed.
    mutating func carryOut(
        _ request: NMIRecurringRequest,
        _ call: NMICall,
        _ cache: CryptoCache
    ) -> HTTPResponse {
        switch request {
        case .addPlan(let plan):
            guard recurring.plan(plan.id) == nil else { return refuse(call, "Duplicate Plan ID") }
            guard recurring.plans.count < RecurringBook.maximumCount else {
                return refuse(call, "The simulated list of plans is full")
            }
            recurring.plans.append(plan)
            tell(of: plan, at: call.instant)
            return approve(call, "Plan Added", [])
        case .subscribe(let order, let data, let orderID, let details):
            guard let data else { return refuse(call, "Billing Information missing") }
            switch payingCard(data, cache) {
            case .failure(let refusal): return refuse(call, refusal.text)
            case .success(let card):
                if let text = refusal(of: order, card, details) { return refuse(call, text) }
                let id = subscribe(order, card, orderID, details, at: call.instant)
                return approve(call, "Subscription added", [("subscription_id", id)])
            }
        case .update(let id, let data, let details):
            guard let index = recurring.index(id) else {
                return refuse(call, "Invalid Subscription ID")
            }
            if let data {
                switch payingCard(data, cache) {
                case .failure(let refusal): return refuse(call, refusal.text)
                case .success(let card): recurring.subscriptions[index].card = card
                }
            }
            recurring.subscriptions[index].details.merge(details)
            tell(of: recurring.subscriptions[index], "update", at: call.instant)
            return approve(call, "Subscription updated", [("subscription_id", id)])
        case .delete(let id):
            guard let index = recurring.index(id) else {
                return refuse(call, "Invalid Subscription ID")
            }
            let subscription = recurring.subscriptions.remove(at: index)
            tell(of: subscription, "delete", at: call.instant)
            return approve(call, "Subscription deleted", [("subscription_id", id)])
        }
    }

    /// Why a subscription cannot be added, or `nil`.
    ///
    /// Source: SparkDevNetwork/Rock issue 3663 for the name that a check's payer needs; the other
    /// texts are assumed.
    func refusal(
        of order: NMISubscriptionOrder,
        _ card: PayingCard,
        _ details: NMIDetails
    ) -> String? {
        if case .known(let id) = order.plan, recurring.plan(id) == nil { return "Invalid Plan ID" }
        guard recurring.subscriptions.count < RecurringBook.maximumCount else {
            return "The simulated list of subscriptions is full"
        }
        let hasName = details[.firstName] != nil && details[.lastName] != nil
        if card.check != nil, !hasName { return "The Customer Name is required" }
        return nil
    }

    /// Adds a subscription whose order was checked.
    ///
    /// - Returns: Its id.
    mutating func subscribe(
        _ order: NMISubscriptionOrder,
        _ card: PayingCard,
        _ orderID: String,
        _ details: NMIDetails,
        at now: VirtualInstant
    ) -> String {
        let plan: NMIPlan
        switch order.plan {
        case .own(let own): plan = own
        case .known(let id):
            plan =
                recurring.plan(id)
                ?? NMIPlan(amount: Amount(minorUnits: 0), paymentCount: 1, schedule: .days(1))
        }
        let today = day(of: now)
        var first = today
        if let number = Int64(order.startDate) {
            let start = CivilDate(
                year: number / 10_000,
                month: number / 100 % 100,
                day: number % 100
            )
            first = max(today, start.daysSince1970)
        }
        let subscription = Subscription(
            id: recurring.makeID(),
            plan: plan,
            card: card,
            orderID: orderID,
            details: details,
            nextDay: RecurringBook.day(from: first, plan.schedule)
        )
        recurring.subscriptions.append(subscription)
        tell(of: subscription, "add", at: now)
        return subscription.id
    }

    /// Charges the subscriptions of a day and of the days before that were not charged.
    mutating func chargeSubscriptions(
        of day: Int64,
        at now: VirtualInstant,
        _ records: inout [GatewayRecord]
    ) {
        for index in recurring.subscriptions.indices {
            while let next = recurring.subscriptions[index].nextDay, next <= day,
                ledger.entries.count < configuration.maximumTransactionCount
            {
                charge(subscriptionAt: index, next, at: now, &records)
            }
        }
    }

    private mutating func charge(
        subscriptionAt index: Int,
        _ day: Int64,
        at now: VirtualInstant,
        _ records: inout [GatewayRecord]
    ) {
        let subscription = recurring.subscriptions[index]
        let payment = NMIPayment(
            .sale,
            amount: subscription.plan.amount,
            orderID: subscription.orderID,
            card: nil,
            details: subscription.details
        )
        // What the vault holds now pays, and not what it held when the subscription began.
        let card =
            vault.customer(subscription.card.customerID)?.card ?? subscription.card
        let isDeclined =
            configuration.isTestMode && subscription.plan.amount < Amount(minorUnits: 100)
        _ = book(
            payment,
            card,
            NMICall(at: now),
            isDeclined ? .declined : .approved,
            subscriptionID: subscription.id,
            &records
        )
        recurring.subscriptions[index].attemptedCount += 1
        if !isDeclined { recurring.subscriptions[index].completedCount += 1 }
        let isLast =
            subscription.plan.paymentCount > 0
            && subscription.attemptedCount + 1 >= subscription.plan.paymentCount
        recurring.subscriptions[index].nextDay =
            isLast ? nil : RecurringBook.day(after: day, subscription.plan.schedule)
    }

    private func approve(
        _ call: NMICall,
        _ text: String,
        _ fields: [(String, String)]
    ) -> HTTPResponse {
        let response = NMIResponse(
            kind: .approved,
            text: text,
            responseCode: .approved,
            otherFields: fields.map { .init(name: $0.0, value: $0.1) }
        )
        return respond(call, response, id: nil)
    }
}
