public import EventLoops
public import GatewayProtocols

/// What a request to a gateway is about, as faults and records name it.
///
/// Where NMI's field `type` says it, the raw value is that field's; ``query``, ``vault`` and
/// ``recurring`` go another way. Other gateways have kinds of their own
/// (``AgentCASHRequestKind/faultKind``).
public enum GatewayRequestKind: String, Hashable, Sendable, CaseIterable {
    /// A sale, or a payment request of an unknown type.
    case sale
    /// A void.
    case void
    /// A look-up.
    case query
    /// An authorisation.
    case auth
    /// A capture.
    case capture
    /// A refund.
    case refund
    /// A payment out without an earlier payment.
    case credit
    /// A verification of an account.
    case validate
    /// A payment that the issuer authorised by telephone.
    case offline
    /// Data for an earlier transaction.
    case update
    /// A change of the customers that the gateway keeps.
    case vault
    /// A change of plans and subscriptions.
    case recurring
}

/// Something that a gateway does instead of its natural answer, once.
public struct GatewayFault: Hashable, Sendable {
    /// Whether the request is carried out before the fault shows.
    public enum Phase: Hashable, Sendable {
        /// The request is not carried out; a decline is entered in the ledger as failed.
        case beforeBooking
        /// The request is carried out as usual, and only its answer is another.
        case afterBooking
    }

    /// What is done instead.
    public enum Answer: Hashable, Sendable {
        /// A decline with this code, 200 to 264 in the manual's table; PAYMILL declines with
        /// ``GatewayFault/paymillCode``.
        case decline(NMIResponseCode)
        /// An error with this code, 300 to 461 in the manual's table.
        case error(NMIResponseCode)
        /// No answer, ever.
        case timeout
        /// The connection is lost in place of the answer.
        case reset
        /// This status with an empty body.
        case httpStatus(Int)
        /// A status from 500 on with a body that approves what was asked for; a look-up finds its
        /// usual report in it.
        case httpApproval(Int)
        /// Status 200 with a body that is no answer.
        case garbage
        /// The natural answer, but about another order. The request is carried out in either phase.
        case otherOrder
        /// The connection is never made: the request does not reach the gateway, in either phase.
        case refused
        /// The natural answer, so much later. The request is carried out when it comes, in either
        /// phase.
        case slow(VirtualDuration)
    }

    /// The number of the request, counted from 1 over all that was sent, also what was refused;
    /// `nil` for any.
    public var request: Int?
    /// The kind of request; `nil` for any.
    public var kind: GatewayRequestKind?
    /// Whether the request is carried out.
    public var phase: Phase
    /// What is done instead.
    public var answer: Answer
    /// The code with which PAYMILL declines, 40000 to 51200 in its reference's table.
    public var paymillCode = PAYMILLResponseCode.declined

    /// Creates a fault; it fires at the first request that it matches, and not again.
    public init(
        request: Int? = nil,
        kind: GatewayRequestKind? = nil,
        phase: Phase = .beforeBooking,
        answer: Answer
    ) {
        self.request = request
        self.kind = kind
        self.phase = phase
        self.answer = answer
    }

    /// Whether the fault is for a request.
    func matches(number: Int, kind: GatewayRequestKind) -> Bool {
        (request == nil || request == number) && (self.kind == nil || self.kind == kind)
    }
}
