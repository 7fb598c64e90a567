import CardCrypto
import Journal
import Plays
import SDKCore
import Testing

/// Each law of purchases at the store catches what it is for.
@Suite("Mistakes at the store")
struct StorePlayTests {
    /// What each mistake breaks; of each law one needs two events that race.
    private static let mistakes: [PlantedMistake] = [
        PlantedMistake(.sendsTokensAgain, .tokenUsedOnce),
        PlantedMistake(.sendsUnfoundTokensAgain, .tokenUsedOnce, isRace: true),
        PlantedMistake(.keepsTokens, .tokenUsedOnce),
        PlantedMistake(.sendsCardsToMerchant, .noCardDataToMerchant),
        PlantedMistake(.authorizesCardsAtMerchant, .noCardDataToMerchant),
        PlantedMistake(.sendsWaitingCardsToMerchant, .noCardDataToMerchant, isRace: true),
        PlantedMistake(.chargesAgain, .chargedAtMostOnce),
        PlantedMistake(.chargesWhatIsUnknown, .chargedAtMostOnce, isRace: true),
        PlantedMistake(.chargesAfterLostLookUps, .chargedAtMostOnce, isRace: true),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsCaughtByItsLaw(mistake: PlantedMistake) {
        #expect(mistake.isCaught(in: .store, plays: 2_000))
    }

    @Test func eachLawCatchesThreeMistakesAndOneThatNeedsARace() {
        let laws: [LawName] = [.tokenUsedOnce, .noCardDataToMerchant, .chargedAtMostOnce]
        #expect(Self.mistakes.lawsWithTooFew(among: laws) == [])
    }

    @Test func purchasesEndInEveryWayAndTokensAreUsed() {
        let cache = CryptoCache()
        var results: Set<Symbol> = []
        var usedTokenCount = 0
        for seed in UInt64(1)...200 {
            let play = StorePlay.played(seed: seed, cache: cache)
            results.formUnion(play.results)
            usedTokenCount += play.usedTokenCount
        }
        #expect(results.isSuperset(of: [.approved, .declined, .error, .notCharged, .unknown]))
        #expect(usedTokenCount > 200)
    }
}
