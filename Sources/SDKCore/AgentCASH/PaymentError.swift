public import GatewayProtocols

/// Why a request did not succeed.
///
/// Source: SDK document, `NSError` of `completed`, whose codes are not published: these are our
/// own.
public enum PaymentError: Error, Hashable, Sendable {
    // Found before any reader is contacted.

    /// The amount is no decimal number above zero with at most two decimals.
    case invalidAmount
    /// The currency is none of ISO 4217 with two decimals.
    case invalidCurrency
    /// The number of instalments is not 1.
    case invalidInstallmentCount
    /// The external id is longer than ``AgentCASHAuthorisation/maximumTextByteCount`` bytes.
    case invalidExternalID
    /// The webhook is no `http` or `https` address.
    case invalidWebhookURL
    /// The username or the password is empty, or the service does not know them.
    case wrongCredentials
    /// The reader's name or address cannot be one.
    case invalidReader
    /// The app does not declare ``PaymentProvider/accessoryProtocol``.
    case accessoryProtocolNotDeclared
    /// A payment is at work already; it goes on.
    case anotherPaymentRunning
    /// Too many requests wait.
    case tooManyRequests
    /// The service cannot be reached; nothing was sent.
    case serviceUnreachable
    /// The service gave no answer to a question that changes nothing.
    case noAnswer

    // Found while the reader is used; nothing was charged.

    /// There is no such reader, or it cannot be opened.
    case noSuchReader
    /// The reader was lost before the card was authorised.
    case readerDisconnected
    /// The reader said nothing for too long.
    case readerSilent
    /// The reader cannot do it, or refused.
    case readerFailed
    /// No card came in time.
    case noCardInTime
    /// The card cannot be used.
    case cardNotUsable
    /// The card was taken out too early.
    case cardRemoved

    // Found after the issuer was asked.

    /// The issuer or the card declined; only where the profile tells declines as errors.
    case declined
    /// Cancel was pressed on the reader, or the app cancelled.
    case cancelled
    /// The cardholder did not sign.
    case signatureCancelled
    /// The signature is not that on the card.
    case signaturesDontMatch
    /// The app did not say in time what came of the signature.
    case signatureNotCollected
    /// The service refused the request.
    case refused(AgentCASHError)
    /// The service could not carry it out.
    case notCarriedOut
    /// The answer was lost, and the service's books say that nothing was done.
    case notCharged
    /// The answer was lost, and so were those of the look-ups.
    case outcomeUnknown
}
