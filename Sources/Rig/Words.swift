import GatewayProtocols
public import Journal
import SDKCore
public import SimulatedGateways
public import SimulatedReaders
import Transports

extension RecordName {
    /// The record of an event of the SDK.
    init(_ kind: SwipeEvent.Kind) {
        switch kind {
        case .connected: self = .deviceConnected
        case .activationFinished: self = .deviceActivationFinished
        case .becameReadyForSwipe: self = .deviceBecameReadyForSwipe
        case .becameUnreadyForSwipe: self = .deviceBecameUnreadyForSwipe
        case .deactivated: self = .deviceDeactivated
        case .disconnected: self = .deviceDisconnected
        case .didSwipeCard: self = .didSwipeCard
        case .promptShown: self = .promptShown
        case .alertShown: self = .alertShown
        case .alertDismissed: self = .alertDismissed
        case .autodetectStarted: self = .deviceAutodetectStarted
        case .autodetectComplete: self = .deviceAutodetectComplete
        case .communicationTestCompleted: self = .ipsCommunicationTestCompleteWithResult
        }
    }
}

extension Symbol {
    init(_ result: ActivationResult) {
        switch result {
        case .success: self = .success
        case .failure: self = .failure
        case .timeout: self = .timeout
        case .volumeTooLow: self = .volumeTooLow
        }
    }

    init(_ reason: UnreadyReason) {
        switch reason {
        case .disconnected: self = .disconnected
        case .timedOut: self = .timedOut
        case .canceled: self = .canceled
        case .refreshing: self = .refreshing
        case .swipeDone: self = .swipeDone
        }
    }

    init(_ reason: DetachReason) {
        switch reason {
        case .left: self = .left
        case .cut: self = .cut
        case .overflow: self = .overflow
        case .closed: self = .closed
        case .endOfCapture: self = .endOfCapture
        }
    }
}

extension Symbol {
    init(_ delegate: SwipeDelegate?) {
        switch delegate {
        case nil: self = .none
        case .app: self = .app
        case .other: self = .other
        }
    }
}

extension Symbol {
    init(_ action: LinkFault.Action) {
        switch action {
        case .delay: self = .delay
        case .split: self = .split
        case .merge: self = .merge
        case .drop: self = .drop
        case .corrupt: self = .corrupt
        case .duplicate: self = .duplicate
        case .cut: self = .cut
        }
    }
}

extension SwipeQuality {
    /// The quality of that word; `nil` for words that are none.
    public init?(_ symbol: Symbol) {
        switch symbol {
        case .good: self = .good
        case .partial: self = .partial
        case .reversed: self = .reversed
        case .tooFast: self = .tooFast
        case .unreadable: self = .unreadable
        default: return nil
        }
    }

    /// The word in records and in what operators are told.
    public var symbol: Symbol {
        switch self {
        case .good: .good
        case .partial: .partial
        case .reversed: .reversed
        case .tooFast: .tooFast
        case .unreadable: .unreadable
        case .physical: .physical
        }
    }
}

extension Symbol {
    init(_ kind: PaymentExchangeKind) {
        switch kind {
        case .sale: self = .sale
        case .void: self = .void
        case .query: self = .query
        case .auth: self = .auth
        case .capture: self = .capture
        case .refund: self = .refund
        case .credit: self = .credit
        case .validate: self = .validate
        case .offline: self = .offline
        case .update: self = .update
        case .vault: self = .vault
        case .recurring: self = .recurring
        }
    }

    init(_ kind: GatewayRequestKind) {
        switch kind {
        case .sale: self = .sale
        case .void: self = .void
        case .query: self = .query
        case .auth: self = .auth
        case .capture: self = .capture
        case .refund: self = .refund
        case .credit: self = .credit
        case .validate: self = .validate
        case .offline: self = .offline
        case .update: self = .update
        case .vault: self = .vault
        case .recurring: self = .recurring
        }
    }

    init(_ kind: NMIResponse.Kind) {
        switch kind {
        case .approved: self = .approved
        case .declined: self = .declined
        case .error: self = .error
        }
    }

    init(_ reason: UnansweredReason) {
        switch reason {
        case .timedOut: self = .timedOut
        case .reset: self = .reset
        case .refused: self = .refused
        case .garbage: self = .garbage
        case .httpError: self = .httpError
        }
    }

    init(_ result: ChargeResult) {
        switch result {
        case .approved: self = .approved
        case .declined: self = .declined
        case .error: self = .error
        case .notCharged: self = .notCharged
        case .unknown: self = .unknown
        }
    }

    init(_ result: VoidResult) {
        switch result {
        case .approved: self = .approved
        case .declined: self = .declined
        case .error: self = .error
        case .unknown: self = .unknown
        }
    }

    init(_ answer: GatewayFault.Answer) {
        switch answer {
        case .decline: self = .declined
        case .error: self = .error
        case .timeout: self = .timeout
        case .reset: self = .reset
        case .httpStatus: self = .httpError
        case .httpApproval: self = .httpApproval
        case .garbage: self = .garbage
        case .otherOrder: self = .otherOrder
        case .refused: self = .refused
        case .slow: self = .slow
        }
    }

    /// The word of a transaction's type.
    public init(_ type: LedgerEntry.TransactionType) {
        switch type {
        case .sale: self = .sale
        case .auth: self = .auth
        case .credit: self = .credit
        case .validate: self = .validate
        case .offline: self = .offline
        case .refund: self = .refund
        }
    }

    /// The word of a transaction's condition.
    public init(_ state: LedgerState) {
        switch state {
        case .pending: self = .pending
        case .pendingsettlement: self = .pendingsettlement
        case .canceled: self = .canceled
        case .failed: self = .failed
        case .complete: self = .complete
        }
    }
}
