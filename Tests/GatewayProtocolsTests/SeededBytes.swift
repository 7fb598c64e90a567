/// Random numbers from a seed, for tests over damaged input (splitmix64).
struct SeededBytes {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    /// Damages a body in one to four places: bytes replaced, removed, put in, cut off, doubled.
    mutating func damage(_ body: [UInt8]) -> [UInt8] {
        var damaged = body
        for _ in 0...next(below: 4) where !damaged.isEmpty {
            let place = next(below: damaged.count)
            switch next(below: 5) {
            case 0: damaged[place] = UInt8(next(below: 256))
            case 1: damaged.remove(at: place)
            case 2: damaged.insert(Array("%&=+<>;\0".utf8)[next(below: 8)], at: place)
            case 3: damaged.removeSubrange(place...)
            default: damaged.insert(contentsOf: Array(damaged[place...]), at: place)
            }
        }
        return damaged
    }
}
