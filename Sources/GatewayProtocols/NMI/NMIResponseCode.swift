/// The three-digit `response_code` that says more than the kind of answer.
///
/// Source: Direct Post API manual, "Response variables", table of result codes.
public struct NMIResponseCode: Hashable, Comparable, Sendable {
    /// The code, 100 to 999.
    public let rawValue: UInt16

    /// Creates a code, or `nil` outside 100 to 999.
    public init?(rawValue: Int) {
        guard (100...999).contains(rawValue) else { return nil }
        self.rawValue = UInt16(rawValue)
    }

    private init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// Approved.
    public static let approved = NMIResponseCode(100)
    /// Declined by the processor.
    public static let declined = NMIResponseCode(200)
    /// Rejected by the gateway: validation, duplicate, authentication, wrong state.
    public static let rejected = NMIResponseCode(300)
    /// The account's rate limit is exceeded.
    public static let rateLimitExceeded = NMIResponseCode(301)
    /// The processor could not be reached.
    public static let communicationError = NMIResponseCode(420)

    /// Orders codes by their number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The manual's wording, or `Unknown` for a code that its table does not hold.
    public var meaning: String {
        switch rawValue {
        case 100: "Approved"
        case 200: "DECLINE"
        case 201: "Do not honor"
        case 202: "Insufficient funds"
        case 203: "Over limit"
        case 204: "Transaction not allowed"
        case 220: "Incorrect payment information"
        case 221: "No such card issuer"
        case 222: "No card number on file with issuer"
        case 223: "Expired card"
        case 224: "Invalid expiration date"
        case 225: "Invalid card security code"
        case 226: "Invalid PIN"
        case 240: "Call issuer for further information"
        case 250: "Pick up card"
        case 251: "Lost card"
        case 252: "Stolen card"
        case 253: "Fraudulent card"
        case 260: "Declined with further instructions available"
        case 261: "Declined - Stop all recurring payments"
        case 262: "Declined - Stop this recurring program"
        case 263: "Declined - Update cardholder data available"
        case 264: "Declined - Retry in a few days"
        case 300: "Transaction was rejected by gateway"
        case 301: "Rate limit exceeded"
        case 400: "Transaction error returned by processor"
        case 410: "Invalid merchant configuration"
        case 411: "Merchant account is inactive"
        case 420: "Communication error"
        case 421: "Communication error with issuer"
        case 430: "Duplicate transaction at processor"
        case 440: "Processor format error"
        case 441: "Invalid transaction information"
        case 460: "Processor feature not available"
        case 461: "Unsupported card type"
        default: "Unknown"
        }
    }
}

extension NMIResponseCode: CustomStringConvertible {
    /// The three digits.
    public var description: String { String(rawValue) }
}
