import CardCrypto
import Journal
import Laws
import SDKCore
import Testing

/// The laws hold at the audio jack, whatever the cardholder, the app and other audio do, and each
/// catches what it is for.
@Suite("Random plays at the audio jack")
struct JackPlayTests {
    /// 10,000 plays, in parts that run side by side.
    private static let parts = 0..<50
    private static let playsInPart = 200

    @Test(arguments: parts)
    func noLawBreaks(part: Int) {
        let cache = CryptoCache()
        let first = UInt64(part * Self.playsInPart + 1)
        for seed in first..<(first + UInt64(Self.playsInPart)) {
            let found = JackPlay.violations(seed: seed, cache: cache)
            #expect(found.isEmpty, "seed \(seed): \(found.first.map { "\($0)" } ?? "")")
            if !found.isEmpty { return }
        }
    }

    /// What each mistake breaks; of each law one needs two events that race.
    private static let laws: [(plant: Plant, law: LawName, isRace: Bool)] = [
        (.forgetsRenewal, .refreshRenews, false),
        (.forgetsRenewalAfterSwipe, .refreshRenews, false),
        (.forgetsRenewalInMidRecord, .refreshRenews, true),
        (.endsRequestsEarly, .timeoutHonoured, false),
        (.endsRequestsLate, .timeoutHonoured, false),
        (.limitsOpenRequests, .timeoutHonoured, true),
        (.holdsRequestsForRecords, .timeoutHonoured, true),
        (.tellsConnectedInDetection, .autodetectSilent, false),
        (.promptsInDetection, .autodetectSilent, false),
        (.tellsNoFailedDetection, .autodetectSilent, false),
        (.forgetsDetectionAtUnplug, .autodetectSilent, true),
        (.loadsBeforeUnloading, .oneAudioReader, false),
        (.keepsLibrariesInDetection, .oneAudioReader, false),
        (.keepsLibraryOfOldType, .oneAudioReader, false),
        (.keepsLibraryOfCutDetection, .oneAudioReader, true),
        (.neverAsks, .noToneWithoutConsent, false),
        (.ignoresRefusals, .noToneWithoutConsent, false),
        (.resumesWithoutAsking, .noToneWithoutConsent, false),
        (.remembersWithdrawnPrompts, .noToneWithoutConsent, true),
    ]

    @Test(arguments: laws.indices)
    func aPlantIsCaughtByItsLaw(index: Int) {
        let (plant, law, _) = Self.laws[index]
        let cache = CryptoCache()
        let isCaught = (UInt64(1)...1_000).contains { seed in
            JackPlay.violations(seed: seed, plant: plant, cache: cache).contains { $0.law == law }
        }
        #expect(isCaught, "\(plant) is not caught by \(law.spelling)")
    }

    @Test func eachLawCatchesThreePlantsAndOneThatNeedsARace() {
        #expect(Self.laws.map(\.plant) == Plant.allCases.filter(\.isOfAudioJack))
        let ofTheJack: [LawName] = [
            .refreshRenews, .timeoutHonoured, .autodetectSilent, .oneAudioReader,
            .noToneWithoutConsent,
        ]
        for law in ofTheJack {
            let rows = Self.laws.filter { $0.law == law }
            #expect(rows.count >= 3 && rows.contains(where: \.isRace), "\(law.spelling)")
        }
    }
}
