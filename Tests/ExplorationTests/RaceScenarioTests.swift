import CardCrypto
import EventLoops
import Exploration
import Journal
import Rig
import ScenarioLanguage
import ScenarioRunner
import Testing

@Suite("Race scenarios")
struct RaceScenarioTests {
    private func search(
        _ prepared: PreparedScenario,
        _ strategy: SearchStrategy
    ) -> SearchResult {
        Search.play(
            prepared,
            options: RigOptions(),
            strategy: strategy,
            budget: SearchBudget(runCount: 20_000),
            cache: CryptoCache()
        )
    }

    /// Every order of every race scenario holds, and the search with reduction finds the same.
    @Test(arguments: RaceFiles.names)
    func everyOrderHoldsAndReductionLosesNone(name: String) throws {
        let prepared = try RaceFiles.prepared(name)
        let all = search(prepared, .bruteForce)
        let reduced = search(prepared, .exhaustive)
        #expect(all.isComplete && reduced.isComplete)
        #expect(all.failedCount == 0 && reduced.failedCount == 0)
        #expect(all.runCount > 1)
        #expect(reduced.journals.map(\.fingerprint).elementsEqual(all.journals.map(\.fingerprint)))
        #expect(Set(reduced.outcomes.map(\.outcome)) == Set(all.outcomes.map(\.outcome)))
        #expect(reduced.runCount + reduced.redundantCount <= all.runCount)
        print(
            "\(name): \(all.runCount) orders, \(reduced.runCount) with reduction and "
                + "\(reduced.redundantCount) given up, \(all.journals.count) journals, "
                + "\(all.outcomes.count) outcomes"
        )
    }

    /// By hand: when the hand pulls after *k* of the 14 packets, two more acts of the app, in their
    /// order, go anywhere among *k* packets, the pull and the plug: one of (*k* + 4 choose 2) orders.
    @Test func thePullOutOfADynamagHasAsManyOrdersAsCountedByHand() throws {
        let found = search(try RaceFiles.prepared("dynamag-pull-out"), .bruteForce)
        let counted = (0...14).reduce(0) { $0 + ($1 + 4) * ($1 + 3) / 2 }
        #expect(counted == 965)
        #expect(found.isComplete && found.runCount == counted && found.failedCount == 0)
    }

    @Test func actsOfOneListKeepTheirOrder() throws {
        let prepared = try RaceFiles.prepared("dynamag-pull-out")
        let found = search(prepared, .bruteForce)
        for journal in found.journals {
            let options = RigOptions(choices: .keyed(try #require(journal.deviations)))
            let rig = Rig(
                RigConfiguration(prepared.scenario.rig, options: options),
                cache: CryptoCache()
            )
            let names = play(prepared, on: rig).journal.readable.map(\.name)
            let order = names.filter { $0 == .appSentToBackground || $0 == .appBroughtToForeground }
            #expect(order == [.appSentToBackground, .appBroughtToForeground])
            #expect(names.count { $0 == .pluggedIn } == 2)
        }
    }

    @Test func aSeedPicksTheMomentInAPlainRun() throws {
        let prepared = try RaceFiles.prepared("dynamag-pull-out")
        var fingerprints: Set<UInt64> = []
        for seed in UInt64(1)...60 {
            let options = RigOptions(choices: .seeded(seed))
            let rig = Rig(
                RigConfiguration(prepared.scenario.rig, options: options),
                cache: CryptoCache()
            )
            var result = play(prepared, on: rig)
            #expect(result.hasPassed)
            fingerprints.insert(result.journal.canonicalFingerprint())
        }
        #expect(fingerprints.count > 1)
    }
}
