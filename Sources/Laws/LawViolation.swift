public import Journal

/// A law that was broken.
public struct LawViolation: Hashable, Sendable {
    /// The law.
    public var law: LawName
    /// The record that broke it, or `nil` when only the end of the run showed it.
    public var sequence: Int?
    /// The reader it concerns, by its index, or `nil` when it concerns none.
    public var reader: Int?
    /// What was promised and what came, in one line without card data.
    public var explanation: String
}
