import CardData
import EventLoops
import GatewayProtocols

// What the cloud functions do about an answer that was lost.
extension HoneyStoreBackend {
    /// Goes on without an answer: what may have charged is looked up, and never sent again.
    mutating func lost(_ task: HoneyStoreTask, _ reason: LostAnswer, at now: VirtualInstant) {
        actions.append(.unanswered(post: task.post, kind: task.kind, reason))
        switch task.step {
        case .charge, .preauthorize:
            guard case .purchase(_, _, let source, _) = task.work else { return }
            if case .token = source, defects.contains(.forgetsRejections) {
                return waitForEver(task, at: now)
            }
            if reason == .refused || defects.contains(.hasNoLookUp) {
                let text = "the gateway cannot be reached; nothing was charged"
                return answer(task, HoneyStoreError(.scriptFailed, text))
            }
            lookUp(task, 0, at: now)
        case .lookUp(_, let number):
            var task = task
            task.hasLostLookUp = true
            lookUp(task, number + 1, at: now)
        case .createClient, .updateClient:
            answer(task, HoneyStoreError(.validationError, "save user failed: no answer"))
        case .createPayment:
            let text =
                defects.contains(.namesNoError)
                ? "ReferenceError: e is not defined"
                : "the gateway did not answer; nothing was charged"
            answer(task, HoneyStoreError(.scriptFailed, text))
        case .showClient, .list:
            answer(task, HoneyStoreError(.timeout, "the gateway did not answer"))
        case .find, .capture, .void, .refund: officeLost(task, reason, at: now)
        }
    }

    /// Looks a purchase up for the time of that number, from 0, or ends it after the last.
    mutating func lookUp(_ task: HoneyStoreTask, _ number: Int, at now: VirtualInstant) {
        guard case .purchase(let user, let order, _, _) = task.work else { return }
        guard number < configuration.lookUpPauses.count else {
            orders.end(order, user: user, task.hasLostLookUp ? .unknown : .notBooked)
            guard task.hasLostLookUp else {
                let text = "the gateway has no such transaction; nothing was charged"
                return answer(task, HoneyStoreError(.scriptFailed, text))
            }
            let text = "the gateway did not answer; look the order up"
            return answer(task, HoneyStoreError(.timeout, text))
        }
        let list = PAYMILLRequest.List.described(
            order.description,
            client: users[user].clientID
        )
        let pause = configuration.lookUpPauses[number]
        self.pause(task, .lookUp(list, number: number), for: pause, at: now)
    }

    mutating func lookedUp(
        _ task: HoneyStoreTask,
        _ response: PAYMILLResponse,
        _ number: Int,
        at now: VirtualInstant
    ) {
        var task = task
        guard let transactions = response.transactions else {
            task.hasLostLookUp = true
            return lookUp(task, number + 1, at: now)
        }
        task.hasLostLookUp = false
        guard case .purchase(let user, let order, let source, _) = task.work else { return }
        // A token's payment is made for one call; a kept card pays for many.
        let payment: String
        switch source {
        case .token: payment = task.payment
        case .payment(let kept): payment = kept
        }
        let found = transactions.filter { transaction in
            transaction.originAmount == order.amount && transaction.currency == order.currency
                && transaction.payment?.id == payment && !orders.isBooked(transaction.id)
        }
        guard let transaction = found.first else { return lookUp(task, number + 1, at: now) }
        // What is found may be another's that nobody knows the outcome of.
        if case .payment = source, found.count <= orders.rivalCount(of: order, user: user) {
            task.hasLostLookUp = true
            return lookUp(task, number + 1, at: now)
        }
        conclude(task, transaction)
    }
}
