public import CardData

/// A request for new money, or for a look at a card.
///
/// Source: Direct Post API manual, "Transaction types" and "Transaction variables".
public struct NMIPayment: Hashable, Sendable {
    /// What is asked for; the raw values are those of the field `type`.
    public enum PaymentType: String, CaseIterable, Hashable, Sendable {
        /// Authorise, and flag for settlement.
        case sale
        /// Authorise only; the money comes with a capture.
        case auth
        /// Pay out without reference to an earlier payment; switched off on many accounts.
        case credit
        /// Verify the account; no money.
        case validate
        /// Record what the issuer authorised by telephone.
        case offline
    }

    /// What is asked for, `type`.
    public var type: PaymentType
    /// The amount, `amount`; zero for ``PaymentType/validate``, where it is not sent.
    public var amount: Amount
    /// The merchant's own name for the order, `orderid`; empty when there is none.
    ///
    /// It is echoed in the answer and is the key of look-ups.
    public var orderID: String
    /// What pays, or `nil` when the request has no payment data.
    public var card: NMICardData?
    /// The security code on the card, `cvv`; `nil` when the field is absent.
    public var cvv: CardSecurityCode?
    /// Everything else that was sent with it.
    public var details: NMIDetails
    /// What the vault is to do when it is approved, or `nil`.
    public var vault: NMIVaultOrder?
    /// What the card is subscribed to when it is approved, or `nil`.
    public var subscription: NMISubscriptionOrder?

    /// Creates a payment.
    public init(
        _ type: PaymentType,
        amount: Amount,
        orderID: String = "",
        card: NMICardData?,
        cvv: CardSecurityCode? = nil,
        details: NMIDetails = NMIDetails(),
        vault: NMIVaultOrder? = nil,
        subscription: NMISubscriptionOrder? = nil
    ) {
        self.type = type
        self.amount = amount
        self.orderID = orderID
        self.card = card
        self.cvv = cvv
        self.details = details
        self.vault = vault
        self.subscription = subscription
    }

    /// How many bytes to make room for.
    var encodedByteCount: Int {
        48 + orderID.utf8.count + (card?.encodedByteCount ?? 0) + (details.isEmpty ? 0 : 256)
    }

    func append(to form: inout FormEncoder) {
        form.append("type", type.rawValue)
        if type != .validate || amount != Amount(minorUnits: 0) {
            form.append("amount", amount.description)
        }
        if !orderID.isEmpty { form.append("orderid", orderID) }
        card?.append(to: &form)
        if let cvv { form.append("cvv", cvv.unmasked) }
        details.append(to: &form)
        vault?.append(to: &form)
        if let subscription {
            form.append("recurring", "add_subscription")
            subscription.append(to: &form)
        }
    }
}

/// A request that changes an earlier transaction.
///
/// Source: Direct Post API manual, "Transaction types" and the tables of capture, void, refund and
/// update.
public struct NMIFollowUp: Hashable, Sendable {
    /// What is to be done; the raw values are those of the field `type`.
    public enum FollowUpType: String, CaseIterable, Hashable, Sendable {
        /// Flag an authorisation for settlement.
        case capture
        /// Cancel what has not been settled.
        case void
        /// Pay back, in a new transaction.
        case refund
        /// Add data of the order to a transaction.
        case update
    }

    /// What is to be done, `type`.
    public var type: FollowUpType
    /// The transaction it is about, `transactionid`.
    public var transactionID: NMITransactionID
    /// The amount, `amount`, of a capture or a refund.
    ///
    /// A capture needs it, and it is at most the authorised one. For a refund `nil` and zero mean
    /// all that is left. A void and an update have none.
    public var amount: Amount?
    /// The merchant's own name for it, `orderid`; empty when there is none.
    public var orderID: String
    /// Why it is voided, `void_reason`.
    public var voidReason: NMIVoidReason?
    /// Whether the transaction is said to be a check's, `payment=check`.
    ///
    /// A void or a refund of a check's transaction needs it.
    public var isCheck: Bool
    /// What is added to the transaction.
    public var details: NMIDetails

    /// Creates a request.
    public init(
        _ type: FollowUpType,
        transactionID: NMITransactionID,
        amount: Amount? = nil,
        orderID: String = "",
        voidReason: NMIVoidReason? = nil,
        isCheck: Bool = false,
        details: NMIDetails = NMIDetails()
    ) {
        self.type = type
        self.transactionID = transactionID
        self.amount = amount
        self.orderID = orderID
        self.voidReason = voidReason
        self.isCheck = isCheck
        self.details = details
    }

    func append(to form: inout FormEncoder) {
        form.append("type", type.rawValue)
        form.append("transactionid", transactionID.number)
        if let amount { form.append("amount", amount.description) }
        if !orderID.isEmpty { form.append("orderid", orderID) }
        if let voidReason { form.append("void_reason", voidReason.rawValue) }
        if isCheck { form.append("payment", "check") }
        details.append(to: &form)
    }
}

/// Why a terminal takes a payment back, `void_reason`.
///
/// Source: Direct Post API manual, table of the void (EMV).
public enum NMIVoidReason: String, CaseIterable, Hashable, Sendable {
    /// The merchant suspects fraud.
    case fraud
    /// The cardholder or the clerk canceled.
    case userCancel = "user_cancel"
    /// The chip refused the issuer's answer.
    case iccRejected = "icc_rejected"
    /// The card was pulled out too early.
    case iccCardRemoved = "icc_card_removed"
    /// The chip did not confirm.
    case iccNoConfirmation = "icc_no_confirmation"
    /// The terminal waited too long.
    case posTimeout = "pos_timeout"
}
