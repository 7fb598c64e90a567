public import CardData
import JSON

/// A request for money on a card.
///
/// Source: SDK document, `ACAuthRequestParams`.
public struct AgentCASHAuthorisation: Hashable, Sendable {
    /// The longest external id, reference or webhook address accepted, in bytes (assumed).
    public static let maximumTextByteCount = 2_048

    /// The money; more than nothing.
    public var amount: Amount
    /// The currency, three capital letters of ISO 4217.
    public var currency: String
    /// Whether the authorisation is captured as soon as it is confirmed.
    public var capturesAtOnce: Bool
    /// The number of instalments; 1.
    public var installmentCount: Int
    /// A free string of the app; any number of transactions may have the same.
    public var externalID: String
    /// Where events of the transaction are sent; empty for nowhere.
    public var webhookURL: String
    /// The app's own name for this request, never used twice; by it a lost answer is looked up.
    public var reference: String
    /// What was read of the card.
    public var card: AgentCASHCard

    /// Creates a request.
    public init(
        amount: Amount,
        currency: String,
        capturesAtOnce: Bool,
        installmentCount: Int = 1,
        externalID: String = "",
        webhookURL: String = "",
        reference: String,
        card: AgentCASHCard
    ) {
        self.amount = amount
        self.currency = currency
        self.capturesAtOnce = capturesAtOnce
        self.installmentCount = installmentCount
        self.externalID = externalID
        self.webhookURL = webhookURL
        self.reference = reference
        self.card = card
    }

    /// Whether a text is three capital letters, as currencies of ISO 4217 are.
    public static func isCurrency(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    /// Whether a text is the address of a web server, and not too long.
    public static func isWebAddress(_ text: String) -> Bool {
        let isWeb = text.hasPrefix("http://") || text.hasPrefix("https://")
        return isWeb && text.utf8.count <= maximumTextByteCount
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    var json: JSONValue {
        var members = [
            JSONMember("amount", .string(amount.description)),
            JSONMember("currency", .string(currency)),
            JSONMember("capture", .bool(capturesAtOnce)),
            JSONMember("installmentCount", .integer(Int64(installmentCount))),
            JSONMember("reference", .string(reference)),
        ]
        if !externalID.isEmpty { members.append(JSONMember("externalId", .string(externalID))) }
        if !webhookURL.isEmpty { members.append(JSONMember("webhookURL", .string(webhookURL))) }
        members.append(JSONMember("card", card.json))
        return .object(members)
    }

    init(_ json: JSONValue) throws(AgentCASHError) {
        guard let amount = json["amount"]?.text.flatMap({ Amount($0) }), amount.minorUnits > 0
        else {
            throw AgentCASHError(.invalidRequest, member: "amount")
        }
        guard let currency = json["currency"]?.text, Self.isCurrency(currency) else {
            throw AgentCASHError(.invalidRequest, member: "currency")
        }
        guard let capture = json["capture"]?.bool else {
            throw AgentCASHError(.invalidRequest, member: "capture")
        }
        guard json["installmentCount"]?.integer == 1 else {
            throw AgentCASHError(.invalidRequest, member: "installmentCount")
        }
        let reference = try Self.text("reference", in: json)
        guard !reference.isEmpty else {
            throw AgentCASHError(.invalidRequest, member: "reference")
        }
        let webhookURL = try Self.text("webhookURL", in: json)
        guard webhookURL.isEmpty || Self.isWebAddress(webhookURL) else {
            throw AgentCASHError(.invalidRequest, member: "webhookURL")
        }
        guard let card = json["card"] else {
            throw AgentCASHError(.invalidRequest, member: "card")
        }
        self.init(
            amount: amount,
            currency: currency,
            capturesAtOnce: capture,
            externalID: try Self.text("externalId", in: json),
            webhookURL: webhookURL,
            reference: reference,
            card: try AgentCASHCard(card)
        )
    }

    private static func text(_ name: String, in json: JSONValue) throws(AgentCASHError) -> String {
        guard let value = json[name] else { return "" }
        guard let text = value.text, text.utf8.count <= maximumTextByteCount else {
            throw AgentCASHError(.invalidRequest, member: name)
        }
        return text
    }
}
