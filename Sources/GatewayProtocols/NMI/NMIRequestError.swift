/// Why a request cannot be served.
///
/// The error carries positions and never the bytes: values can be card data.
public struct NMIRequestError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The body is not a form.
        case form(FormError.Code)
        /// There is no service at the path.
        case unknownPath
        /// The type is none of the manual's.
        case unsupportedType
        /// The payment is neither by card nor by check.
        case unsupportedPayment
        /// There is no amount where one is needed.
        case missingAmount
        /// The amount is not a decimal number with at most two decimals.
        case invalidAmount
        /// An encrypted swipe's field is missing or has the wrong length or digits.
        case invalidSwipe
        /// No transaction is named.
        case missingTransactionID
        /// The transaction is not named by a decimal number above 0.
        case invalidTransactionID
        /// The reason of a void is none of ``NMIVoidReason``.
        case invalidVoidReason
        /// `dup_seconds` is not a number of seconds up to 91 days.
        case invalidDuplicateSeconds
        /// An offline payment has no authorisation code.
        case missingAuthorizationCode
        /// The report is none that is made here.
        case unsupportedReport
        /// A field that is needed is missing or empty.
        case missingField(String)
        /// A field's value is none that it may have.
        case invalidField(String)
        /// Fields of cards and of checks stand in one request.
        case mixedPayment
        /// A name of a field comes twice; only where that is refused.
        case duplicateField
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// The position of the value at fault in the body; 0 when a field is missing.
    public var offset: Int

    /// Creates an error.
    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension NMIRequestError: CustomStringConvertible {
    /// One sentence without a full stop, and without the offset.
    public var description: String {
        switch code {
        case .form(let code): code.description
        case .unknownPath: "no service at this path"
        case .unsupportedType: "expected a type of payments"
        case .unsupportedPayment: "expected a payment by `creditcard` or `check`"
        case .missingAmount: "`amount` is missing"
        case .invalidAmount: "expected an amount such as 10.99"
        case .invalidSwipe:
            "a swipe needs a key serial number of 20 digits, a track, and whole blocks of 16 digits"
        case .missingTransactionID: "`transactionid` is missing"
        case .invalidTransactionID: "expected a decimal number above 0"
        case .invalidVoidReason:
            "expected one of " + NMIVoidReason.allCases.map(\.rawValue).joined(separator: ", ")
        case .invalidDuplicateSeconds: "expected seconds up to 7862400"
        case .missingAuthorizationCode: "`authorization_code` is missing"
        case .unsupportedReport:
            "expected the report `transaction`, "
                + NMIReport.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        case .missingField(let name): "`\(name)` is missing"
        case .invalidField(let name): "the value of `\(name)` is none that it may have"
        case .mixedPayment: "card and check fields must not be mixed"
        case .duplicateField: "this name comes twice"
        }
    }
}
