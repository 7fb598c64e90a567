public import CardData
import JSON

/// What an app asks AgentCASH to do.
///
/// The vendor's paths are not published: these are our own, listed in `Docs/agentcash.md`. No path
/// carries anything but a transaction's number.
public enum AgentCASHRequest: Hashable, Sendable {
    /// Authorise an amount on a card: `POST /v1/transactions`.
    case authorise(AgentCASHAuthorisation)
    /// Say that the reader and the cardholder are done with an authorisation, with the signature
    /// where one was collected: `POST /v1/transactions/N/confirm`. One that was to be captured at
    /// once is captured.
    case confirm(UInt64, signature: [UInt8])
    /// Give an authorisation up: `POST /v1/transactions/N/reverse`.
    case reverse(UInt64)
    /// Capture an authorisation; `nil` is all of it, and what is not captured is released:
    /// `POST /v1/transactions/N/capture`.
    case capture(UInt64, Amount?)
    /// Pay back of a capture, or release an authorisation that was not captured; `nil` is all that
    /// is left: `POST /v1/transactions/N/refund`.
    case refund(UInt64, Amount?)
    /// Look one transaction up: `GET /v1/transactions/N`.
    case transaction(UInt64)
    /// Find transactions: `POST /v1/searches`.
    case search(AgentCASHSearch)

    /// The path that lists nothing and takes authorisations.
    public static let transactionsPath = "/v1/transactions"
    /// The path that finds transactions.
    public static let searchesPath = "/v1/searches"
    /// The longest signature image accepted, in bytes.
    public static let maximumSignatureByteCount = 65_536

    /// The media type of every body.
    public static let contentType = "application/json"

    /// The method, in capitals.
    public var method: String {
        if case .transaction = self { "GET" } else { "POST" }
    }

    /// The path, without secrets.
    public var path: String {
        let transactions = Self.transactionsPath
        return switch self {
        case .authorise: transactions
        case .confirm(let id, _): "\(transactions)/\(id)/confirm"
        case .reverse(let id): "\(transactions)/\(id)/reverse"
        case .capture(let id, _): "\(transactions)/\(id)/capture"
        case .refund(let id, _): "\(transactions)/\(id)/refund"
        case .transaction(let id): "\(transactions)/\(id)"
        case .search: Self.searchesPath
        }
    }

    /// The body; empty for a look-up of one transaction.
    public var body: [UInt8] {
        switch self {
        case .authorise(let authorisation): return authorisation.json.encoded
        case .confirm(_, let signature):
            if signature.isEmpty { return JSONValue.object([]).encoded }
            return JSONValue.members(("signature", .string(Base64.text(of: signature)))).encoded
        case .reverse: return JSONValue.object([]).encoded
        case .capture(_, let amount), .refund(_, let amount):
            guard let amount else { return JSONValue.object([]).encoded }
            return JSONValue.members(("amount", .string(amount.description))).encoded
        case .transaction: return []
        case .search(let search): return search.json.encoded
        }
    }

    /// Reads a request; credentials are looked at elsewhere.
    ///
    /// - Throws: ``AgentCASHError`` for a path, a method or a body that is none.
    public init(
        method: String,
        path: String,
        contentType: String,
        body: [UInt8]
    ) throws(AgentCASHError) {
        let parts = path.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].isEmpty, parts[1] == "v1" else {
            throw AgentCASHError(.noSuchPath)
        }
        if method == "GET" {
            guard parts.count == 4, parts[2] == "transactions" else {
                throw AgentCASHError(.noSuchPath)
            }
            self = .transaction(try Self.id(parts[3]))
            return
        }
        guard method == "POST" else { throw AgentCASHError(.noSuchPath) }
        switch (parts[2], parts.count, parts.count == 5 ? parts[4] : "") {
        case ("transactions", 3, _):
            self = .authorise(try AgentCASHAuthorisation(try Self.json(contentType, body)))
        case ("searches", 3, _):
            self = .search(try AgentCASHSearch(try Self.json(contentType, body)))
        case ("transactions", 5, "confirm"):
            let signature = try Self.signature(try Self.json(contentType, body))
            self = .confirm(try Self.id(parts[3]), signature: signature)
        case ("transactions", 5, "reverse"):
            _ = try Self.json(contentType, body)
            self = .reverse(try Self.id(parts[3]))
        case ("transactions", 5, "capture"):
            let amount = try Self.amount(try Self.json(contentType, body))
            self = .capture(try Self.id(parts[3]), amount)
        case ("transactions", 5, "refund"):
            let amount = try Self.amount(try Self.json(contentType, body))
            self = .refund(try Self.id(parts[3]), amount)
        default: throw AgentCASHError(.noSuchPath)
        }
    }

    private static func json(
        _ contentType: String,
        _ body: [UInt8]
    ) throws(AgentCASHError) -> JSONValue {
        guard contentType.lowercased().hasPrefix(Self.contentType) else {
            throw AgentCASHError(.invalidRequest, member: "Content-Type")
        }
        guard let json = try? JSONValue(reading: body), json.members != nil else {
            throw AgentCASHError(.invalidRequest)
        }
        return json
    }

    private static func id(_ text: Substring) throws(AgentCASHError) -> UInt64 {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let id = UInt64(text) else {
            throw AgentCASHError(.noSuchTransaction)
        }
        return id
    }

    private static func amount(_ json: JSONValue) throws(AgentCASHError) -> Amount? {
        guard let value = json["amount"] else { return nil }
        guard let amount = value.text.flatMap({ Amount($0) }), amount.minorUnits > 0 else {
            throw AgentCASHError(.invalidRequest, member: "amount")
        }
        return amount
    }

    private static func signature(_ json: JSONValue) throws(AgentCASHError) -> [UInt8] {
        guard let value = json["signature"] else { return [] }
        guard let bytes = value.text.flatMap({ Base64.decode($0.utf8) }), !bytes.isEmpty,
            bytes.count <= maximumSignatureByteCount
        else { throw AgentCASHError(.invalidRequest, member: "signature") }
        return bytes
    }
}

/// Who asks: a merchant's account.
public struct AgentCASHCredentials: Hashable, Sendable {
    /// The account's name.
    public var username: String
    /// The account's password; a secret.
    public var password: String

    /// Creates credentials.
    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }

    /// The value of the header field `Authorization` that proves them.
    ///
    /// Source: RFC 7617 (Basic); that the vendor's service uses it is assumed.
    public var authorization: String {
        "Basic " + Base64.text(of: Array("\(username):\(password)".utf8))
    }
}

extension AgentCASHCredentials: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The account's name; never the password.
    public var description: String { "the account \(username)" }

    /// The account's name; never the password.
    public var debugDescription: String { description }

    /// Nothing, so that no dump shows the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// By what transactions are found.
public enum AgentCASHSearch: Hashable, Sendable {
    /// The app's own reference, which it never uses twice.
    case reference(String)
    /// The external id, a free string; all transactions with it are found.
    case externalID(String)

    var json: JSONValue {
        switch self {
        case .reference(let text): .members(("reference", .string(text)))
        case .externalID(let text): .members(("externalId", .string(text)))
        }
    }

    init(_ json: JSONValue) throws(AgentCASHError) {
        if let text = json["reference"]?.text, !text.isEmpty {
            self = .reference(text)
        } else if let text = json["externalId"]?.text {
            self = .externalID(text)
        } else {
            throw AgentCASHError(.invalidRequest, member: "reference")
        }
    }
}
