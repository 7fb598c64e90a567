import CardData
public import JSON

/// Something that the REST interface keeps under an id.
public protocol PAYMILLObject: Hashable, Sendable {
    /// The id, with a prefix for its kind.
    var id: String { get }
    /// Reads an object of either version; `nil` when it is none.
    init?(_ json: JSONValue)
    /// The object as a version writes it.
    func json(_ version: PAYMILLVersion) -> JSONValue
}

/// An object inside of another: as a whole, or its id alone.
public indirect enum PAYMILLReference<Object: PAYMILLObject>: Hashable, Sendable {
    /// The id alone.
    case id(String)
    /// The whole object.
    case object(Object)

    /// The id.
    public var id: String {
        switch self {
        case .id(let id): id
        case .object(let object): object.id
        }
    }

    /// The object, `nil` where only its id is known.
    public var object: Object? {
        if case .object(let object) = self { object } else { nil }
    }

    init?(_ json: JSONValue?) {
        guard let json else { return nil }
        if let id = json.text {
            self = .id(id)
        } else if let object = Object(json) {
            self = .object(object)
        } else {
            return nil
        }
    }

    func json(_ version: PAYMILLVersion) -> JSONValue {
        switch self {
        case .id(let id): .string(id)
        case .object(let object): object.json(version)
        }
    }
}

/// Writes and reads what objects have in common.
enum PAYMILLJSON {
    /// An object of members in the order of v2; v2.1 writes them backwards by name.
    static func object(_ members: [JSONMember], _ version: PAYMILLVersion) -> JSONValue {
        switch version {
        case .v2: .object(members)
        case .v2point1: .object(members.sorted { $0.name > $1.name })
        }
    }

    /// An amount, which v2 writes as text and v2.1 as a number.
    static func amount(_ amount: Amount, _ version: PAYMILLVersion) -> JSONValue {
        version == .v2 ? text(of: amount) : .integer(amount.minorUnits)
    }

    /// An amount as text; nothing left is `000`.
    static func text(of amount: Amount) -> JSONValue {
        .string(amount.minorUnits == 0 ? "000" : String(amount.minorUnits))
    }

    /// A number that is written as one or as text.
    static func number(_ json: JSONValue?) -> Int64? {
        json?.integer ?? json?.text.flatMap { Int64($0) }
    }

    static func amount(_ json: JSONValue?) -> Amount? {
        number(json).map { Amount(minorUnits: $0) }
    }

    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    static func ids(_ ids: [String]?) -> JSONValue {
        ids.map { .array($0.map { .string($0) }) } ?? .null
    }
}
