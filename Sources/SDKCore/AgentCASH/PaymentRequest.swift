public import CardData
public import GatewayProtocols

/// What a call of ``PaymentProvider`` returns: the name of one thing that was asked for.
///
/// Each ends in exactly one ``PaymentEvent/completed(_:_:)``, and nothing is told of it after that.
///
/// Source: SDK document, `ACRequest`.
public struct PaymentRequest: Hashable, Comparable, Sendable {
    /// The number, counted from 1 over all calls of one launch.
    public let number: Int

    init(number: Int) { self.number = number }

    /// Orders requests as they were made.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What can be known about a payment, with every field that a receipt needs.
///
/// Source: SDK document, `ACPaymentInfo`; see ``AgentCASHTransaction``.
public typealias PaymentInfo = AgentCASHTransaction

/// What is asked of the card in ``PaymentProvider/authorize(_:cardReader:at:)``.
///
/// Nothing is checked here; wrong values complete the request before any reader is contacted.
///
/// Source: SDK document, `ACAuthRequestParams`.
public struct AuthRequestParams: Hashable, Sendable {
    /// The most that a reader takes: twelve digits.
    public static let maximumMinorUnits: Int64 = 999_999_999_999

    /// How much to charge: a decimal number above zero with at most two decimals, such as `15.99`.
    public var amount: String
    /// The currency, three letters of ISO 4217.
    public var currency: String
    /// Whether the money is taken at once; else it is only held, until it is captured.
    public var capture: Bool
    /// The number of instalments; 1.
    public var installmentCount = 1
    /// A free string of the app; any number of payments may have the same.
    public var externalID = ""
    /// The `http` or `https` address that is told of every event; empty for none.
    public var webhookURL = ""

    /// Creates parameters; instalments, external id and webhook are set afterwards.
    public init(amount: String, currency: String, capture: Bool) {
        self.amount = amount
        self.currency = currency
        self.capture = capture
    }

    /// Creates parameters with an amount that cannot be malformed.
    public init(amount: Amount, currency: String, capture: Bool) {
        self.init(amount: amount.description, currency: currency, capture: capture)
    }
}

/// Which card reader takes the card.
///
/// Source: SDK document, `ACCardReader`.
public enum CardReader: Hashable, Sendable {
    /// Who made it.
    public enum Vendor: String, Hashable, Sendable, CaseIterable {
        /// `ACCardReaderVendorMiura`, the only one that the document names.
        case miura
    }

    /// The paired reader with this Bluetooth name: `AgentCASH ` and the last three digits of its
    /// serial number.
    case bluetooth(Vendor, name: String)
    /// The reader that listens at this address and port, 1 to 65535.
    case network(Vendor, address: String, port: Int)
    /// The reader on this serial line; not in the document, for desks without Bluetooth.
    case serial(Vendor, path: String)
}
