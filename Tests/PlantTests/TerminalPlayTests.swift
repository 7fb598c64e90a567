import CardCrypto
import Journal
import SDKCore
import Testing

/// No order is charged twice through the terminal app and every answer taken is its own, whatever
/// becomes of the URLs between the two apps; each law catches what it is for.
@Suite("Random plays about the terminal app")
struct TerminalPlayTests {
    /// 10,000 plays, in parts that run side by side.
    private static let parts = 0..<50
    private static let playsInPart = 200

    @Test(arguments: parts)
    func noOrderIsChargedTwiceAndNoAnswerIsMadeUp(part: Int) {
        let cache = CryptoCache()
        let first = UInt64(part * Self.playsInPart + 1)
        for seed in first..<(first + UInt64(Self.playsInPart)) {
            let found = TerminalPlay.violations(seed: seed, cache: cache)
            #expect(found.isEmpty, "seed \(seed): \(found.first ?? "")")
            if !found.isEmpty { return }
        }
    }

    /// What each mistake breaks; of each law one needs two events that race.
    private static let laws: [(plant: Plant, law: LawName, isRace: Bool)] = [
        (.sendsOrdersInDoubt, .chargedAtMostOnce, false),
        (.resendsAfterRefusal, .chargedAtMostOnce, false),
        (.resendsAtLaunch, .chargedAtMostOnce, true),
        (.believesAnyNonce, .answersAreGenuine, false),
        (.keepsNonce, .answersAreGenuine, false),
        (.believesOlderNonces, .answersAreGenuine, true),
    ]

    @Test(arguments: laws.indices)
    func aPlantIsCaughtByItsLaw(index: Int) {
        let (plant, law, _) = Self.laws[index]
        let cache = CryptoCache()
        let isCaught = (UInt64(1)...2_000).contains { seed in
            !TerminalPlay.violations(seed: seed, plant: plant, only: law, cache: cache).isEmpty
        }
        #expect(isCaught, "\(plant) is not caught by \(law.spelling)")
    }

    @Test func eachLawCatchesThreePlantsAndOneThatNeedsARace() {
        #expect(Self.laws.map(\.plant).count == Plant.allCases.filter(\.isOfTerminal).count)
        for law in [LawName.chargedAtMostOnce, .answersAreGenuine] {
            let rows = Self.laws.filter { $0.law == law }
            #expect(rows.count >= 3 && rows.contains(where: \.isRace), "\(law.spelling)")
        }
    }
}
