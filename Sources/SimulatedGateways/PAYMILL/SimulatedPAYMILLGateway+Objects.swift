import CardData
public import EventLoops
import GatewayProtocols
import JSON
import Transports

// Objects at the REST interface, and who is told of what becomes of them.
extension SimulatedPAYMILLGateway {
    /// Carries a request out whose key is right.
    mutating func carryOut(
        _ request: PAYMILLRequest,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        let version = request.version
        let isFull =
            max(books.transactions.count, books.clients.count, books.payments.count)
            >= configuration.maximumEntryCount
        switch request.operation {
        case .charge, .preauthorize, .createPayment, .createClient, .createWebhook:
            guard !isFull else { throw PAYMILLRefusal(status: 503, "The books are full") }
        case .refund, .updateClient, .updateTransaction, .updateWebhook, .show, .list, .remove:
            break
        }
        switch request.operation {
        case .charge(let money): return try charge(money, version, &call)
        case .preauthorize(let money): return try preauthorize(money, version, &call)
        case .refund(let id, let amount, let text, let reason):
            return try refund(id, amount, text, reason, version, &call)
        case .createPayment(let token, let client):
            return try createPayment(token, client, version, &call)
        case .createClient(let email, let text):
            let id = newClient(email: email, description: text, at: call.instant)
            return try show(.clients, id, version)
        case .updateClient(let id, let email, let text):
            guard let index = books.client(id) else { throw .noSuchClient }
            if !email.isEmpty { books.clients[index].email = email }
            if !text.isEmpty { books.clients[index].description = text }
            books.clients[index].updatedAt = seconds(at: call.instant)
            tell("client.updated", books.clients[index].json(.v2point1), at: call.instant)
            return try show(.clients, id, version)
        case .updateTransaction(let id, let text):
            guard let index = books.transaction(id) else { throw .noSuchTransaction }
            if let text { books.transactions[index].transaction.description = text }
            return try show(.transactions, id, version)
        case .createWebhook(let url, let types):
            let hook = PAYMILLWebhook(
                id: newID("hook_", digitCount: 20),
                url: url,
                eventTypes: types,
                at: seconds(at: call.instant)
            )
            books.webhooks.append(hook)
            return answer(hook.json(version), version)
        case .updateWebhook(let id, let url, let types, let isActive):
            guard let index = books.webhook(id) else { throw .noSuchMethod }
            let old = books.webhooks[index]
            books.webhooks[index].url = url ?? old.url
            books.webhooks[index].eventTypes = types ?? old.eventTypes
            books.webhooks[index].isActive = isActive ?? old.isActive
            return answer(books.webhooks[index].json(version), version)
        case .show(let resource, let id): return try show(resource, id, version)
        case .list(let resource, let list): return self.list(resource, list, version, call)
        case .remove(let resource, let id): return try remove(resource, id, version, &call)
        }
    }

    private mutating func createPayment(
        _ token: String,
        _ client: String,
        _ version: PAYMILLVersion,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        if !client.isEmpty, books.client(client) == nil { throw .noSuchClient }
        let index: Int
        var isLate = false
        switch take(token, &call) {
        case .success(let place): index = place
        case .failure(let refusal):
            guard refusal.reason == .expired, let late = refusal.index,
                configuration.lateTokens == .failedTransaction
            else { throw Self.refusal(of: refusal.reason, token, version) }
            books.tokens[late].isUsed = true
            index = late
            isLate = true
        }
        let owner = client.isEmpty ? nil : client
        let id = newID("pay_", digitCount: 24)
        var payment = keep(books.tokens[index], client: owner, as: id, at: call.instant)
        // What is made of a token that is too old only ever fails.
        if isLate { payment.trigger = .initiationExpired }
        add(payment, at: call.instant)
        return answer(payment.payment.json(version), version)
    }

    private mutating func remove(
        _ resource: PAYMILLRequest.Resource,
        _ id: String,
        _ version: PAYMILLVersion,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        switch resource {
        case .preauthorizations: return try void(id, version, &call)
        case .payments:
            guard let index = books.payment(id) else { throw .noSuchPayment }
            let owner = books.payments[index].payment.clientID
            books.payments.remove(at: index)
            if let owner, let client = books.client(owner) {
                books.clients[client].payments.removeAll { $0.id == id }
            }
            return answer(.array([]), version)
        case .clients:
            guard let index = books.client(id) else { throw .noSuchClient }
            books.clients.remove(at: index)
            return answer(.null, version)
        case .webhooks:
            guard let index = books.webhook(id) else { throw .noSuchMethod }
            books.webhooks.remove(at: index)
            return answer(.array([]), version)
        case .transactions, .refunds: throw .noSuchMethod
        }
    }

    // MARK: Showing

    private func show(
        _ resource: PAYMILLRequest.Resource,
        _ id: String,
        _ version: PAYMILLVersion
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        switch resource {
        case .payments:
            guard let index = books.payment(id) else { throw .noSuchPayment }
            return answer(books.payments[index].payment.json(version), version)
        case .preauthorizations:
            guard let index = books.preauthorization(id) else { throw .noSuchPreauthorization }
            return answer(shown(books.preauthorizations[index], .v2point1), version)
        case .transactions:
            guard let index = books.transaction(id) else { throw .noSuchTransaction }
            let transaction = books.transactions[index].transaction
            return answer(whole(transaction, version).json(version), version)
        case .refunds:
            guard let refund = books.refunds.last(where: { $0.id == id }) else {
                throw PAYMILLRefusal(status: 404, "Refund not found", exception: "refund_not_found")
            }
            return answer(refund.json(version), version)
        case .clients:
            guard let index = books.client(id) else { throw .noSuchClient }
            var client = books.clients[index]
            client.payments = client.payments.map { payment in
                books.payment(payment.id).map { .object(books.payments[$0].payment) } ?? payment
            }
            return answer(client.json(version), version)
        case .webhooks:
            guard let index = books.webhook(id) else { throw .noSuchMethod }
            return answer(books.webhooks[index].json(version), version)
        }
    }

    private func list(
        _ resource: PAYMILLRequest.Resource,
        _ list: PAYMILLRequest.List,
        _ version: PAYMILLVersion,
        _ call: PAYMILLCall
    ) -> HTTPResponse {
        if resource == .transactions {
            var found = books.transactions.map(\.transaction).filter { list.takes($0) }
            list.sort(&found) { $0.json(.v2)[$1] }
            let page = Array(found.dropFirst(list.offset).prefix(list.count))
            if call.request.field("accept") == "text/csv" {
                let body = PAYMILLResponse.csv(page)
                return HTTPResponse(contentType: "text/csv", body: body)
            }
            let values = page.map { whole($0, version).json(version) }
            return answer(.array(values), version, count: found.count)
        }
        var all: [JSONValue] =
            switch resource {
            case .payments: books.payments.map { $0.payment.json(version) }
            case .preauthorizations: books.preauthorizations.map { $0.json(version) }
            case .refunds: books.refunds.map { $0.json(version) }
            case .clients: books.clients.map { $0.json(version) }
            case .webhooks: books.webhooks.map { $0.json(version) }
            case .transactions: []
            }
        all = all.filter { list.takes($0) }
        list.sort(&all) { $0[$1] }
        let values = Array(all.dropFirst(list.offset).prefix(list.count))
        return answer(.array(values), version, count: all.count)
    }

    /// A transaction with the objects that are kept as ids.
    func whole(_ transaction: PAYMILLTransaction, _ version: PAYMILLVersion) -> PAYMILLTransaction {
        var whole = transaction
        if let id = transaction.payment?.id, let index = books.payment(id) {
            whole.payment = .object(books.payments[index].payment)
        }
        if let id = transaction.client?.id, let index = books.client(id) {
            whole.client = .object(books.clients[index])
        }
        if let id = transaction.preauthorization?.id, let index = books.preauthorization(id) {
            var held = books.preauthorizations[index]
            if version == .v2 {
                held.payment = whole.payment
                held.client = whole.client
            }
            whole.preauthorization = .object(held)
        }
        return whole
    }

    /// What a version answers about held money: v2 a transaction, v2.1 a pre-authorisation.
    func shown(_ held: PAYMILLPreauthorization, _ version: PAYMILLVersion) -> JSONValue {
        let transaction = held.transaction.flatMap { books.transaction($0.id) }
            .map { books.transactions[$0].transaction }
        guard version == .v2point1 else {
            return transaction.map { whole($0, version).json(version) } ?? .null
        }
        var shown = held
        shown.transaction = transaction.map { .object($0) }
        if let id = held.payment?.id, let index = books.payment(id) {
            shown.payment = .object(books.payments[index].payment)
        }
        if let id = held.client?.id, let index = books.client(id) {
            shown.client = .object(books.clients[index])
        }
        return shown.json(version)
    }

    /// The answer around data.
    func answer(
        _ data: JSONValue,
        _ version: PAYMILLVersion,
        count: Int? = nil,
        status: Int = 200
    ) -> HTTPResponse {
        HTTPResponse(
            status: status,
            contentType: "application/json; charset=utf-8",
            body: PAYMILLResponse.body(data, version, count: count)
        )
    }

    // MARK: Events

    /// Tells of a transaction; one that is just begun is told as open, whatever became of it.
    mutating func tell(
        _ event: String,
        _ transaction: PAYMILLTransaction,
        isOpen: Bool = false,
        at now: VirtualInstant
    ) {
        guard books.webhooks.contains(where: { $0.eventTypes.contains(event) }) else { return }
        var shown = whole(transaction, .v2point1)
        if isOpen {
            shown.status = .open
            shown.responseCode = .undefined
            shown.shortID = nil
        }
        tell(event, shown.json(.v2point1), isBeginning: isOpen, at: now)
    }

    /// Tells of an object, and of a beginning later where that is set.
    mutating func tell(
        _ event: String,
        _ resource: JSONValue,
        isBeginning: Bool = false,
        at now: VirtualInstant
    ) {
        let body = PAYMILLEvent(type: event, resource: resource, at: seconds(at: now)).body
        let isLate = isBeginning && configuration.tellsBeginningsLast
        for hook in books.webhooks where hook.isActive && hook.eventTypes.contains(event) {
            for _ in 0..<(configuration.tellsTwice ? 2 : 1) {
                webhooks.add(
                    event,
                    url: hook.url,
                    contentType: "application/json; charset=utf-8",
                    body: body,
                    at: isLate ? now + .milliseconds(10) : now
                )
                notices.append(PAYMILLNotice(number: webhooks.count, hook: hook.id))
            }
        }
        // The queue gives its oldest up when it is full, and nobody hears of those again.
        let excess = notices.count - webhooks.capacity
        if excess > 0 { notices.removeFirst(excess) }
    }

    /// Tells how an attempt ended; a webhook that was never answered with 200 is switched off.
    ///
    /// - Parameters:
    ///   - number: The notification's number.
    ///   - status: What the server answered; `nil` when it did not.
    ///   - now: The present moment.
    public mutating func webhookEnded(
        _ number: Int,
        status: Int?,
        at now: VirtualInstant
    ) {
        let lostCount = webhooks.lostCount
        webhooks.ended(number, status: status, at: now)
        let isLost = webhooks.lostCount > lostCount
        guard isLost || status == 200 else { return }
        guard let place = notices.firstIndex(where: { $0.number == number }) else { return }
        let notice = notices.remove(at: place)
        if isLost, let index = books.webhook(notice.hook) {
            books.webhooks[index].isActive = false
        }
    }
}

extension PAYMILLRequest.List {
    /// Whether a transaction is one of the list.
    fileprivate func takes(_ transaction: PAYMILLTransaction) -> Bool {
        filters.allSatisfy { filter in
            switch filter.name {
            case "client": transaction.client?.id == filter.value
            case "payment": transaction.payment?.id == filter.value
            case "description": transaction.description ?? "" == filter.value
            // The list spells the value otherwise than the object.
            case "status":
                transaction.status.rawValue
                    == (filter.value == "partially_refunded" ? "partial_refunded" : filter.value)
            case "amount": Self.matches(transaction.originAmount.minorUnits, filter.value)
            case "created_at": Self.isBetween(transaction.createdAt, filter.value)
            case "updated_at": Self.isBetween(transaction.updatedAt, filter.value)
            case "currency": transaction.currency == filter.value
            default: false
            }
        }
    }

    /// Whether an object is one of the list; what is kept in another stands for its id.
    fileprivate func takes(_ object: JSONValue) -> Bool {
        filters.allSatisfy { filter in
            let value = object[filter.name]
            if filter.name.hasSuffix("_at") {
                return Self.isBetween(value?.integer ?? 0, filter.value)
            }
            if filter.name == "amount" {
                return Self.matches(Self.number(value) ?? 0, filter.value)
            }
            if let flag = value?.bool { return filter.value == (flag ? "true" : "false") }
            return value?.text ?? value?["id"]?.text ?? "" == filter.value
        }
    }

    private static func number(_ value: JSONValue?) -> Int64? {
        value?.integer ?? value?.text.flatMap { Int64($0) }
    }

    /// Orders objects by the field that is wished, equal ones by their making.
    fileprivate func sort<Object>(
        _ objects: inout [Object],
        value: (Object, String) -> JSONValue?
    ) {
        guard !order.isEmpty else { return }
        let order = Order(order)
        let keys = objects.map { object -> (Int64, String) in
            let found = value(object, order.field)
            if let number = Self.number(found) { return (number, "") }
            if let flag = found?.bool { return (flag ? 1 : 0, "") }
            return (0, found?.text ?? found?["id"]?.text ?? "")
        }
        var places = Array(objects.indices)
        places.sort { left, right in
            if keys[left] != keys[right] {
                return order.isDescending ? keys[left] > keys[right] : keys[left] < keys[right]
            }
            return order.isDescending ? left > right : left < right
        }
        objects = places.map { objects[$0] }
    }

    private static func matches(_ number: Int64, _ text: String) -> Bool {
        switch text.first {
        case ">": Int64(text.dropFirst()).map { number > $0 } ?? false
        case "<": Int64(text.dropFirst()).map { number < $0 } ?? false
        default: Int64(text) == number
        }
    }

    private static func isBetween(_ number: Int64, _ text: String) -> Bool {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let first = Int64(parts[0]), let last = Int64(parts[1]) else {
            return Int64(text) == number
        }
        return number >= first && number <= last
    }
}
