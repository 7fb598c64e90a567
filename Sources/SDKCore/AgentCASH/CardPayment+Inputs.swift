import CardData
import EventLoops
import GatewayProtocols
import Transports

extension CardPayment {
    // MARK: - The reader

    mutating func readerOpened(at now: VirtualInstant) {
        switch state {
        case .opening:
            readerOrders.append(
                .start(
                    amountMinorUnits: order.amount.minorUnits,
                    currencyNumber: order.currencyNumber
                )
            )
            state = .reading(isCardPresent: false, until: now + cardLimit)
        case .checking, .reading, .authorising, .completing, .signing, .confirming, .reversing,
            .leaving, .finished:
            break
        }
    }

    mutating func readerNotFound(_ outbox: inout PaymentOutbox) {
        switch state {
        case .opening:
            finish(End(.failed, .noSuchReader), &outbox)
        case .checking, .reading, .authorising, .completing, .signing, .confirming, .reversing,
            .leaving, .finished:
            break
        }
    }

    /// The reader's transport was lost; the session's own report of it may follow, and says no more.
    mutating func readerLost(_ outbox: inout PaymentOutbox, at now: VirtualInstant) {
        switch state {
        case .checking, .finished: return
        case .opening, .reading, .authorising, .completing, .signing, .confirming, .reversing,
            .leaving:
            progress(.readerDisconnected, &outbox)
        }
        readerFailed(.linkLost, &outbox, at: now)
    }

    mutating func readerReported(
        _ report: PaymentReaderReport,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch report {
        case .progress(let step): stepped(step, &outbox, at: now)
        case .authorisationRequired(let card, let needsCompletion):
            switch state {
            case .reading:
                authorise(card, needsCompletion ? .awaitsAnswer : .done, &outbox, at: now)
            case .leaving: readerOrders.append(.complete(.unreachable))
            case .checking, .opening, .authorising, .completing, .signing, .confirming,
                .reversing, .finished:
                break
            }
        case .completed(let isApproved):
            cardSpoke(isApproved: isApproved, &outbox, at: now)
        case .failed(let failure): readerFailed(failure, &outbox, at: now)
        }
    }

    private mutating func stepped(
        _ step: PaymentProcessState,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch state {
        case .reading:
            let isCardPresent = step.meansCard
            let limit = isCardPresent ? configuration.readerTimeout : cardLimit
            state = .reading(isCardPresent: isCardPresent, until: now + limit)
            progress(step, &outbox)
        case .authorising, .completing, .signing, .confirming, .reversing, .leaving:
            progress(step, &outbox)
        case .checking, .opening, .finished: break
        }
    }

    private mutating func cardSpoke(
        isApproved: Bool,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch state {
        case .reading:
            // The card's own word without the issuer's: a yes alone books nothing.
            finish(isApproved ? End(.failed, .cardNotUsable) : declined(nil), &outbox)
        case .authorising(let errand, let verification, .awaitsAnswer, let isCancelled):
            // Without an answer of the issuer: the card was taken out.
            state = .authorising(errand, verification, .lost, isCancelled: isCancelled)
        case .completing(let payment, true, _):
            reverse(payment, End(.cancelled, .cancelled), &outbox, at: now)
        case .completing(let payment, false, _):
            if isApproved || configuration.plant == .ignoresTheCardsNo {
                cardIsDone(payment, &outbox, at: now)
            } else {
                reverse(payment, declined(nil), &outbox, at: now)
            }
        case .signing(let payment, _):
            // A last word that came too late to be waited for, and in time to be heeded.
            if !isApproved { reverse(payment, declined(nil), &outbox, at: now) }
        case .leaving(let end, _): finish(end, &outbox)
        case .checking, .opening, .authorising, .confirming, .reversing, .finished: break
        }
    }

    private mutating func readerFailed(
        _ failure: PaymentReaderFailure,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch state {
        case .reading: finish(End(failure), &outbox)
        case .authorising(let errand, let verification, .awaitsAnswer, let isCancelled):
            if configuration.plant == .forgetsDoubtWithTheReader {
                return finish(End(failure), &outbox)
            }
            if configuration.plant == .endsTwiceWithTheReader {
                let completion = PaymentCompletion(.failed, .readerDisconnected)
                outbox.tell(.completed(request, completion))
            }
            var errand = errand
            if configuration.plant == .authorisesAgainWithoutReader {
                errand = AgentCASHErrand(errand.work, configuration, &outbox, at: now)
            }
            state = .authorising(errand, verification, .lost, isCancelled: isCancelled)
        case .completing(let payment, true, _):
            reverse(payment, End(.cancelled, .cancelled), &outbox, at: now)
        case .completing(let payment, false, _): readerIsLost(payment, &outbox, at: now)
        case .signing:
            if configuration.plant == .asksAgainWithoutReader { askForSignature(&outbox) }
        case .leaving(let end, _): finish(end, &outbox)
        case .checking, .opening, .authorising, .confirming, .reversing, .finished: break
        }
    }

    // MARK: - The service and time

    mutating func outcome(
        _ outcome: HTTPOutcome,
        exchange: Int,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        guard awaits(exchange: exchange) else { return }
        withErrand(&outbox, at: now) { (errand, configuration, outbox) in
            errand.outcome(outcome, configuration, &outbox, at: now)
        }
    }

    mutating func deadlineReached(_ outbox: inout PaymentOutbox, at now: VirtualInstant) {
        guard let deadline, deadline <= now else { return }
        switch state {
        case .checking, .authorising, .confirming, .reversing:
            withErrand(&outbox, at: now) { (errand, configuration, outbox) in
                errand.deadlineReached(configuration, &outbox, at: now)
            }
        case .opening: finish(End(.failed, .noSuchReader), &outbox)
        case .reading(let isCardPresent, _):
            stop(End(.failed, isCardPresent ? .readerSilent : .noCardInTime), at: now)
        case .completing(let payment, true, _):
            reverse(payment, End(.cancelled, .cancelled), &outbox, at: now)
        case .completing(let payment, false, _): readerIsLost(payment, &outbox, at: now)
        case .signing(let payment, _):
            if configuration.plant == .confirmsForgottenSignatures {
                confirm(payment, signature: [], &outbox, at: now)
            } else {
                reverse(payment, End(.failed, .signatureNotCollected), &outbox, at: now)
            }
        case .leaving(let end, _): finish(end, &outbox)
        case .finished: break
        }
    }

    private mutating func withErrand(
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant,
        _ act: (
            inout AgentCASHErrand, PaymentProvider.Configuration, inout PaymentOutbox
        ) -> AgentCASHErrand.Verdict?
    ) {
        switch state {
        case .checking(var errand):
            guard let verdict = act(&errand, configuration, &outbox) else {
                return state = .checking(errand)
            }
            checked(verdict, &outbox, at: now)
        case .authorising(var errand, let verification, let reader, let isCancelled):
            let wasInDoubt = errand.isInDoubt
            guard let verdict = act(&errand, configuration, &outbox) else {
                if errand.isInDoubt, !wasInDoubt { progress(.lookingUp, &outbox) }
                state = .authorising(errand, verification, reader, isCancelled: isCancelled)
                return
            }
            authorised(verdict, reader, isCancelled: isCancelled, &outbox, at: now)
        case .confirming(var errand, let payment):
            let wasInDoubt = errand.isInDoubt
            guard let verdict = act(&errand, configuration, &outbox) else {
                if errand.isInDoubt, !wasInDoubt {
                    progress(.lookingUp, &outbox)
                    if configuration.plant == .endsTwiceInDoubt {
                        outbox.tell(.completed(request, PaymentCompletion(.unknown)))
                    }
                    if configuration.plant == .asksAgainInDoubt, hasAskedForSignature {
                        askForSignature(&outbox)
                    }
                }
                return state = .confirming(errand, payment)
            }
            confirmed(verdict, payment, errand, &outbox, at: now)
        case .reversing(var errand, let end):
            guard let verdict = act(&errand, configuration, &outbox) else {
                return state = .reversing(errand, end)
            }
            reversed(verdict, end, errand, &outbox)
        case .opening, .reading, .completing, .signing, .leaving, .finished: break
        }
    }

    // MARK: - The app

    mutating func continueWithSignature(
        _ image: [UInt8],
        _ result: SignatureCollectionResult,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        switch state {
        case .signing(let payment, _):
            switch result {
            case .cancelled where configuration.plant != .confirmsCancelled:
                reverse(payment, End(.cancelled, .signatureCancelled), &outbox, at: now)
            case .signaturesDontMatch where configuration.plant != .confirmsMismatches:
                reverse(payment, End(.cancelled, .signaturesDontMatch), &outbox, at: now)
            case .cancelled, .signaturesDontMatch:
                confirm(payment, signature: image, &outbox, at: now)
            case .successful:
                if image.isEmpty {
                    outbox.tell(.misuse(.signatureMissing(request)))
                    if configuration.plant == .asksAgainAfterMisuse { askForSignature(&outbox) }
                } else if image.count > AgentCASHRequest.maximumSignatureByteCount {
                    outbox.tell(.misuse(.signatureTooLarge(request)))
                } else {
                    confirm(payment, signature: image, &outbox, at: now)
                }
            }
        case .checking, .opening, .reading, .authorising, .completing, .confirming, .reversing,
            .leaving, .finished:
            outbox.tell(.misuse(.noSignatureAwaited(request)))
        }
    }

    /// Gives the payment up as far as it still can be.
    mutating func cancel(_ outbox: inout PaymentOutbox, at now: VirtualInstant) {
        switch state {
        case .checking(let errand):
            if let exchange = errand.exchange { outbox.add(.cancel(exchange: exchange)) }
            finish(End(.cancelled, .cancelled), &outbox)
        case .opening: finish(End(.cancelled, .cancelled), &outbox)
        case .reading: stop(End(.cancelled, .cancelled), at: now)
        case .authorising(let errand, let verification, let reader, _):
            state = .authorising(errand, verification, reader, isCancelled: true)
        case .completing(let payment, _, let until):
            state = .completing(payment, isCancelled: true, until: until)
        case .signing(let payment, _):
            reverse(payment, End(.cancelled, .cancelled), &outbox, at: now)
        case .confirming, .reversing, .leaving, .finished: break
        }
    }
}

extension CardPayment.End {
    /// How a payment ends whose session failed before the issuer was asked.
    init(_ failure: PaymentReaderFailure) {
        switch failure {
        case .aborted, .cancelledOnReader: self.init(.cancelled, .cancelled)
        case .timedOut: self.init(.failed, .noCardInTime)
        case .cardRemoved: self.init(.failed, .cardRemoved)
        case .cardNotUsable: self.init(.failed, .cardNotUsable)
        case .linkLost, .readerRestarted: self.init(.failed, .readerDisconnected)
        case .silent: self.init(.failed, .readerSilent)
        case .readerFailed: self.init(.failed, .readerFailed)
        }
    }
}

extension PaymentProcessState {
    /// Whether a card is at the reader, so that the cardholder and the reader are at work.
    var meansCard: Bool {
        switch self {
        case .cardInserted, .cardSwiped, .cardTapped, .selectingApplication, .pinEntry,
            .onlineAuthorisation, .lookingUp, .signatureRequested, .finalising, .removeCard:
            true
        case .connectingReader, .readerReady, .waitingForCard, .insertRequested, .swipeRequested,
            .otherInterfaceRequested, .seePhone, .cardRetryRequested, .readerDisconnected,
            .finished:
            false
        }
    }
}
