public import Journal
public import GatewayProtocols
import SDKCore
import SimulatedGateways

extension RecordName {
    /// The record of what became of a transaction; `nil` for states in which it is booked.
    init?(_ state: AgentCASHTransaction.State) {
        switch state {
        case .authorised, .declined, .failed: return nil
        case .captured: self = .captured
        case .released: self = .released
        case .expired: self = .expired
        case .reversed: self = .reversed
        case .refunded: self = .refunded
        }
    }
}

extension Symbol {
    /// The word of where the money of a payment is.
    public init(_ state: AgentCASHTransaction.State) {
        switch state {
        case .authorised: self = .authorised
        case .captured: self = .captured
        case .released: self = .released
        case .expired: self = .expired
        case .reversed: self = .reversed
        case .refunded: self = .refunded
        case .declined: self = .declined
        case .failed: self = .failed
        }
    }

    init(_ mode: AgentCASHCard.EntryMode) {
        switch mode {
        case .chip: self = .chip
        case .contactless: self = .contactless
        case .magstripe: self = .magstripe
        }
    }

    init(_ verification: AgentCASHCard.Verification) {
        switch verification {
        case .none: self = .none
        case .signature: self = .signature
        case .offlinePIN: self = .offlinePIN
        case .onlinePIN: self = .onlinePIN
        }
    }

    init(_ kind: AgentCASHExchangeKind) {
        switch kind {
        case .account, .query, .lookUp: self = .query
        case .authorise: self = .authorise
        case .confirm: self = .confirm
        case .reverse: self = .reverse
        case .capture: self = .capture
        case .refund: self = .refund
        }
    }

    init(_ kind: AgentCASHRequestKind) {
        switch kind {
        case .authorise: self = .authorise
        case .confirm: self = .confirm
        case .reverse: self = .reverse
        case .capture: self = .capture
        case .refund: self = .refund
        case .query: self = .query
        }
    }

    init(_ state: PaymentProcessState) {
        switch state {
        case .connectingReader: self = .connectingReader
        case .readerReady: self = .readerReady
        case .waitingForCard: self = .waitingForCard
        case .cardInserted: self = .cardInserted
        case .cardSwiped: self = .cardSwiped
        case .cardTapped: self = .cardTapped
        case .insertRequested: self = .insertRequested
        case .swipeRequested: self = .swipeRequested
        case .otherInterfaceRequested: self = .otherInterfaceRequested
        case .seePhone: self = .seePhone
        case .cardRetryRequested: self = .cardRetryRequested
        case .selectingApplication: self = .selectingApplication
        case .pinEntry: self = .pinEntry
        case .onlineAuthorisation: self = .onlineAuthorisation
        case .lookingUp: self = .lookingUp
        case .signatureRequested: self = .signatureRequested
        case .finalising: self = .finalising
        case .removeCard: self = .removeCard
        case .readerDisconnected: self = .readerDisconnected
        case .finished: self = .finished
        }
    }

    init(_ action: PaymentUserAction) {
        switch action {
        case .collectSignature: self = .collectSignature
        }
    }

    init(_ result: SignatureCollectionResult) {
        switch result {
        case .cancelled: self = .cancelled
        case .signaturesDontMatch: self = .signaturesDontMatch
        case .successful: self = .successful
        }
    }

    init(_ result: PaymentResult) {
        switch result {
        case .approved: self = .approved
        case .declined: self = .declined
        case .cancelled: self = .cancelled
        case .failed: self = .failed
        case .unknown: self = .unknown
        }
    }

    init(_ error: PaymentError) {
        switch error {
        case .invalidAmount: self = .invalidAmount
        case .invalidCurrency: self = .invalidCurrency
        case .invalidInstallmentCount: self = .invalidInstallmentCount
        case .invalidExternalID: self = .invalidExternalID
        case .invalidWebhookURL: self = .invalidWebhookURL
        case .wrongCredentials: self = .wrongCredentials
        case .invalidReader: self = .invalidReader
        case .accessoryProtocolNotDeclared: self = .accessoryProtocolNotDeclared
        case .anotherPaymentRunning: self = .anotherPaymentRunning
        case .tooManyRequests: self = .tooManyRequests
        case .serviceUnreachable: self = .serviceUnreachable
        case .noAnswer: self = .noAnswer
        case .noSuchReader: self = .noSuchReader
        case .readerDisconnected: self = .readerDisconnected
        case .readerSilent: self = .readerSilent
        case .readerFailed: self = .readerFailed
        case .noCardInTime: self = .noCardInTime
        case .cardNotUsable: self = .cardNotUsable
        case .cardRemoved: self = .cardRemoved
        case .declined: self = .declined
        case .cancelled: self = .cancelled
        case .signatureCancelled: self = .signatureCancelled
        case .signaturesDontMatch: self = .signaturesDontMatch
        case .signatureNotCollected: self = .signatureNotCollected
        case .refused: self = .refused
        case .notCarriedOut: self = .notCarriedOut
        case .notCharged: self = .notCharged
        case .outcomeUnknown: self = .outcomeUnknown
        }
    }
}

extension PaymentMisuse {
    /// What it is about.
    var request: PaymentRequest {
        switch self {
        case .noSignatureAwaited(let request), .signatureMissing(let request),
            .signatureTooLarge(let request):
            request
        }
    }

    /// What the app did wrong, in plain words.
    var text: String {
        switch self {
        case .noSignatureAwaited: "continueWithSignature, though no signature is awaited"
        case .signatureMissing: "continueWithSignature(successful) without an image"
        case .signatureTooLarge: "continueWithSignature with too large an image"
        }
    }
}
