import CardCrypto
import Journal
import Laws
import SDKCore
import Testing

/// The laws of PAYMILL and the HoneyStore hold whatever app, backend and gateway do, and each
/// catches what it is for.
@Suite("Random plays of the store")
struct StorePlayTests {
    /// 10,000 plays, in parts that run side by side.
    private static let parts = 0..<50
    private static let playsInPart = 200

    @Test(arguments: parts)
    func noLawBreaks(part: Int) {
        let cache = CryptoCache()
        let first = UInt64(part * Self.playsInPart + 1)
        var results: Set<Symbol> = []
        var usedTokenCount = 0
        for seed in first..<(first + UInt64(Self.playsInPart)) {
            let play = StorePlay.play(seed: seed, cache: cache)
            #expect(
                play.violations.isEmpty && play.untruths.isEmpty,
                "seed \(seed): \(play.violations.first.map { "\($0)" } ?? "") \(play.untruths)"
            )
            results.formUnion(play.results)
            usedTokenCount += play.usedTokenCount
            if !play.violations.isEmpty { return }
        }
        #expect(
            results.isSuperset(of: [.approved, .declined, .error, .notCharged, .unknown])
        )
        #expect(usedTokenCount > Self.playsInPart)
    }

    /// What each mistake breaks; of each law one needs two events that race.
    private static let laws: [(plant: Plant, law: LawName)] = [
        (.sendsTokensAgain, .tokenUsedOnce), (.sendsUnfoundTokensAgain, .tokenUsedOnce),
        (.keepsTokens, .tokenUsedOnce),
        (.sendsCardsToMerchant, .noCardDataToMerchant),
        (.authorizesCardsAtMerchant, .noCardDataToMerchant),
        (.sendsWaitingCardsToMerchant, .noCardDataToMerchant),
        (.chargesAgain, .chargedAtMostOnce), (.chargesWhatIsUnknown, .chargedAtMostOnce),
        (.chargesAfterLostLookUps, .chargedAtMostOnce),
    ]

    @Test(arguments: laws.indices)
    func aPlantIsCaughtByItsLaw(index: Int) {
        let (plant, law) = Self.laws[index]
        let cache = CryptoCache()
        let isCaught = (UInt64(1)...1_000).contains { seed in
            StorePlay.play(seed: seed, plant: plant, cache: cache).violations
                .contains { $0.law == law }
        }
        #expect(isCaught, "\(plant) is not caught by \(law.spelling)")
    }

    @Test func theSamePlayIsTheSameAgain() {
        let cache = CryptoCache()
        for seed in UInt64(1)...20 {
            let first = StorePlay.play(seed: seed, cache: cache)
            let second = StorePlay.play(seed: seed, cache: cache)
            #expect(first.results == second.results)
            #expect(first.usedTokenCount == second.usedTokenCount)
        }
    }
}
