/// What became of a transaction, as a number of five digits.
///
/// The first digit says how it stands: 1 in progress, 2 success, 3 pending, 4 the caller's data,
/// 5 the backend. `50501` says that the acquirer did not answer: the outcome there is unknown.
///
/// Source: PAYMILL API reference, "Response Codes".
public struct PAYMILLResponseCode: RawRepresentable, Hashable, Sendable {
    /// The number.
    public var rawValue: Int

    /// Creates a code of any number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Success.
    public static let success = PAYMILLResponseCode(rawValue: 20_000)
    /// Nothing is known yet.
    public static let undefined = PAYMILLResponseCode(rawValue: 10_001)
    /// Declined.
    public static let declined = PAYMILLResponseCode(rawValue: 50_102)
    /// A pre-authorisation failed; newer answers hide the reason behind it.
    public static let preauthorizationFailed = PAYMILLResponseCode(rawValue: 50_800)
    /// A pre-authorisation was given up.
    public static let voided = PAYMILLResponseCode(rawValue: 50_810)
    /// A pre-authorisation was not used in its 7 days.
    public static let periodOver = PAYMILLResponseCode(rawValue: 50_820)
    /// A token that was not used in its 5 minutes.
    public static let initiationExpired = PAYMILLResponseCode(rawValue: 42_410)
    /// The acquirer did not answer.
    public static let acquirerTimeout = PAYMILLResponseCode(rawValue: 50_501)
    /// The money is not that of the token.
    public static let moneyMismatch = PAYMILLResponseCode(rawValue: 40_301)
    /// The refund is above what is left.
    public static let refundTooHigh = PAYMILLResponseCode(rawValue: 40_404)

    /// Whether the money moved or is held.
    public var isSuccess: Bool { rawValue == 20_000 }
    /// Whether nobody can say yet, or ever, what became of it.
    public var isUnknown: Bool {
        [1, 3].contains(rawValue / 10_000) || (50_500...50_502).contains(rawValue)
    }

    /// What it means, in a few words; `nil` for a number that is not in the table.
    public var text: String? { Self.texts.first { $0.0 == rawValue }?.1 }

    /// Every code with its meaning, in order.
    public static let texts: [(Int, String)] = [
        (10_001, "Undefined"), (10_002, "Waiting"), (11_000, "Retry later"), (20_000, "Success"),
        (20_100, "Held by acquirer"), (20_101, "Held, merchant new"), (20_200, "Reversed"),
        (20_201, "Reversed, chargeback"), (20_202, "Reversed, money-back"),
        (20_203, "Reversed, complaint"), (20_204, "Refunded"), (20_300, "Reversal cancelled"),
        (22_000, "Initiation succeeded"), (30_000, "Still in progress"), (30_100, "Accepted"),
        (31_000, "Pending"), (31_100, "Pending: address"), (31_101, "Pending: uncleared eCheck"),
        (31_102, "Pending: risk review"), (31_103, "Pending: regulator"),
        (31_104, "Pending: receiver unregistered"), (31_200, "Pending: account unverified"),
        (31_201, "Pending: not captured"), (31_202, "Pending: international, manual"),
        (31_203, "Pending: currency, manual"), (31_204, "Pending: fraud filter, manual"),
        (40_000, "Transaction data"), (40_001, "Payment data"), (40_002, "Checksum invalid"),
        (40_100, "Card data"), (40_101, "CVV"), (40_102, "Card expired or not yet valid"),
        (40_103, "Limit exceeded"), (40_104, "Card not valid"), (40_105, "Expiry not valid"),
        (40_106, "Brand needed"), (40_200, "Bank account data"), (40_201, "Account combination"),
        (40_202, "User authentication"), (40_300, "3-D Secure data"),
        (40_301, "Currency or amount mismatch"), (40_400, "Input data"),
        (40_401, "Amount too low or 0"), (40_402, "Usage text too long"),
        (40_403, "Currency not allowed"), (40_404, "Refund above possible value"),
        (40_410, "Cart data"), (40_420, "Address data"), (40_500, "Acquirer API permission"),
        (40_510, "Acquirer API rate limit"), (42_000, "Initiation failed"),
        (42_410, "Initiation expired"), (50_000, "Backend"), (50_001, "Country blacklisted"),
        (50_002, "IP blacklisted"), (50_004, "Live mode not allowed"),
        (50_005, "API key lacks permission"), (50_100, "Technical, card"),
        (50_101, "Error limit exceeded"), (50_102, "Card declined"),
        (50_103, "Manipulated or stolen"), (50_104, "Card restricted"),
        (50_105, "Configuration data"), (50_200, "Technical, bank account"),
        (50_201, "Account blacklisted"), (50_300, "Technical, 3-D Secure"),
        (50_400, "Risk decline"), (50_401, "Checksum wrong"),
        (50_402, "Account number formally invalid"), (50_403, "Technical, risk check"),
        (50_404, "Unknown, risk check"), (50_405, "Unknown bank code"),
        (50_406, "Open chargeback"), (50_407, "Past chargeback"), (50_408, "Institution account"),
        (50_409, "KUNO or fraud"), (50_410, "Personal account protection"),
        (50_420, "Acquirer fraud settings"), (50_430, "Acquirer risk settings"),
        (50_440, "Acquirer account restriction"), (50_450, "User account restriction"),
        (50_500, "General timeout"), (50_501, "Acquirer timeout"), (50_502, "Risk timeout"),
        (50_600, "Duplicate"), (50_700, "Cancelled by user"), (50_710, "Funding source failed"),
        (50_711, "Method not usable"), (50_712, "Funding limit"),
        (50_713, "Means not reusable, cancelled"), (50_714, "Means not reusable, expired"),
        (50_720, "Rejected by acquirer"), (50_730, "Denied by merchant"),
        (50_800, "Pre-authorisation failed"), (50_810, "Authorisation voided"),
        (50_820, "Authorisation period over"), (51_200, "Payment data"),
    ]
}
