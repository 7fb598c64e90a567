import Journal
import Plays
import SDKCore
import Testing

/// Each law of money catches what it is for.
@Suite("Mistakes about money")
struct MoneyPlayTests {
    /// What each mistake breaks; of each law one needs two events that race.
    private static let mistakes: [PlantedMistake] = [
        PlantedMistake(.chargesAgain, .chargedAtMostOnce),
        PlantedMistake(.chargesAfterLostLookUps, .chargedAtMostOnce, isRace: true),
        PlantedMistake(.chargesWhatIsUnknown, .chargedAtMostOnce, isRace: true),
        PlantedMistake(.neverLooksUp, .doubtIsLookedUp),
        PlantedMistake(.takesGarbageForDecline, .doubtIsLookedUp),
        PlantedMistake(.chargesAgain, .doubtIsLookedUp, isRace: true),
        PlantedMistake(.sendsCardsToMerchant, .noCardDataToMerchant),
        PlantedMistake(.authorizesCardsAtMerchant, .noCardDataToMerchant),
        PlantedMistake(.sendsWaitingCardsToMerchant, .noCardDataToMerchant, isRace: true),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsCaughtByItsLaw(mistake: PlantedMistake) {
        #expect(mistake.isCaught(in: .money, plays: 2_000))
    }

    @Test func eachLawCatchesThreeMistakesAndOneThatNeedsARace() {
        let laws: [LawName] = [.chargedAtMostOnce, .doubtIsLookedUp, .noCardDataToMerchant]
        #expect(Self.mistakes.lawsWithTooFew(among: laws) == [])
    }
}
