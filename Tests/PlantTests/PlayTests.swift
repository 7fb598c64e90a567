import CardCrypto
import Plays
import Testing

/// Whatever happens in a world, no law breaks; `cardrig soak` plays each world 10,000 times.
@Suite("Random plays")
struct PlayTests {
    /// 300 plays of each world, in parts that run side by side.
    private static let parts = 0..<4
    private static let playsInPart = 75

    @Test(arguments: PlayedWorld.allCases, parts)
    func nothingBreaks(world: PlayedWorld, part: Int) {
        let cache = CryptoCache()
        let first = UInt64(part * Self.playsInPart + 1)
        for seed in first..<(first + UInt64(Self.playsInPart)) {
            let found = world.complaints(seed: seed, cache: cache)
            #expect(found.isEmpty, "seed \(seed): \(found.first ?? "")")
            if !found.isEmpty { return }
        }
    }

    @Test(arguments: PlayedWorld.allCases)
    func theSameSeedGivesTheSamePlay(world: PlayedWorld) {
        let cache = CryptoCache()
        var total = 0
        for seed in UInt64(1)...20 {
            let records = world.recordCount(seed: seed, cache: cache)
            #expect(world.recordCount(seed: seed, cache: cache) == records)
            total += records
        }
        #expect(total > 200)
    }
}
