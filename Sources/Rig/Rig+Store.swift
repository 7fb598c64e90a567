public import CardData
import EventLoops
public import GatewayProtocols
import Journal
public import SDKCore
public import SimulatedGateways
import Transports

// The HoneyStore app, its backend and PAYMILL: what the app is asked, and what travels.
extension Rig {
    /// Whether the rig has PAYMILL and the HoneyStore.
    public var hasStore: Bool { store != nil }

    /// What PAYMILL has booked.
    public var storeBooks: PAYMILLBooks? { store?.gateway.books }

    /// How long the backend takes by itself; assumed.
    private static let backendLatency = VirtualDuration.milliseconds(50)

    // MARK: Calls

    /// Keeps a card that somebody typed in, or that a camera read.
    ///
    /// - Returns: Whether there was an app for it.
    public mutating func enterStoreCard(_ card: PAYMILLCard) -> Bool {
        touched.formUnion(.payments)
        guard isAppAlive, let store else { return false }
        store.app.card = card
        return true
    }

    /// Lets the app do something beside a purchase; returns whether there is one.
    public mutating func call(_ call: HoneyStoreCall) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard isAppAlive, let store else { return false }
        let now = now
        switch call {
        case .signUp(let name, _, _): writeUser(.signUp, name)
        case .logIn(let name, _): writeUser(.logIn, name)
        case .saveUser: writeUser(.saveUser, "")
        case .cards:
            journal.write(.listRequested, at: now, Attribute(.kind, .symbol(.cards)))
        case .products:
            journal.write(.listRequested, at: now, Attribute(.kind, .symbol(.products)))
        case .token(let amount):
            journal.write(.tokenRequested, at: now, Attribute(.amount, .amount(amount)))
        }
        store.app.call(call, at: now)
        carryOutStore()
        return true
    }

    private mutating func writeUser(_ act: Symbol, _ name: String) {
        journal.begin(.userRequested, at: now)
        journal.add(.action, .symbol(act))
        if !name.isEmpty { journal.add(.user, .text(SafeText(scrubbing: name))) }
        journal.end()
    }

    /// Buys something.
    ///
    /// - Parameters:
    ///   - product: The product; `nil` pays a free amount.
    ///   - price: What the table of products has in place of its price.
    ///   - amount: The money; `nil` is what the app makes of the price.
    ///   - orderID: The app's name for the order; `nil` numbers it: `order-1`, `order-2`, …
    ///   - payer: What pays; a payment without an id is a card of another user.
    ///   - isHeld: Whether the money is only held.
    /// - Returns: Whether there was an app, and money to ask for.
    public mutating func buy(
        product: String? = nil,
        price: Amount? = nil,
        amount: Amount? = nil,
        orderID: String? = nil,
        payer: HoneyStorePurchase.Payer = .card,
        isHeld: Bool = false
    ) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard isAppAlive, let store else { return false }
        let listed = price ?? product.flatMap { HoneyStoreProduct.named($0)?.price }
        guard let amount = amount ?? listed.map({ store.app.amount(ofPrice: $0) }) else {
            return false
        }
        var payer = payer
        if payer == .payment("") {
            guard let id = store.foreignPayment() else { return false }
            payer = .payment(id)
        }
        store.orderCount += 1
        let name = orderID ?? "order-\(store.orderCount)"
        var purchase = HoneyStorePurchase(amount: amount, orderID: name, payer: payer)
        purchase.product = product ?? ""
        purchase.isHeld = isHeld
        journal.begin(isHeld ? .authorizationRequested : .chargeRequested, at: now)
        journal.add(.amount, .amount(amount))
        journal.add(.orderID, .text(SafeText(scrubbing: name)))
        if payer == .token, let number = tokenNumber(store.app.token) {
            journal.add(.token, .integer(Int64(number)))
        }
        journal.end()
        store.app.buy(purchase, at: now)
        carryOutStore()
        return true
    }

    /// Lets the merchant's office do something with the order that was approved or held last.
    ///
    /// - Returns: Whether there was one.
    public mutating func orderOffice(_ kind: OfficeWork, _ amount: Amount?) -> Bool {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard let store else { return false }
        let order: OfficeOrder
        let record: RecordName
        switch kind {
        case .capture:
            guard let held = store.lastHeld else { return false }
            order = .capture(orderID: held.orderID, amount)
            record = .captureRequested
        case .void:
            guard let held = store.lastHeld else { return false }
            order = .void(orderID: held.orderID)
            record = .voidRequested
        case .refund:
            guard let approved = store.lastApproved else { return false }
            order = .refund(orderID: approved, amount)
            record = .refundRequested
        }
        journal.begin(record, at: now)
        if kind != .void, let amount { journal.add(.amount, .amount(amount)) }
        if kind == .refund { addOrderID(order.orderID) }
        journal.end()
        _ = store.backend.take(order, at: now)
        carryOutBackend()
        return true
    }

    /// Arms a fault of the store's backend; returns whether there is one.
    mutating func armStoreServer(_ fault: GatewayFault) -> Bool {
        guard let store else { return false }
        store.serverFaults.append(fault)
        return true
    }

    func tokenNumber(_ id: String) -> Int? {
        guard !id.isEmpty else { return nil }
        return store?.gateway.books.tokens.lastIndex { $0.id == id }.map { $0 + 1 }
    }

    // MARK: What travels

    mutating func storeRequestArrives(_ number: Int) {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard let store, let index = store.index(of: number),
            let request = store.exchanges[index].request.take()
        else { return }
        switch store.exchanges[index].route {
        case .bridge, .gateway:
            armGatewayFault()
            let reply = store.gateway.receive(request, at: now)
            for record in reply.records {
                note(record, of: index)
                write(record)
            }
            watchStoreCalendar()
            answer(number, with: reply.wire)
        case .backend: backendReceives(request, number, index)
        }
    }

    private mutating func note(_ record: PAYMILLRecord, of index: Int) {
        switch record {
        case .requestReceived(let request):
            store?.exchanges[index].gatewayNumber = request.number
        case .faultFired(let number, _, _): store?.exchanges[index].gatewayNumber = number
        case .tokenCreated, .tokenRefused, .tokenUsed, .tokenRejected, .booked, .captured,
            .canceled, .expired, .refunded:
            break
        }
    }

    private mutating func backendReceives(_ request: HTTPRequest, _ number: Int, _ index: Int) {
        guard let store else { return }
        store.serverRequestCount += 1
        let kind = store.exchanges[index].kind
        let place = store.serverFaults.firstIndex { fault in
            (fault.request == nil || fault.request == store.serverRequestCount)
                && (fault.kind == nil || Symbol(fault.kind) == kind)
        }
        let fault = place.map { store.serverFaults.remove(at: $0) }
        if let fault, fault.answer == .refused {
            writeServerFault(fault, kind)
            return answer(number, with: .refused)
        }
        journal.begin(.merchantServerReceived, at: now)
        journal.add(.number, .integer(Int64(store.serverRequestCount)))
        journal.add(.kind, .symbol(kind))
        journal.add(.hasClearCardData, .flag(Self.hasClearCardData(request)))
        journal.add(.status, .integer(0))
        if let token = Self.token(in: request).flatMap({ tokenNumber($0) }) {
            journal.add(.token, .integer(Int64(token)))
        }
        journal.end()
        if let fault {
            let isBefore = fault.phase == .beforeBooking
            if isBefore, let wire = Self.wireOfServer(fault.answer) {
                writeServerFault(fault, kind)
                return answer(number, with: wire)
            }
            store.exchanges[index].fault = fault
        }
        store.backend.take(request, call: number, at: now)
        carryOutBackend()
    }

    /// Whether a request to the backend has a card in it: a number, a code or a name for one.
    private static func hasClearCardData(_ request: HTTPRequest) -> Bool {
        HoneyStoreBackend.hasClearCardData(request)
    }

    private static func token(in request: HTTPRequest) -> String? {
        let asked = try? HoneyStoreRequest(
            method: request.method,
            path: request.path,
            body: request.body
        )
        switch asked {
        case .createTransactionWithToken(let token, _),
            .createPreauthorizationWithToken(let token, _):
            return token
        case .signUp, .logIn, .saveUser, .products, .currentUserID, .createTransactionWithPayment,
            .payments, .transactions, nil:
            return nil
        }
    }

    private static func wireOfServer(_ answer: GatewayFault.Answer) -> GatewayReply.Wire? {
        switch answer {
        case .timeout: .silence
        case .reset: .reset(after: .zero)
        case .refused: .refused
        case .garbage:
            .answer(
                HTTPResponse(contentType: "text/html", body: Array("<html></html>".utf8)),
                after: .zero
            )
        case .httpStatus(let status):
            .answer(HTTPResponse(status: status, contentType: "", body: []), after: .zero)
        case .decline, .error, .httpApproval, .otherOrder, .slow: nil
        }
    }

    private mutating func writeServerFault(_ fault: GatewayFault, _ kind: Symbol) {
        journal.write(
            .merchantServerFault,
            at: now,
            Attribute(.number, .integer(Int64(store?.serverRequestCount ?? 0))),
            Attribute(.kind, .symbol(kind)),
            Attribute(.fault, .symbol(Symbol(fault.answer))),
            Attribute(
                .phase,
                .symbol(fault.phase == .afterBooking ? .afterBooking : .beforeBooking)
            )
        )
    }

    private mutating func answer(_ number: Int, with wire: GatewayReply.Wire) {
        guard let store, let index = store.index(of: number) else { return }
        let delay: VirtualDuration
        switch wire {
        case .silence: return
        case .answer(let response, let after):
            store.exchanges[index].outcome = .answered(response)
            delay = after
        case .reset(let after):
            store.exchanges[index].outcome = .reset
            delay = after
        case .refused:
            store.exchanges[index].outcome = .refused
            delay = .zero
        }
        loop.post(
            RigEvent(.storeExchangeEnds(exchange: number), step: journal.step),
            to: RigComponent.exchangeEnd,
            at: now + delay
        )
    }

    mutating func storeExchangeEnds(_ number: Int) {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        guard let store, let index = store.index(of: number),
            let outcome = store.exchanges[index].outcome
        else { return }
        let exchange = store.exchanges.remove(at: index)
        switch exchange.route {
        case .bridge(let own), .backend(let own):
            guard isAppAlive, exchange.launch == store.launch else { return }
            store.app.outcome(outcome, exchange: own, at: now)
            carryOutStore()
        case .gateway(let post):
            store.doneNumbers = (post, exchange.gatewayNumber)
            store.backend.outcome(outcome, post: post, at: now)
            carryOutBackend()
        }
    }

    mutating func storeDeadline() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        store?.deadline = nil
        guard isAppAlive else { return }
        store?.app.deadlineReached(at: now)
        carryOutStore()
    }

    mutating func backendDeadline() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        store?.backendDeadline = nil
        store?.backend.deadlineReached(at: now)
        carryOutBackend()
    }

    /// The app was killed: what it had in memory is gone, and nobody hears the answers.
    mutating func loseStore() {
        guard let store else { return }
        if let deadline = store.deadline { loop.cancel(deadline.id) }
        store.deadline = nil
        store.loseApp()
    }

    // MARK: What is asked for

    /// Does what the app asks for, and wakes it at its deadline.
    mutating func carryOutStore() {
        guard let store else { return }
        while let action = store.app.nextAction() { carryOut(action) }
        let wanted = store.app.nextDeadline
        if let deadline = store.deadline {
            if deadline.instant == wanted { return }
            loop.cancel(deadline.id)
            store.deadline = nil
        }
        guard let wanted else { return }
        let id = loop.post(
            RigEvent(.storeDeadline, step: journal.step),
            to: RigComponent.paymentDeadline,
            at: wanted
        )
        store.deadline = AgentCASHDesk.Timer(id: id, instant: wanted, isIdle: false)
    }

    /// Does what the backend asks for, and wakes it at its deadline.
    mutating func carryOutBackend() {
        guard let store else { return }
        while let action = store.backend.nextAction() { carryOut(action) }
        let wanted = store.backend.nextDeadline
        if let deadline = store.backendDeadline {
            if deadline.instant == wanted { return }
            loop.cancel(deadline.id)
            store.backendDeadline = nil
        }
        guard let wanted else { return }
        let id = loop.post(
            RigEvent(.backendDeadline, step: journal.step),
            to: RigComponent.providerDeadline,
            at: wanted
        )
        store.backendDeadline = AgentCASHDesk.Timer(id: id, instant: wanted, isIdle: false)
    }

    private mutating func send(
        _ route: HoneyStoreDesk.Route,
        _ kind: Symbol,
        _ request: HTTPRequest
    ) {
        guard let store else { return }
        store.exchangeCount += 1
        store.exchanges.append(
            HoneyStoreDesk.Exchange(
                number: store.exchangeCount,
                route: route,
                launch: store.launch,
                kind: kind,
                request: request
            )
        )
        loop.post(
            RigEvent(.storeRequestArrives(exchange: store.exchangeCount), step: journal.step),
            to: RigComponent.requestArrival,
            at: now
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
        case .purchaseFinished(let purchase, let result):
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

    // MARK: The calendar

    /// Looks at the gateway's calendar again when something is due there by itself.
    mutating func watchStoreCalendar() {
        guard let store else { return }
        var wanted = store.gateway.nextExpiry
        var isIdle = true
        if let due = store.gateway.webhooks.nextDue {
            wanted = min(wanted ?? due, due)
            isIdle = due > now
        }
        if let calendar = store.calendar {
            if calendar.isIdle == isIdle, calendar.instant == wanted { return }
            loop.cancel(calendar.id)
            store.calendar = nil
        }
        guard let wanted else { return }
        let id = loop.post(
            RigEvent(.storeCalendar, step: journal.step),
            to: RigComponent.gatewayCalendar,
            at: max(wanted, now),
            isBackground: isIdle
        )
        store.calendar = AgentCASHDesk.Timer(id: id, instant: wanted, isIdle: isIdle)
    }

    mutating func storeCalendarDue() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        guard let store else { return }
        let now = now
        store.calendar = nil
        for record in store.gateway.advance(to: now) { write(record) }
        while let attempt = store.gateway.webhooks.nextAttempt(at: now) {
            let status = store.webhookStatus()
            write(attempt, status == 0 ? nil : status)
            store.gateway.webhookEnded(attempt.number, status: status == 0 ? nil : status, at: now)
        }
        watchStoreCalendar()
    }
}

/// What the merchant's office can do with an order.
public enum OfficeWork: Hashable, Sendable {
    /// Take held money.
    case capture
    /// Give held money up.
    case void
    /// Pay back.
    case refund
}
