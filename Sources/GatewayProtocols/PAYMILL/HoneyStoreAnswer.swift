import JSON

/// What the backend answers, read.
///
/// Source: Parse REST API guide, "Cloud Functions", "Queries" and "Errors".
public enum HoneyStoreAnswer: Hashable, Sendable {
    /// A function's result, or the object that was asked for.
    case result(HoneyStoreResult)
    /// It was not done.
    case failed(HoneyStoreError)

    /// Reads an answer; `nil` when it is none.
    public init?(decoding body: [UInt8]) {
        guard let json = try? JSONValue(reading: body), json.members != nil else { return nil }
        if let text = json["error"]?.text {
            let code = json["code"]?.integer.flatMap {
                HoneyStoreError.Code(rawValue: Int(clamping: $0))
            }
            self = .failed(HoneyStoreError(code ?? .scriptFailed, text))
        } else {
            self = .result(HoneyStoreResult(json["result"] ?? json))
        }
    }
}

/// What a function of the backend returns, or the object that was asked for: what an app reads of
/// it.
public struct HoneyStoreResult: Hashable, Sendable {
    /// The session that was begun, a secret; `nil` where none was.
    public let session: String?
    /// How many things were listed; 0 where there is no list.
    public let listedCount: Int
    /// The id of the newest card in the list; `nil` where there is none.
    ///
    /// Bank accounts have no last four digits, and are passed over.
    public let newestCard: String?
    /// What became of the first transaction in the list; `nil` where none is listed, and code 0,
    /// which says nothing, where it has none.
    public let transactionCode: PAYMILLResponseCode?

    init(_ json: JSONValue) {
        session = json["sessionToken"]?.text
        let list = json.values
        listedCount = list?.count ?? json["results"]?.values?.count ?? 0
        newestCard = list?.last { $0["last4"]?.text != nil }?["id"]?.text
        transactionCode = list?.first.map { transaction in
            let code = transaction["response_code"]?.integer ?? 0
            return PAYMILLResponseCode(rawValue: Int(clamping: code))
        }
    }
}
