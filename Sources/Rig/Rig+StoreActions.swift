import CardData
import EventLoops
import GatewayProtocols
import Journal
import SDKCore
import SimulatedGateways
import Transports

// What the HoneyStore app and its backend ask for.
extension Rig {
    /// How long the backend takes by itself; assumed.
    private static let backendLatency = VirtualDuration.milliseconds(50)

    /// Does what the app asks for, and wakes it at its deadline.
    mutating func carryOutStore() {
        guard let store else { return }
        while let action = store.app.nextAction() { carryOut(action) }
        store.deadline = move(
            store.deadline,
            to: store.app.nextDeadline,
            .storeDeadline,
            at: RigComponent.paymentDeadline
        )
    }

    /// Does what the backend asks for, and wakes it at its deadline.
    mutating func carryOutBackend() {
        guard let store else { return }
        while let action = store.backend.nextAction() { carryOut(action) }
        store.backendDeadline = move(
            store.backendDeadline,
            to: store.backend.nextDeadline,
            .backendDeadline,
            at: RigComponent.providerDeadline
        )
    }

    private mutating func carryOut(_ action: HoneyStoreApp.Action) {
        switch action {
        case .send(let exchange, let kind, let host, let request):
            send(host == .bridge ? .bridge(exchange) : .backend(exchange), Symbol(kind), request)
        case .cancel: break
        case .answered(_, let kind, let reading): writeStoreAnswer(kind, reading)
        case .unanswered(_, let kind, let reason):
            journal.write(
                .gatewayUnanswered,
                at: now,
                Attribute(.kind, .symbol(Symbol(kind))),
                Attribute(.reason, .symbol(Symbol(reason)))
            )
        case .finished(let call, let error, let count): writeEnd(of: call, error, count)
        case .tokenFinished(let error):
            journal.begin(.tokenFinished, at: now)
            journal.add(.result, .symbol(error == nil ? .approved : .error))
            if let error { journal.add(.text, .text(SafeText(scrubbing: error.message))) }
            journal.end()
        case .purchaseFinished(let purchase, let result): writeEnd(of: purchase, result)
        }
    }

    /// Tells how a purchase ended, and keeps it for the office.
    mutating func writeEnd(of purchase: HoneyStorePurchase, _ result: PurchaseResult) {
        if result == .approved {
            if purchase.isHeld {
                store?.lastHeld = (purchase.orderID, purchase.amount)
            } else {
                store?.lastApproved = purchase.orderID
            }
        }
        journal.begin(purchase.isHeld ? .authorizationFinished : .chargeFinished, at: now)
        journal.add(.result, .symbol(Symbol(result)))
        journal.add(.amount, .amount(purchase.amount))
        addOrderID(purchase.orderID)
        journal.end()
    }

    private mutating func carryOut(_ action: HoneyStoreBackend.Action) {
        guard let store else { return }
        switch action {
        case .post(let post, let kind, let request): send(.gateway(post), Symbol(kind), request)
        case .answered(let post, let kind, let response):
            writeBackendAnswer(gatewayNumber(of: post), kind, response)
        case .unanswered(let post, let kind, let reason):
            journal.begin(.gatewayUnanswered, at: now)
            if let number = gatewayNumber(of: post) {
                journal.add(.number, .integer(Int64(number)))
            }
            journal.add(.kind, .symbol(Symbol(kind)))
            journal.add(.reason, .symbol(Symbol(reason)))
            journal.end()
        case .answer(let call, let response):
            guard let index = store.index(of: call) else { return }
            var wire = GatewayReply.Wire.answer(response, after: Self.backendLatency)
            if let fault = store.exchanges[index].fault {
                writeServerFault(fault, store.exchanges[index].kind)
                if case .slow(let pause) = fault.answer {
                    wire = .answer(response, after: Self.backendLatency + pause)
                } else {
                    wire = Self.wireOfServer(fault.answer) ?? wire
                }
            }
            answer(call, with: wire)
        case .finished(_, let order, let result): writeEnd(of: order, result)
        }
    }

    private func gatewayNumber(of post: Int) -> Int? {
        if let done = store?.doneNumbers, done.post == post { return done.number }
        return store?.exchanges.first { $0.route == .gateway(post) }?.gatewayNumber
    }
}
