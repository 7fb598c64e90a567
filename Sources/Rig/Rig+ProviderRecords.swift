import CardData
import GatewayProtocols
import Journal
import SDKCore
import SimulatedGateways
import Transports

// What the payment provider tells, what it is asked, and what the AgentCASH service books, as
// records.
extension Rig {
    // MARK: The app

    mutating func write(_ request: PaymentRequest, _ parameters: AuthRequestParams) {
        journal.begin(.paymentRequested, at: now)
        journal.add(.payment, .integer(Int64(request.number)))
        journal.add(.amount, .text(SafeText(scrubbing: parameters.amount)))
        journal.add(.currency, .text(SafeText(scrubbing: parameters.currency)))
        journal.add(.isCaptured, .flag(parameters.capture))
        addOrderID(parameters.externalID)
        journal.end()
    }

    mutating func writeFollowUp(
        _ request: PaymentRequest,
        _ kind: Symbol,
        _ record: RecordName,
        _ id: UInt64,
        _ amount: Amount?
    ) {
        agentcash?.askedFor.append((request.number, kind))
        journal.begin(record, at: now)
        journal.add(.payment, .integer(Int64(request.number)))
        if let amount { journal.add(.amount, .amount(amount)) }
        addPaymentID(id)
        journal.end()
    }

    mutating func writeQuestion(_ request: PaymentRequest, _ kind: Symbol) {
        agentcash?.askedFor.append((request.number, kind))
        journal.write(
            .infoRequested,
            at: now,
            Attribute(.payment, .integer(Int64(request.number))),
            Attribute(.kind, .symbol(kind))
        )
    }

    /// Tells the app, from inside whose callback a reaction may act.
    mutating func tell(_ event: PaymentEvent) {
        let name: RecordName
        switch event {
        case .progressChanged(let request, let state):
            name = .progressChanged
            begin(name, request)
            journal.add(.state, .symbol(Symbol(state)))
        case .userActionRequired(let request, let action):
            name = .userActionRequired
            agentcash?.signing = request
            begin(name, request)
            journal.add(.action, .symbol(Symbol(action)))
        case .completed(let request, let completion):
            name = .completed
            begin(name, request)
            addKind(of: request)
            add(completion)
        case .openPaymentSettled(_, let completion):
            name = .openPaymentSettled
            journal.begin(name, at: now)
            add(completion)
        case .misuse(let misuse):
            name = .misuse
            journal.begin(name, at: now)
            journal.add(.text, .text(SafeText(scrubbing: misuse.text)))
            journal.add(.payment, .integer(Int64(misuse.request.number)))
        }
        journal.end()
        if pausesAtEvents.contains(name) { app.callback = (name, journal.step) }
    }

    private mutating func begin(_ name: RecordName, _ request: PaymentRequest) {
        journal.begin(name, at: now)
        journal.add(.payment, .integer(Int64(request.number)))
    }

    private mutating func addKind(of request: PaymentRequest) {
        let index = agentcash?.askedFor.firstIndex { $0.payment == request.number }
        guard let index, let asked = agentcash?.askedFor.remove(at: index) else { return }
        journal.add(.kind, .symbol(asked.kind))
    }

    private mutating func add(_ completion: PaymentCompletion) {
        journal.add(.result, .symbol(Symbol(completion.result)))
        if let error = completion.error { journal.add(.error, .symbol(Symbol(error))) }
        if completion.payments.count != 1 {
            journal.add(.count, .integer(Int64(completion.payments.count)))
        }
        guard let payment = completion.paymentInfo else { return }
        agentcash?.lastPaymentID = payment.id
        addPaymentID(payment.id)
        journal.add(.amount, .amount(payment.amount))
        journal.add(.state, .symbol(Symbol(payment.state)))
        journal.add(.entryMode, .symbol(Symbol(payment.entryMode)))
        journal.add(.verification, .symbol(Symbol(payment.verification)))
        if let number = payment.maskedCardNumber {
            journal.add(.maskedCardNumber, .text(number.safeText))
        }
        journal.add(.capturedAmount, .amount(payment.capturedAmount))
        journal.add(.refundedAmount, .amount(payment.refundedAmount))
        journal.add(.isSigned, .flag(!payment.signatureURL.isEmpty))
    }

    // MARK: The service

    mutating func writeAnswer(
        _ exchange: Int,
        _ kind: AgentCASHExchangeKind,
        _ response: AgentCASHResponse
    ) {
        journal.begin(.gatewayAnswered, at: now)
        journal.add(.number, .integer(Int64(exchange)))
        journal.add(.kind, .symbol(Symbol(kind)))
        switch response {
        case .transaction(let transaction):
            let isDeclined = transaction.state == .declined || transaction.state == .failed
            journal.add(.response, .symbol(isDeclined ? .declined : .approved))
            addPaymentID(transaction.id)
            addOrderID(transaction.externalID)
        case .transactions(let transactions):
            journal.add(.response, .symbol(transactions.isEmpty ? .notFound : .found))
            if let transaction = transactions.last { addPaymentID(transaction.id) }
        case .refused(let error):
            journal.add(.response, .symbol(.error))
            journal.add(.responseText, .text(SafeText(scrubbing: error.code.rawValue)))
        }
        journal.end()
    }

    mutating func write(_ record: AgentCASHRecord) {
        switch record {
        case .requestReceived(let number, let kind, let subject):
            journal.begin(.requestReceived, at: now)
            journal.add(.number, .integer(Int64(number)))
            journal.add(.kind, .symbol(Symbol(kind)))
            if let amount = subject.amount { journal.add(.amount, .amount(amount)) }
            addOrderID(subject.externalID)
            if let reference = subject.reference {
                journal.add(.reference, .text(SafeText(scrubbing: reference)))
            }
            if let id = subject.transactionID { addPaymentID(id) }
        case .faultFired(let number, let kind, let fault):
            journal.begin(.gatewayFault, at: now)
            journal.add(.number, .integer(Int64(number)))
            journal.add(.kind, .symbol(Symbol(kind)))
            journal.add(.fault, .symbol(Symbol(fault.answer)))
            journal.add(
                .phase,
                .symbol(fault.phase == .afterBooking ? .afterBooking : .beforeBooking)
            )
        case .booked(let number, let transaction, let capturesAtOnce):
            journal.begin(.booked, at: now)
            journal.add(.number, .integer(Int64(number)))
            journal.add(.type, .symbol(capturesAtOnce ? .sale : .auth))
            journal.add(.amount, .amount(transaction.amount))
            addPaymentID(transaction.id)
            addOrderID(transaction.externalID)
            journal.add(.state, .symbol(Symbol(transaction.state)))
            journal.add(.verification, .symbol(Symbol(transaction.verification)))
        case .changed(let number, let transaction, let state, let amount):
            guard let name = RecordName(state) else { return }
            journal.begin(name, at: now)
            if let number { journal.add(.number, .integer(Int64(number))) }
            journal.add(.amount, .amount(amount))
            addPaymentID(transaction.id)
            addOrderID(transaction.externalID)
        }
        journal.end()
    }

    /// Takes a webhook as the merchant's server does: by its body.
    mutating func write(_ attempt: WebhookQueue.Attempt, _ status: Int?) {
        let webhook = AgentCASHWebhook(decoding: attempt.request.body)
        journal.begin(.webhookDelivered, at: now)
        journal.add(.number, .integer(Int64(attempt.number)))
        if let webhook { addPaymentID(webhook.transaction.id) }
        journal.add(.attempt, .integer(Int64(attempt.attempt)))
        journal.add(.event, .text(SafeText(scrubbing: attempt.event)))
        journal.add(.status, .integer(Int64(status ?? 0)))
        journal.end()
    }

    private mutating func addPaymentID(_ id: UInt64) {
        journal.add(.transactionID, .text(SafeText(Int(truncatingIfNeeded: id))))
    }
}
