public import EventLoops

/// One observable fact of a run.
///
/// Its attributes stand in the journal's flat array; ``Journal/attributes(of:)`` returns them.
public struct Record: Hashable, Sendable {
    /// When it happened.
    public var time: VirtualInstant
    /// The how-manieth record of the run it is, from 0.
    public var sequence: Int
    /// What happened.
    public var name: RecordName
    /// The step that caused it, an index into the scenario's flattened steps; `nil` before the
    /// first.
    public var step: Int?

    /// Where its attributes begin, counted over the whole run.
    @usableFromInline var firstAttribute: Int
    /// How many attributes it has.
    @usableFromInline var attributeCount: Int

    /// Who is at its origin.
    @inlinable
    public var source: RecordSource { Vocabulary.source(of: name) }

    /// Whether `expect` takes it in order.
    @inlinable
    public var isCounted: Bool { Vocabulary.isCounted(name) }

    @inlinable
    init(
        time: VirtualInstant,
        sequence: Int,
        name: RecordName,
        step: Int?,
        firstAttribute: Int,
        attributeCount: Int
    ) {
        self.time = time
        self.sequence = sequence
        self.name = name
        self.step = step
        self.firstAttribute = firstAttribute
        self.attributeCount = attributeCount
    }
}
