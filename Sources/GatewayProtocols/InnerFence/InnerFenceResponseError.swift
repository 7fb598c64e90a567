/// Why an answer is refused; it holds a position and names of fields, never a value.
///
/// Each stands for an `NSInvalidArgumentException` of the class for iOS, whose text begins with
/// `Bad URL Request: ` but for a missing URL.
public struct InnerFenceResponseError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// There is no URL.
        case noURL
        /// It is no URL that one app could hand to another.
        case badURL(InnerFenceURLError.Code)
        /// A name or a value cannot be decoded.
        case undecodable
        /// The query has more pairs than ``InnerFenceQuery/maximumPairCount``.
        case tooManyPairs
        /// A pair of the query has no `=`, or more than one; Windows only.
        case badPair
        /// There is no query; Windows only.
        case noQuery
        /// No request waits for an answer.
        case noOutstandingRequest
        /// The answer has no nonce.
        case nonceMissing
        /// The nonce is not that of the outstanding request.
        case nonceMismatch
        /// The value of a field does not have its form.
        case badField(InnerFenceResponseField)
        /// The type is none of the four.
        case unknownType
        /// An approved answer lacks a field.
        case missing(InnerFenceResponseField)
        /// An answer that is not approved has a field of one that is.
        case unexpected(InnerFenceResponseField)
    }

    /// The kind of mistake, for programs.
    public var code: Code
    /// Where in the URL, in bytes; its length where something is missing.
    public var offset: Int

    /// Creates an error.
    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension InnerFenceResponseError: CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String {
        switch code {
        case .noURL: "there is no URL"
        case .badURL(let code): InnerFenceURLError(code: code, offset: offset).description
        case .undecodable:
            "`%` is followed by two hexadecimal digits, and what they stand for is UTF-8 without 0"
        case .tooManyPairs: "a query has at most \(InnerFenceQuery.maximumPairCount) pairs"
        case .badPair: "a pair is a name, one `=` and a value"
        case .noQuery: "an answer has a query"
        case .noOutstandingRequest: "no request waits for an answer"
        case .nonceMissing: "an answer has the nonce of its request"
        case .nonceMismatch: "the nonce is not that of the request that waits for an answer"
        case .badField(let field): "\(field.wireName) is \(field.form)"
        case .unknownType:
            "\(InnerFenceResponseField.responseType.wireName) is approved, cancelled, declined or "
                + "error"
        case .missing(let field): "an approved answer has \(field.wireName)"
        case .unexpected(let field): "only an approved answer has \(field.wireName)"
        }
    }
}

extension InnerFenceResponseField {
    /// What a value must be, in words.
    var form: String {
        switch self {
        case .amount, .taxAmount, .tipAmount: "an amount such as 10.99"
        case .cardType: "at most 20 letters and blanks"
        case .currency: "three capital letters such as USD"
        case .redactedCardNumber: "any number of X and four digits, such as XXXXXXXXXXXX1111"
        case .responseType: "small letters"
        case .taxRate: "at most two digits, and at most three decimals, such as 8.125"
        case .transactionId: "1 to 255 characters"
        case .errorMessage: "any text"
        }
    }
}
