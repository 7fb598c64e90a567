public import EventLoops

/// A record of another run that is to stand in this one: what happened, when, and as the
/// how-manieth record of that run.
public struct ForeignFact: Hashable, Sendable {
    /// When it happened, in time since the beginning of the run.
    public var time: VirtualInstant
    /// The how-manieth record it was, from 0.
    public var sequence: Int
    /// What happened.
    public var name: RecordName
    /// The step that caused it, an index into the scenario's flattened steps.
    public var step: Int?
    /// What is said of it.
    public var attributes: [Attribute]

    /// Creates a fact.
    public init(
        time: VirtualInstant,
        sequence: Int,
        name: RecordName,
        step: Int?,
        attributes: [Attribute]
    ) {
        self.time = time
        self.sequence = sequence
        self.name = name
        self.step = step
        self.attributes = attributes
    }
}
