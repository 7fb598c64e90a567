/// What the bytes of one message say, field by field, for people.
///
/// Nothing in it is card data in clear: values are ``SafeText``, and who makes a listing masks
/// tracks and numbers by what the field is.
public struct FieldListing: Hashable, Sendable {
    /// One field of a message.
    public struct Field: Hashable, Sendable {
        /// Where the field begins, in bytes from the start of the input.
        public var offset: Int
        /// How many bytes of the input it takes; 0 for what was concluded from others.
        public var byteCount: Int
        /// The field's name in the protocol's document.
        public var name: String
        /// What stands in it, masked.
        public var value: SafeText
        /// What that means, in words; empty when the value says it.
        public var meaning: String

        /// Creates a field.
        public init(
            offset: Int,
            byteCount: Int,
            name: String,
            value: SafeText,
            meaning: String = ""
        ) {
            self.offset = offset
            self.byteCount = byteCount
            self.name = name
            self.value = value
            self.meaning = meaning
        }
    }

    /// What is wrong with a message, and where.
    public struct Problem: Hashable, Sendable {
        /// The first byte that is wrong, counted from the start of the input; the input's length
        /// when something is missing at its end.
        public var offset: Int
        /// One sentence without card data and without a full stop.
        public var text: String

        /// Creates a problem at a byte.
        public init(offset: Int, text: String) {
            self.offset = offset
            self.text = text
        }
    }

    /// The fields in the order of the message, as far as it could be read.
    public var fields: [Field]
    /// What is wrong, the first thing first; at most ``maximumProblemCount``.
    public private(set) var problems: [Problem]
    /// The most problems that a listing names: after those, more would say nothing new.
    public static let maximumProblemCount = 16

    /// The first thing that is wrong, or `nil`.
    public var problem: Problem? { problems.first }

    /// Creates a listing.
    public init(fields: [Field] = [], problem: Problem? = nil) {
        self.fields = fields
        problems = problem.map { [$0] } ?? []
    }

    /// Adds a field at the end.
    public mutating func add(
        _ name: String,
        at offset: Int,
        byteCount: Int,
        _ value: SafeText,
        meaning: String = ""
    ) {
        fields.append(
            Field(offset: offset, byteCount: byteCount, name: name, value: value, meaning: meaning)
        )
    }

    /// Notes what is wrong, unless something before it was noted.
    public mutating func complain(_ text: String, at offset: Int) {
        if problems.isEmpty { problems = [Problem(offset: offset, text: text)] }
    }

    /// Notes something that is wrong by itself, whatever was noted before it.
    public mutating func complainToo(_ text: String, at offset: Int) {
        guard problems.count < Self.maximumProblemCount else { return }
        problems.append(Problem(offset: offset, text: text))
    }
}
