import GatewayProtocols

/// Why PAYMILL's SDK did not do what it was asked: `PMError`, an `NSError` from 1.1.0 on.
///
/// Source: PAYMILL iOS SDK 2.2.0, `PMError.h` and its history; strings of the published binary.
public struct PMError: Error, Hashable, Sendable {
    /// The kind of mistake; the number of each depends on the SDK's version.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Anything else; from 2.1.0 on.
        case unknown
        /// What the app gave is wrong; the SDK spells it `WRONG_PARMETERS`.
        case wrongParameters
        /// Nothing could be sent, or nothing came.
        case httpConnection
        /// The service said no.
        case api
        /// The store of kept cards; from 2.1.0 on.
        case safeStore
        /// The bridge said no; ``PMError/bridgeError`` says why. From 1.1.0 on.
        case bridge
        /// The SDK was not initialised.
        case notInitialised
        /// A mistake of the SDK.
        case `internal`
    }

    /// What the bridge said: `com.paymill.sdk:BridgeErrorKey`.
    public enum BridgeError: String, Hashable, Sendable, CaseIterable {
        /// The card's or the account's number.
        case invalidNumber = "InvalidNumber"
        /// The card's or the account's holder.
        case invalidHolder = "InvalidHolder"
        /// The security code.
        case invalidCVC = "CCInvalidCVC"
        /// The expiry.
        case invalidExpiry = "CCInvalidExp"
        /// The year of the expiry.
        case invalidExpiryYear = "CCInvalidExpYear"
        /// The month of the expiry.
        case invalidExpiryMonth = "CCInvalidExpMonth"
        /// Anything else.
        case unknown = "UnknownError"

        init(_ error: PAYMILLBridgeError) {
            switch error {
            case .invalidCardNumber, .invalidAccountNumber: self = .invalidNumber
            case .invalidCardHolder, .invalidAccountHolder: self = .invalidHolder
            case .invalidCardCVC: self = .invalidCVC
            case .invalidCardExpiry: self = .invalidExpiry
            case .invalidCardExpiryYear: self = .invalidExpiryYear
            case .invalidCardExpiryMonth: self = .invalidExpiryMonth
            case .internalServerError, .invalidPublicKey, .invalidPaymentData, .unknownError,
                .paymentNotTestData, .threeDSecureCancelled, .invalidEmail, .invalidAmountInt,
                .invalidAmount, .invalidCurrency, .invalidBankCode, .invalidIBAN, .invalidBIC,
                .invalidCountry, .invalidBankData, .containerNotFound, .frameNotLoaded,
                .frameNotFound:
                self = .unknown
            }
        }
    }

    /// What the safe said: `com.paymill.sdk:SafeStoreErrorCodeKey`.
    public enum SafeStoreError: String, Hashable, Sendable, CaseIterable {
        /// The password is another one.
        case incorrectPassword = "SafeStoreIncorrectPassword"
        /// It was asked with wrong ones too often.
        case blocked = "ProxySafeStoreBlocked"
    }

    /// A version of the SDK, as far as errors are numbered otherwise.
    public enum Version: Hashable, Sendable, CaseIterable {
        /// Up to 1.0.3.
        case upTo1point0
        /// 1.1.0 to 2.0.3; HoneyStore pins 2.0.0.
        case upTo2point0
        /// 2.1.0 and later.
        case from2point1
    }

    /// The kind of mistake.
    public var kind: Kind
    /// What the bridge said; of ``Kind/bridge`` only.
    public var bridgeError: BridgeError?
    /// What the safe said; of ``Kind/safeStore`` only.
    public var safeStoreError: SafeStoreError?
    /// What went wrong, for people: `message`.
    public var message: String

    /// Creates an error.
    public init(_ kind: Kind, _ message: String, bridgeError: BridgeError? = nil) {
        self.kind = kind
        self.message = message
        self.bridgeError = bridgeError
    }

    init(_ error: PAYMILLBridgeError) {
        self.init(.bridge, error.rawValue, bridgeError: BridgeError(error))
    }

    /// The number by which a version tells it; `nil` where the version has none.
    public func code(in version: Version) -> Int? {
        let kinds: [Kind] =
            switch version {
            case .upTo1point0:
                [.wrongParameters, .httpConnection, .api, .notInitialised, .internal]
            case .upTo2point0:
                [.wrongParameters, .httpConnection, .api, .bridge, .notInitialised, .internal]
            case .from2point1:
                [
                    .unknown, .wrongParameters, .httpConnection, .api, .safeStore, .bridge,
                    .notInitialised, .internal,
                ]
            }
        return kinds.firstIndex(of: kind)
    }
}
