public import CardData
public import GatewayProtocols

/// New money that the app asks for: a charge, an authorisation or a credit.
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

    /// Creates a request.
    public init(
        amount: Amount,
        orderID: String,
        card: NMICardData?,
        cvv: CardSecurityCode? = nil,
        details: NMIDetails = NMIDetails()
    ) {
        self.amount = amount
        self.orderID = orderID
        self.card = card
        self.cvv = cvv
        self.details = details
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

    /// Creates a request.
    public init(transactionID: NMITransactionID, amount: Amount? = nil, orderID: String) {
        self.transactionID = transactionID
        self.amount = amount
        self.orderID = orderID
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

/// What the client knows of a void or a capture when it has done all it can.
public enum VoidResult: Hashable, Sendable {
    /// The transaction is canceled, or captured.
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
}

/// What a look-up says.
public enum LookUpAnswer: Hashable, Sendable {
    /// The transaction it is about.
    case found(NMITransaction)
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
