public import CardData
public import EventLoops

/// The value of an attribute; text is only what a masking type made.
public enum AttributeValue: Hashable, Sendable {
    /// A whole number.
    case integer(Int64)
    /// `true` or `false`.
    case flag(Bool)
    /// Money.
    case amount(Amount)
    /// A word of the vocabulary.
    case symbol(Symbol)
    /// A length of time.
    case duration(VirtualDuration)
    /// Text without card data.
    case text(SafeText)
    /// A reader of the rig, by its index.
    case reader(Int)
}

/// An attribute of a record.
public struct Attribute: Hashable, Sendable {
    /// Its name.
    public var name: AttributeName
    /// Its value.
    public var value: AttributeValue

    /// Creates an attribute.
    @inlinable
    public init(_ name: AttributeName, _ value: AttributeValue) {
        self.name = name
        self.value = value
    }
}
