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
        // The count stands with the name, so that no attribute can be taken for a record.
        let head = UInt64(attributes.count) << 16 | UInt64(record.name.rawValue)
        var hash = SplitMix64.mix(hashes[stream] &+ head &+ 1)
        for attribute in attributes {
            let kind = UInt64(Self.kind(attribute.value))
            hash = SplitMix64.mix(hash &+ (kind << 16 | UInt64(attribute.name.rawValue)) &+ 1)
            hash = SplitMix64.mix(hash &+ Self.number(attribute.value))
        }
        hashes[stream] = hash
        foldedCount = record.sequence + 1
    }

    private static func kind(_ value: AttributeValue) -> UInt8 {
        switch value {
        case .integer: 0
        case .flag: 1
        case .amount: 2
        case .symbol: 3
        case .duration: 4
        case .reader: 5
        case .text: 6
        }
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
