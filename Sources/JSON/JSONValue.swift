/// A value of the JavaScript Object Notation.
///
/// Objects keep the order of their members, so that the same value is always the same bytes.
/// Numbers with a fraction or an exponent cannot be held: money travels as a decimal string or as
/// whole minor units, and nothing else that is exchanged needs them.
public enum JSONValue: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A text.
    case string(String)
    /// Values in their order.
    case array([JSONValue])
    /// Members in their order; a document with the same name twice is refused.
    case object([JSONMember])

    /// An object of these members, in their order.
    public static func members(_ members: (String, JSONValue)...) -> JSONValue {
        .object(members.map { JSONMember($0.0, $0.1) })
    }

    /// The member of that name, `nil` when there is none or this is no object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        // Positions instead of elements: nothing is copied but what is found.
        for index in members.indices where members[index].name == name {
            return members[index].value
        }
        return nil
    }

    /// The text, `nil` for any other kind.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The whole number, `nil` for any other kind.
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The truth value, `nil` for any other kind.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    /// The values of an array, `nil` for any other kind.
    public var values: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// The members of an object, `nil` for any other kind.
    public var members: [JSONMember]? {
        if case .object(let members) = self { members } else { nil }
    }
}

/// One named value of an object.
public struct JSONMember: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}
