/// The fields of an answer, in the order in which the class checks them.
///
/// Source: innerfence/ChargeDemo, `IFChargeResponse.h`, and README, section PROTOCOL RESPONSE.
public enum InnerFenceResponseField: String, CaseIterable, Hashable, Sendable {
    case amount
    case cardType
    case currency
    case redactedCardNumber
    case responseType
    case taxAmount
    case taxRate
    case tipAmount
    case transactionId
    /// Why there was an error, in words; Android and Windows only, and of any form.
    case errorMessage

    /// What stands before each name in an answer.
    public static let prefix = "ifcc_"

    /// The name in an answer, such as `ifcc_amount`.
    public var wireName: String { Self.prefix + rawValue }

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The order in which the terminal app writes them.
    ///
    /// Source: innerfence/ChargeDemo, README, the example of section PROTOCOL RESPONSE.
    static let writtenOrder: [Self] = [
        .responseType, .transactionId, .amount, .currency, .redactedCardNumber, .cardType,
        .taxAmount, .taxRate, .tipAmount, .errorMessage,
    ]
}

/// The answer of the Credit Card Terminal app to a charge request: `IFChargeResponse`.
public struct InnerFenceChargeResponse: Hashable, Sendable {
    /// How the charge ended; the raw values are those of the class.
    ///
    /// Source: innerfence/ChargeDemo, `IFChargeResponse.h`, `IFChargeResponseCode`.
    public enum Code: Int, CaseIterable, Hashable, Sendable {
        /// The card was charged.
        case approved = 0
        /// The user left before any transaction.
        case cancelled = 1
        /// The issuer refused; nothing else is a decline.
        case declined = 2
        /// Anything else: an expired card, an address that does not match, no network.
        case error = 3

        /// The word in an answer.
        public var word: String {
            switch self {
            case .approved: "approved"
            case .cancelled: "cancelled"
            case .declined: "declined"
            case .error: "error"
            }
        }

        /// The code of a word; `nil` for every other word.
        public init?(word: String) {
            guard let code = Self.allCases.first(where: { $0.word == word }) else { return nil }
            self = code
        }
    }

    /// How the charge ended: `responseCode`.
    public var code: Code
    /// The app's own parameters, as far as the class gives them back: `extraParams`.
    ///
    /// In the order of the URL; a name stands at its first place, with its last value.
    public var extraParameters: [InnerFenceParameter] = []
    private var values: [String?] = Array(
        repeating: nil,
        count: InnerFenceResponseField.allCases.count
    )

    /// Creates an answer without fields.
    public init(_ code: Code) {
        self.code = code
        self[.responseType] = code.word
    }

    /// The value of a field as it was received; `nil` where there is none.
    public subscript(field: InnerFenceResponseField) -> String? {
        get { values[field.index] }
        set { values[field.index] = newValue }
    }

    /// The currency: US dollars where there is an amount and no currency.
    ///
    /// Source: innerfence/ChargeDemo, the getter of `IFChargeResponse.m`.
    public var currency: String? {
        self[.currency] ?? (self[.amount] == nil ? nil : "USD")
    }

    /// The value of the app's own parameter of a name, or `nil`.
    public func extraParameter(_ name: String) -> String? {
        extraParameters.first { $0.name == name }?.value
    }

    /// The URL with which the terminal app answers.
    ///
    /// What the return URL has is kept byte for byte; the pairs are appended to its query, before a
    /// fragment. An answer other than approved carries its type only.
    /// - Parameters:
    ///   - returnURL: The return URL of the request, decoded.
    ///   - isFileMaker: Whether each name begins with a dollar sign, which FileMaker Go makes
    ///     variables of. Raw, as in the README; what the app sends is not known.
    /// - Returns: The URL; in ASCII when the return URL is.
    public func url(appendedTo returnURL: String, isFileMaker: Bool = false) -> String {
        let bytes = Array(returnURL.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        var answer = Array(bytes[..<end])
        var separator =
            answer.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
        for field in InnerFenceResponseField.writtenOrder {
            guard let value = self[field], !value.isEmpty else { continue }
            answer.append(separator)
            if isFileMaker { answer.append(UInt8(ascii: "$")) }
            answer.append(contentsOf: field.wireName.utf8)
            answer.append(UInt8(ascii: "="))
            InnerFenceEscaping.append(value.utf8, to: &answer)
            separator = UInt8(ascii: "&")
        }
        return String(decoding: answer + bytes[end...], as: UTF8.self)
    }
}
