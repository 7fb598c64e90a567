import EventLoops
import Journal

/// What an event of a rig touches, as one bit for each component and for each source of records.
///
/// Events that change the same depend on one another: their order can matter to a component, or to
/// those who read the records (the canonical journal keeps the order of each source's records, and
/// checks read the counted ones in order).
extension Footprint {
    /// The payment client, the gateway, and what travels between them.
    static let payments = Footprint(changes: 1)
    /// Every reader with its link and its session in the SDK.
    static let allReaders = Footprint(changes: ((1 << readerCount) - 1) << firstReader)
    /// What follows comes so long after now, or depends on what is due now.
    static let readsTime = Footprint(reads: Footprint.time)

    /// One reader with its link and its session in the SDK; far ones share a bit.
    static func reader(_ reader: Int) -> Footprint {
        Footprint(changes: 1 << (firstReader + UInt64(min(reader, Int(readerCount) - 1))))
    }

    /// The records of a source; the SDK's and the app's are read as one.
    static func records(of source: RecordSource) -> Footprint {
        let read = source == .app ? RecordSource.sdk : source
        return Footprint(changes: 1 << (firstSource + UInt64(read.rawValue)))
    }

    private static let firstReader: UInt64 = 1
    private static let readerCount: UInt64 = 47
    private static let firstSource: UInt64 = 50
}
