import GatewayProtocols
import CardCrypto
import EventLoops
import JSON
import SimulatedGateways

/// A simulated gateway that is served over HTTP and that runs use there.
///
/// A gateway that is added conforms: its name, its credentials, what of its account a scenario sets,
/// and its records as JSON. Everything else (``WebGateway``, the paths under `/cardrig/`) follows.
protocol WebService: GatewayService where Record: AdminRecord {
    /// Its name on the command line and in paths.
    static var served: ServedGateway { get }
    /// Takes the merchant's credentials over, where the environment has any.
    static func adopt(_ credentials: GatewayCredentials, _ configuration: inout Configuration)
    /// What scenarios set of an account, as `POST /cardrig/clear` takes it.
    static func account(_ configuration: Configuration) -> JSONValue
    /// Sets an account up as ``account(_:)`` says.
    static func adopt(
        account: JSONValue,
        _ configuration: inout Configuration
    ) throws(AdminRefusal)
}

/// What happened in the books of a gateway, as `serve gateway` tells it.
protocol ToldRecord {
    /// The record; never card data.
    var json: JSONValue { get }
}

/// What happened in the books of a gateway, between two programs: what `serve gateway` tells, and
/// what a run against it writes into its journal.
protocol AdminRecord: ToldRecord {
    /// Reads a record, or returns `nil` for what is none.
    init?(_ json: JSONValue)
}

extension GatewayRecord: AdminRecord {}

extension SimulatedNMIGateway: WebService {
    static var served: ServedGateway { .nmi }

    static func adopt(_ credentials: GatewayCredentials, _ configuration: inout Configuration) {
        configuration.securityKey = credentials.nmiSecurityKey ?? configuration.securityKey
        configuration.username = credentials.nmiUsername ?? configuration.username
        configuration.password = credentials.nmiPassword ?? configuration.password
    }

    private static var flags: [(name: String, path: WritableKeyPath<Configuration, Bool>)] {
        [
            ("duplicatesNeedSameOrder", \.duplicatesNeedSameOrder),
            ("duplicateCheckOff", \.allowsDuplicateCheckOff),
            ("answersIdZero", \.duplicatesAnswerIDZero), ("olderLoginText", \.usesOlderLoginText),
            ("credits", \.allowsCredits), ("refundsBeforeSettlement", \.refundsBeforeSettlement),
            ("echoesType", \.echoesType),
        ]
    }

    private static let kinds: [(name: String, kind: Configuration.AccountKind)] = [
        ("both", .retailAndMOTO), ("retail", .retail), ("moto", .moto),
    ]

    static func account(_ configuration: Configuration) -> JSONValue {
        func limit(_ limit: Configuration.RateLimit?) -> JSONValue {
            guard let limit else { return .null }
            return .members(
                ("requests", .integer(Int64(limit.requestCount))),
                ("in", .string("\(limit.window.nanoseconds)ns"))
            )
        }
        let kind = kinds.first { $0.kind == configuration.accountKind }?.name ?? ""
        let window = configuration.duplicateWindow.nanoseconds
        let keys =
            configuration.baseDerivationKeys.isEmpty
            ? "none"
            : configuration.baseDerivationKeys.contains(.publishedTestKey) ? "right" : "foreign"
        let cutOff = configuration.cutOffSecondsOfDay.map { JSONValue.integer($0) } ?? .null
        var members: [JSONMember] = [
            JSONMember("account", .string(kind)),
            JSONMember("duplicateWindow", .string("\(window)ns")),
            JSONMember("readerKey", .string(keys)), JSONMember("settlementSecond", cutOff),
            JSONMember("rateLimit", limit(configuration.rateLimit)),
            JSONMember("systemRateLimit", limit(configuration.systemRateLimit)),
        ]
        members += flags.map { JSONMember($0.name, .bool(configuration[keyPath: $0.path])) }
        return .object(members)
    }

    static func adopt(
        account: JSONValue,
        _ configuration: inout Configuration
    ) throws(AdminRefusal) {
        try account.checkNames(
            [
                "account", "duplicateWindow", "readerKey", "settlementSecond", "rateLimit",
                "systemRateLimit",
            ] + flags.map(\.name)
        )
        for (name, path) in flags {
            if let value = try account.flag(name) { configuration[keyPath: path] = value }
        }
        if let word = try account.word("account", among: kinds.map(\.name)) {
            for (name, kind) in kinds where name == word { configuration.accountKind = kind }
        }
        if let window = try account.duration("duplicateWindow") {
            configuration.duplicateWindow = window
        }
        switch try account.word("readerKey", among: ["right", "foreign", "none"]) {
        case "foreign": configuration.loseReaderKeys()
        case "none": configuration.baseDerivationKeys = []
        case .some, nil: break
        }
        switch account["settlementSecond"] {
        case nil: break
        case .null: configuration.cutOffSecondsOfDay = nil
        case .some(let json):
            guard let second = json.integer, (0..<86_400).contains(second) else {
                throw AdminRefusal("`settlementSecond` is a second of the day, or null")
            }
            configuration.cutOffSecondsOfDay = second
        }
        configuration.rateLimit = try limit("rateLimit", account, configuration.rateLimit)
        configuration.systemRateLimit = try limit(
            "systemRateLimit",
            account,
            configuration.systemRateLimit
        )
    }

    private static func limit(
        _ name: String,
        _ account: JSONValue,
        _ present: Configuration.RateLimit?
    ) throws(AdminRefusal) -> Configuration.RateLimit? {
        guard let json = account[name] else { return present }
        if json == .null { return nil }
        try json.checkNames(["requests", "in"])
        guard let count = json["requests"]?.integer, (1...100_000).contains(count),
            let window = try json.duration("in")
        else { throw AdminRefusal("`\(name)` is {\"requests\": 1 to 100000, \"in\": \"10s\"}") }
        return Configuration.RateLimit(requestCount: Int(count), window: window)
    }
}

extension SimulatedAgentCASHGateway: WebService {
    static var served: ServedGateway { .agentcash }

    static func adopt(_ credentials: GatewayCredentials, _ configuration: inout Configuration) {
        if let name = credentials.agentcashUsername { configuration.credentials.username = name }
        if let word = credentials.agentcashPassword { configuration.credentials.password = word }
    }

    static func account(_ configuration: Configuration) -> JSONValue {
        .members(("takesUnopenedCards", .bool(configuration.takesUnopenedCards)))
    }

    static func adopt(
        account: JSONValue,
        _ configuration: inout Configuration
    ) throws(AdminRefusal) {
        try account.checkNames(["takesUnopenedCards"])
        if let value = try account.flag("takesUnopenedCards") {
            configuration.takesUnopenedCards = value
        }
    }
}

extension JSONValue {
    /// The truth value of a member, `nil` without it.
    fileprivate func flag(_ name: String) throws(AdminRefusal) -> Bool? {
        guard let json = self[name] else { return nil }
        guard let flag = json.bool else { throw AdminRefusal("`\(name)` is true or false") }
        return flag
    }

    /// The word of a member, `nil` without it.
    fileprivate func word(
        _ name: String,
        among known: [String]
    ) throws(AdminRefusal) -> String? {
        guard let json = self[name] else { return nil }
        guard let word = json.text, known.contains(word) else {
            throw AdminRefusal("`\(name)` is one of " + known.joined(separator: ", "))
        }
        return word
    }
}
