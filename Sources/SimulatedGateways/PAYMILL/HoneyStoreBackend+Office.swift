import CardData
import EventLoops
import GatewayProtocols

// What the merchant's office does with orders: held money is taken or given up, and paid back.
extension HoneyStoreBackend {
    /// Goes on with an answer.
    mutating func officeAnswered(
        _ task: HoneyStoreTask,
        _ response: PAYMILLResponse,
        at now: VirtualInstant
    ) {
        guard case .office(let order, let known) = task.work else { return }
        if case .find = task.step {
            let found = response.transactions ?? []
            guard let known else { return begin(task, order, found, at: now) }
            return judge(task, order, known, found)
        }
        if response.isDone {
            return finish(task, .approved(transactionID: known?.id ?? "", Amount(minorUnits: 0)))
        }
        if let refund = response.refund, refund.responseCode.isSuccess {
            return finish(task, .approved(transactionID: refund.id, refund.amount))
        }
        guard let transaction = response.transaction else {
            return finish(task, .error(response.failureText ?? "no answer that can be used"))
        }
        // Money that was given up is a failed transaction in v2.1.
        if transaction.responseCode.isSuccess || transaction.responseCode == .voided {
            finish(task, .approved(transactionID: transaction.id, transaction.originAmount))
        } else {
            finish(task, .declined(transaction.responseCode))
        }
    }

    private mutating func begin(
        _ task: HoneyStoreTask,
        _ order: OfficeOrder,
        _ found: [PAYMILLTransaction],
        at now: VirtualInstant
    ) {
        var task = task
        let isHeld: (PAYMILLTransaction) -> Bool = { $0.preauthorization != nil }
        switch order {
        case .capture(_, let amount):
            let held = found.last { isHeld($0) && $0.responseCode.isSuccess }
            guard let held, let id = held.preauthorization?.id else {
                return finish(task, .error("no money is held for this order"))
            }
            task.work = .office(order, held)
            let money = PAYMILLRequest.Money(
                amount: amount ?? held.originAmount,
                currency: held.currency,
                source: .preauthorization(id),
                description: order.orderID
            )
            start(task, .capture(money), at: now)
        case .void:
            let held = found.last { isHeld($0) }
            guard let held, let id = held.preauthorization?.id else {
                return finish(task, .error("no money is held for this order"))
            }
            task.work = .office(order, held)
            start(task, .void(id), at: now)
        case .refund(_, let amount):
            guard let taken = found.first(where: \.isRefundable) else {
                return finish(task, .error("nothing was taken for this order"))
            }
            task.work = .office(order, taken)
            start(task, .refund(taken.id, amount ?? taken.amount), at: now)
        }
    }

    /// Goes on without an answer: what may have moved money is looked up.
    mutating func officeLost(_ task: HoneyStoreTask, _ reason: LostAnswer, at now: VirtualInstant) {
        guard case .office(let order, let known) = task.work else { return }
        if reason == .refused, known == nil || !task.isLookingUp {
            return finish(task, .error("the gateway cannot be reached"))
        }
        if known == nil { return finish(task, .error("the gateway did not answer")) }
        if task.isLookingUp { return finish(task, .unknown) }
        start(task, .find(order.orderID), at: now)
    }

    /// Judges an order whose answer was lost by the transactions that there are now.
    private mutating func judge(
        _ task: HoneyStoreTask,
        _ order: OfficeOrder,
        _ known: PAYMILLTransaction,
        _ found: [PAYMILLTransaction]
    ) {
        let now = found.first { $0.id == known.id }
        switch order {
        case .capture:
            let taken = found.first { $0.id != known.id && $0.status == .closed }
            guard let taken else { return finish(task, .error("nothing was taken")) }
            finish(task, .approved(transactionID: taken.id, taken.originAmount))
        case .void:
            guard now?.responseCode == .voided else {
                return finish(task, .error("the money is still held"))
            }
            finish(task, .approved(transactionID: known.id, known.originAmount))
        case .refund:
            let left = now?.amount ?? known.amount
            guard left < known.amount else {
                return finish(task, .error("nothing was paid back"))
            }
            let amount = Amount(minorUnits: known.amount.minorUnits - left.minorUnits)
            finish(task, .approved(transactionID: known.id, amount))
        }
    }

    private mutating func finish(_ task: HoneyStoreTask, _ result: OfficeResult) {
        guard case .office(let number, let order) = task.caller else { return }
        actions.append(.finished(order: number, order, result))
    }
}

extension HoneyStoreTask {
    /// Whether the transactions are asked for, and not the first time.
    fileprivate var isLookingUp: Bool { if case .find = step { true } else { false } }
}
