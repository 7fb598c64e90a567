import JSON

/// Why the REST interface carries nothing out: a status and one of two kinds of body.
///
/// Source: PAYMILL API reference, "Errors"; recorded answers of active_merchant and gringotts. What
/// is said of a token that is unknown, used or too old was never published: the texts are assumed.
public struct PAYMILLRefusal: Error, Hashable, Sendable {
    /// What the body says.
    public enum Message: Hashable, Sendable {
        /// `{"error":"…","exception":"…"}`; an empty exception is left out.
        case text(String, exception: String)
        /// `{"error":{"messages":{rule:text},"field":field}}`
        case field(String, rule: String, text: String)
    }

    /// The status of the answer.
    public var status: Int
    /// What the body says.
    public var message: Message

    /// Creates a refusal.
    public init(status: Int, _ message: Message) {
        self.status = status
        self.message = message
    }

    /// Creates a refusal with a text.
    public init(status: Int, _ text: String, exception: String = "") {
        self.init(status: status, .text(text, exception: exception))
    }

    /// The private key is wrong or missing.
    public static let accessDenied = PAYMILLRefusal(
        status: 401,
        "Access Denied",
        exception: "InvalidAuthentication"
    )
    /// A pre-authorisation was captured or given up before.
    public static let preauthorizationUsed = PAYMILLRefusal(
        status: 409,
        "Preauthorization has already been used",
        exception: "preauthorization_already_used"
    )
    /// Nothing is at this path.
    public static let noSuchMethod = PAYMILLRefusal(status: 404, "Method not Found")
    /// No such client.
    public static let noSuchClient = PAYMILLRefusal(
        status: 404,
        "Client not found",
        exception: "client_not_found"
    )
    /// No such transaction.
    public static let noSuchTransaction = PAYMILLRefusal(
        status: 404,
        "Transaction not found",
        exception: "transaction_not_found"
    )
    /// No such pre-authorisation, asked for in a capture.
    public static let noSuchPreauthorizationToCapture = PAYMILLRefusal(
        status: 404,
        "Preauthorize not found",
        exception: "not_found_transaction_preauthorize"
    )
    /// No such pre-authorisation, asked for by its id.
    public static let noSuchPreauthorization = PAYMILLRefusal(
        status: 404,
        "Preauthorization was not found",
        exception: "preauthorization_not_found"
    )
    /// No such payment.
    public static let noSuchPayment = PAYMILLRefusal(
        status: 404,
        "Payment not found",
        exception: "payment_not_found"
    )

    /// More is asked back than is left; 412 in v2, 400 in v2.1.
    public static func refundTooHigh(_ version: PAYMILLVersion) -> PAYMILLRefusal {
        PAYMILLRefusal(
            status: version.invalidStatus,
            "Amount to high",
            exception: "refund_amount_to_high"
        )
    }

    /// A parameter that is missing or wrong: 412 with a text in v2, 400 with a field in v2.1.
    public static func invalid(
        _ field: String,
        rule: String,
        _ text: String,
        _ version: PAYMILLVersion
    ) -> PAYMILLRefusal {
        switch version {
        case .v2: PAYMILLRefusal(status: 412, "Invalid parameter \(field): \(text)")
        case .v2point1: PAYMILLRefusal(status: 400, .field(field, rule: rule, text: text))
        }
    }

    /// The text for people: the error, or the first of its messages.
    public var text: String {
        switch message {
        case .text(let text, _), .field(_, _, let text): text
        }
    }

    /// The body.
    public var body: [UInt8] {
        switch message {
        case .text(let text, let exception):
            guard !exception.isEmpty else {
                return JSONValue.members(("error", .string(text))).encoded
            }
            return JSONValue.members(
                ("error", .string(text)),
                ("exception", .string(exception))
            ).encoded
        case .field(let field, let rule, let text):
            return JSONValue.members(
                (
                    "error",
                    .members(
                        ("messages", .members((rule, .string(text)))),
                        ("field", .string(field))
                    )
                )
            ).encoded
        }
    }

    /// Reads a body of either kind; `nil` when it is no refusal.
    init?(_ json: JSONValue, status: Int) {
        switch json["error"] {
        case .string(let text)?:
            self.init(status: status, text, exception: json["exception"]?.text ?? "")
        case let error? where error.members != nil:
            let first = error["messages"]?.members?.first
            self.init(
                status: status,
                .field(
                    error["field"]?.text ?? "",
                    rule: first?.name ?? "",
                    text: first?.value.text ?? ""
                )
            )
        default: return nil
        }
    }
}

/// A version of the REST interface.
public enum PAYMILLVersion: String, Hashable, Sendable, CaseIterable {
    /// Of 2012 and 2013.
    case v2
    /// Of 2014 and later.
    case v2point1 = "v2.1"

    /// The status for a request that cannot be carried out as it is.
    public var invalidStatus: Int { self == .v2 ? 412 : 400 }
}
