import CardData
import EventLoops

/// The canonical form of a journal, as fingerprints: for each source the order of its records,
/// without times and sequence numbers.
///
/// Runs whose only difference is the order of records of different sources have the same form.
struct CanonicalStreams: Sendable {
    private var hashes = [UInt64](repeating: 0, count: RecordSource.allCases.count)
    private(set) var foldedCount = 0

    /// The fingerprint of all streams.
    var fingerprint: UInt64 {
        var combined: UInt64 = 0xCBF2_9CE4_8422_2325
        for hash in hashes { combined = SplitMix64.mix(combined ^ hash) }
        return combined
    }

    mutating func fold(_ record: Record, _ attributes: ArraySlice<Attribute>) {
        let stream = Int(record.source.rawValue)
        var hash = SplitMix64.mix(hashes[stream] &+ UInt64(record.name.rawValue) &+ 1)
        for attribute in attributes {
            hash = SplitMix64.mix(hash &+ UInt64(attribute.name.rawValue))
            hash = SplitMix64.mix(hash &+ Self.number(attribute.value))
        }
        hashes[stream] = hash
        foldedCount = record.sequence + 1
    }

    private static func number(_ value: AttributeValue) -> UInt64 {
        switch value {
        case .integer(let integer): UInt64(bitPattern: integer)
        case .flag(let flag): flag ? 1 : 0
        case .amount(let amount): UInt64(bitPattern: amount.minorUnits)
        case .symbol(let symbol): UInt64(symbol.rawValue)
        case .duration(let duration): UInt64(bitPattern: duration.nanoseconds)
        case .reader(let reader): UInt64(bitPattern: Int64(reader))
        case .text(let text): fold(text.description)
        }
    }

    private static func fold(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
