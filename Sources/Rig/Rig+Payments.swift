public import CardData
import EventLoops
public import GatewayProtocols
import Journal
import SDKCore
public import SimulatedGateways
import Transports

extension Rig {
    /// Charges the card that was swiped last.
    ///
    /// - Parameters:
    ///   - amount: The money.
    ///   - orderID: The app's name for the order; `nil` numbers it: `order-1`, `order-2`, …
    ///   - extras: What else the gateway is told.
    /// - Returns: Whether there was a card and a gateway to ask.
    public mutating func charge(
        _ amount: Amount,
        orderID: String?,
        extras: PaymentExtras = PaymentExtras()
    ) -> Bool {
        let now = now
        guard let request = newMoney(.chargeRequested, amount, orderID, extras) else {
            return false
        }
        payments?.client.charge(request, at: now)
        carryOutPayments()
        return true
    }

    /// Authorises an amount on the card that was swiped last, to be captured later.
    ///
    /// - Parameters:
    ///   - amount: The money.
    ///   - orderID: The app's name for the order; `nil` numbers it as a charge.
    ///   - extras: What else the gateway is told.
    /// - Returns: Whether there was a card and a gateway to ask.
    public mutating func authorize(
        _ amount: Amount,
        orderID: String?,
        extras: PaymentExtras = PaymentExtras()
    ) -> Bool {
        let now = now
        guard let request = newMoney(.authorizationRequested, amount, orderID, extras) else {
            return false
        }
        payments?.client.authorize(request, at: now)
        carryOutPayments()
        return true
    }

    mutating func newMoney(
        _ record: RecordName,
        _ amount: Amount?,
        _ orderID: String?,
        _ extras: PaymentExtras
    ) -> ChargeRequest? {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard isAppAlive, let card = payments?.card else { return nil }
        payments?.orderCount += 1
        let name = orderID ?? "order-\(payments?.orderCount ?? 0)"
        journal.begin(record, at: now)
        if let amount { journal.add(.amount, .amount(amount)) }
        journal.add(.orderID, .text(SafeText(scrubbing: name)))
        journal.end()
        payments?.note(card, paysFor: name)
        return ChargeRequest(
            amount: amount ?? Amount(minorUnits: 0),
            orderID: name,
            card: card,
            cvv: payments?.securityCode,
            details: extras.details,
            vault: extras.vault,
            subscription: extras.subscription
        )
    }

    /// Captures the authorisation that was approved last.
    ///
    /// - Parameter amount: The money; `nil` is all that was authorised.
    /// - Returns: Whether there was one.
    public mutating func capture(_ amount: Amount? = nil) -> Bool {
        let now = now
        guard isAppAlive, let (id, authorized) = payments?.lastAuthorized else { return false }
        let amount = amount ?? authorized
        journal.begin(.captureRequested, at: now)
        journal.add(.amount, .amount(amount))
        addTransactionID(id)
        journal.end()
        payments?.client.capture(id, amount: amount, at: now)
        carryOutPayments()
        return true
    }

    /// Pays money of the charge or authorisation that was approved last back.
    ///
    /// - Parameters:
    ///   - amount: The money; `nil` is all that is left of it.
    ///   - orderID: The app's name for the refund; `nil` numbers it: `refund-1`, `refund-2`, …
    ///   - isCheck: Whether a check is said to have paid; `nil` as it was.
    /// - Returns: Whether there was one.
    public mutating func refund(
        _ amount: Amount? = nil,
        orderID: String? = nil,
        isCheck: Bool? = nil
    ) -> Bool {
        let now = now
        guard isAppAlive, let id = payments?.lastApproved else { return false }
        payments?.refundCount += 1
        let name = orderID ?? "refund-\(payments?.refundCount ?? 0)"
        journal.begin(.refundRequested, at: now)
        if let amount { journal.add(.amount, .amount(amount)) }
        addTransactionID(id)
        addOrderID(name)
        journal.end()
        let isCheck = isCheck ?? payments?.isLastByCheck ?? false
        payments?.client.refund(
            RefundRequest(
                transactionID: id,
                amount: amount,
                orderID: name,
                isCheck: isCheck
            ),
            at: now
        )
        carryOutPayments()
        return true
    }

    /// Voids the charge or authorisation that was approved last.
    ///
    /// - Parameters:
    ///   - reason: Why.
    ///   - isCheck: Whether a check is said to have paid; `nil` as it was.
    /// - Returns: Whether there was one.
    public mutating func voidLastCharge(
        reason: NMIVoidReason? = nil,
        isCheck: Bool? = nil
    ) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        guard isAppAlive, let id = payments?.lastApproved else { return false }
        journal.begin(.voidRequested, at: now)
        addTransactionID(id)
        journal.end()
        let isCheck = isCheck ?? payments?.isLastByCheck ?? false
        payments?.client.void(id, reason: reason, isCheck: isCheck, at: now)
        carryOutPayments()
        return true
    }

    /// Settles what awaits settlement at the gateway, as its daily cut-off does; returns whether
    /// there is a gateway.
    public mutating func settleGateway() -> Bool {
        let now = now
        if let remote = payments?.remote {
            remote.settle()
            takeRecordsFromOutside(step: nil)
            return true
        }
        guard let records = payments?.gateway.settle(at: now) else { return false }
        for record in records { write(record) }
        watchGateway()
        return true
    }

    /// Arms a fault of the gateway; returns whether there is a gateway.
    public mutating func arm(_ fault: GatewayFault) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        if let store {
            store.gateway.schedule(fault)
            return true
        }
        guard payments != nil || agentcash != nil else { return false }
        if let remote = remotes.first {
            remote.arm(fault)
            if problem == nil { problem = remote.problem }
        } else if payments != nil {
            payments?.gateway.schedule(fault)
        } else {
            agentcash?.gateway.schedule(fault)
        }
        return true
    }

    /// How many requests the gateway received.
    public var requestCount: Int {
        (payments?.gateway.requestCount ?? 0) + (agentcash?.gateway.requestCount ?? 0)
            + (terminal?.terminal.attemptCount ?? 0)
            + (store?.gateway.requestCount ?? 0)
    }

    /// The gateway's transactions in the order in which they were booked.
    public var ledgerEntries: [LedgerEntry] { payments?.gateway.ledger.entries ?? [] }

    // MARK: Events

    mutating func requestArrives(_ exchange: Int) {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        if payments?.server == nil, sendOutside(exchange) { return }
        guard let request = payments?.exchanges[exchange - 1].request.take(),
            let reply = answer(to: request, of: exchange)
        else { return }
        for record in reply.records { write(record) }
        watchGateway()
        end(exchange, with: reply.wire)
    }

    /// Brings to the app what it sees of an exchange.
    mutating func end(_ exchange: Int, with wire: GatewayReply.Wire) {
        let delay: VirtualDuration
        switch wire {
        case .silence:
            return
        case .answer(let response, let after):
            payments?.exchanges[exchange - 1].outcome = .answered(response)
            delay = after
        case .reset(let after):
            payments?.exchanges[exchange - 1].outcome = .reset
            delay = after
        case .refused:
            payments?.exchanges[exchange - 1].outcome = .refused
            delay = .zero
        }
        loop.post(
            RigEvent(.exchangeEnds(exchange: exchange), step: journal.step),
            to: RigComponent.exchangeEnd,
            at: now + delay
        )
    }

    /// What the gateway, or the merchant's server before it, makes of a request.
    private mutating func answer(to request: HTTPRequest, of exchange: Int) -> GatewayReply? {
        let now = now
        guard payments?.server == nil else { return relay(request, of: exchange) }
        armGatewayFault()
        return payments?.gateway.receive(request, at: now, cache: cache)
    }

    mutating func exchangeEnds(_ exchange: Int) {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        guard payments?.exchanges[exchange - 1].isOver == false,
            let outcome = payments?.exchanges[exchange - 1].outcome.take()
        else { return }
        payments?.exchanges[exchange - 1].isOver = true
        let earlier = payments?.earlierExchangeCount ?? 0
        payments?.client.outcome(outcome, exchange: exchange - earlier, at: now)
        carryOutPayments()
    }

    mutating func paymentDeadline() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        payments?.deadline = nil
        takeRecordsFromOutside(step: nil)
        payments?.client.deadlineReached(at: now)
        carryOutPayments()
    }

    /// Does what the payment client asks for, and wakes it at its deadline.
    mutating func carryOutPayments() {
        while let action = payments?.client.nextAction() { carryOut(action) }
        let wanted = payments?.client.nextDeadline
        if let deadline = payments?.deadline {
            if deadline.instant == wanted { return }
            loop.cancel(deadline.id)
            payments?.deadline = nil
        }
        guard let wanted else { return }
        let id = loop.post(
            RigEvent(.paymentDeadline, step: journal.step),
            to: RigComponent.paymentDeadline,
            at: wanted
        )
        payments?.deadline = (id, wanted)
    }

    private mutating func carryOut(_ action: NMIClient.Action) {
        let earlier = payments?.earlierExchangeCount ?? 0
        switch action {
        case .send(let exchange, let kind, let request, _):
            let step = journal.step
            payments?.exchanges.append(
                PaymentDesk.Exchange(kind: kind, request: request, step: step)
            )
            loop.post(
                RigEvent(.requestArrives(exchange: earlier + exchange), step: journal.step),
                to: RigComponent.requestArrival,
                at: now
            )
        case .cancel(let exchange):
            payments?.exchanges[earlier + exchange - 1].isOver = true
            // The merchant's server waits on: it does not know that the app gave up.
            if payments?.server == nil,
                let number = payments?.exchanges[earlier + exchange - 1].remoteNumber
            {
                payments?.remote?.cancel(number)
            }
        case .answered(let exchange, let kind, let response):
            writeAnswer(earlier + exchange, kind, response)
        case .lookedUp(let exchange, let orderID, let answer):
            writeLookUp(earlier + exchange, orderID, answer)
        case .unanswered(let exchange, let kind, let reason):
            journal.write(
                .gatewayUnanswered,
                at: now,
                Attribute(.number, .integer(Int64(earlier + exchange))),
                Attribute(.kind, .symbol(Symbol(kind))),
                Attribute(.reason, .symbol(Symbol(reason)))
            )
        case .chargeFinished(_, let amount, let orderID, let result):
            writeNewMoney(.chargeFinished, amount, orderID, result)
        case .authorizationFinished(_, let amount, let orderID, let result):
            if case .approved(let id, _) = result { payments?.lastAuthorized = (id, amount) }
            writeNewMoney(.authorizationFinished, amount, orderID, result)
        case .refundFinished(_, let request, let result):
            journal.begin(.refundFinished, at: now)
            journal.add(.result, .symbol(Symbol(result)))
            if let amount = request.amount { journal.add(.amount, .amount(amount)) }
            addOrderID(request.orderID)
            if case .approved(let id, _) = result { addTransactionID(id) }
            journal.end()
        case .creditFinished(_, let amount, let orderID, let result):
            writeNewMoney(.creditFinished, amount, orderID, result)
        case .validationFinished(_, let orderID, let result):
            writeNewMoney(.validationFinished, nil, orderID, result)
        case .offlineFinished(_, let amount, let orderID, let result):
            writeNewMoney(.offlineFinished, amount, orderID, result)
        case .updateFinished(_, let id, let result):
            journal.begin(.updateFinished, at: now)
            journal.add(.result, .symbol(Symbol(result)))
            addTransactionID(id)
            journal.end()
        case .customerFinished(_, let action, let id, let result): finish(action, id, result)
        case .recurringFinished(_, let change, let result): finish(change, result)
        case .captureFinished(_, let id, let amount, let result):
            journal.begin(.captureFinished, at: now)
            journal.add(.result, .symbol(Symbol(result)))
            journal.add(.amount, .amount(amount))
            addTransactionID(id)
            journal.end()
        case .voidFinished(_, let id, let result):
            journal.begin(.voidFinished, at: now)
            journal.add(.result, .symbol(Symbol(result)))
            addTransactionID(id)
            journal.end()
        }
    }

    /// The app was killed: its payment client is gone, and nobody hears the answers.
    mutating func losePaymentClient() {
        if let deadline = payments?.deadline { loop.cancel(deadline.id) }
        payments?.deadline = nil
        payments?.loseClient(plant: app.plant)
    }
}
