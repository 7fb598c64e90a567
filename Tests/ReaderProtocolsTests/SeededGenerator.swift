/// Bytes that are the same in every run.
struct SeededGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// A number below a bound of at least 1.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func bytes(upTo count: Int) -> [UInt8] {
        (0..<below(count + 1)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// Returns bytes with one to four of them changed, removed, doubled or added.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var changed = bytes
        for _ in 0...below(4) where !changed.isEmpty {
            let index = below(changed.count)
            switch below(5) {
            case 0: changed[index] = UInt8(truncatingIfNeeded: next())
            case 1: changed.remove(at: index)
            case 2: changed.insert(changed[index], at: index)
            case 3: changed.removeSubrange(index..<min(changed.count, index + below(40)))
            default: changed[index] ^= 1 << UInt8(below(8))
            }
        }
        return changed
    }
}
