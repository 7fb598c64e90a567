import Journal
import Plays
import SDKCore
import Testing

/// Each law of the audio jack catches what it is for.
@Suite("Mistakes at the audio jack")
struct JackPlayTests {
    /// What each mistake breaks; of each law one needs two events that race.
    private static let mistakes: [PlantedMistake] = [
        PlantedMistake(.forgetsRenewal, .refreshRenews),
        PlantedMistake(.forgetsRenewalAfterSwipe, .refreshRenews),
        PlantedMistake(.forgetsRenewalInMidRecord, .refreshRenews, isRace: true),
        PlantedMistake(.endsRequestsEarly, .timeoutHonoured),
        PlantedMistake(.endsRequestsLate, .timeoutHonoured),
        PlantedMistake(.limitsOpenRequests, .timeoutHonoured, isRace: true),
        PlantedMistake(.holdsRequestsForRecords, .timeoutHonoured, isRace: true),
        PlantedMistake(.tellsConnectedInDetection, .autodetectSilent),
        PlantedMistake(.promptsInDetection, .autodetectSilent),
        PlantedMistake(.tellsNoFailedDetection, .autodetectSilent),
        PlantedMistake(.forgetsDetectionAtUnplug, .autodetectSilent, isRace: true),
        PlantedMistake(.loadsBeforeUnloading, .oneAudioReader),
        PlantedMistake(.keepsLibrariesInDetection, .oneAudioReader),
        PlantedMistake(.keepsLibraryOfOldType, .oneAudioReader),
        PlantedMistake(.keepsLibraryOfCutDetection, .oneAudioReader, isRace: true),
        PlantedMistake(.neverAsks, .noToneWithoutConsent),
        PlantedMistake(.ignoresRefusals, .noToneWithoutConsent),
        PlantedMistake(.resumesWithoutAsking, .noToneWithoutConsent),
        PlantedMistake(.remembersWithdrawnPrompts, .noToneWithoutConsent, isRace: true),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsCaughtByItsLaw(mistake: PlantedMistake) {
        #expect(mistake.isCaught(in: .audioJack, plays: 1_000))
    }

    @Test func eachLawCatchesThreeMistakesAndOneThatNeedsARace() {
        #expect(Self.mistakes.map(\.plant) == Plant.allCases.filter(\.isOfAudioJack))
        let laws: [LawName] = [
            .refreshRenews, .timeoutHonoured, .autodetectSilent, .oneAudioReader,
            .noToneWithoutConsent,
        ]
        #expect(Self.mistakes.lawsWithTooFew(among: laws) == [])
    }
}
