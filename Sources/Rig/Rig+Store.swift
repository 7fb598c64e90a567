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

    /// How many of PAYMILL's tokens paid or had their card kept; one that was refused did neither.
    public var usedTokenCount: Int { store?.gateway.books.tokens.count { $0.isUsed } ?? 0 }

    // MARK: Calls

    /// Keeps a card that somebody typed in, or that a camera read.
    ///
    /// - Returns: Whether there was an app for it.
    public mutating func enterStoreCard(_ card: PAYMILLCard) -> Bool {
        touched.formUnion(.payments)
        guard isAppAlive, let store else { return false }
        store.app.instrument = .card(card)
        return true
    }

    /// Keeps a bank account that somebody typed in.
    ///
    /// - Returns: Whether there was an app for it.
    public mutating func enterStoreAccount(_ account: PAYMILLAccount) -> Bool {
        touched.formUnion(.payments)
        guard isAppAlive, let store else { return false }
        store.app.instrument = .account(account)
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
        if payer == .sdk {
            store.mill.buy(purchase, with: store.app.instrument, at: now)
            carryOutMill()
        } else {
            store.app.buy(purchase, at: now)
            carryOutStore()
        }
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

    /// The app was killed: what it had in memory is gone, and nobody hears the answers.
    mutating func loseStore() {
        guard let store else { return }
        if let deadline = store.deadline { loop.cancel(deadline.id) }
        if let deadline = store.millDeadline { loop.cancel(deadline.id) }
        store.deadline = nil
        store.millDeadline = nil
        store.loseApp()
    }
}

// The app that charges by PAYMILL's SDK alone.
extension Rig {
    /// The app was launched: it looks for charges that are not consumed.
    mutating func recoverAtLaunch() {
        let now = now
        store?.mill.recover(at: now)
        carryOutMill()
    }

    mutating func millDeadline() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        store?.millDeadline = nil
        guard isAppAlive else { return }
        store?.mill.deadlineReached(at: now)
        carryOutMill()
    }

    /// Does what the app asks for, and wakes it at its deadline.
    mutating func carryOutMill() {
        guard let store else { return }
        while let action = store.mill.nextAction() { carryOut(action) }
        store.millDeadline = move(
            store.millDeadline,
            to: store.mill.nextDeadline,
            .millDeadline,
            at: RigComponent.paymentDeadline
        )
    }

    private mutating func carryOut(_ action: VoucherMillApp.Action) {
        switch action {
        case .send(let exchange, let kind, _, let request):
            send(.sdk(exchange), Symbol(kind), request)
        case .answered(let kind, let error):
            beginSDKAnswer(.gatewayAnswered, Symbol(kind))
            journal.add(.response, .symbol(error == nil ? .approved : .error))
            if let error { journal.add(.responseText, .text(SafeText(scrubbing: error))) }
            journal.end()
        case .lookedUp(let isFound):
            beginSDKAnswer(.gatewayAnswered, .query)
            journal.add(.response, .symbol(isFound ? .found : .notFound))
            journal.end()
        case .unanswered(let kind, let reason):
            beginSDKAnswer(.gatewayUnanswered, Symbol(kind))
            journal.add(.reason, .symbol(Symbol(reason)))
            journal.end()
        case .purchaseFinished(let purchase, let result): writeEnd(of: purchase, result)
        case .recovered(let transaction):
            journal.begin(.chargeRecovered, at: now)
            let money = Amount(minorUnits: Int64(transaction.originAmount))
            journal.add(.amount, .amount(money))
            journal.add(.transactionID, .text(SafeText(scrubbing: transaction.id)))
            addOrderID(transaction.description)
            journal.end()
        }
    }

    /// Begins a record of the request that ended last; one that is given up has no number.
    private mutating func beginSDKAnswer(_ name: RecordName, _ kind: Symbol) {
        let number = store?.millNumber
        store?.millNumber = nil
        journal.begin(name, at: now)
        if let number { journal.add(.number, .integer(Int64(number))) }
        journal.add(.kind, .symbol(kind))
    }
}

extension Symbol {
    fileprivate init(_ kind: VoucherMillApp.ExchangeKind) {
        switch kind {
        case .token: self = .token
        case .device: self = .vault
        case .sale: self = .sale
        case .query: self = .query
        case .consume: self = .update
        }
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
