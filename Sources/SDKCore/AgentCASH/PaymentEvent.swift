public import GatewayProtocols

/// What ``PaymentProvider`` tells the app, in this order for one `authorize`: any number of
/// progressChanged, at most one userActionRequired, progressChanged again, exactly one completed.
public enum PaymentEvent: Hashable, Sendable {
    /// The payment has come so far.
    case progressChanged(PaymentRequest, PaymentProcessState)
    /// The payment waits for the app.
    case userActionRequired(PaymentRequest, PaymentUserAction)
    /// The request is over.
    case completed(PaymentRequest, PaymentCompletion)
    /// A payment of an earlier launch, or one that had ended unknown, was cleared up.
    case openPaymentSettled(reference: String, PaymentCompletion)
    /// A call that the document does not allow; it was ignored.
    case misuse(PaymentMisuse)
}

/// How far a payment has come.
///
/// Source: SDK document, `ACPaymentProcessState`, whose values are not published: these are our
/// own, modelled on the states of a Miura reader.
public enum PaymentProcessState: String, Hashable, Sendable, CaseIterable {
    /// The account is checked, then the reader is looked for.
    case connectingReader
    /// The reader answers.
    case readerReady
    /// A card may be inserted, swiped or, where the reader can, tapped.
    case waitingForCard
    /// A chip card is in the slot.
    case cardInserted
    /// A stripe was read.
    case cardSwiped
    /// A card was held to the reader.
    case cardTapped
    /// The stripe belongs to a chip card, which is to be inserted.
    case insertRequested
    /// The chip cannot be used: its stripe is taken.
    case swipeRequested
    /// Taps are not taken any more: this card's cannot be used, or Cancel was pressed on the reader.
    case otherInterfaceRequested
    /// The cardholder is to look at the phone, and to tap again.
    case seePhone
    /// The card could not be read and is to be presented again.
    case cardRetryRequested
    /// The cardholder chooses an application.
    case selectingApplication
    /// The cardholder enters the PIN.
    case pinEntry
    /// The issuer is asked.
    case onlineAuthorisation
    /// The answer was lost and is asked for.
    case lookingUp
    /// The signature is awaited.
    case signatureRequested
    /// The card and the service are told how it ended.
    case finalising
    /// The card is to be taken out.
    case removeCard
    /// The reader is gone; whether the payment is depends on how far it had come.
    case readerDisconnected
    /// The payment is over; completed follows.
    case finished
}

/// What the app has to do.
public enum PaymentUserAction: String, Hashable, Sendable, CaseIterable {
    /// `ACPaymentUserActionCollectSignature`: the cardholder signs, then the app calls
    /// ``PaymentProvider/continueWithSignature(_:image:result:at:)``.
    case collectSignature
}

/// What came of collecting the signature.
///
/// Source: SDK document, `ACSignatureCollection…`.
public enum SignatureCollectionResult: String, Hashable, Sendable, CaseIterable {
    /// The cardholder pressed Cancel; there is no image.
    case cancelled
    /// The signature is not that on the card.
    case signaturesDontMatch
    /// The signature is that on the card.
    case successful
}

/// How a request ended.
public struct PaymentCompletion: Hashable, Sendable {
    /// In one word.
    public var result: PaymentResult
    /// Why it did not succeed; `nil` when it did.
    ///
    /// It is `nil` for a decline too unless the profile says otherwise.
    public var error: PaymentError?
    /// What the service's books say of it; more than one only for ``PaymentProvider/payments``.
    public var payments: [PaymentInfo]

    /// The payment that it is about; `nil` when nothing was booked, or it is not known.
    public var paymentInfo: PaymentInfo? { payments.last }

    init(_ result: PaymentResult, _ error: PaymentError? = nil, _ payments: [PaymentInfo] = []) {
        self.result = result
        self.error = error
        self.payments = payments
    }
}

/// How a request ended, in one word.
public enum PaymentResult: String, Hashable, Sendable, CaseIterable {
    /// It was done as asked.
    case approved
    /// The issuer, or the card, said no; no money moved.
    case declined
    /// The cardholder, the merchant or the app gave it up; no money moved.
    case cancelled
    /// It could not be done; no money moved.
    case failed
    /// It was done or not: no look-up was answered. It is asked for again at the next launch.
    case unknown
}

/// A call that the document does not allow.
public enum PaymentMisuse: Hashable, Sendable {
    /// `continueWithSignature` for a request that waits for no signature, or not any more.
    case noSignatureAwaited(PaymentRequest)
    /// `continueWithSignature(successful)` without an image; the request goes on waiting.
    case signatureMissing(PaymentRequest)
    /// `continueWithSignature` with an image of more than
    /// ``AgentCASHRequest/maximumSignatureByteCount`` bytes; the request goes on waiting.
    case signatureTooLarge(PaymentRequest)
}
