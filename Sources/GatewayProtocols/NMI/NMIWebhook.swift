import CardCrypto
public import JSON

/// The header with which the gateway signs what it posts to the merchant: `Webhook-Signature`.
///
/// `t=nonce,s=code`: the code is the HMAC over SHA-256 of nonce, a point and the body as received,
/// in lower-case hexadecimal digits. The nonce is no time, so nothing limits how old a message is.
///
/// Source: Webhooks manual, "Webhook signature"; kicbac-js for the forms that are refused.
public struct NMIWebhookSignature: Hashable, Sendable {
    /// The header's name.
    public static let headerName = "Webhook-Signature"
    /// The longest nonce accepted, in characters; assumed.
    public static let maximumNonceCharacterCount = 256

    /// A number that is used once.
    public var nonce: String
    /// The code, 64 lower-case hexadecimal digits.
    public var code: String

    /// Signs a body.
    public init(signing body: [UInt8], nonce: String, key: String) {
        self.nonce = nonce
        code = Self.code(of: body, nonce: nonce, key: key)
    }

    /// Reads the header's value, or returns `nil` for another form.
    public init?(header: String) {
        let parts = header.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("t="), parts[1].hasPrefix("s=") else {
            return nil
        }
        nonce = String(parts[0].dropFirst(2))
        code = String(parts[1].dropFirst(2))
        guard !nonce.isEmpty, nonce.utf8.count <= Self.maximumNonceCharacterCount,
            code.utf8.count == 64, code.utf8.allSatisfy({ $0.hexDigitValue != nil })
        else { return nil }
    }

    /// The header's value.
    public var header: String { "t=\(nonce),s=\(code)" }

    /// Whether the key signed this body; how long the answer takes says nothing of the code.
    public func isValid(for body: [UInt8], key: String) -> Bool {
        let expected = Array(Self.code(of: body, nonce: nonce, key: key).utf8)
        let given = Array(code.utf8)
        guard given.count == expected.count else { return false }
        var difference: UInt8 = 0
        for index in expected.indices { difference |= expected[index] ^ given[index] }
        return difference == 0
    }

    private static func code(of body: [UInt8], nonce: String, key: String) -> String {
        MessageSignature.hexadecimal(of: Array("\(nonce).".utf8) + body, key: Array(key.utf8))
    }
}

/// What the gateway posts to the merchant: one event.
///
/// Events may come twice and in any order; ``eventID`` tells which came before.
/// Source: Webhooks manual, "Webhook format".
public struct NMIWebhookEvent: Hashable, Sendable {
    /// The event's own number, `event_id`.
    public var eventID: String
    /// What happened, `event_type`, such as `transaction.sale.success`.
    public var type: String
    /// What it is about, `event_body`.
    public var body: JSONValue

    /// Creates an event.
    public init(eventID: String, type: String, body: JSONValue) {
        self.eventID = eventID
        self.type = type
        self.body = body
    }

    /// Reads a posted body.
    ///
    /// - Throws: ``NMIWebhookError`` when it is no JSON or no event.
    public init(decoding bytes: [UInt8]) throws(NMIWebhookError) {
        let value: JSONValue
        do { value = try JSONValue(reading: bytes) } catch { throw .notJSON(error) }
        guard let eventID = value["event_id"]?.text, !eventID.isEmpty else {
            throw .missing("event_id")
        }
        guard let type = value["event_type"]?.text, !type.isEmpty else {
            throw .missing("event_type")
        }
        guard let body = value["event_body"], case .object = body else {
            throw .missing("event_body")
        }
        self.init(eventID: eventID, type: type, body: body)
    }

    /// The transaction that it is about, or `nil` when it is about none.
    public var transactionID: NMITransactionID? {
        body["transaction_id"]?.text.flatMap { UInt64($0) }.flatMap { NMITransactionID($0) }
    }

    /// The body to post.
    public var bytes: [UInt8] {
        JSONValue.members(
            ("event_id", .string(eventID)),
            ("event_type", .string(type)),
            ("event_body", body)
        ).encoded
    }
}

/// Why a posted body is no event.
public enum NMIWebhookError: Error, Hashable, Sendable {
    /// It is no JSON text.
    case notJSON(JSONError)
    /// A member of the envelope is missing or of the wrong kind.
    case missing(String)
}
