import Journal
import Plays
import SDKCore
import Testing

/// Each law of charges through the terminal app catches what it is for.
@Suite("Mistakes at the terminal app")
struct TerminalPlayTests {
    /// What each mistake breaks; of each law one needs two events that race.
    private static let mistakes: [PlantedMistake] = [
        PlantedMistake(.sendsOrdersInDoubt, .chargedAtMostOnce),
        PlantedMistake(.resendsAfterRefusal, .chargedAtMostOnce),
        PlantedMistake(.resendsAtLaunch, .chargedAtMostOnce, isRace: true),
        PlantedMistake(.believesAnyNonce, .answersAreGenuine),
        PlantedMistake(.keepsNonce, .answersAreGenuine),
        PlantedMistake(.believesOlderNonces, .answersAreGenuine, isRace: true),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsCaughtByItsLaw(mistake: PlantedMistake) {
        #expect(mistake.isCaught(in: .terminal, plays: 2_000))
    }

    @Test func eachLawCatchesThreeMistakesAndOneThatNeedsARace() {
        #expect(Self.mistakes.count == Plant.allCases.filter(\.isOfTerminal).count)
        let laws: [LawName] = [.chargedAtMostOnce, .answersAreGenuine]
        #expect(Self.mistakes.lawsWithTooFew(among: laws) == [])
    }
}
