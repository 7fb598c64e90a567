public import JSON

/// Why AgentCASH refused a request; nothing was booked.
///
/// Codes and texts are our own, since the vendor's are not published.
public struct AgentCASHError: Error, Hashable, Sendable {
    /// The kind of refusal; the raw value is the code in the answer.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The username or the password is wrong, or there is none.
        case unauthorised
        /// The request is no JSON, or a member of it is missing or wrong.
        case invalidRequest
        /// There is no such path, or no such method on it.
        case noSuchPath
        /// There is no such transaction.
        case noSuchTransaction
        /// The transaction is in no state that allows it.
        case wrongState
        /// The amount is more than what is authorised, or than what is left.
        case amountTooHigh

        /// The status of the answer.
        public var status: Int {
            switch self {
            case .unauthorised: 401
            case .invalidRequest: 422
            case .noSuchPath, .noSuchTransaction: 404
            case .wrongState: 409
            case .amountTooHigh: 422
            }
        }
    }

    /// The kind of refusal.
    public var code: Code
    /// The member of the request that is wrong, with its path, such as `card.entryMode`; empty when
    /// it is none in particular.
    public var member: String

    /// Creates a refusal.
    public init(_ code: Code, member: String = "") {
        self.code = code
        self.member = member
    }

    /// The body of the answer.
    public var json: JSONValue {
        var members = [JSONMember("code", .string(code.rawValue))]
        if !member.isEmpty { members.append(JSONMember("member", .string(member))) }
        return .members(("error", .object(members)))
    }

    /// Reads the body of an answer that is no transaction; `nil` when it is no refusal either.
    public init?(_ json: JSONValue) {
        guard let code = json["error"]?["code"]?.text.flatMap({ Code(rawValue: $0) }) else {
            return nil
        }
        self.init(code, member: json["error"]?["member"]?.text ?? "")
    }
}
