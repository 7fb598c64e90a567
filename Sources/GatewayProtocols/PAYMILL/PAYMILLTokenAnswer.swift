import CardData
import JSON

/// What the token host answers: JSON, in a function call where one was named.
///
/// Source: the published bridge script; active_merchant `paymill_test.rb` for recorded answers.
public enum PAYMILLTokenAnswer: Hashable, Sendable {
    /// A token; with `redirect` it is good only when the issuer's page said so.
    case token(Token)
    /// The processor refused.
    case refused(Refusal)
    /// No such merchant, or another failure, by its text.
    case error(String)

    /// A token and what is told beside it.
    public struct Token: Hashable, Sendable {
        /// The token: at most 32 characters.
        public var id: String
        /// Test or live.
        public var mode: PAYMILLTokenRequest.Mode
        /// The merchant's public key.
        public var publicKey: String
        /// A number for telephone support, such as `1998.1832.1612`.
        public var shortID: String
        /// When it was made, `YYYY-MM-DD hh:mm:ss`.
        public var timestamp: String
        /// The last four digits and the brand; newer answers only.
        public var lastFour: String
        /// The brand, as the bridge writes it; newer answers only.
        public var brand: String
        /// The issuer's page that must be seen first; `nil` without 3-D Secure.
        public var redirect: Redirect?
        /// Whether it is of a bank account, which has other codes.
        public var isDebit = false

        /// Creates a token of the year 2013, which tells nothing of the card.
        public init(
            id: String,
            mode: PAYMILLTokenRequest.Mode = .test,
            publicKey: String,
            shortID: String,
            timestamp: String
        ) {
            self.id = id
            self.mode = mode
            self.publicKey = publicKey
            self.shortID = shortID
            self.timestamp = timestamp
            lastFour = ""
            brand = ""
        }
    }

    /// What the processor did not take.
    public struct Refusal: Hashable, Sendable {
        /// The processor's code, such as `000.100.201`.
        public var code: String
        /// The processor's text.
        public var text: String
        /// Test or live.
        public var mode: PAYMILLTokenRequest.Mode
        /// The merchant's public key.
        public var publicKey: String
        /// When it was said, `YYYY-MM-DD hh:mm:ss`.
        public var timestamp: String
        /// Whether it is of a bank account, which has other codes.
        public var isDebit = false

        /// Creates a refusal.
        public init(
            code: String,
            text: String,
            mode: PAYMILLTokenRequest.Mode = .test,
            publicKey: String,
            timestamp: String
        ) {
            self.code = code
            self.text = text
            self.mode = mode
            self.publicKey = publicKey
            self.timestamp = timestamp
        }
    }

    /// The issuer's page for 3-D Secure and what is posted to it.
    public struct Redirect: Hashable, Sendable {
        /// The page.
        public var url: String
        /// The payer authentication request.
        public var request: String
        /// Where the page returns to.
        public var returnURL: String
        /// By what the return is told from others.
        public var merchantData: String
        /// The `response.url` of the request; empty where no browser asked.
        public var responseURL: String

        /// Creates a redirect.
        public init(
            url: String,
            request: String,
            returnURL: String,
            merchantData: String,
            responseURL: String = ""
        ) {
            self.responseURL = responseURL
            self.url = url
            self.request = request
            self.returnURL = returnURL
            self.merchantData = merchantData
        }
    }

    /// The text for a public key that nobody has; the bridge looks for `channelId or login` in it.
    public static let wrongKeyText =
        "Unable to process the transaction - please check channelId or login data"

    /// What the bridge makes of the answer: the token, or the error's name.
    public var result: Result<Token, PAYMILLBridgeError> {
        switch self {
        case .token(let token): .success(token)
        case .refused(let refusal):
            .failure(PAYMILLBridgeError(returnCode: refusal.code) ?? .unknownError)
        case .error(let text) where text.contains("channelId or login"):
            .failure(.invalidPublicKey)
        case .error: .failure(.unknownError)
        }
    }

    // MARK: Encoding

    /// The body; nothing follows the closing parenthesis, since a client cuts it there.
    public func body(callback: String?) -> [UInt8] {
        let json = json.encoded
        guard let callback else { return json }
        return Array((callback + "(").utf8) + json + [UInt8(ascii: ")")]
    }

    private var json: JSONValue {
        switch self {
        case .error(let text): .members(("error", .members(("message", .string(text)))))
        case .refused(let refusal):
            Self.transaction(
                refusal.mode,
                refusal.publicKey,
                isDebit: refusal.isDebit,
                processing: [
                    ("code", .string(Self.paymentCode(refusal.isDebit) + ".70.40")),
                    (
                        "reason",
                        .members(
                            ("code", .string("40")),
                            ("message", .string("Account Validation"))
                        )
                    ),
                    ("result", .string("NOK")),
                    (
                        "return",
                        .members(
                            ("code", .string(refusal.code)),
                            ("message", .string(refusal.text))
                        )
                    ),
                    ("timestamp", .string(refusal.timestamp)),
                ]
            )
        case .token(let token): Self.json(of: token)
        }
    }

    private static func json(of token: Token) -> JSONValue {
        let text = "Request successfully processed in 'Merchant in Connector Test Mode'"
        var processing: [(String, JSONValue)] = [
            ("code", .string(paymentCode(token.isDebit) + ".90.00")),
            (
                "reason",
                .members(("code", .string("00")), ("message", .string("Successful Processing")))
            ),
            ("result", .string("ACK")),
            ("return", .members(("code", .string("000.100.112")), ("message", .string(text)))),
        ]
        if let redirect = token.redirect {
            processing.append(
                (
                    "redirect",
                    .members(
                        ("url", .string(URIComponent.encode(redirect.url))),
                        (
                            "parameters",
                            .members(
                                ("PaReq", .string(URIComponent.encode(redirect.request))),
                                ("TermUrl", .string(URIComponent.encode(redirect.returnURL))),
                                ("MD", .string(URIComponent.encode(redirect.merchantData))),
                                (
                                    "response_url",
                                    .string(URIComponent.encode(redirect.responseURL))
                                )
                            )
                        )
                    )
                )
            )
        }
        processing.append(("timestamp", .string(token.timestamp)))
        var members: [(String, JSONValue)] = [
            (
                "identification",
                .members(
                    ("shortId", .string(token.shortID)),
                    ("uniqueId", .string(token.id))
                )
            )
        ]
        if !token.lastFour.isEmpty {
            members.append(
                (
                    "account",
                    .members(
                        ("brand", .string(token.brand)),
                        ("last4Digits", .string(token.lastFour))
                    )
                )
            )
        }
        return transaction(
            token.mode,
            token.publicKey,
            isDebit: token.isDebit,
            processing: processing,
            members
        )
    }

    /// The processor's code of a payment by card, or by a bank account (assumed).
    private static func paymentCode(_ isDebit: Bool) -> String { isDebit ? "DD.DB" : "CC.DB" }

    private static func transaction(
        _ mode: PAYMILLTokenRequest.Mode,
        _ key: String,
        isDebit: Bool,
        processing: [(String, JSONValue)],
        _ more: [(String, JSONValue)] = []
    ) -> JSONValue {
        let members: [(String, JSONValue)] =
            [
                ("mode", .string(mode.rawValue)), ("channel", .string(key)),
                ("response", .string("SYNC")),
                ("payment", .members(("code", .string(paymentCode(isDebit))))),
                ("processing", .object(processing.map { JSONMember($0.0, $0.1) })),
            ] + more
        let transaction = JSONValue.object(members.map { JSONMember($0.0, $0.1) })
        return .members(("transaction", transaction))
    }

    // MARK: Decoding

    /// Reads a body, in a function call or plain.
    ///
    /// - Returns: `nil` when it is no answer; the bridge then says `internal_server_error`.
    public init?(decoding body: [UInt8]) {
        var text = body[...]
        if text.first != UInt8(ascii: "{"), let open = text.firstIndex(of: UInt8(ascii: "(")),
            text.last == UInt8(ascii: ")")
        {
            text = text[(open + 1)...].dropLast()
        }
        guard let json = try? JSONValue(reading: Array(text)) else { return nil }
        if let error = json["error"] {
            self = .error(error["message"]?.text ?? error.text ?? "")
            return
        }
        guard let transaction = json["transaction"], let processing = transaction["processing"],
            let code = processing["return"]?["code"]?.text
        else { return nil }
        let mode: PAYMILLTokenRequest.Mode = transaction["mode"]?.text == "LIVE" ? .live : .test
        let key = transaction["channel"]?.text ?? ""
        let isDebit = transaction["payment"]?["code"]?.text?.hasPrefix("DD") ?? false
        guard processing["result"]?.text == "ACK",
            let id = transaction["identification"]?["uniqueId"]?.text
        else {
            var refusal = Refusal(
                code: code,
                text: processing["return"]?["message"]?.text ?? "",
                mode: mode,
                publicKey: key,
                timestamp: processing["timestamp"]?.text ?? ""
            )
            refusal.isDebit = isDebit
            self = .refused(refusal)
            return
        }
        var token = Token(
            id: id,
            mode: mode,
            publicKey: key,
            shortID: transaction["identification"]?["shortId"]?.text ?? "",
            timestamp: processing["timestamp"]?.text ?? ""
        )
        token.isDebit = isDebit
        token.lastFour = transaction["account"]?["last4Digits"]?.text ?? ""
        token.brand = transaction["account"]?["brand"]?.text ?? ""
        if let redirect = processing["redirect"] { token.redirect = Redirect(redirect) }
        self = .token(token)
    }
}

extension PAYMILLTokenAnswer.Redirect {
    /// Reads a redirect, whose values are escaped.
    fileprivate init(_ json: JSONValue) {
        func text(_ value: JSONValue?) -> String {
            let escaped = "v=" + (value?.text ?? "")
            let fields = try? FormFields(decoding: Array(escaped.utf8), as: .response)
            return fields?.text(of: "v") ?? ""
        }
        let parameters = json["parameters"]
        url = text(json["url"])
        request = text(parameters?["PaReq"])
        returnURL = text(parameters?["TermUrl"])
        merchantData = text(parameters?["MD"])
        responseURL = text(parameters?["response_url"])
    }
}
