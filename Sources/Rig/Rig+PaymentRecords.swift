import CardData
import GatewayProtocols
import Journal
import SDKCore
import SimulatedGateways

// The records of NMI and of the app that pays there.
extension Rig {
    mutating func addTransactionID(_ id: NMITransactionID?) {
        guard let id else { return }
        journal.add(.transactionID, .text(SafeText(Int(truncatingIfNeeded: id.number))))
    }

    mutating func addOrderID(_ orderID: String) {
        guard !orderID.isEmpty else { return }
        journal.add(.orderID, .text(SafeText(scrubbing: orderID)))
    }

    mutating func writeAnswer(
        _ exchange: Int,
        _ kind: PaymentExchangeKind,
        _ response: NMIResponse
    ) {
        journal.begin(.gatewayAnswered, at: now)
        journal.add(.number, .integer(Int64(exchange)))
        journal.add(.kind, .symbol(Symbol(kind)))
        journal.add(.response, .symbol(Symbol(response.kind)))
        journal.add(.responseCode, .integer(Int64(response.responseCode.rawValue)))
        journal.add(.responseText, .text(SafeText(scrubbing: response.text)))
        addTransactionID(response.transactionID)
        addOrderID(response.orderID)
        journal.end()
    }

    mutating func writeLookUp(
        _ exchange: Int,
        _ orderID: String,
        _ answer: LookUpAnswer
    ) {
        journal.begin(.gatewayAnswered, at: now)
        journal.add(.number, .integer(Int64(exchange)))
        journal.add(.kind, .symbol(.query))
        switch answer {
        case .found(let transaction):
            journal.add(.response, .symbol(.found))
            addTransactionID(transaction.transactionID)
        case .kept: journal.add(.response, .symbol(.kept))
        case .notFound:
            journal.add(.response, .symbol(.notFound))
        case .error(let text):
            journal.add(.response, .symbol(.error))
            journal.add(.responseText, .text(SafeText(scrubbing: text)))
        }
        addOrderID(orderID)
        journal.end()
    }

    mutating func writeNewMoney(
        _ record: RecordName,
        _ amount: Amount?,
        _ orderID: String,
        _ result: ChargeResult
    ) {
        journal.begin(record, at: now)
        journal.add(.result, .symbol(Symbol(result)))
        if let amount { journal.add(.amount, .amount(amount)) }
        addOrderID(orderID)
        if case .approved(let id, _) = result {
            let isByCheck = payments?.checkNames.contains(orderID) ?? false
            if record != .validationFinished { payments?.lastApproved = id }
            payments?.isLastByCheck = isByCheck
            addTransactionID(id)
        }
        journal.end()
    }

    mutating func write(_ record: GatewayRecord) {
        switch record {
        case .requestReceived(let number, let kind, let amount, let orderID):
            journal.begin(.requestReceived, at: now)
            journal.add(.number, .integer(Int64(number)))
            journal.add(.kind, .symbol(Symbol(kind)))
            if let amount { journal.add(.amount, .amount(amount)) }
            addOrderID(orderID)
        case .faultFired(let number, let kind, let fault):
            journal.begin(.gatewayFault, at: now)
            journal.add(.number, .integer(Int64(number)))
            journal.add(.kind, .symbol(Symbol(kind)))
            journal.add(.fault, .symbol(Symbol(fault.answer)))
            journal.add(
                .phase,
                .symbol(fault.phase == .afterBooking ? .afterBooking : .beforeBooking)
            )
        case .booked(let number, let id, let type, let amount, let orderID, let state):
            journal.begin(.booked, at: now)
            journal.add(.number, .integer(Int64(number)))
            journal.add(.type, .symbol(Symbol(type)))
            journal.add(.amount, .amount(amount))
            addTransactionID(id)
            addOrderID(orderID)
            journal.add(.state, .symbol(Symbol(state)))
        case .voided(let number, let id, let amount, let orderID):
            beginChange(.canceled, number, id, amount, orderID)
        case .captured(let number, let id, let amount, let orderID):
            beginChange(.captured, number, id, amount, orderID)
        case .settled(let id, let amount, let orderID):
            beginChange(.settled, nil, id, amount, orderID)
        }
        journal.end()
    }

    /// Begins the record of a transaction that changed; the caller ends it.
    private mutating func beginChange(
        _ record: RecordName,
        _ number: Int?,
        _ id: NMITransactionID,
        _ amount: Amount,
        _ orderID: String
    ) {
        journal.begin(record, at: now)
        if let number { journal.add(.number, .integer(Int64(number))) }
        journal.add(.amount, .amount(amount))
        addTransactionID(id)
        addOrderID(orderID)
    }
}
