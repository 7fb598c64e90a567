/// How often records of a kind must come in a block or in the whole run.
public struct CountPattern: Hashable, Sendable {
    /// Which records are counted.
    public var pattern: RecordPattern
    /// The fewest that must come.
    public var minimum: Int
    /// The most that may come; `nil` for any number.
    public var maximum: Int?
    /// Where the file says it.
    public var location: SourceLocation

    /// Creates a count.
    public init(
        _ pattern: RecordPattern,
        minimum: Int = 0,
        maximum: Int? = nil,
        location: SourceLocation
    ) {
        self.pattern = pattern
        self.minimum = minimum
        self.maximum = maximum
        self.location = location
    }
}
