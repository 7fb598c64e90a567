import GatewayProtocols

/// What a payment wants of the session with its reader.
enum PaymentReaderOrder: Hashable, Sendable {
    /// Set the reader up and take a card for this much.
    case start(amountMinorUnits: Int64, currencyNumber: Int)
    /// Tell reader and card how the issuer answered (CONTINUE TRANSACTION); only after
    /// ``PaymentReaderReport/authorisationRequired(_:needsCompletion:)``.
    case complete(IssuerAnswer)
    /// Give up whatever is at work (ABORT).
    case abort

    /// What the issuer answered; the card decides by it.
    enum IssuerAnswer: Hashable, Sendable {
        /// Response code `00`.
        case approved
        /// Response code `Z1`.
        case declined
        /// Response code `Z3`: the issuer could not be asked, or its answer is not known.
        case unreachable
    }
}

/// What the session with a reader tells a payment.
///
/// | phase | reports |
/// | --- | --- |
/// | after start | progress, any number; then authorisationRequired, or an end |
/// | after authorisationRequired | progress; cardRemoved; after complete an end |
/// | after abort | an end |
///
/// An end is `completed` or `failed`; it comes at most once, and nothing follows it but `progress`.
enum PaymentReaderReport: Hashable, Sendable {
    /// Something that only the app's display needs.
    case progress(PaymentProcessState)
    /// The card was read and the issuer is to be asked; with `needsCompletion` the reader waits for
    /// ``PaymentReaderOrder/complete(_:)``, which stripes do not.
    case authorisationRequired(AgentCASHCard, needsCompletion: Bool)
    /// The card's last word: for or against the payment. Without an authorisation before, it is the
    /// card's own decline.
    case completed(isApproved: Bool)
    /// The session is over without the card's last word.
    case failed(PaymentReaderFailure)
}

/// Why a session with a reader ended without the card's last word.
enum PaymentReaderFailure: Hashable, Sendable {
    /// The order to abort was carried out.
    case aborted
    /// Cancel was pressed on the reader.
    case cancelledOnReader
    /// The reader waited for a card or a key long enough.
    case timedOut
    /// The card was taken out.
    case cardRemoved
    /// The card cannot be used at this reader.
    case cardNotUsable
    /// The link was lost, or dropped after damage.
    case linkLost
    /// The reader was switched off or started anew.
    case readerRestarted
    /// The reader did not answer in time.
    case silent
    /// The reader refused a command, or answered what cannot be.
    case readerFailed
}
