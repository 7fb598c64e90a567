import CardData
import GatewayProtocols
import Journal
import SDKCore
import SimulatedGateways

// What the journal says of PAYMILL, the HoneyStore's backend and its app.
extension Rig {
    mutating func write(_ record: PAYMILLRecord) {
        switch record {
        case .requestReceived(let request):
            journal.begin(.requestReceived, at: now)
            journal.add(.number, .integer(Int64(request.number)))
            journal.add(.kind, .symbol(Symbol(request.kind)))
            if let amount = request.amount { journal.add(.amount, .amount(amount)) }
            addOrderID(request.description)
        case .faultFired(let number, let kind, let fault):
            journal.begin(.gatewayFault, at: now)
            journal.add(.number, .integer(Int64(number)))
            journal.add(.kind, .symbol(Symbol(kind)))
            journal.add(.fault, .symbol(Symbol(fault.answer)))
            journal.add(
                .phase,
                .symbol(fault.phase == .afterBooking ? .afterBooking : .beforeBooking)
            )
        case .tokenCreated(let number, let token): beginToken(.tokenCreated, number, token)
        case .tokenUsed(let number, let token): beginToken(.tokenUsed, number, token)
        case .tokenRefused(let number, let error):
            beginToken(.tokenRefused, number, nil)
            journal.add(.text, .text(SafeText(scrubbing: error.rawValue)))
        case .tokenRejected(let number, let token, let reason):
            beginToken(.tokenRejected, number, token)
            journal.add(.reason, .symbol(Symbol(reason)))
        case .booked(let number, let booking):
            journal.begin(.booked, at: now)
            journal.add(.number, .integer(Int64(number)))
            journal.add(.type, .symbol(booking.isHeld ? .auth : .sale))
            add(booking)
            let isDone = booking.code.isSuccess
            journal.add(
                .state,
                .symbol(isDone ? (booking.isHeld ? .authorised : .complete) : .failed)
            )
        case .captured(let number, let booking): begin(.captured, number, booking)
        case .canceled(let number, let booking): begin(.canceled, number, booking)
        case .expired(let booking): begin(.expired, nil, booking)
        case .consumed(let number, let booking): begin(.consumed, number, booking)
        case .refunded(let number, let booking): begin(.refunded, number, booking)
        }
        journal.end()
    }

    private mutating func beginToken(_ name: RecordName, _ number: Int, _ token: Int?) {
        journal.begin(name, at: now)
        journal.add(.number, .integer(Int64(number)))
        if let token { journal.add(.token, .integer(Int64(token))) }
    }

    private mutating func begin(
        _ name: RecordName,
        _ number: Int?,
        _ booking: PAYMILLRecord.Booking
    ) {
        journal.begin(name, at: now)
        if let number { journal.add(.number, .integer(Int64(number))) }
        add(booking)
    }

    private mutating func add(_ booking: PAYMILLRecord.Booking) {
        journal.add(.amount, .amount(booking.amount))
        journal.add(.transactionID, .text(SafeText(scrubbing: booking.transactionID)))
        addOrderID(booking.description)
    }

    // MARK: Answers

    mutating func writeStoreAnswer(_ kind: HoneyStoreExchangeKind, _ reading: HoneyStoreReading) {
        journal.begin(.gatewayAnswered, at: now)
        journal.add(.kind, .symbol(Symbol(kind)))
        switch reading {
        case .approved: journal.add(.response, .symbol(.approved))
        case .declined(let code):
            journal.add(.response, .symbol(.declined))
            journal.add(.responseCode, .integer(Int64(code.rawValue)))
        case .error(let text):
            journal.add(.response, .symbol(.error))
            journal.add(.responseText, .text(SafeText(scrubbing: text)))
        case .found(let code):
            journal.add(.response, .symbol(.found))
            journal.add(.responseCode, .integer(Int64(code.rawValue)))
        case .notFound: journal.add(.response, .symbol(.notFound))
        }
        journal.end()
    }

    mutating func writeBackendAnswer(
        _ number: Int?,
        _ kind: PAYMILLRequestKind,
        _ response: PAYMILLResponse
    ) {
        journal.begin(.gatewayAnswered, at: now)
        if let number { journal.add(.number, .integer(Int64(number))) }
        journal.add(.kind, .symbol(Symbol(kind)))
        if let transactions = response.transactions, !response.isDone || kind == .query {
            journal.add(.response, .symbol(transactions.isEmpty ? .notFound : .found))
        } else if case .refused(let refusal) = response {
            journal.add(.response, .symbol(.error))
            journal.add(.responseText, .text(SafeText(scrubbing: refusal.text)))
        } else if let transaction = response.transaction {
            let code = transaction.responseCode
            let isDone = code.isSuccess || code == .voided
            journal.add(.response, .symbol(isDone ? .approved : .declined))
            journal.add(.responseCode, .integer(Int64(code.rawValue)))
            journal.add(.transactionID, .text(SafeText(scrubbing: transaction.id)))
            addOrderID(transaction.description ?? "")
        } else {
            journal.add(.response, .symbol(.approved))
        }
        journal.end()
    }

    // MARK: Ends

    mutating func writeEnd(of call: HoneyStoreCall, _ error: String?, _ count: Int) {
        let result = Attribute(.result, .symbol(error == nil ? .approved : .error))
        switch call {
        case .signUp(let name, _, _): writeUserEnd(.signUp, name, error)
        case .logIn(let name, _): writeUserEnd(.logIn, name, error)
        case .saveUser: writeUserEnd(.saveUser, "", error)
        case .cards:
            journal.write(
                .listFinished,
                at: now,
                result,
                Attribute(.kind, .symbol(.cards)),
                Attribute(.count, .integer(Int64(count)))
            )
        case .products:
            journal.write(
                .listFinished,
                at: now,
                result,
                Attribute(.kind, .symbol(.products)),
                Attribute(.count, .integer(Int64(count)))
            )
        case .token: journal.write(.tokenFinished, at: now, result)
        }
    }

    private mutating func writeUserEnd(_ act: Symbol, _ name: String, _ error: String?) {
        journal.begin(.userFinished, at: now)
        journal.add(.result, .symbol(error == nil ? .approved : .error))
        journal.add(.action, .symbol(act))
        if !name.isEmpty { journal.add(.user, .text(SafeText(scrubbing: name))) }
        if let error { journal.add(.text, .text(SafeText(scrubbing: error))) }
        journal.end()
    }

    mutating func writeEnd(of order: OfficeOrder, _ result: OfficeResult) {
        let name: RecordName =
            switch order {
            case .capture: .captureFinished
            case .void: .voidFinished
            case .refund: .refundFinished
            }
        journal.begin(name, at: now)
        journal.add(.result, .symbol(Symbol(result)))
        if case .approved(let id, let amount) = result {
            if name != .voidFinished { journal.add(.amount, .amount(amount)) }
            if !id.isEmpty {
                journal.add(.transactionID, .text(SafeText(scrubbing: id)))
            }
        }
        if name == .refundFinished { addOrderID(order.orderID) }
        journal.end()
    }
}

extension Symbol {
    init(_ kind: PAYMILLRequestKind) {
        switch kind {
        case .token: self = .token
        case .sale: self = .sale
        case .auth: self = .auth
        case .capture: self = .capture
        case .void: self = .void
        case .refund: self = .refund
        case .query: self = .query
        case .vault: self = .vault
        case .update: self = .update
        }
    }

    init(_ kind: HoneyStoreExchangeKind) {
        switch kind {
        case .token: self = .token
        case .signUp: self = .signUp
        case .logIn: self = .logIn
        case .saveUser: self = .saveUser
        case .products: self = .products
        case .cards: self = .cards
        case .sale: self = .sale
        case .auth: self = .auth
        case .query: self = .query
        }
    }

    /// The kind of a request to the merchant's server that a fault waits for; `nil` for others.
    init?(_ kind: GatewayRequestKind?) {
        switch kind {
        case .sale: self = .sale
        case .auth: self = .auth
        case .query: self = .query
        default: return nil
        }
    }

    init(_ reason: TokenRejection) {
        switch reason {
        case .unknown: self = .unknown
        case .used: self = .used
        case .expired: self = .expired
        case .unconfirmed: self = .unconfirmed
        }
    }

    init(_ reason: LostAnswer) {
        switch reason {
        case .timedOut: self = .timedOut
        case .reset: self = .reset
        case .refused: self = .refused
        case .garbage: self = .garbage
        case .httpError: self = .httpError
        }
    }

    init(_ result: PurchaseResult) {
        switch result {
        case .approved: self = .approved
        case .declined: self = .declined
        case .error: self = .error
        case .notCharged: self = .notCharged
        case .unknown: self = .unknown
        }
    }

    init(_ result: OfficeResult) {
        switch result {
        case .approved: self = .approved
        case .declined: self = .declined
        case .error: self = .error
        case .unknown: self = .unknown
        }
    }
}
