public import EventLoops

/// The records of a run: a bounded stream that observers follow.
///
/// Only the rig writes it. Observers (laws, expectations, outcome, storage) keep a cursor and read
/// what came since; the newest ``capacity`` records stay readable for reports, so that a run of any
/// length has flat memory. A fingerprint of everything ever written is kept beside them.
public struct Journal: Sendable {
    /// How many of the newest records stay readable.
    public let capacity: Int
    /// How many records were written.
    public private(set) var count = 0
    /// The step that the following records belong to.
    public var step: Int?

    @usableFromInline var records: [Record] = []
    @usableFromInline var attributes: [Attribute] = []
    /// The sequence number of `records[0]`.
    @usableFromInline var firstSequence = 0
    /// The run-wide index of `attributes[0]`.
    @usableFromInline var firstAttribute = 0
    private var streams = CanonicalStreams()
    /// Facts that nobody in the rig makes, in order; see ``expect(_:)``.
    private var foreign: ArraySlice<ForeignFact> = []
    /// Before which record the next of them comes.
    private var nextForeign = Int.max

    /// Creates an empty journal.
    ///
    /// - Parameter capacity: How many of the newest records stay readable; at least 16.
    public init(capacity: Int = 8_192) {
        self.capacity = max(16, capacity)
        records.reserveCapacity(64)
        attributes.reserveCapacity(256)
    }

    /// The sequence number of the oldest record that is still readable.
    public var oldestSequence: Int { firstSequence }

    /// Begins a record; ``add(_:_:)`` and ``end()`` must follow before the next.
    public mutating func begin(_ name: RecordName, at time: VirtualInstant) {
        if count >= nextForeign { writeForeign(upTo: time) }
        if records.count >= 2 * capacity { forgetOldest() }
        records.append(
            Record(
                time: time,
                sequence: count,
                name: name,
                step: step,
                firstAttribute: firstAttribute + attributes.count,
                attributeCount: 0
            )
        )
    }

    /// Adds an attribute to the record that was begun.
    @inlinable
    public mutating func add(_ name: AttributeName, _ value: AttributeValue) {
        attributes.append(Attribute(name, value))
    }

    /// Ends the record that was begun.
    public mutating func end() {
        let last = records.count - 1
        records[last].attributeCount =
            firstAttribute + attributes.count - records[last].firstAttribute
        count += 1
    }

    /// Writes a record with the given attributes.
    public mutating func write(
        _ name: RecordName,
        at time: VirtualInstant,
        _ list: Attribute...
    ) {
        begin(name, at: time)
        attributes.append(contentsOf: list)
        end()
    }

    /// Has facts written down that no component of the rig makes, such as what only the recorded
    /// reader of a replay knew: each before the record that followed it in the recorded run, or when
    /// time has passed it.
    ///
    /// - Parameter facts: In the order of the recorded run.
    public mutating func expect(_ facts: [ForeignFact]) {
        foreign = facts[...]
        nextForeign = foreign.first?.sequence ?? .max
    }

    /// The expected fact that was not written yet and comes next.
    public var nextForeignFact: ForeignFact? { foreign.first }

    /// Writes the expected facts that time has passed, or that were the next record of the recorded
    /// run.
    public mutating func writeForeign(upTo time: VirtualInstant) {
        while let fact = foreign.first,
            fact.time < time || (fact.time == time && fact.sequence <= count)
        {
            foreign.removeFirst()
            // Nothing may come in between while a fact is written.
            nextForeign = .max
            let own = step
            step = fact.step
            begin(fact.name, at: fact.time)
            attributes.append(contentsOf: fact.attributes)
            end()
            step = own
        }
        nextForeign = foreign.first?.sequence ?? .max
    }

    /// Returns the record with that sequence number, or `nil` when it was forgotten or never was.
    @inlinable
    public func record(_ sequence: Int) -> Record? {
        let index = sequence - firstSequence
        return records.indices.contains(index) && sequence < count ? records[index] : nil
    }

    /// Returns the attributes of a record of this journal; empty when it was forgotten.
    @inlinable
    public func attributes(of record: Record) -> ArraySlice<Attribute> {
        let start = record.firstAttribute - firstAttribute
        guard start >= 0 else { return [] }
        return attributes[start..<(start + record.attributeCount)]
    }

    /// Returns an attribute's value, or `nil` when the record has none of that name.
    @inlinable
    public func value(_ name: AttributeName, of record: Record) -> AttributeValue? {
        let start = record.firstAttribute - firstAttribute
        guard start >= 0 else { return nil }
        for index in start..<(start + record.attributeCount) where attributes[index].name == name {
            return attributes[index].value
        }
        return nil
    }

    /// The records that are still readable, oldest first.
    public var readable: ArraySlice<Record> { records[...] }

    /// Folds everything that is readable and not yet folded into the canonical streams, and
    /// returns their fingerprint: equal for runs that differ only in time and in the order of
    /// records of different sources.
    ///
    /// - Complexity: O(*n*) in the records since the last call.
    public mutating func canonicalFingerprint() -> UInt64 {
        foldPending()
        return streams.fingerprint
    }

    private mutating func foldPending() {
        for sequence in max(streams.foldedCount, firstSequence)..<max(count, firstSequence) {
            let record = records[sequence - firstSequence]
            streams.fold(record, attributes(of: record))
        }
    }

    private mutating func forgetOldest() {
        foldPending()
        let kept = records.count - capacity
        firstSequence += kept
        let attributesKept = records[kept].firstAttribute - firstAttribute
        records.removeFirst(kept)
        attributes.removeFirst(attributesKept)
        firstAttribute += attributesKept
    }
}
