public import CardData
public import GatewayProtocols

/// A charge that the app asks for.
public struct ChargeRequest: Hashable, Sendable {
    /// The amount.
    public var amount: Amount
    /// The app's own name for the order.
    ///
    /// It must be new for each charge: a charge in doubt is looked up by it. Without one (empty) a
    /// charge in doubt stays unknown.
    public var orderID: String
    /// The swipe that pays; `nil` sends no payment data, which the gateway refuses.
    public var swipe: MagneSafeSwipeFields?

    /// Creates a charge.
    public init(amount: Amount, orderID: String, swipe: MagneSafeSwipeFields?) {
        self.amount = amount
        self.orderID = orderID
        self.swipe = swipe
    }
}

/// What the client knows of a charge when it has done all it can.
public enum ChargeResult: Hashable, Sendable {
    /// The money is the merchant's, with this transaction.
    case approved(transactionID: NMITransactionID, authCode: String)
    /// The processor or the issuer said no.
    case declined(code: NMIResponseCode, text: String)
    /// The gateway did not take the request; the code is `nil` where it never got there.
    case error(code: NMIResponseCode?, text: String)
    /// The answer was lost, and the last look-up found no charge of that order.
    case notCharged
    /// The answer was lost, and so were those of the look-ups.
    case unknown
}

/// What the client knows of a void when it has done all it can.
public enum VoidResult: Hashable, Sendable {
    /// The transaction is canceled.
    case approved
    /// The processor said no.
    case declined(code: NMIResponseCode, text: String)
    /// The transaction is not canceled; the code is `nil` where no answer said so.
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
