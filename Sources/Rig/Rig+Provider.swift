import CardData
import EventLoops
import GatewayProtocols
import Journal
import SDKCore
public import SimulatedGateways
import Transports

// The app's payment provider: what it is asked, what it wants done, and the service's answers.
extension Rig {
    /// Asks the payment provider for something.
    ///
    /// From inside a callback it has its effect after the callback, in the order made.
    /// - Returns: Whether there is an app with a provider, and a payment that is meant.
    public mutating func pay(_ call: PaymentCall) -> Bool {
        guard isAppAlive, agentcash != nil else { return false }
        switch call {
        case .authorize(_, let reader, _):
            guard stations.indices.contains(reader), stations[reader].isPaymentReader else {
                return false
            }
        case .sign, .cancel:
            guard agentcash?.lastPayment != nil else { return false }
        case .capture, .refund, .paymentInfo:
            guard agentcash?.lastPaymentID != nil else { return false }
        case .payments: break
        }
        perform(.pay(call))
        return true
    }

    /// Whether there is a payment provider in the app.
    public var hasPaymentProvider: Bool { agentcash != nil }

    /// The payments in the books of the AgentCASH service, in the order in which they were booked.
    public var serviceEntries: [AgentCASHLedger.Entry] { agentcash?.gateway.ledger.entries ?? [] }

    /// How many webhooks the merchant's server took.
    public var webhookCount: Int { agentcash?.webhookCount ?? 0 }

    /// How many webhooks the gateway sent, each counted once however often it was tried.
    public var sentWebhookCount: Int {
        agentcash?.sentWebhookCount ?? payments?.sentWebhookCount ?? store?.sentWebhookCount ?? 0
    }

    /// Changes what the merchant's server answers to webhooks; `nil` does not answer.
    ///
    /// - Returns: Whether there is a service that sends any.
    public mutating func setMerchantServer(status: Int?) -> Bool {
        touched.formUnion(.payments)
        guard agentcash != nil else { return false }
        agentcash?.merchantStatus = status
        return true
    }

    // MARK: Calls

    mutating func carryOut(_ call: PaymentCall) {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        switch call {
        case .authorize(let parameters, let reader, let address):
            guard let name = cardReader(reader, address),
                let request = agentcash?.provider.authorize(parameters, cardReader: name, at: now)
            else { return }
            agentcash?.lastPayment = request
            agentcash?.askedFor.append((request.number, .authorise))
            write(request, parameters)
        case .sign(let result, let hasImage):
            guard let request = agentcash?.signing ?? agentcash?.lastPayment else { return }
            journal.write(
                .signatureGiven,
                at: now,
                Attribute(.payment, .integer(Int64(request.number))),
                Attribute(.result, .symbol(Symbol(result)))
            )
            agentcash?.provider.continueWithSignature(
                request,
                image: hasImage ? Self.signature : [],
                result: result,
                at: now
            )
        case .cancel:
            guard let request = agentcash?.lastPayment else { return }
            journal.write(
                .paymentCancelled,
                at: now,
                Attribute(.payment, .integer(Int64(request.number)))
            )
            agentcash?.provider.cancel(request, at: now)
        case .capture(let amount):
            guard let id = agentcash?.lastPaymentID,
                let request = agentcash?.provider.capture(id, amount: amount?.description, at: now)
            else { return }
            writeFollowUp(request, .capture, .captureRequested, id, amount)
        case .refund(let amount):
            guard let id = agentcash?.lastPaymentID,
                let request = agentcash?.provider.refund(id, amount: amount?.description, at: now)
            else { return }
            writeFollowUp(request, .refund, .refundRequested, id, amount)
        case .paymentInfo:
            guard let id = agentcash?.lastPaymentID,
                let request = agentcash?.provider.paymentInfo(id, at: now)
            else { return }
            writeQuestion(request, .paymentInfo)
        case .payments(let externalID):
            guard let request = agentcash?.provider.payments(externalID: externalID, at: now)
            else { return }
            writeQuestion(request, .payments)
        }
        carryOutProvider()
    }

    /// What the app gives as the image of a signature: the first bytes of a PNG.
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private func cardReader(_ reader: Int, _ address: String?) -> CardReader? {
        guard let station = stations[reader].payment else { return nil }
        guard let address else { return station.cardReader }
        switch station.address.carrier {
        case .bluetooth: return .bluetooth(.miura, name: address)
        case .serial: return .serial(.miura, path: address)
        case .network:
            let colon = address.lastIndex(of: ":")
            let host = colon.map { String(address[..<$0]) } ?? address
            let port = colon.map { Int(address[address.index(after: $0)...]) ?? 0 }
            return .network(.miura, address: host, port: port ?? station.address.port)
        }
    }

    // MARK: What the provider wants

    /// Does what the provider wants, tells the app, and wakes the provider at its deadline.
    ///
    /// At an event of ``pausesAtEvents`` it stops inside the callback.
    mutating func carryOutProvider() {
        guard agentcash?.isCarryingOut == false, isAppAlive else { return }
        agentcash?.isCarryingOut = true
        while !app.isInCallback, let action = agentcash?.provider.nextAction() { carryOut(action) }
        agentcash?.isCarryingOut = false
        watchProvider()
    }

    private mutating func carryOut(_ action: PaymentProvider.Action) {
        let earlier = agentcash?.earlierExchangeCount ?? 0
        switch action {
        case .tell(let event): tell(event)
        case .save(let payments): agentcash?.saved = payments
        case .openReader(let reader): openPaymentReader(reader)
        case .write(let bytes): writeToPaymentReader(bytes)
        case .closeReader: closePaymentReader()
        case .send(let exchange, _, let request, _):
            agentcash?.exchangeCount = earlier + exchange
            agentcash?.exchanges.append(
                AgentCASHDesk.Exchange(
                    number: earlier + exchange,
                    request: request,
                    step: journal.step
                )
            )
            loop.post(
                RigEvent(.serviceRequestArrives(exchange: earlier + exchange), step: journal.step),
                to: RigComponent.serviceRequestArrival,
                at: now
            )
        case .cancel(let exchange):
            guard let index = agentcash?.index(of: earlier + exchange) else { return }
            if let number = agentcash?.exchanges[index].remoteNumber {
                agentcash?.remote?.cancel(number)
                agentcash?.exchanges.remove(at: index)
            } else {
                agentcash?.exchanges[index].isOver = true
            }
        case .answered(let exchange, let kind, let response):
            writeAnswer(earlier + exchange, kind, response)
        case .readerDamaged(let reason, let dropsLink):
            guard let reader = agentcash?.reader else { return }
            journal.write(
                .frameDamaged,
                at: now,
                Attribute(.reader, .reader(reader)),
                Attribute(.text, .text(SafeText(scrubbing: reason))),
                Attribute(.action, .symbol(dropsLink ? .dropLink : .resync))
            )
        case .unanswered(let exchange, let kind, let reason):
            journal.write(
                .gatewayUnanswered,
                at: now,
                Attribute(.number, .integer(Int64(earlier + exchange))),
                Attribute(.kind, .symbol(Symbol(kind))),
                Attribute(.reason, .symbol(Symbol(reason)))
            )
        }
    }

    private mutating func watchProvider() {
        guard let (wanted, isIdle) = agentcash?.nextWish() else { return }
        agentcash?.deadline = move(
            agentcash?.deadline,
            to: wanted,
            isIdle: isIdle,
            .providerDeadline,
            at: RigComponent.providerDeadline
        )
    }

    mutating func providerDeadline() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        if let reader = agentcash?.reader { touched.formUnion(.reader(reader)) }
        let now = now
        agentcash?.deadline = nil
        takeRecordsFromOutside(step: nil)
        agentcash?.provider.deadlineReached(at: now)
        carryOutProvider()
    }

    /// The app was killed: its provider is gone, and nobody hears the answers.
    mutating func loseProvider() {
        guard agentcash != nil else { return }
        if let deadline = agentcash?.deadline { loop.cancel(deadline.id) }
        closePaymentReader()
        let now = now
        agentcash?.loseProvider(at: now)
    }

    /// The app is launched: it makes a provider, which clears up what was left open.
    mutating func makeProvider() {
        guard agentcash != nil else { return }
        let now = now
        agentcash?.makeProvider(at: now)
        carryOutProvider()
    }

    // MARK: The service

    mutating func serviceRequestArrives(_ exchange: Int) {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        guard let index = agentcash?.index(of: exchange) else { return }
        if sendServiceRequestOutside(index) { return }
        armGatewayFault()
        guard let request = agentcash?.exchanges[index].request.take(),
            let reply = agentcash?.gateway.receive(request, at: now, cache: cache)
        else { return }
        for record in reply.records { write(record) }
        watchCalendar()
        let delay: VirtualDuration
        switch reply.wire {
        case .silence:
            agentcash?.exchanges.remove(at: index)
            return
        case .answer(let response, let after):
            agentcash?.exchanges[index].outcome = .answered(response)
            delay = after
        case .reset(let after):
            agentcash?.exchanges[index].outcome = .reset
            delay = after
        case .refused:
            agentcash?.exchanges[index].outcome = .refused
            delay = .zero
        }
        loop.post(
            RigEvent(.serviceExchangeEnds(exchange: exchange), step: journal.step),
            to: RigComponent.serviceExchangeEnd,
            at: now + delay
        )
    }

    mutating func serviceExchangeEnds(_ exchange: Int) {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        if let reader = agentcash?.reader { touched.formUnion(.reader(reader)) }
        let now = now
        guard let index = agentcash?.index(of: exchange),
            let ended = agentcash?.exchanges.remove(at: index), !ended.isOver,
            let outcome = ended.outcome
        else { return }
        let earlier = agentcash?.earlierExchangeCount ?? 0
        agentcash?.provider.outcome(outcome, exchange: exchange - earlier, at: now)
        carryOutProvider()
    }

    /// Looks at the service's calendar again when something is due there by itself: an
    /// authorisation expires, or a webhook is sent.
    private mutating func watchCalendar() {
        guard let agentcash, agentcash.remote == nil else { return }
        self.agentcash?.calendar = moveCalendar(
            agentcash.calendar,
            next: agentcash.gateway.nextExpiry(),
            webhook: agentcash.gateway.webhooks.nextDue,
            .serviceCalendar,
            at: RigComponent.serviceCalendar
        )
    }

    mutating func serviceCalendarDue() {
        touched.formUnion(.payments)
        touched.formUnion(.readsTime)
        let now = now
        agentcash?.calendar = nil
        for record in agentcash?.gateway.advance(to: now) ?? [] { write(record) }
        while let attempt = agentcash?.gateway.webhooks.nextAttempt(at: now) {
            let status = agentcash?.webhookStatus()
            if attempt.attempt == 1 { agentcash?.sentWebhookCount += 1 }
            write(attempt, status)
            agentcash?.gateway.webhooks.ended(attempt.number, status: status, at: now)
            if let status, (200...299).contains(status) { agentcash?.webhookCount += 1 }
        }
        watchCalendar()
    }
}
