import CardData
import EventLoops
import GatewayProtocols
import JSON
public import Transports

// What the cloud functions do, one answer of the gateway after the other.
extension HoneyStoreBackend {
    var defects: HoneyStoreDefects { configuration.defects }

    /// Begins what the app asks for.
    mutating func begin(
        _ request: HoneyStoreRequest,
        _ user: Int?,
        _ call: Int,
        at now: VirtualInstant
    ) throws(HoneyStoreError) {
        switch request {
        case .signUp(let name, let password, let email):
            guard !users.contains(where: { $0.name == name }) else {
                throw HoneyStoreError(.usernameTaken, "username \(name) already taken")
            }
            guard users.count < configuration.maximumUserCount else {
                throw HoneyStoreError(.validationError, "too many users")
            }
            let user = User(name: name, password: password, email: email, clientID: "", session: "")
            let isEmpty = defects.contains(.clientForEverySave)
            start(
                HoneyStoreTask(caller: .app(call), work: .signUp(user)),
                .createClient(email: isEmpty ? "" : email, name: isEmpty ? "" : name),
                at: now
            )
        case .logIn(let name, let password):
            let index = users.firstIndex { $0.name == name && $0.password == password }
            guard let index else {
                throw HoneyStoreError(.objectNotFound, "invalid login parameters")
            }
            answer(call, Self.json(of: users[index]))
        case .products:
            let products = HoneyStoreProduct.all.map { product in
                JSONValue.members(
                    ("name", .string(product.name)),
                    ("price", .string(product.listedPrice))
                )
            }
            answer(call, .members(("results", .array(products))))
        case .saveUser, .currentUserID, .createTransactionWithToken,
            .createPreauthorizationWithToken, .createTransactionWithPayment, .payments,
            .transactions:
            guard let user else {
                // `Parse.User.current()` is null, and the published functions look into it.
                if !defects.isEmpty {
                    throw HoneyStoreError(
                        .scriptFailed,
                        "TypeError: Cannot call method 'get' of null"
                    )
                }
                throw HoneyStoreError(.invalidSession, "no user is logged in")
            }
            try begin(request, of: user, call, at: now)
        }
    }

    private mutating func begin(
        _ request: HoneyStoreRequest,
        of user: Int,
        _ call: Int,
        at now: VirtualInstant
    ) throws(HoneyStoreError) {
        let caller = HoneyStoreTask.Caller.app(call)
        let client = users[user].clientID
        switch request {
        case .saveUser(let email):
            let task = HoneyStoreTask(caller: caller, work: .save(user: user, email: email))
            if defects.contains(.clientForEverySave) {
                start(task, .createClient(email: "", name: ""), at: now)
            } else {
                start(task, .updateClient(client, email: email), at: now)
            }
        case .currentUserID: answer(call, .members(("result", .string(client))))
        case .createTransactionWithToken(let token, let order):
            try check(order)
            orders.begin(order, user: user)
            start(
                HoneyStoreTask(
                    caller: caller,
                    work: .purchase(user: user, order, .token(token), isHeld: false)
                ),
                .createPayment(token: token, client: client),
                at: now
            )
        case .createPreauthorizationWithToken(let token, let order):
            guard !defects.contains(.hasNoLookUp) else {
                throw HoneyStoreError(.noSuchFunction, "function not found")
            }
            try check(order)
            orders.begin(order, user: user)
            start(
                HoneyStoreTask(
                    caller: caller,
                    work: .purchase(user: user, order, .token(token), isHeld: true)
                ),
                .createPayment(token: token, client: client),
                at: now
            )
        case .createTransactionWithPayment(let payment, let order):
            try check(order)
            orders.begin(order, user: user)
            let task = HoneyStoreTask(
                caller: caller,
                work: .purchase(user: user, order, .payment(payment), isHeld: false)
            )
            if defects.contains(.takesAnyPayment) {
                start(task, .charge(Self.money(order, payment)), at: now)
            } else {
                start(task, .showClient(client), at: now)
            }
        case .payments:
            let task = HoneyStoreTask(caller: caller, work: .payments(user: user))
            start(task, .showClient(client), at: now)
        case .transactions(let text, let reference):
            guard !defects.contains(.hasNoLookUp) else {
                throw HoneyStoreError(.noSuchFunction, "function not found")
            }
            start(
                HoneyStoreTask(
                    caller: caller,
                    work: .transactions(user: user, description: text, reference: reference)
                ),
                .list(.described(text, client: client)),
                at: now
            )
        case .signUp, .logIn, .products: break
        }
    }

    /// Holds an order against the products.
    private func check(_ order: HoneyStoreOrder) throws(HoneyStoreError) {
        guard !defects.contains(.trustsAmounts) else { return }
        if order.product.isEmpty {
            guard configuration.takesFreeAmounts else {
                throw HoneyStoreError(.scriptFailed, "product is missing")
            }
            return
        }
        guard let product = HoneyStoreProduct.named(order.product) else {
            throw HoneyStoreError(.scriptFailed, "there is no such product")
        }
        guard order.amount == product.price, order.currency == "EUR" else {
            throw HoneyStoreError(.scriptFailed, "that is not what the product costs")
        }
    }

    private static func money(
        _ order: HoneyStoreOrder,
        _ payment: String
    ) -> PAYMILLRequest.Money {
        PAYMILLRequest.Money(
            amount: order.amount,
            currency: order.currency,
            source: .payment(payment),
            description: order.description
        )
    }

    // MARK: Answers of the gateway

    /// Goes on with an answer.
    mutating func answered(
        _ task: HoneyStoreTask,
        _ response: PAYMILLResponse,
        status: Int,
        at now: VirtualInstant
    ) {
        switch task.step {
        case .createClient, .updateClient: clientChanged(task, response)
        case .createPayment: paymentCreated(task, response, at: now)
        case .showClient: clientShown(task, response, at: now)
        case .charge, .preauthorize: charged(task, response, status: status, at: now)
        case .lookUp(_, let number): lookedUp(task, response, number, at: now)
        case .list:
            guard let transactions = response.transactions else {
                return answer(task, HoneyStoreError(.scriptFailed, response.failureText ?? ""))
            }
            listed(task, transactions)
        case .find, .capture, .void, .refund: officeAnswered(task, response, at: now)
        }
    }

    /// Tells of the transactions with a description, or of the one of a call.
    private mutating func listed(_ task: HoneyStoreTask, _ transactions: [PAYMILLTransaction]) {
        guard case .transactions(let user, _, let reference) = task.work, !reference.isEmpty else {
            return answer(task, result: .array(transactions.map { Self.json(of: $0) }))
        }
        guard let (order, outcome) = orders.purchase(with: reference, user: user) else {
            return answer(task, result: .array([]))
        }
        switch outcome {
        case .booked(let id):
            let own = transactions.filter { $0.id == id }
            answer(task, result: .array(own.map { Self.json(of: $0) }))
        case .notBooked: answer(task, result: .array([]))
        case .open, .unknown:
            let found = transactions.filter { transaction in
                transaction.originAmount == order.amount
                    && transaction.currency == order.currency
                    && !orders.isBooked(transaction.id)
            }
            if found.isEmpty, outcome == .unknown { return answer(task, result: .array([])) }
            guard found.count > orders.rivalCount(of: order, user: user) else {
                let text = "the order's outcome is not known yet"
                return answer(task, HoneyStoreError(.timeout, text))
            }
            answer(task, result: .array(found.prefix(1).map { Self.json(of: $0) }))
        }
    }

    private mutating func clientChanged(_ task: HoneyStoreTask, _ response: PAYMILLResponse) {
        guard let client = response.client, case .app(let call) = task.caller else {
            let text = response.failureText ?? "no client"
            return answer(task, HoneyStoreError(.validationError, "save user failed" + text))
        }
        switch task.work {
        case .signUp(var user):
            guard !users.contains(where: { $0.name == user.name }) else {
                let text = "username \(user.name) already taken"
                return answer(task, HoneyStoreError(.usernameTaken, text))
            }
            user.clientID = client.id
            user.session = newSession()
            users.append(user)
            answer(call, Self.json(of: user), status: 201)
        case .save(let user, let email):
            users[user].clientID = client.id
            users[user].email = email
            answer(call, .object([]))
        case .purchase, .payments, .transactions, .office: break
        }
    }

    private mutating func paymentCreated(
        _ task: HoneyStoreTask,
        _ response: PAYMILLResponse,
        at now: VirtualInstant
    ) {
        guard case .purchase(let user, let order, _, let isHeld) = task.work else { return }
        guard let payment = response.payment else {
            let text =
                defects.contains(.namesNoError)
                ? "ReferenceError: e is not defined" : response.failureText ?? "no payment"
            return answer(task, HoneyStoreError(.scriptFailed, text))
        }
        var task = task
        task.payment = payment.id
        var money = Self.money(order, payment.id)
        if isHeld { return start(task, .preauthorize(money), at: now) }
        money.client = users[user].clientID
        start(task, .charge(money), at: now)
    }

    private mutating func clientShown(
        _ task: HoneyStoreTask,
        _ response: PAYMILLResponse,
        at now: VirtualInstant
    ) {
        guard let client = response.client else {
            let text = "couldnt list payments:" + (response.failureText ?? "no client")
            return answer(task, HoneyStoreError(.scriptFailed, text))
        }
        switch task.work {
        case .purchase(_, let order, .payment(let id), _):
            guard client.payments.contains(where: { $0.id == id }) else {
                return answer(task, HoneyStoreError(.scriptFailed, "this card is not the user's"))
            }
            start(task, .charge(Self.money(order, id)), at: now)
        case .payments:
            let payments = client.payments.compactMap(\.object).map {
                $0.json(configuration.version)
            }
            answer(task, result: .array(payments))
        case .signUp, .save, .purchase, .transactions, .office: break
        }
    }

    private mutating func charged(
        _ task: HoneyStoreTask,
        _ response: PAYMILLResponse,
        status: Int,
        at now: VirtualInstant
    ) {
        guard case .purchase(_, let order, let source, _) = task.work else { return }
        let isRejected = !(200...299).contains(status)
        if isRejected, case .token = source, defects.contains(.forgetsRejections) {
            return waitForEver(task, at: now)
        }
        if !isRejected, case .payment = source, defects.contains(.ignoresResponseCodes) {
            return answer(task, result: .string("success"))
        }
        guard let transaction = response.transaction else {
            return answer(task, HoneyStoreError(.scriptFailed, response.failureText ?? ""))
        }
        guard defects.contains(.hasNoLookUp) || (transaction.description ?? "") == order.description
        else {
            return lookUp(task, 0, at: now)
        }
        conclude(task, transaction)
    }

    mutating func conclude(_ task: HoneyStoreTask, _ transaction: PAYMILLTransaction) {
        if case .purchase(let user, let order, _, _) = task.work {
            orders.end(order, user: user, .booked(transaction.id))
        }
        if transaction.responseCode.isSuccess {
            return answer(task, result: .string("success"))
        }
        let code = transaction.responseCode.rawValue
        let text = "Transaction (\(transaction.id)) failed with code:\(code)"
        answer(task, HoneyStoreError(.scriptFailed, text))
    }

    mutating func waitForEver(_ task: HoneyStoreTask, at now: VirtualInstant) {
        if case .purchase(let user, let order, _, _) = task.work {
            orders.end(order, user: user, .unknown)
        }
        var task = task
        task.post = 0
        task.wait = .never
        task.deadline = now + configuration.functionTimeout
        tasks.append(task)
    }

    // MARK: Values

    private static func json(of user: User) -> JSONValue {
        .members(
            ("objectId", .string(String(user.session.dropFirst(2).prefix(10)))),
            ("username", .string(user.name)),
            ("sessionToken", .string(user.session))
        )
    }

    private static func json(of transaction: PAYMILLTransaction) -> JSONValue {
        .members(
            ("id", .string(transaction.id)),
            ("amount", .integer(transaction.originAmount.minorUnits)),
            ("description", PAYMILLText.json(transaction.description)),
            ("status", .string(transaction.status.rawValue)),
            ("response_code", .integer(Int64(transaction.responseCode.rawValue)))
        )
    }
}

/// Text that may be missing.
enum PAYMILLText {
    static func json(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension HoneyStoreBackend {
    /// Whether a request of the app has a card number or a security code in clear: a member that
    /// is named so, or digits that pass for a number.
    public static func hasClearCardData(_ request: HTTPRequest) -> Bool {
        guard let json = try? JSONValue(reading: request.body) else { return false }
        return hasClearCardData(json)
    }

    private static func hasClearCardData(_ json: JSONValue) -> Bool {
        switch json {
        case .object(let members):
            members.contains { member in
                ClearCardScan.isCardName(member.name) || hasClearCardData(member.value)
            }
        case .array(let values): values.contains { hasClearCardData($0) }
        case .string(let text): ClearCardScan.finds(in: text)
        case .integer(let number): PAN(String(number))?.isLuhnValid == true
        case .null, .bool: false
        }
    }
}
