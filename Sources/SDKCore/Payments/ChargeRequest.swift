public import CardData
public import GatewayProtocols

/// New money that the app asks for, or a look at what pays: a charge, an authorisation, a credit, an
/// offline payment or a verification.
public struct ChargeRequest: Hashable, Sendable {
    /// The amount.
    public var amount: Amount
    /// The app's own name for the order.
    ///
    /// It must be new for each request: one in doubt is looked up by it. Without one (empty) a
    /// request in doubt stays unknown.
    public var orderID: String
    /// What pays; `nil` sends no payment data, which the gateway refuses.
    public var card: NMICardData?
    /// The security code on the card, where it was asked for.
    public var cvv: CardSecurityCode?
    /// Everything else that is sent with it.
    public var details: NMIDetails
    /// What the gateway's vault is to keep when it is approved, or `nil`.
    public var vault: NMIVaultOrder?
    /// What it is subscribed to when it is approved, or `nil`.
    public var subscription: NMISubscriptionOrder?

    /// Creates a request.
    public init(
        amount: Amount,
        orderID: String,
        card: NMICardData?,
        cvv: CardSecurityCode? = nil,
        details: NMIDetails = NMIDetails(),
        vault: NMIVaultOrder? = nil,
        subscription: NMISubscriptionOrder? = nil
    ) {
        self.amount = amount
        self.orderID = orderID
        self.card = card
        self.cvv = cvv
        self.details = details
        self.vault = vault
        self.subscription = subscription
    }

    /// Creates a request that a MagTek reader's swipe pays.
    public init(amount: Amount, orderID: String, swipe: MagneSafeSwipeFields?) {
        self.init(amount: amount, orderID: orderID, card: swipe.map { .magneSafe($0) })
    }
}

/// Money that the app pays back of an earlier transaction.
public struct RefundRequest: Hashable, Sendable {
    /// The transaction whose money goes back.
    public var transactionID: NMITransactionID
    /// How much; `nil` is all that is left of it.
    public var amount: Amount?
    /// The app's own name for the refund.
    ///
    /// It must be new for each refund: one in doubt is looked up by it. Without one (empty) a
    /// refund in doubt stays unknown.
    public var orderID: String
    /// Whether a check paid; a refund of one needs it.
    public var isCheck: Bool

    /// Creates a request.
    public init(
        transactionID: NMITransactionID,
        amount: Amount? = nil,
        orderID: String,
        isCheck: Bool = false
    ) {
        self.transactionID = transactionID
        self.amount = amount
        self.orderID = orderID
        self.isCheck = isCheck
    }
}

/// What the client knows of a charge, an authorisation, a credit or a refund when it has done all
/// it can.
public enum ChargeResult: Hashable, Sendable {
    /// The money is as it was asked for, with this transaction.
    case approved(transactionID: NMITransactionID, authCode: String)
    /// The processor or the issuer said no.
    case declined(code: NMIResponseCode, text: String)
    /// The gateway did not take the request; the code is `nil` where it never got there.
    case error(code: NMIResponseCode?, text: String)
    /// The answer was lost, and the last look-up found no such transaction of that order.
    case notCharged
    /// The answer was lost, and so were those of the look-ups.
    case unknown
}

/// What the client knows of a change of customers, plans or subscriptions when it has done all it
/// can.
public enum RegisterResult: Hashable, Sendable {
    /// It is as it was asked for, under this id.
    case approved(id: String)
    /// The gateway did not do it; the code is `nil` where no answer said so.
    case error(code: NMIResponseCode?, text: String)
    /// The answer was lost, and so were those of the look-ups, or no look-up can tell.
    case unknown
}

/// What the client knows of a void, a capture or an update when it has done all it can.
public enum VoidResult: Hashable, Sendable {
    /// The transaction is canceled, captured or updated.
    case approved
    /// The processor said no.
    case declined(code: NMIResponseCode, text: String)
    /// The transaction stands as before; the code is `nil` where no answer said so.
    case error(code: NMIResponseCode?, text: String)
    /// The answer was lost, and so were those of the look-ups.
    case unknown
}

/// What an exchange with the gateway is about.
public enum PaymentExchangeKind: String, Hashable, Sendable, CaseIterable {
    /// A charge.
    case sale
    /// A void.
    case void
    /// A look-up after an exchange whose outcome is unknown.
    case query
    /// An authorisation.
    case auth
    /// A capture.
    case capture
    /// A refund.
    case refund
    /// A payment out without an earlier payment.
    case credit
    /// A look at what pays, without money.
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

/// What a look-up says.
public enum LookUpAnswer: Hashable, Sendable {
    /// The transaction it is about.
    case found(NMITransaction)
    /// The customer, the plan or the subscription it is about, by its id.
    case kept(id: String)
    /// There is none.
    case notFound
    /// The gateway refused the look-up, with this text.
    case error(String)
}

/// Why an exchange gave no answer that can be used.
public enum UnansweredReason: Hashable, Sendable {
    /// Nothing came before the deadline.
    case timedOut
    /// The connection was lost.
    case reset
    /// The connection was never made: the request provably did not leave.
    case refused
    /// What came is no answer to this request.
    case garbage
    /// What came is no answer, and its status says so.
    case httpError(status: Int)
}
