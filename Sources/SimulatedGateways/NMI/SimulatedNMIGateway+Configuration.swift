public import CardCrypto
public import EventLoops
public import GatewayProtocols

extension SimulatedNMIGateway {
    /// What can be set.
    ///
    /// What the manuals leave open is an option here, and the default is what seems most likely;
    /// `Docs/nmi.md` lists them.
    public struct Configuration: Hashable, Sendable {
        /// Which cards the merchant's account takes.
        public enum AccountKind: String, Hashable, Sendable, CaseIterable {
            /// Those that are present and those that are not.
            case retailAndMOTO = "both"
            /// Those that are swiped.
            case retail
            /// Those that are typed in, stored or encrypted without a stripe (mail, telephone and
            /// internet orders).
            case moto
        }

        /// What a name of a field that comes twice means.
        public enum RepeatedFields: Hashable, Sendable {
            /// The last one counts, as with PHP.
            case lastCounts
            /// The request is refused.
            case refused
        }

        /// How many requests are taken in how long.
        public struct RateLimit: Hashable, Sendable {
            /// How many requests are taken in a window.
            public var requestCount: Int
            /// How long a window is; a request in a window that is full begins it anew.
            public var window: VirtualDuration

            /// Creates a limit of at least one request.
            public init(requestCount: Int, window: VirtualDuration) {
                self.requestCount = max(1, requestCount)
                self.window = window
            }
        }

        // MARK: Who asks

        /// The merchant's key.
        public var securityKey: String
        /// The merchant's name for the older way to log in.
        public var username: String
        /// The password for the older way to log in.
        public var password: String
        /// Whether a wrong name or password gets the older text `Invalid Username` and the
        /// transaction id 0.
        public var usesOlderLoginText = false
        /// The most requests that the payment interface takes; `nil` takes all.
        public var rateLimit: RateLimit?
        /// The most requests that the whole system takes, answered with status 429 beyond it;
        /// `nil` takes all.
        public var systemRateLimit: RateLimit?

        // MARK: Time and numbers

        /// How long an answer takes; 150 ms, assumed from the order of what such services take.
        public var latency: VirtualDuration
        /// The first transaction's number; 11 digits, as they are in 2026.
        public var firstTransactionID: NMITransactionID
        /// The number of the first error ticket, `REFID`.
        public var firstReferenceNumber: UInt64
        /// The calendar at the beginning of the run, in seconds since 1970 UTC; 2024-06-03
        /// 09:00:00 as long as nothing else is set.
        public var startSecondsSince1970: Int64
        /// When a day's transactions are settled, in seconds after midnight UTC.
        ///
        /// 23:00, which is assumed; `nil` settles only when ``SimulatedNMIGateway/settle(at:)`` is called.
        public var cutOffSecondsOfDay: Int64? = 82_800
        /// The greatest number of transactions kept; later ones are refused, so that the state is
        /// bounded.
        public var maximumTransactionCount = 1_000_000

        // MARK: Cards

        /// Which cards the account takes.
        public var accountKind = AccountKind.retailAndMOTO
        /// Whether money may be paid out without an earlier payment; usually it is switched off.
        public var allowsCredits = true
        /// Whether the account is in test mode, where an amount below 1.00 is declined.
        public var isTestMode = true
        /// Whether answers echo the type; captures show both.
        public var echoesType: Bool
        /// The base derivation keys of the readers whose swipes the gateway can open, tried in
        /// order; empty takes every well-formed swipe without opening it.
        public var baseDerivationKeys: [CipherKey]
        /// The text for a swipe that cannot be opened; assumed, since none was ever published.
        public var swipeErrorText: String
        /// The code for a swipe that cannot be opened; 300, which is assumed.
        ///
        /// Below 300 it is a decline that is booked as failed, else an error.
        public var swipeErrorCode: NMIResponseCode
        /// Both halves of the merchant's key for `encrypted_payment`; `nil` has none.
        public var keyPair = PGEncryptKeyPair.simulated
        /// What the text for an `encrypted_payment` that cannot be used begins with; assumed, since
        /// none was ever published.
        public var encryptedPaymentErrorText = "Invalid encrypted_payment"
        /// Whether what was encrypted is read as a form with escapes, which spoils a track in clear
        /// (`%B4` is one byte), or as it is.
        ///
        /// As it is: the SDK escapes nothing, and its swipes in clear would otherwise be lost
        /// (assumed).
        public var decodesEncryptedPayments = false
        /// The letter for an address that matches; assumed, the manual names none.
        public var avsMatchLetter = "Y"

        // MARK: Rules

        /// How long an approved payment makes the same one a duplicate; zero is never.
        ///
        /// A request's own `dup_seconds` counts before it. Integrators report 1,200 s.
        public var duplicateWindow: VirtualDuration
        /// Whether a payment with another order id is no duplicate (assumed).
        public var duplicatesNeedSameOrder: Bool
        /// Whether a request may turn the check off with `dup_seconds=0`; some processors refuse.
        public var allowsDuplicateCheckOff: Bool
        /// Whether the answer to a duplicate has the transaction id 0, as older ones had, and not an
        /// empty one.
        public var duplicatesAnswerIDZero = false
        /// Whether a refund is possible before settlement, as the manual of 2025 says; that of 2016
        /// says it is not.
        public var refundsBeforeSettlement: Bool
        /// What a field that comes twice means; that the last one counts is assumed.
        public var repeatedFields = RepeatedFields.lastCounts

        // MARK: Webhooks

        /// Where events are posted; `nil` posts none.
        public var webhookURL: String?
        /// The key that signs them.
        public var webhookSigningKey: String
        /// The events that are posted, by name; empty posts all.
        public var webhookEvents: [String] = []
        /// The seed of event ids and nonces.
        public var webhookSeed: UInt64 = 1

        /// Changes the readers' keys for others, so that no swipe can be opened.
        public mutating func loseReaderKeys() {
            baseDerivationKeys = [CipherKey.publishedTestKey.masked(.max)]
        }

        /// Creates the usual configuration.
        public init() {
            securityKey = "CardRigSimulatedGatewayDemoKey01"
            username = "cardrig"
            password = "cardrig-demo"
            latency = .milliseconds(150)
            firstTransactionID = NMITransactionID(10_000_000_001) ?? .one
            firstReferenceNumber = 3_150_000_001
            startSecondsSince1970 = 1_717_405_200
            echoesType = true
            baseDerivationKeys = [.publishedTestKey]
            swipeErrorText = "Unable to decrypt swipe data"
            swipeErrorCode = .rejected
            duplicateWindow = .zero
            duplicatesNeedSameOrder = true
            allowsDuplicateCheckOff = true
            refundsBeforeSettlement = true
            webhookSigningKey = "cardrig-webhook-test-key"
        }
    }
}
