import CardData
public import EventLoops
public import GatewayProtocols
import JSON
import Transports

// Money at the REST interface: taken, held, given up, paid back.
extension SimulatedPAYMILLGateway {
    /// Keeps a token's card or account, for a client or a new one.
    func keep(
        _ token: PAYMILLBooks.Token,
        client: String?,
        as id: String,
        at now: VirtualInstant
    ) -> PAYMILLBooks.Payment {
        let card: PAYMILLCard
        switch token.instrument {
        case .card(let own): card = own
        case .account(let account):
            return PAYMILLBooks.Payment(
                payment: PAYMILLPayment(
                    id: id,
                    clientID: client,
                    debit: account.shown,
                    at: seconds(at: now)
                ),
                trigger: nil,
                tokenMoney: comparedMoney(of: token)
            )
        }
        var payment = PAYMILLPayment(
            id: id,
            clientID: client,
            cardType: card.brand?.rawValue ?? "unknown",
            expireMonth: String(Int(card.expiryMonth) ?? 0),
            expireYear: card.expiryYear,
            cardHolder: card.holder,
            lastFour: card.lastFour,
            country: "DE",
            at: seconds(at: now)
        )
        payment.hasNumericExpiry = configuration.writesExpiryAsNumbers
        let isTrigger = card.unmaskedNumber == PAYMILLTestCards.triggerNumber
        let trigger =
            isTrigger
            ? PAYMILLTestCards.trigger(
                month: Int(card.expiryMonth) ?? 0,
                year: Int(card.expiryYear) ?? 0
            ) : nil
        return PAYMILLBooks.Payment(
            payment: payment,
            trigger: trigger,
            tokenMoney: comparedMoney(of: token)
        )
    }

    /// The money that a token's charge must be of, or `nil` where it is not compared.
    private func comparedMoney(of token: PAYMILLBooks.Token) -> PAYMILLBooks.TokenMoney? {
        guard configuration.comparesTokenAmounts || token.issuerPage != nil,
            let amount = token.amount
        else { return nil }
        return PAYMILLBooks.TokenMoney(amount: amount, currency: token.currency)
    }

    /// Makes a client of a description and an address; empty ones are none.
    mutating func newClient(email: String, description: String, at now: VirtualInstant) -> String {
        let client = PAYMILLClient(
            id: newID("client_", digitCount: 20),
            email: email.isEmpty ? nil : email,
            description: description.isEmpty ? nil : description,
            at: seconds(at: now)
        )
        books.clients.append(client)
        return client.id
    }

    /// Adds a card to those that are kept.
    mutating func add(_ payment: PAYMILLBooks.Payment, at now: VirtualInstant) {
        books.payments.append(payment)
        guard let id = payment.payment.clientID, let index = books.client(id) else { return }
        books.clients[index].payments.append(.id(payment.payment.id))
        books.clients[index].updatedAt = seconds(at: now)
    }

    /// What pays, and what becomes of it.
    struct Payer {
        var payment: PAYMILLBooks.Payment
        var code: PAYMILLResponseCode
    }

    /// Finds what pays: a token is used up, and its card kept.
    private mutating func payer(
        _ money: PAYMILLRequest.Money,
        _ version: PAYMILLVersion,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> Payer {
        switch money.source {
        case .token(let id):
            switch take(id, &call) {
            case .failure(let refusal):
                guard refusal.reason == .expired, let index = refusal.index,
                    configuration.lateTokens == .failedTransaction
                else { throw Self.refusal(of: refusal.reason, id, version) }
                let payment = keep(books.tokens[index], client: nil, as: "", at: call.instant)
                return Payer(payment: payment, code: .initiationExpired)
            case .success(let index):
                let token = books.tokens[index]
                let client = newClient(email: "", description: "", at: call.instant)
                let id = newID("pay_", digitCount: 24)
                let payment = keep(token, client: client, as: id, at: call.instant)
                add(payment, at: call.instant)
                return Payer(payment: payment, code: code(of: payment, call, money))
            }
        case .payment(let id):
            guard let index = books.payment(id) else { throw .noSuchPayment }
            let payment = books.payments[index]
            if payment.payment.clientID == nil, !money.client.isEmpty {
                guard let client = books.client(money.client) else { throw .noSuchClient }
                books.payments[index].payment.clientID = money.client
                books.clients[client].payments.append(.id(id))
            } else if !money.client.isEmpty, money.client != payment.payment.clientID {
                let text = "the payment belongs to another client"
                throw .invalid("client", rule: "notInArray", text, version)
            }
            return Payer(payment: books.payments[index], code: code(of: payment, call, money))
        case .preauthorization: throw .noSuchPreauthorizationToCapture
        }
    }

    /// What is answered to a token that is not taken; the words were never published.
    static func refusal(
        of reason: TokenRejection,
        _ id: String,
        _ version: PAYMILLVersion
    ) -> PAYMILLRefusal {
        PAYMILLRefusal(status: version.invalidStatus, "Token is invalid: \(reason.rawValue)")
    }

    private func code(
        of payment: PAYMILLBooks.Payment,
        _ call: PAYMILLCall,
        _ money: PAYMILLRequest.Money
    ) -> PAYMILLResponseCode {
        if let token = payment.tokenMoney,
            token.amount != money.amount
                || !token.currency.isEmpty && token.currency != money.currency
        {
            return .moneyMismatch
        }
        return payment.trigger ?? call.decline ?? .success
    }

    // MARK: Operations

    /// Takes money.
    mutating func charge(
        _ money: PAYMILLRequest.Money,
        _ version: PAYMILLVersion,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        if let fee = money.fee, books.payment(fee.payment) == nil { throw .noSuchPayment }
        if case .preauthorization(let id) = money.source {
            return try capture(id, money, version, &call)
        }
        let payer = try payer(money, version, &call)
        let entry = book(money, payer, isHeld: false, version, &call)
        let status = payer.code.isSuccess ? 200 : configuration.declineStatus
        return answer(whole(entry.transaction, version).json(version), version, status: status)
    }

    /// Holds money.
    mutating func preauthorize(
        _ money: PAYMILLRequest.Money,
        _ version: PAYMILLVersion,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        try checkCard(money.source, version)
        var payer = try payer(money, version, &call)
        if !payer.code.isSuccess, version == .v2point1 { payer.code = .preauthorizationFailed }
        var held = PAYMILLPreauthorization(
            id: newID("preauth_", digitCount: 20),
            amount: money.amount,
            currency: money.currency,
            status: payer.code.isSuccess ? .closed : .failed,
            description: money.description.isEmpty ? nil : money.description,
            at: seconds(at: call.instant)
        )
        held.payment = .id(payer.payment.payment.id)
        held.client = payer.payment.payment.clientID.map { .id($0) }
        books.preauthorizations.append(held)
        let entry = book(money, payer, isHeld: true, version, &call, of: held.id)
        held.transaction = .id(entry.transaction.id)
        books.preauthorizations[books.preauthorizations.count - 1] = held
        return answer(shown(held, version), version)
    }

    /// Money is held on cards only.
    private func checkCard(
        _ source: PAYMILLRequest.Source,
        _ version: PAYMILLVersion
    ) throws(PAYMILLRefusal) {
        let isAccount: Bool
        switch source {
        case .token(let id):
            isAccount = books.token(id).map { books.tokens[$0].instrument.isAccount } ?? false
        case .payment(let id):
            isAccount = books.payment(id).map { books.payments[$0].payment.debit != nil } ?? false
        case .preauthorization: isAccount = false
        }
        guard isAccount else { return }
        let text = "money cannot be held on a bank account"
        throw .invalid(source.name, rule: "notInArray", text, version)
    }

    private mutating func book(
        _ money: PAYMILLRequest.Money,
        _ payer: Payer,
        isHeld: Bool,
        _ version: PAYMILLVersion,
        _ call: inout PAYMILLCall,
        of preauthorization: String? = nil
    ) -> PAYMILLBooks.Transaction {
        let noText: String? = version == .v2 || isHeld ? nil : ""
        var transaction = PAYMILLTransaction(
            id: newID("tran_"),
            amount: money.amount,
            currency: money.currency,
            status: payer.code.isSuccess ? (isHeld ? .preauth : .closed) : .failed,
            description: money.description.isEmpty ? noText : money.description,
            responseCode: payer.code,
            at: seconds(at: call.instant)
        )
        transaction.hasTextCode = configuration.writesCodesAsText
        transaction.fees = money.fee.map { [$0] } ?? []
        transaction.mandateReference =
            money.mandateReference.isEmpty ? nil : money.mandateReference
        if payer.code.isSuccess, version == .v2 || !isHeld {
            transaction.shortID = version == .v2 ? "7357.7357.7357" : "0000.9999.0000"
        }
        transaction.payment = .id(payer.payment.payment.id)
        transaction.client = payer.payment.payment.clientID.map { .id($0) }
        transaction.preauthorization = preauthorization.map { .id($0) }
        let entry = PAYMILLBooks.Transaction(
            transaction: transaction,
            instant: call.instant,
            isCapture: false,
            isHeld: isHeld
        )
        books.transactions.append(entry)
        // What was compared once is a card like any other.
        if payer.code.isSuccess, let index = books.payment(payer.payment.payment.id) {
            books.payments[index].tokenMoney = nil
        }
        call.records.append(.booked(number: call.number, booking(entry)))
        tell("transaction.created", transaction, isOpen: true, at: call.instant)
        let event = payer.code.isSuccess ? "transaction.succeeded" : "transaction.failed"
        tell(event, transaction, at: call.instant)
        return entry
    }

    /// What a record says of a transaction.
    func booking(
        _ entry: PAYMILLBooks.Transaction,
        amount: Amount? = nil
    ) -> PAYMILLRecord.Booking {
        PAYMILLRecord.Booking(
            isHeld: entry.isHeld,
            amount: amount ?? entry.transaction.originAmount,
            transactionID: entry.transaction.id,
            description: entry.transaction.description ?? "",
            code: entry.transaction.responseCode
        )
    }

    /// The place of the transaction by which money was held.
    private func holding(_ id: String) -> Int? {
        books.transactions.firstIndex { $0.isHeld && $0.transaction.preauthorization?.id == id }
    }

    /// Takes held money.
    ///
    /// What was held is not compared, as on the test host.
    private mutating func capture(
        _ id: String,
        _ money: PAYMILLRequest.Money,
        _ version: PAYMILLVersion,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        _ = advance(to: call.instant)
        guard let index = books.preauthorization(id), let held = holding(id) else {
            throw .noSuchPreauthorizationToCapture
        }
        let entry = books.transactions[held]
        guard entry.capturedAmount == nil, books.preauthorizations[index].status == .closed else {
            throw .preauthorizationUsed
        }
        let code: PAYMILLResponseCode =
            entry.isLetGo ? .periodOver : call.decline ?? .success
        var transaction = entry.transaction
        transaction.id = newID("tran_")
        transaction.amount = money.amount
        transaction.originAmount = money.amount
        transaction.currency = money.currency
        transaction.responseCode = code
        transaction.status = code.isSuccess ? .closed : .failed
        transaction.createdAt = seconds(at: call.instant)
        transaction.updatedAt = transaction.createdAt
        transaction.shortID =
            code.isSuccess ? (version == .v2 ? "7357.7357.7357" : "0000.9999.0000") : nil
        if !money.description.isEmpty { transaction.description = money.description }
        let taken = PAYMILLBooks.Transaction(
            transaction: transaction,
            instant: call.instant,
            isCapture: true,
            isHeld: false
        )
        books.transactions.append(taken)
        if code.isSuccess {
            books.transactions[held].capturedAmount = money.amount
            call.records.append(.captured(number: call.number, booking(taken)))
        }
        let event = code.isSuccess ? "transaction.succeeded" : "transaction.failed"
        tell(event, transaction, at: call.instant)
        let status = code.isSuccess ? 200 : configuration.declineStatus
        return answer(whole(transaction, version).json(version), version, status: status)
    }

    /// Gives held money up.
    mutating func void(
        _ id: String,
        _ version: PAYMILLVersion,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        guard let index = books.preauthorization(id), let held = holding(id) else {
            throw .noSuchPreauthorization
        }
        guard books.preauthorizations[index].status == .closed,
            books.transactions[held].capturedAmount == nil, !books.transactions[held].isLetGo
        else { throw .preauthorizationUsed }
        books.preauthorizations[index].status = .deleted
        books.transactions[held].isLetGo = true
        books.transactions[held].transaction.status = .failed
        books.transactions[held].transaction.responseCode = .voided
        let entry = books.transactions[held]
        call.records.append(.canceled(number: call.number, booking(entry)))
        guard version == .v2point1 else { return answer(.array([]), version) }
        return answer(shown(books.preauthorizations[index], version), version)
    }

    /// Pays money back.
    mutating func refund(
        _ id: String,
        _ amount: Amount,
        _ description: String,
        _ reason: PAYMILLRequest.RefundReason?,
        _ version: PAYMILLVersion,
        _ call: inout PAYMILLCall
    ) throws(PAYMILLRefusal) -> HTTPResponse {
        guard let index = books.transaction(id) else { throw .noSuchTransaction }
        let entry = books.transactions[index]
        guard entry.transaction.isRefundable, amount <= entry.transaction.amount else {
            throw .refundTooHigh(version)
        }
        let refundID = newID("refund_", digitCount: 20)
        var transaction = entry.transaction
        transaction.amount.minorUnits -= amount.minorUnits
        let isAll = transaction.amount.minorUnits == 0
        transaction.status = isAll ? .refunded : .partialRefunded
        transaction.updatedAt = seconds(at: call.instant)
        transaction.refunds = (transaction.refunds ?? []) + [refundID]
        books.transactions[index].transaction = transaction
        var shown = version == .v2 ? whole(transaction, version) : transaction
        if version == .v2 { shown.refunds = nil }
        var refund = PAYMILLRefund(
            id: refundID,
            amount: amount,
            description: description.isEmpty ? nil : description,
            transaction: shown,
            at: seconds(at: call.instant)
        )
        refund.reason = reason
        refund.hasTextCode = configuration.writesCodesAsText
        books.refunds.append(refund)
        let record = booking(books.transactions[index], amount: amount)
        call.records.append(.refunded(number: call.number, record))
        var begun = refund
        begun.status = "open"
        begun.responseCode = .undefined
        tell("refund.created", begun.json(.v2point1), isBeginning: true, at: call.instant)
        tell("refund.succeeded", refund.json(.v2point1), at: call.instant)
        return answer(refund.json(version), version)
    }

    // MARK: The calendar

    /// When the next held money is let go; `nil` when none is held.
    public var nextExpiry: VirtualInstant? {
        books.transactions.first(where: \.isOpen).map {
            $0.instant + configuration.preauthorizationLife
        }
    }

    /// Lets held money go whose time is over.
    public mutating func advance(to now: VirtualInstant) -> [PAYMILLRecord] {
        var records: [PAYMILLRecord] = []
        for index in books.transactions.indices where books.transactions[index].isOpen {
            let end = books.transactions[index].instant + configuration.preauthorizationLife
            guard end <= now else { break }
            books.transactions[index].isLetGo = true
            records.append(.expired(booking(books.transactions[index])))
        }
        return records
    }
}

extension PAYMILLBooks.Transaction {
    /// Whether money is held by it.
    public var isOpen: Bool {
        isHeld && capturedAmount == nil && !isLetGo && transaction.responseCode.isSuccess
    }
}

extension SimulatedPAYMILLGateway {
    /// Keeps a card of a new client, as if it had paid before.
    ///
    /// - Returns: The payment's id.
    public mutating func keepCard(
        _ card: PAYMILLCard,
        email: String,
        at now: VirtualInstant
    ) -> String {
        let token = PAYMILLBooks.Token(
            id: "",
            instrument: .card(card),
            amount: nil,
            currency: "",
            instant: now
        )
        let client = newClient(email: email, description: "", at: now)
        let id = newID("pay_", digitCount: 24)
        add(keep(token, client: client, as: id, at: now), at: now)
        return id
    }

    /// Begins to count requests anew; what they booked stays.
    public mutating func forgetRequests() { forgetCounts() }
}
