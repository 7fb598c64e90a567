import CardCrypto
import Journal
import SDKCore
import Testing

/// No order is charged twice, whatever becomes of requests and answers, and each law of money
/// catches what it is for.
@Suite("Random plays about money")
struct MoneyPlayTests {
    /// 10,000 plays, in parts that run side by side.
    private static let parts = 0..<50
    private static let playsInPart = 200

    @Test(arguments: parts)
    func noOrderIsBookedTwice(part: Int) {
        let cache = CryptoCache()
        let first = UInt64(part * Self.playsInPart + 1)
        for seed in first..<(first + UInt64(Self.playsInPart)) {
            let found = MoneyPlay.violations(seed: seed, cache: cache)
            #expect(found.isEmpty, "seed \(seed): \(found.first ?? "")")
            if !found.isEmpty { return }
        }
    }

    /// What each mistake breaks; of each law one needs two events that race.
    private static let laws: [(plant: Plant, law: LawName, isRace: Bool)] = [
        (.chargesAgain, .chargedAtMostOnce, false),
        (.chargesAfterLostLookUps, .chargedAtMostOnce, true),
        (.chargesWhatIsUnknown, .chargedAtMostOnce, true),
        (.neverLooksUp, .doubtIsLookedUp, false),
        (.takesGarbageForDecline, .doubtIsLookedUp, false),
        (.chargesAgain, .doubtIsLookedUp, true),
        (.sendsCardsToMerchant, .noCardDataToMerchant, false),
        (.authorizesCardsAtMerchant, .noCardDataToMerchant, false),
        (.sendsWaitingCardsToMerchant, .noCardDataToMerchant, true),
    ]

    @Test(arguments: laws.indices)
    func aPlantIsCaughtByItsLaw(index: Int) {
        let (plant, law, _) = Self.laws[index]
        let cache = CryptoCache()
        let isCaught = (UInt64(1)...2_000).contains { seed in
            !MoneyPlay.violations(seed: seed, plant: plant, only: law, cache: cache).isEmpty
        }
        #expect(isCaught, "\(plant) is not caught by \(law.spelling)")
    }

    @Test func eachLawOfMoneyCatchesThreePlantsAndOneThatNeedsARace() {
        for law in [LawName.chargedAtMostOnce, .doubtIsLookedUp, .noCardDataToMerchant] {
            let rows = Self.laws.filter { $0.law == law }
            #expect(rows.count >= 3 && rows.contains(where: \.isRace), "\(law.spelling)")
        }
    }
}
