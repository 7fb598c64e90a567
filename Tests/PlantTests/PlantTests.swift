import CardCrypto
import EventLoops
import Journal
import Kernel
import Laws
import Plays
import Rig
import SDKCore
import ScenarioLanguage
import ScenarioRunner
import Testing

/// Each mistake that can be planted is caught by a scenario of the repository or by a law.
@Suite("Planted mistakes")
struct PlantTests {
    private static let root = String(#filePath.dropLast("Tests/PlantTests/PlantTests.swift".count))
    /// How many plays the laws judge, with and without a mistake.
    private static let seeds: ClosedRange<UInt64> = 1...60

    /// The scenarios that must pass, each cell of a matrix for itself.
    private static let scenarios: [Scenario] = {
        let paths = try? Paths.files(under: root + "Scenarios", withSuffix: ".yaml")
        return (paths ?? []).flatMap { path in
            guard let bytes = try? FileBytes.read(path: path, limit: 1 << 20) else {
                return [Scenario]()
            }
            let file = String(path.dropFirst(root.count))
            let scenarios = ScenarioParser.parse(file: file, bytes: bytes).scenarios
            return scenarios.filter { $0.verdict == nil }
        }
    }()

    private func scenarioThatCatches(_ plant: Plant?) -> String? {
        let cache = CryptoCache()
        // The mistakes of the audio jack are told of elsewhere, and no other shows there alone.
        let scenarios = Self.scenarios.filter { scenario in
            plant == nil || !scenario.rig.readers.allSatisfy(\.kind.isAudioJack)
        }
        for scenario in scenarios {
            for seed in UInt64(1)...2 {
                var configuration = RigConfiguration(
                    scenario.rig,
                    options: RigOptions(choices: .seeded(seed))
                )
                configuration.plant = plant
                let result = play(
                    PreparedScenario(scenario),
                    on: Rig(configuration, cache: cache)
                )
                if !result.hasPassed { return scenario.file }
            }
        }
        return nil
    }

    private func lawThatCatches(
        _ plant: Plant?,
        _ actors: SwipePlay.Actors = .all
    ) -> String? {
        let cache = CryptoCache()
        for seed in Self.seeds {
            let play = SwipePlay.played(seed: seed, plant: plant, actors: actors, cache: cache)
            if let first = play.violations.first {
                return "\(first.law.spelling) with seed \(seed)"
            }
        }
        return nil
    }

    /// What only a play of the store shows: see ``StorePlayTests``.
    private static let ofTokens: [Plant] = [
        .sendsTokensAgain, .sendsUnfoundTokensAgain, .keepsTokens,
    ]

    /// Those of the audio jack, the terminal app and the store's tokens have plays of their own.
    @Test(
        arguments: Plant.allCases.filter {
            !$0.isOfAudioJack && !$0.isOfPaymentProvider && !$0.isOfTerminal
                && !ofTokens.contains($0)
        }
    )
    func aPlantIsCaught(plant: Plant) {
        let isCaught = scenarioThatCatches(plant) != nil || lawThatCatches(plant) != nil
        #expect(isCaught, "no scenario and no law catches it")
    }

    @Test(arguments: [[], SwipePlay.Actors.links, .merchant, .app, .all])
    func withoutAPlantNoLawBreaks(actors: SwipePlay.Actors) {
        #expect(lawThatCatches(nil, actors) == nil)
    }

    @Test func everyScenarioPassesWithoutAPlant() {
        #expect(Self.scenarios.count >= 40)
        #expect(scenarioThatCatches(nil) == nil)
    }

    @Test func everyPlantHasANameOfItsOwn() {
        for plant in Plant.allCases { #expect(Plant.named(plant.name) == plant) }
        #expect(Plant.named("nothing") == nil)
    }
}
