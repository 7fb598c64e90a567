import EventLoops
import GatewayProtocols

/// What follows from what: from the account to the confirmation or the reversal.
extension CardPayment {
    mutating func checked(
        _ verdict: AgentCASHErrand.Verdict,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch verdict {
        case .booked:
            hasProvenAccount = true
            openReader(at: now)
        case .refused(let error): finish(End(.failed, PaymentError(error)), &outbox)
        case .unreachable: finish(End(.failed, .serviceUnreachable), &outbox)
        case .notBooked, .unknown: finish(End(.failed, .noAnswer), &outbox)
        }
    }

    mutating func authorise(
        _ card: AgentCASHCard,
        _ reader: ReaderSide,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        progress(.onlineAuthorisation, &outbox)
        outbox.keep(order.reference, captures: order.captures, isConfirmed: false)
        let work = AgentCASHErrand.Work.authorise(
            AgentCASHAuthorisation(
                amount: order.amount,
                currency: order.currency,
                capturesAtOnce: order.captures,
                externalID: order.externalID,
                webhookURL: order.webhookURL,
                reference: order.reference,
                card: card
            )
        )
        let errand = AgentCASHErrand(work, configuration, &outbox, at: now)
        state = .authorising(errand, card.verification, reader, isCancelled: false)
    }

    mutating func authorised(
        _ verdict: AgentCASHErrand.Verdict,
        _ reader: ReaderSide,
        isCancelled: Bool,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        let given = End(.cancelled, .cancelled)
        switch verdict {
        case .booked(let found):
            guard let payment = found.last else { return }
            switch payment.state {
            case .authorised:
                approved(payment, reader, isCancelled: isCancelled, &outbox, at: now)
            case .declined:
                leave(.declined, reader, declined(payment), &outbox, at: now)
            case .captured, .released, .expired, .reversed, .refunded, .failed:
                let end = End(.failed, .notCarriedOut, payment)
                leave(.unreachable, reader, end, &outbox, at: now)
            }
        case .refused(let error):
            let end = isCancelled ? given : End(.failed, PaymentError(error))
            leave(.unreachable, reader, end, &outbox, at: now)
        case .unreachable:
            let end = isCancelled ? given : End(.failed, .serviceUnreachable)
            leave(.unreachable, reader, end, &outbox, at: now)
        case .notBooked:
            let end = isCancelled ? given : End(.failed, .notCharged)
            leave(.unreachable, reader, end, &outbox, at: now)
        case .unknown:
            leave(.unreachable, reader, End(.unknown, .outcomeUnknown), &outbox, at: now)
        }
    }

    private mutating func approved(
        _ payment: AgentCASHTransaction,
        _ reader: ReaderSide,
        isCancelled: Bool,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        let isCancelled = isCancelled && configuration.plant != .forgetsCancelWhileAuthorising
        if isCancelled {
            if reader != .lost { readerOrders.append(.complete(.declined)) }
            return reverse(payment, End(.cancelled, .cancelled), &outbox, at: now)
        }
        switch reader {
        case .awaitsAnswer:
            progress(.finalising, &outbox)
            readerOrders.append(.complete(.approved))
            let until = now + configuration.completionTimeout
            state = .completing(payment, isCancelled: false, until: until)
        case .done:
            readerOrders.append(.complete(.approved))
            cardIsDone(payment, &outbox, at: now)
        case .lost: readerIsLost(payment, &outbox, at: now)
        }
    }

    /// Goes on after the reader or the card was lost, with an authorisation in the books.
    mutating func readerIsLost(
        _ payment: AgentCASHTransaction,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch configuration.profile.lostReader {
        case .completes: cardIsDone(payment, &outbox, at: now)
        case .reverses:
            reverse(payment, End(.failed, .readerDisconnected), &outbox, at: now)
        }
    }

    /// Goes on after the card's last word.
    mutating func cardIsDone(
        _ payment: AgentCASHTransaction,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        if payment.verification == .signature, configuration.plant != .confirmsUnsigned {
            progress(.signatureRequested, &outbox)
            askForSignature(&outbox)
            state = .signing(payment, until: now + configuration.signatureTimeout)
        } else {
            confirm(payment, signature: [], &outbox, at: now)
        }
    }

    mutating func askForSignature(_ outbox: inout PaymentOutbox) {
        hasAskedForSignature = true
        outbox.tell(.userActionRequired(request, .collectSignature))
    }

    mutating func confirm(
        _ payment: AgentCASHTransaction,
        signature: [UInt8],
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        progress(.finalising, &outbox)
        outbox.keep(order.reference, captures: order.captures, isConfirmed: true)
        let work = AgentCASHErrand.Work.confirm(
            payment.id,
            signature: signature,
            captures: order.captures
        )
        state = .confirming(AgentCASHErrand(work, configuration, &outbox, at: now), payment)
    }

    mutating func confirmed(
        _ verdict: AgentCASHErrand.Verdict,
        _ payment: AgentCASHTransaction,
        _ errand: AgentCASHErrand,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch verdict {
        case .booked(let found):
            let payment = found.last ?? payment
            let isDone = errand.work.isDone(in: payment)
            finish(
                isDone ? End(.approved, nil, payment) : End(.failed, .notCarriedOut, payment),
                &outbox
            )
        case .refused(let error):
            reverse(payment, End(.failed, PaymentError(error)), &outbox, at: now)
        case .unreachable:
            reverse(payment, End(.failed, .serviceUnreachable), &outbox, at: now)
        case .notBooked: reverse(payment, End(.failed, .notCharged), &outbox, at: now)
        case .unknown: finish(End(.unknown, .outcomeUnknown, payment), &outbox)
        }
    }

    mutating func reverse(
        _ payment: AgentCASHTransaction,
        _ end: End,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        progress(.finalising, &outbox)
        outbox.keep(order.reference, captures: order.captures, isConfirmed: false)
        let work = AgentCASHErrand.Work.reverse(payment.id)
        state = .reversing(AgentCASHErrand(work, configuration, &outbox, at: now), end)
    }

    mutating func reversed(
        _ verdict: AgentCASHErrand.Verdict,
        _ end: End,
        _ errand: AgentCASHErrand,
        _ outbox: inout PaymentOutbox
    ) {
        var end = end
        switch verdict {
        case .booked(let found):
            end.payment = found.last
            if let payment = found.last, !errand.work.isDone(in: payment) {
                // A confirmation that was thought lost came after all.
                end =
                    payment.state == .captured
                    ? End(.approved, nil, payment) : End(.failed, .notCarriedOut, payment)
            }
        case .refused, .unreachable, .notBooked, .unknown: end = End(.unknown, .outcomeUnknown)
        }
        finish(end, &outbox)
    }

    /// Tells the card how it ended, waits for its last word, and then ends.
    mutating func leave(
        _ answer: PaymentReaderOrder.IssuerAnswer,
        _ reader: ReaderSide,
        _ end: End,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        guard reader != .lost else { return finish(end, &outbox) }
        progress(.finalising, &outbox)
        readerOrders.append(.complete(answer))
        state = .leaving(end, until: now + configuration.completionTimeout)
    }

    /// Tells the reader to stop, waits for it, and then ends.
    mutating func stop(_ end: End, at now: VirtualInstant) {
        readerOrders.append(.abort)
        state = .leaving(end, until: now + Self.abortTimeout)
    }

    /// A decline as the profile tells it.
    func declined(_ payment: AgentCASHTransaction?) -> End {
        switch configuration.profile.decline {
        case .finished: End(.declined, nil, payment)
        case .error: End(.declined, .declined)
        }
    }
}

extension PaymentError {
    /// A refusal as the app is told.
    init(_ error: AgentCASHError) {
        self = error.code == .unauthorised ? .wrongCredentials : .refused(error)
    }
}
