public import EventLoops
public import GatewayProtocols
import ReaderProtocols

/// How a provider behaves.
///
/// Source: SDK document, `acPaymentProviderType_…`.
public enum PaymentProviderType: String, Hashable, Sendable, CaseIterable {
    /// Nothing is contacted; the amount decides how a payment goes.
    case mock
    /// The test reader and the test service; no money moves.
    case test
    /// The real service.
    case production
}

extension PaymentProvider {
    /// What can be set.
    public struct Configuration: Hashable, Sendable {
        /// How the provider behaves.
        public var type: PaymentProviderType
        /// The merchant's account.
        public var credentials: AgentCASHCredentials
        /// A name for this installation of the app, part of every reference; no two installations
        /// of an account may have the same.
        public var installation = "installation"
        /// The accessory protocols that the app declares.
        public var accessoryProtocols = [PaymentProvider.accessoryProtocol]
        /// The calendar when the machine's time began, in seconds since 1970 UTC.
        ///
        /// Readers' clocks are set by it; `nil` leaves them alone.
        public var startSecondsSince1970: Int64?
        /// Where sources leave a question open, which answer is taken.
        public var profile = PaymentProfile()
        /// How long to wait for the answer to a request.
        public var answerTimeout: VirtualDuration = .seconds(30)
        /// The pause before each look-up, so also how many there are.
        public var lookUpPauses: [VirtualDuration] = [.zero, .seconds(2), .seconds(5)]
        /// How long a reader may take to be found and opened.
        public var connectTimeout: VirtualDuration = .seconds(30)
        /// How long a card is waited for.
        public var cardTimeout: VirtualDuration = .seconds(60)
        /// How long the reader may say nothing once a card was presented.
        public var readerTimeout: VirtualDuration = .seconds(120)
        /// How long the card's last word is waited for.
        public var completionTimeout: VirtualDuration = .seconds(15)
        /// How long ``PaymentProvider/continueWithSignature(_:image:result:at:)`` is waited for;
        /// the document has no limit, 5 minutes are assumed.
        public var signatureTimeout: VirtualDuration = .seconds(300)
        /// How long a card may stay in the reader after a payment before the reader's transport is
        /// closed.
        public var removalTimeout: VirtualDuration = .seconds(60)
        /// How the reader and its cards are treated.
        var session = MiuraSessionOptions()
        /// Whether a test plays the session with the reader.
        var isSessionPlayed = false
        /// Whether a damaged frame of the reader ends the link, as with the vendor's SDK; else it is
        /// read over.
        public var dropsLinkOnDamage: Bool {
            get { session.link.damagePolicy == .dropLink }
            set { session.link.damagePolicy = newValue ? .dropLink : .resync }
        }
        /// Whether a cardholder may go on without a PIN after a swipe, and signs then.
        public var allowsPINBypass: Bool {
            get { session.allowsPINBypass }
            set { session.allowsPINBypass = newValue }
        }
        /// How long each step of a payment takes in mock mode.
        public var mockStep: VirtualDuration = .milliseconds(100)
        /// How many requests about payments may wait for the one at work.
        public var maximumWaitingCount = 256
        /// A mistake planted on purpose.
        public var plant: Plant?

        /// Creates the usual configuration.
        public init(
            _ type: PaymentProviderType,
            username: String,
            password: String
        ) {
            self.type = type
            credentials = AgentCASHCredentials(username: username, password: password)
        }
    }
}

/// Where the SDK document and the vendor's other documents leave a question open: the answer.
public struct PaymentProfile: Hashable, Sendable {
    /// How the app is told of a decline.
    public enum DeclineReading: String, Hashable, Sendable, CaseIterable {
        /// As a payment that finished, with `paymentInfo` marked declined and no error, as the
        /// vendor's SDK for Windows does; the default.
        case finished
        /// As an error, without `paymentInfo`.
        case error
    }

    /// What becomes of a payment whose reader or card is lost after the issuer was asked.
    public enum LostReaderReading: String, Hashable, Sendable, CaseIterable {
        /// It goes by the issuer's answer; the default.
        case completes
        /// What was authorised is reversed, and the payment has failed.
        case reverses
    }

    /// How the app is told of a decline.
    public var decline = DeclineReading.finished
    /// What becomes of a payment whose reader or card is lost after the issuer was asked.
    public var lostReader = LostReaderReading.completes
    /// Whether the service is asked, before the first payment of a launch contacts its reader,
    /// whether it knows the account.
    public var checksAccountFirst = true

    /// Creates the default profile.
    public init() {}
}

/// What must survive the end of the app: written before a request leaves that may charge.
public struct SavedPayments: Hashable, Sendable {
    /// A payment whose end the app may not have been told.
    public struct Open: Hashable, Sendable {
        /// By what the service's books are searched.
        public let reference: String
        /// Whether it was to be captured at once.
        public let captures: Bool
        /// Whether the cardholder had agreed and the card had approved.
        public internal(set) var isConfirmed = false
    }

    /// How many open payments are kept at most; beyond that the oldest is forgotten.
    public static let maximumOpenCount = 100

    /// How many references this installation has used.
    public internal(set) var referenceCount = 0
    /// The payments that were left open, oldest first.
    public internal(set) var open: [Open] = []

    /// Creates what a new installation starts with.
    public init() {}
}

/// What an exchange with AgentCASH is about.
public enum AgentCASHExchangeKind: String, Hashable, Sendable, CaseIterable {
    /// Whether the service knows the account.
    case account
    /// An authorisation.
    case authorise
    /// A confirmation.
    case confirm
    /// A reversal.
    case reverse
    /// A capture.
    case capture
    /// A refund.
    case refund
    /// A look-up that the app asked for, or that a request needs first.
    case query
    /// A look-up after an exchange whose outcome is unknown.
    case lookUp
}
