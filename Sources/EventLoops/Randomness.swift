/// A small seeded generator; the same seed gives the same numbers on every machine.
///
/// Source: SplitMix64, Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
/// (2014).
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    @usableFromInline var state: UInt64

    /// Creates a generator from a seed.
    @inlinable
    public init(seed: UInt64) { state = seed }

    /// Returns the next number; every value is equally likely.
    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return SplitMix64.mix(state)
    }

    /// Returns a number below `bound`, which must be positive.
    @inlinable
    public mutating func next(below bound: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: bound).high
    }

    /// Returns a position among so many; `count` must be positive.
    @inlinable
    public mutating func index(below count: Int) -> Int { Int(next(below: UInt64(count))) }

    /// Returns the finished form of a value: near values become far ones.
    @inlinable
    public static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
