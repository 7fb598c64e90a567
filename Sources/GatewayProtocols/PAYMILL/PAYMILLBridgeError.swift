/// Why the bridge gives no token: the names that a page is given as `apierror`.
///
/// Source: PAYMILL guides, reference/bridge and testing, "Error codes".
public enum PAYMILLBridgeError: String, Error, Hashable, Sendable, CaseIterable {
    /// No answer that can be read.
    case internalServerError = "internal_server_error"
    /// No merchant has this public key.
    case invalidPublicKey = "invalid_public_key"
    /// The processor takes no such data.
    case invalidPaymentData = "invalid_payment_data"
    /// Anything that has no name.
    case unknownError = "unknown_error"
    /// Real card data in test mode; newer bridges only.
    case paymentNotTestData = "payment_not_testdata"
    /// The cardholder left the issuer's page.
    case threeDSecureCancelled = "3ds_cancelled"
    /// The card number.
    case invalidCardNumber = "field_invalid_card_number"
    /// The year of the expiry.
    case invalidCardExpiryYear = "field_invalid_card_exp_year"
    /// The month of the expiry.
    case invalidCardExpiryMonth = "field_invalid_card_exp_month"
    /// The expiry: no date, or a past one.
    case invalidCardExpiry = "field_invalid_card_exp"
    /// The security code.
    case invalidCardCVC = "field_invalid_card_cvc"
    /// The holder.
    case invalidCardHolder = "field_invalid_card_holder"
    /// The e-mail address.
    case invalidEmail = "field_invalid_email"
    /// The amount in the smallest unit.
    case invalidAmountInt = "field_invalid_amount_int"
    /// The amount as a decimal; deprecated.
    case invalidAmount = "field_invalid_amount"
    /// The currency.
    case invalidCurrency = "field_invalid_currency"
    /// The bank account's number.
    case invalidAccountNumber = "field_invalid_account_number"
    /// The bank account's holder.
    case invalidAccountHolder = "field_invalid_account_holder"
    /// The bank's code.
    case invalidBankCode = "field_invalid_bank_code"
    /// The IBAN.
    case invalidIBAN = "field_invalid_iban"
    /// The BIC.
    case invalidBIC = "field_invalid_bic"
    /// The bank's country.
    case invalidCountry = "field_invalid_country"
    /// The bank's data as a whole.
    case invalidBankData = "field_invalid_bank_data"
    /// The embedded frame has no place on the page.
    case containerNotFound = "container_not_found"
    /// The embedded frame did not load.
    case frameNotLoaded = "frame_not_loaded"
    /// There is no embedded frame.
    case frameNotFound = "frame_not_found"

    /// The name that the published bridge gives for a processor's return code.
    ///
    /// Of two names for one code it takes the first, so that a bad bank account is reported as a
    /// bad card number: a defect of the bridge. `000.100.112` is success and has none.
    ///
    /// Source: the published bridge script, table of return codes.
    public init?(returnCode: String) {
        switch returnCode {
        case "000.100.112": return nil
        case "100.100.100", "100.100.101": self = .invalidCardNumber
        case "100.100.200", "100.100.201": self = .invalidCardExpiryMonth
        case "100.100.300", "100.100.301": self = .invalidCardExpiryYear
        case "100.100.303", "100.100.304": self = .invalidCardExpiry
        case "100.100.400", "100.100.401", "100.100.402": self = .invalidCardHolder
        case "100.100.600", "100.100.601": self = .invalidCardCVC
        case "600.200.500": self = .invalidPaymentData
        case "999.999.998": self = .paymentNotTestData
        default: self = .unknownError
        }
    }
}
