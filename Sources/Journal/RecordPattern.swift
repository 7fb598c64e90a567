/// A place in a scenario file, counted from 1.
public struct SourceLocation: Hashable, Sendable {
    /// The line.
    public var line: Int
    /// The column, in characters.
    public var column: Int

    /// Creates a place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// What a record must look like; attributes that are not named are free.
public struct RecordPattern: Hashable, Sendable {
    /// The record's name.
    public var name: RecordName
    /// The attributes that are compared.
    public var attributes: [AttributePattern]
    /// Where the file says it.
    public var location: SourceLocation

    /// Creates a pattern.
    public init(_ name: RecordName, _ attributes: [AttributePattern], location: SourceLocation) {
        self.name = name
        self.attributes = attributes
        self.location = location
    }
}

/// What one attribute of a record must be.
public struct AttributePattern: Hashable, Sendable {
    /// The attribute's name.
    public var name: AttributeName
    /// The value it must have; a record without the attribute does not match.
    public var value: AttributeValue
    /// The card's field that stands for the value until somebody knows the card; `nil` for a value
    /// that the file says itself.
    public var reference: CardReference?

    /// Creates a pattern.
    public init(
        _ name: AttributeName,
        _ value: AttributeValue,
        reference: CardReference? = nil
    ) {
        self.name = name
        self.value = value
        self.reference = reference
    }
}
