import EventLoops

/// Noise with a normal distribution, in integers: the sum of twelve even ones.
struct GaussianNoise {
    private var generator: SplitMix64

    init(seed: UInt64, stream: UInt64) {
        generator = SplitMix64(seed: SplitMix64.mix(seed) ^ SplitMix64.mix(stream &* 2 &+ 1))
    }

    /// The next value, with the root mean square `scale`; never more than six times that.
    mutating func next(scale: Int) -> Int {
        var sum = -6 * 65_536 + 6
        for _ in 0..<3 {
            let word = generator.next()
            sum += Int(word & 0xFFFF) + Int(word >> 16 & 0xFFFF)
            sum += Int(word >> 32 & 0xFFFF) + Int(word >> 48)
        }
        return sum * scale / 65_536
    }
}
