import CardCrypto
import Journal
import Plays
import SDKCore
import Testing

/// Each law of card payments catches what it is for.
@Suite("Mistakes in card payments")
struct CardPaymentPlayTests {
    /// What each mistake breaks; of each law one needs two events that race.
    private static let mistakes: [PlantedMistake] = [
        PlantedMistake(.endsTwiceWithTheReader, .oneCompletion, isRace: true),
        PlantedMistake(.endsTwiceInDoubt, .oneCompletion),
        PlantedMistake(.tellsProgressAfterTheEnd, .oneCompletion),
        PlantedMistake(.asksAgainWithoutReader, .oneUserAction, isRace: true),
        PlantedMistake(.asksAgainAfterMisuse, .oneUserAction),
        PlantedMistake(.asksAgainInDoubt, .oneUserAction),
        PlantedMistake(.confirmsCancelled, .noChargeWithoutConsent),
        PlantedMistake(.confirmsMismatches, .noChargeWithoutConsent),
        PlantedMistake(.confirmsUnsigned, .noChargeWithoutConsent),
        PlantedMistake(.confirmsForgottenSignatures, .noChargeWithoutConsent),
        PlantedMistake(.forgetsCancelWhileAuthorising, .noChargeWithoutConsent, isRace: true),
        PlantedMistake(.ignoresTheCardsNo, .noChargeWithoutConsent),
        PlantedMistake(.authorisesAgain, .chargedAtMostOnce),
        PlantedMistake(.authorisesWhatIsUnknown, .chargedAtMostOnce),
        PlantedMistake(.authorisesAgainWithoutReader, .chargedAtMostOnce, isRace: true),
        PlantedMistake(.capturesUnchecked, .capturedWithinAuthorised),
        PlantedMistake(.capturesAgain, .capturedWithinAuthorised),
        PlantedMistake(.capturesTwoAtOnce, .capturedWithinAuthorised, isRace: true),
        PlantedMistake(.refundsUnchecked, .refundedWithinCaptured),
        PlantedMistake(.refundsAgain, .refundedWithinCaptured),
        PlantedMistake(.refundsTwoAtOnce, .refundedWithinCaptured, isRace: true),
        PlantedMistake(.givesUpLostAuthorisations, .doubtIsLookedUp),
        PlantedMistake(.takesGarbageForNothing, .doubtIsLookedUp),
        PlantedMistake(.believesLostSearches, .doubtIsLookedUp),
        PlantedMistake(.forgetsDoubtWithTheReader, .doubtIsLookedUp, isRace: true),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsCaughtByItsLaw(mistake: PlantedMistake) {
        #expect(mistake.isCaught(in: .cardPayments, plays: 2_000))
    }

    @Test func eachLawCatchesThreeMistakesAndOneThatNeedsARace() {
        #expect(Self.mistakes.map(\.plant) == Plant.allCases.filter(\.isOfPaymentProvider))
        let laws: [LawName] = [
            .oneCompletion, .oneUserAction, .noChargeWithoutConsent, .chargedAtMostOnce,
            .capturedWithinAuthorised, .refundedWithinCaptured, .doubtIsLookedUp,
        ]
        #expect(Self.mistakes.lawsWithTooFew(among: laws) == [])
    }

    @Test func paymentsEndInEveryWay() {
        let cache = CryptoCache()
        var results: Set<Symbol> = []
        for seed in UInt64(1)...200 {
            results.formUnion(CardPaymentPlay.played(seed: seed, cache: cache).results)
        }
        #expect(results.isSuperset(of: [.approved, .declined, .cancelled, .failed, .unknown]))
    }
}
