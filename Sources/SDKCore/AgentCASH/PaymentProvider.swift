public import EventLoops
public import GatewayProtocols
public import Transports

/// Takes card payments with a Miura reader and an AgentCASH account.
///
/// The machine performs no I/O and reads no clock. Calls and inputs come in; the driver carries out
/// what ``nextAction()`` returns, one at a time, may call anything from inside a callback, and calls
/// ``deadlineReached(at:)`` when ``nextDeadline`` is due.
///
/// Source: SDK document, `ACPaymentProvider`.
public struct PaymentProvider: Hashable, Sendable {
    /// The accessory protocol that an app must declare for Bluetooth readers.
    public static let accessoryProtocol = "com.miura.shuttle.agentcash"

    /// What the driver has to do, or to tell the app.
    public enum Action: Hashable, Sendable {
        /// Tell the app.
        case tell(PaymentEvent)
        /// Keep this with the app's settings, before anything else is done.
        case save(SavedPayments)
        /// Open the transport to a reader; ``readerOpened(at:)`` or ``readerNotFound(at:)`` is
        /// awaited.
        case openReader(CardReader)
        /// Write to the reader's transport.
        case write([UInt8])
        /// Close the reader's transport, or stop opening it; nothing is awaited.
        case closeReader
        /// Send a request; its outcome, or ``deadlineReached(at:)``, is awaited.
        case send(
            exchange: Int,
            kind: AgentCASHExchangeKind,
            HTTPRequest,
            deadline: VirtualInstant
        )
        /// Give an exchange up: its outcome no longer matters.
        case cancel(exchange: Int)
        /// An exchange was answered; for the record.
        case answered(exchange: Int, kind: AgentCASHExchangeKind, AgentCASHResponse)
        /// An exchange ended without an answer that can be used; for the record.
        case unanswered(exchange: Int, kind: AgentCASHExchangeKind, UnansweredReason)
    }

    /// What is set.
    public let configuration: Configuration
    private var actions: [Action] = []
    private var deliveredCount = 0
    private var requestCount = 0

    /// Creates a provider, and clears up what an earlier launch left open.
    ///
    /// - Parameters:
    ///   - configuration: What is set.
    ///   - saved: What the last ``Action/save(_:)`` held; new for a new installation.
    ///   - now: The time.
    public init(
        _ configuration: Configuration,
        saved: SavedPayments = SavedPayments(),
        at now: VirtualInstant
    ) {
        self.configuration = configuration
    }

    /// When to call ``deadlineReached(at:)``, or `nil` when nothing is awaited.
    public var nextDeadline: VirtualInstant? { nil }

    /// Whether a payment is at work, or a signature awaited.
    public var isPaying: Bool { false }

    // MARK: - Calls

    /// Takes a card at a reader for an amount.
    ///
    /// Parameters are checked first, then the account, then the reader is opened.
    public mutating func authorize(
        _ parameters: AuthRequestParams,
        cardReader: CardReader,
        at now: VirtualInstant
    ) -> PaymentRequest { makeRequest(.failed, .readerFailed) }

    /// Says what came of collecting the signature.
    ///
    /// - Parameters:
    ///   - request: The request whose ``PaymentEvent/userActionRequired(_:_:)`` came.
    ///   - image: The image, at most ``AgentCASHRequest/maximumSignatureByteCount`` bytes; empty
    ///     when the cardholder cancelled.
    ///   - result: What came of it.
    ///   - now: The time.
    public mutating func continueWithSignature(
        _ request: PaymentRequest,
        image: [UInt8],
        result: SignatureCollectionResult,
        at now: VirtualInstant
    ) {}

    /// Gives a payment up, as far as it can be.
    ///
    /// What was authorised is reversed, what is being captured is not. For a request that is over
    /// it does nothing.
    public mutating func cancel(_ request: PaymentRequest, at now: VirtualInstant) {}

    /// Takes money that was held; `nil` is all of it, and what is not taken is let go.
    public mutating func capture(
        _ paymentID: UInt64,
        amount: String? = nil,
        at now: VirtualInstant
    ) -> PaymentRequest { makeRequest(.failed, .noAnswer) }

    /// Pays money back; `nil` is all that is left.
    ///
    /// Without a capture the whole payment is cancelled.
    public mutating func refund(
        _ paymentID: UInt64,
        amount: String? = nil,
        at now: VirtualInstant
    ) -> PaymentRequest { makeRequest(.failed, .noAnswer) }

    /// Asks for a payment by its id, which works in any launch.
    public mutating func paymentInfo(
        _ paymentID: UInt64,
        at now: VirtualInstant
    ) -> PaymentRequest { makeRequest(.failed, .noAnswer) }

    /// Asks for all payments with an external id, oldest first, at most the newest 100.
    public mutating func payments(
        externalID: String,
        at now: VirtualInstant
    ) -> PaymentRequest { makeRequest(.failed, .noAnswer) }

    // MARK: - Inputs

    /// Records that the reader's transport is open.
    public mutating func readerOpened(at now: VirtualInstant) {}

    /// Records that there is no such reader, or that it cannot be opened.
    public mutating func readerNotFound(at now: VirtualInstant) {}

    /// Reads bytes from the reader, in whatever pieces they arrive.
    public mutating func readerReceived(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) {}

    /// Records that the reader's transport was lost.
    public mutating func readerLost(at now: VirtualInstant) {}

    /// Records how an exchange ended; late ends of exchanges that were given up are ignored.
    public mutating func outcome(
        _ outcome: HTTPOutcome,
        exchange: Int,
        at now: VirtualInstant
    ) {}

    /// Records that time has passed; earlier than ``nextDeadline`` it changes nothing.
    public mutating func deadlineReached(at now: VirtualInstant) {}

    /// Returns the next thing to do or to tell, or `nil` when an input is awaited.
    public mutating func nextAction() -> Action? {
        guard deliveredCount < actions.count else {
            if deliveredCount > 0 {
                actions.removeAll(keepingCapacity: true)
                deliveredCount = 0
            }
            return nil
        }
        defer { deliveredCount += 1 }
        return actions[deliveredCount]
    }

    private mutating func makeRequest(
        _ result: PaymentResult,
        _ error: PaymentError
    ) -> PaymentRequest {
        requestCount += 1
        let request = PaymentRequest(number: requestCount)
        actions.append(.tell(.completed(request, PaymentCompletion(result, error))))
        return request
    }
}
