import CardData
public import JSON

/// What the REST interface answers, read.
///
/// The status does not decide: a decline came with 403 and with 200, and the body of either is the
/// transaction.
public enum PAYMILLResponse: Hashable, Sendable {
    /// What was asked for.
    case data(JSONValue)
    /// Nothing was carried out.
    case refused(PAYMILLRefusal)

    /// Reads an answer; `nil` when it is none.
    public init?(status: Int, body: [UInt8]) {
        guard let json = try? JSONValue(reading: body) else { return nil }
        if let data = json["data"] {
            self = .data(data)
        } else if let refusal = PAYMILLRefusal(json, status: status) {
            self = .refused(refusal)
        } else {
            return nil
        }
    }

    /// The data, `nil` of a refusal.
    public var data: JSONValue? { if case .data(let data) = self { data } else { nil } }

    /// Whether it is the empty list, which says that something is done.
    public var isDone: Bool { data?.values?.isEmpty ?? false }

    /// The transaction: the data, or that of a pre-authorisation or a refund.
    public var transaction: PAYMILLTransaction? {
        guard let data else { return nil }
        let nested = data["transaction"].flatMap { PAYMILLTransaction($0) }
        let isOther = data["id"]?.text?.hasPrefix("tran_") == false
        return isOther ? nested : PAYMILLTransaction(data) ?? nested
    }

    /// The pre-authorisation: the data, or that of a transaction.
    public var preauthorization: PAYMILLPreauthorization? {
        guard let data else { return nil }
        if let nested = data["preauthorization"].flatMap({ PAYMILLPreauthorization($0) }) {
            return nested
        }
        return data["id"]?.text?.hasPrefix("preauth_") == true ? PAYMILLPreauthorization(data) : nil
    }

    /// The refund.
    public var refund: PAYMILLRefund? {
        guard let data, data["id"]?.text?.hasPrefix("refund_") == true else { return nil }
        return PAYMILLRefund(data)
    }

    /// The payment.
    public var payment: PAYMILLPayment? {
        guard let data, data["id"]?.text?.hasPrefix("pay_") == true else { return nil }
        return PAYMILLPayment(data)
    }

    /// The client.
    public var client: PAYMILLClient? {
        guard let data, data["id"]?.text?.hasPrefix("client_") == true else { return nil }
        return PAYMILLClient(data)
    }

    /// The transactions of a list; `nil` when it is none, or one of them cannot be read.
    public var transactions: [PAYMILLTransaction]? {
        guard let values = data?.values else { return nil }
        let transactions = values.compactMap { PAYMILLTransaction($0) }
        return transactions.count == values.count ? transactions : nil
    }

    /// Whether it approves: the empty list, or a code that says success, be it number or text.
    public var isApproval: Bool {
        if isDone { return true }
        if let refund { return refund.responseCode.isSuccess }
        return transaction?.responseCode.isSuccess ?? false
    }

    /// The text for people of what was not carried out, `nil` of success.
    public var failureText: String? {
        switch self {
        case .refused(let refusal): return refusal.text
        case .data:
            guard !isApproval, let code = transaction?.responseCode else { return nil }
            return code.text ?? String(code.rawValue)
        }
    }

    // MARK: Encoding

    /// The body around data, as a version writes it; a list tells how many there are, as text.
    public static func body(
        _ data: JSONValue,
        _ version: PAYMILLVersion,
        count: Int? = nil,
        isLive: Bool = false
    ) -> [UInt8] {
        var members = [JSONMember("data", data)]
        if let count { members.append(JSONMember("data_count", .string(String(count)))) }
        members.append(JSONMember("mode", .string(isLive ? "live" : "test")))
        return PAYMILLJSON.object(members, version).encoded
    }

    /// A list as semicolon-separated lines: a head, then one line a transaction.
    ///
    /// Source: PAYMILL API reference, "Export".
    public static func csv(_ transactions: [PAYMILLTransaction]) -> [UInt8] {
        let names = [
            "id", "amount", "origin_amount", "status", "description", "livemode", "currency",
            "created_at", "updated_at", "response_code", "short_id", "is_fraud", "app_id",
            "client_id", "payment_id", "preauthorization_id", "invoices", "fees",
        ]
        var lines = [names.map { "\"\($0)\"" }.joined(separator: ";")]
        for transaction in transactions {
            let quoted = { (text: String?) in
                "\""
                    + (text ?? "").split(separator: "\"", omittingEmptySubsequences: false)
                    .joined(separator: "\"\"") + "\""
            }
            let id = { (text: String?) in text.map { quoted($0) } ?? "" }
            let fields: [String] = [
                quoted(transaction.id), quoted(String(transaction.amount.minorUnits)),
                quoted(String(transaction.originAmount.minorUnits)),
                quoted(transaction.status.rawValue), quoted(transaction.description),
                quoted(transaction.isLive ? "1" : ""), quoted(transaction.currency),
                quoted(String(transaction.createdAt)), quoted(String(transaction.updatedAt)),
                quoted(String(transaction.responseCode.rawValue)), quoted(transaction.shortID),
                quoted(""), quoted(""), id(transaction.client?.id), id(transaction.payment?.id),
                id(transaction.preauthorization?.id), quoted(""), quoted(""),
            ]
            lines.append(fields.joined(separator: ";"))
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}
