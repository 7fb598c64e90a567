/// The cards that test mode takes, and what they do.
///
/// Source: PAYMILL guides, reference/testing; fake-paymill for the list. The UnionPay number was
/// taken off the list in 2016.
public enum PAYMILLTestCards {
    /// The numbers; any other is refused in test mode.
    public static let numbers = [
        "4111111111111111", "5500000000000004", "340000000000009", "3530111333300000",
        "6759000000000000", "4973010000000004", "30000000000004", "6011111111111117",
        "4012888888881881", "5169147129584558", "6240008631401148", "5105105105105100",
    ]

    /// The numbers that want 3-D Secure.
    public static let threeDSecureNumbers = ["4012888888881881", "5169147129584558"]

    /// The number whose expiry says what becomes of a transaction.
    public static let triggerNumber = "5105105105105100"

    /// A bank account, by the bank's code and the number without zeros before it.
    public struct Account: Hashable, Sendable {
        /// The bank.
        public var bankCode: String
        /// The account.
        public var number: String
    }

    /// The bank accounts that test mode takes, by number and bank code or by IBAN and BIC.
    public static let accounts = [
        Account(bankCode: "50010517", number: "648489890"),
        Account(bankCode: "10000000", number: "12345678"),
    ]

    /// The IBANs of the accounts, in the same order, and the BIC of both banks.
    public static let ibans = ["DE12500105170648489890", "DE93100000000012345678"]

    /// The banks that there are in test mode.
    static let bankCodes = accounts.map(\.bankCode)

    /// The identifiers of those banks.
    public static let bankIdentifiers = ["BENEDEPPYYY"]

    /// What becomes of a transaction of the trigger card with an expiry, `nil` for success.
    ///
    /// All are in the past: the day must be before 2020 for them to work, or the check off.
    public static func trigger(month: Int, year: Int) -> PAYMILLResponseCode? {
        let index = (year - 2020) * 12 + month - 1
        guard triggers.indices.contains(index) else { return nil }
        return PAYMILLResponseCode(rawValue: triggers[index])
    }

    /// From 01/2020 on, one for each month.
    private static let triggers = [
        50_501, 50_001, 50_201, 40_103, 50_102, 50_103, 40_105, 40_101, 40_100, 40_104, 50_103,
        40_001, 40_102, 40_106, 40_201, 50_300, 40_202, 50_502, 40_301, 40_401, 40_402, 40_403,
        50_104, 50_105, 50_600, 50_002,
    ]
}
