import CardCrypto
import Journal
import Laws
import SDKCore
import Testing

/// The laws of card payments hold whatever cardholder, app, link and service do, and each catches
/// what it is for.
@Suite("Random plays of card payments")
struct PayPlayTests {
    /// 10,000 plays, in parts that run side by side.
    private static let parts = 0..<50
    private static let playsInPart = 200

    @Test(arguments: parts)
    func noLawBreaks(part: Int) {
        let cache = CryptoCache()
        let first = UInt64(part * Self.playsInPart + 1)
        var results: Set<Symbol> = []
        for seed in first..<(first + UInt64(Self.playsInPart)) {
            let play = PayPlay.play(seed: seed, cache: cache)
            #expect(
                play.violations.isEmpty,
                "seed \(seed): \(play.violations.first.map { "\($0)" } ?? "")"
            )
            // Every payment had an address that is told of each change of its money.
            #expect(play.webhookNumbers.count == play.transitionCount, "seed \(seed)")
            results.formUnion(play.results)
            if !play.violations.isEmpty { return }
        }
        #expect(results.isSuperset(of: [.approved, .declined, .cancelled, .failed, .unknown]))
    }

    /// What each mistake breaks; of each law one needs two events that race.
    private static let laws: [(plant: Plant, law: LawName, isRace: Bool)] = [
        (.endsTwiceWithTheReader, .oneCompletion, true),
        (.endsTwiceInDoubt, .oneCompletion, false),
        (.tellsProgressAfterTheEnd, .oneCompletion, false),
        (.asksAgainWithoutReader, .oneUserAction, true),
        (.asksAgainAfterMisuse, .oneUserAction, false),
        (.asksAgainInDoubt, .oneUserAction, false),
        (.confirmsCancelled, .noChargeWithoutConsent, false),
        (.confirmsMismatches, .noChargeWithoutConsent, false),
        (.confirmsUnsigned, .noChargeWithoutConsent, false),
        (.confirmsForgottenSignatures, .noChargeWithoutConsent, false),
        (.forgetsCancelWhileAuthorising, .noChargeWithoutConsent, true),
        (.ignoresTheCardsNo, .noChargeWithoutConsent, false),
        (.authorisesAgain, .chargedAtMostOnce, false),
        (.authorisesWhatIsUnknown, .chargedAtMostOnce, false),
        (.authorisesAgainWithoutReader, .chargedAtMostOnce, true),
        (.capturesUnchecked, .capturedWithinAuthorised, false),
        (.capturesAgain, .capturedWithinAuthorised, false),
        (.capturesTwoAtOnce, .capturedWithinAuthorised, true),
        (.refundsUnchecked, .refundedWithinCaptured, false),
        (.refundsAgain, .refundedWithinCaptured, false),
        (.refundsTwoAtOnce, .refundedWithinCaptured, true),
        (.givesUpLostAuthorisations, .doubtIsLookedUp, false),
        (.takesGarbageForNothing, .doubtIsLookedUp, false),
        (.believesLostSearches, .doubtIsLookedUp, false),
        (.forgetsDoubtWithTheReader, .doubtIsLookedUp, true),
    ]

    @Test(arguments: laws.indices)
    func aPlantIsCaughtByItsLaw(index: Int) {
        let (plant, law, _) = Self.laws[index]
        let cache = CryptoCache()
        let isCaught = (UInt64(1)...2_000).contains { seed in
            PayPlay.play(seed: seed, plant: plant, cache: cache).violations
                .contains { $0.law == law }
        }
        #expect(isCaught, "\(plant) is not caught by \(law.spelling)")
    }

    @Test func eachLawCatchesThreePlantsAndOneThatNeedsARace() {
        let planted = Plant.allCases.filter(\.isOfPaymentProvider)
        #expect(Self.laws.map(\.plant) == planted)
        let ofPayments: [LawName] = [
            .oneCompletion, .oneUserAction, .noChargeWithoutConsent, .chargedAtMostOnce,
            .capturedWithinAuthorised, .refundedWithinCaptured, .doubtIsLookedUp,
        ]
        for law in ofPayments {
            let rows = Self.laws.filter { $0.law == law }
            #expect(rows.count >= 3 && rows.contains(where: \.isRace), "\(law.spelling)")
        }
    }
}
