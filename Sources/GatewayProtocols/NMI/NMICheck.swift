public import CardData

/// What pays from a bank account: an electronic check.
///
/// Source: Direct Post API manual, "Transaction variables", the fields of ACH. No description shows
/// the account.
public struct NMICheck: Hashable, Sendable {
    /// Whose account it is, `account_holder_type`.
    public enum HolderType: String, CaseIterable, Hashable, Sendable {
        /// A firm's.
        case business
        /// A person's; assumed where the field is absent.
        case personal
    }

    /// What kind of account it is, `account_type`.
    public enum AccountType: String, CaseIterable, Hashable, Sendable {
        /// A current account; assumed where the field is absent.
        case checking
        /// A savings account.
        case savings
    }

    /// Under which rules it is collected, `sec_code`.
    public enum StandardEntryClass: String, CaseIterable, Hashable, Sendable {
        /// A person signed.
        case prearranged = "PPD"
        /// A person agreed on the internet; assumed where the field is absent.
        case internet = "WEB"
        /// A person agreed on the telephone.
        case telephone = "TEL"
        /// A firm agreed.
        case corporate = "CCD"
    }

    /// The name on the account, `checkname`.
    public var name: String
    /// The bank's routing number as typed, `checkaba`; nine digits.
    public var routingNumber: [UInt8]
    /// The account's number as typed, `checkaccount`; 1 to 17 digits.
    public var unmaskedAccount: [UInt8]
    /// Whose account it is.
    public var holderType: HolderType
    /// What kind of account it is.
    public var accountType: AccountType
    /// Under which rules it is collected.
    public var standardEntryClass: StandardEntryClass

    /// Creates a check.
    public init(
        name: String,
        routingNumber: [UInt8],
        unmaskedAccount: [UInt8],
        holderType: HolderType = .personal,
        accountType: AccountType = .checking,
        standardEntryClass: StandardEntryClass = .internet
    ) {
        self.name = name
        self.routingNumber = routingNumber
        self.unmaskedAccount = unmaskedAccount
        self.holderType = holderType
        self.accountType = accountType
        self.standardEntryClass = standardEntryClass
    }

    /// The account's number with `x` for all but the last four digits, as reports show it
    /// (assumed: like a card's).
    public var maskedAccount: SafeText {
        let digits = unmaskedAccount.count
        let shown = digits > 4 ? unmaskedAccount.suffix(4) : []
        let hidden = String(repeating: "x", count: min(17, digits - shown.count))
        return SafeText(scrubbing: hidden + String(decoding: shown, as: UTF8.self))
    }

    var encodedByteCount: Int { 160 + name.utf8.count + unmaskedAccount.count }

    func append(to form: inout FormEncoder) {
        form.append("payment", "check")
        form.append("checkname", name)
        form.append("checkaba", routingNumber)
        form.append("checkaccount", unmaskedAccount)
        form.append("account_holder_type", holderType.rawValue)
        form.append("account_type", accountType.rawValue)
        form.append("sec_code", standardEntryClass.rawValue)
    }
}

extension NMICheck: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// No part of the account.
    public var description: String { "check" }

    /// No part of the account.
    public var debugDescription: String { "check" }

    /// Shows nothing of the contents.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A customer whose card or account the gateway keeps, in place of card data.
///
/// Source: Direct Post API manual, "Customer Vault variables".
public struct NMIStoredPayment: Hashable, Sendable {
    /// `customer_vault_id`.
    public var customerID: String

    /// Creates a reference.
    public init(customerID: String) { self.customerID = customerID }
}
