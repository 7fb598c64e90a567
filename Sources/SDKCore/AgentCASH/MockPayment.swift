import CardData
import EventLoops
import GatewayProtocols

/// One `authorize` in mock mode, which contacts nothing.
///
/// | amount | how it goes |
/// | --- | --- |
/// | ends with .01 | a signature is asked for |
/// | ends with .99 | declined |
/// | any other | a PIN is entered; approved |
///
/// Source: SDK document, section Mock mode.
struct MockPayment: Hashable {
    private enum State: Hashable {
        /// The steps that are still to be told, the next one at this moment.
        case stepping([PaymentProcessState], until: VirtualInstant)
        case signing(until: VirtualInstant)
        case finished
    }

    let request: PaymentRequest
    private var payment: AgentCASHTransaction
    private let captures: Bool
    private let configuration: PaymentProvider.Configuration
    private var state: State

    init(
        _ order: CardPayment.Order,
        id: UInt64,
        _ configuration: PaymentProvider.Configuration,
        _ outbox: inout PaymentOutbox,
        at now: VirtualInstant
    ) {
        request = order.request
        captures = order.captures
        self.configuration = configuration
        let cents = order.amount.minorUnits % 100
        payment = AgentCASHTransaction(
            id: id,
            state: cents == 99 ? .declined : .authorised,
            authorisation: AgentCASHAuthorisation(
                amount: order.amount,
                currency: order.currency,
                capturesAtOnce: order.captures,
                externalID: order.externalID,
                webhookURL: order.webhookURL,
                reference: order.reference,
                card: AgentCASHCard(
                    entryMode: .chip,
                    verification: cents == 1 ? .signature : .onlinePIN
                )
            ),
            responseCode: cents == 99 ? "05" : "00"
        )
        let pin: [PaymentProcessState] = cents == 1 ? [] : [.pinEntry]
        outbox.tell(.progressChanged(request, .connectingReader))
        state = .stepping(
            [.readerReady, .waitingForCard, .cardInserted] + pin + [.onlineAuthorisation],
            until: now + configuration.mockStep
        )
    }

    /// The payment, once it is over and there is one.
    private(set) var booked: AgentCASHTransaction?

    var isFinished: Bool { state == .finished }

    var deadline: VirtualInstant? {
        switch state {
        case .stepping(_, let until), .signing(let until): until
        case .finished: nil
        }
    }

    mutating func deadlineReached(_ outbox: inout PaymentOutbox, at now: VirtualInstant) {
        guard let deadline, deadline <= now else { return }
        switch state {
        case .stepping(var steps, _):
            guard steps.isEmpty else {
                outbox.tell(.progressChanged(request, steps.removeFirst()))
                return state = .stepping(steps, until: now + configuration.mockStep)
            }
            if payment.state == .declined {
                switch configuration.profile.decline {
                case .finished: finish(.declined, nil, &outbox)
                case .error: finish(.declined, .declined, &outbox)
                }
            } else if payment.verification == .signature {
                outbox.tell(.progressChanged(request, .signatureRequested))
                outbox.tell(.userActionRequired(request, .collectSignature))
                state = .signing(until: now + configuration.signatureTimeout)
            } else {
                approve(&outbox)
            }
        case .signing: reverse(.failed, .signatureNotCollected, &outbox)
        case .finished: break
        }
    }

    mutating func continueWithSignature(
        _ image: [UInt8],
        _ result: SignatureCollectionResult,
        _ outbox: inout PaymentOutbox
    ) {
        guard case .signing = state else {
            return outbox.tell(.misuse(.noSignatureAwaited(request)))
        }
        switch result {
        case .cancelled: reverse(.cancelled, .signatureCancelled, &outbox)
        case .signaturesDontMatch: reverse(.cancelled, .signaturesDontMatch, &outbox)
        case .successful:
            if image.isEmpty {
                outbox.tell(.misuse(.signatureMissing(request)))
            } else if image.count > AgentCASHRequest.maximumSignatureByteCount {
                outbox.tell(.misuse(.signatureTooLarge(request)))
            } else {
                approve(&outbox)
            }
        }
    }

    mutating func cancel(_ outbox: inout PaymentOutbox) {
        switch state {
        case .stepping: finish(.cancelled, .cancelled, &outbox)
        case .signing: reverse(.cancelled, .cancelled, &outbox)
        case .finished: break
        }
    }

    private mutating func approve(_ outbox: inout PaymentOutbox) {
        outbox.tell(.progressChanged(request, .finalising))
        if captures {
            payment.state = .captured
            payment.capturedAmount = payment.amount
        }
        finish(.approved, nil, &outbox)
    }

    private mutating func reverse(
        _ result: PaymentResult,
        _ error: PaymentError,
        _ outbox: inout PaymentOutbox
    ) {
        outbox.tell(.progressChanged(request, .finalising))
        payment.state = .reversed
        finish(result, error, &outbox)
    }

    private mutating func finish(
        _ result: PaymentResult,
        _ error: PaymentError?,
        _ outbox: inout PaymentOutbox
    ) {
        let isTold = error == nil || payment.state == .reversed
        booked = isTold ? payment : nil
        outbox.tell(.progressChanged(request, .finished))
        state = .finished
        outbox.tell(
            .completed(request, PaymentCompletion(result, error, booked.map { [$0] } ?? []))
        )
    }
}
