import CardCrypto
import CardData
import EventLoops
import Journal
import Rig
import ScenarioLanguage
import ScenarioRunner
import Testing
import Transports

@Suite("Scenario folder")
struct ScenarioFolderTests {
    @Test(arguments: ScenarioFolder.files, ScenarioFolder.worlds)
    func everyScenarioGivesWhatItSays(file: String, world: ScenarioFolder.World) throws {
        let scenario = try ScenarioFolder.scenario(file)
        if let kind = world.options.simulatedAs, scenario.refusal(playedAs: kind) != nil { return }
        let result = ScenarioFolder.play(scenario, world.options)
        #expect(result.end == .finished)
        let account = result.failures.map {
            "\($0.location?.line ?? 0): \($0.kind): \($0.explanation)"
        }
        guard let verdict = scenario.verdict else {
            #expect(account == [])
            return
        }
        #expect(verdict.exit == 1 && !result.failures.isEmpty)
        if let line = verdict.line {
            #expect(result.failures.first?.location?.line == line, "\(account)")
        }
        if let law = verdict.law {
            #expect(result.failures.contains { $0.kind == .law(law) }, "\(account)")
        }
    }

    @Test(arguments: ScenarioFolder.files)
    func noSeedChangesWhatAScenarioGives(file: String) throws {
        let scenario = try ScenarioFolder.scenario(file)
        let cache = CryptoCache()
        for seed in 0..<25 as Range<UInt64> {
            let options = RigOptions(choices: .seeded(seed))
            let result = ScenarioFolder.play(scenario, options, cache: cache)
            #expect(result.hasPassed == (scenario.verdict == nil), "seed \(seed)")
        }
    }

    @Test func theFolderHasWhatThisVersionPlays() {
        // Cells of a matrix count once.
        let files = Set(ScenarioFolder.files.map { $0.prefix { $0 != "#" } })
        #expect(files.filter { !$0.contains("/negative/") }.count >= 40)
        let jack = ["Scenarios/shuttle/", "Scenarios/ips/", "Scenarios/autodetect/"]
        #expect(files.count { file in jack.contains { file.hasPrefix($0) } } >= 60)
        #expect(ScenarioFolder.files == ScenarioFolder.files.sorted())
    }

    @Test(arguments: ScenarioFolder.files)
    func theSameSeedGivesTheSameRecordsByteByByte(file: String) throws {
        let scenario = try ScenarioFolder.scenario(file)
        let first = ScenarioFolder.play(scenario, RigOptions(choices: .seeded(42)))
        let second = ScenarioFolder.play(scenario, RigOptions(choices: .seeded(42)))
        #expect(!json(first).isEmpty)
        #expect(json(first) == json(second))
        #expect(first.eventCount == second.eventCount && first.ledger == second.ledger)
    }

    @Test func theCacheOfAWorkerChangesNothing() throws {
        let shared = CryptoCache()
        for file in ScenarioFolder.files + ScenarioFolder.files.reversed() {
            let scenario = try ScenarioFolder.scenario(file)
            let alone = ScenarioFolder.play(scenario)
            let used = ScenarioFolder.play(scenario, cache: shared)
            #expect(json(alone) == json(used), "\(file)")
        }
    }

    @Test func aRecordingChangesNothing() throws {
        for file in ScenarioFolder.files {
            let scenario = try ScenarioFolder.scenario(file)
            let tapped = ScenarioFolder.play(scenario, RigOptions(isRecorded: true))
            #expect(json(tapped) == json(ScenarioFolder.play(scenario)), "\(file)")
            #expect(tapped.wireTap != nil)
        }
    }

    @Test(arguments: ScenarioFolder.files)
    func noArtefactShowsACardNumber(file: String) throws {
        let numbers = TestCard.all.map { card in
            Array(card.unmaskedTrack2.dropFirst().prefix { $0 != UInt8(ascii: "=") })
        }
        #expect(numbers.count >= 5 && numbers.allSatisfy { $0.count >= 15 })
        func find(in bytes: [UInt8], _ place: String) {
            for number in numbers where bytes.contains(number) {
                Issue.record("\(place) of \(file) shows a card number")
            }
        }
        let scenario = try ScenarioFolder.scenario(file)
        for kind in ReaderKind.allCases where scenario.refusal(playedAs: kind) == nil {
            let options = RigOptions(
                simulatedAs: kind,
                packetByteCount: 64,
                isRecorded: true
            )
            let result = ScenarioFolder.play(scenario, options)
            find(in: json(result), "a record")
            for failure in result.failures {
                find(in: Array(failure.explanation.utf8), "a failure")
            }
        }
    }

    @Test func everyScenarioGivesRecordsOfItsOwn() throws {
        var prints: [UInt64: String] = [:]
        // One order of a race scenario may well be that of another scenario.
        for file in ScenarioFolder.files where !file.contains("/races/") {
            var result = ScenarioFolder.play(try ScenarioFolder.scenario(file))
            let print = result.journal.canonicalFingerprint()
            // Cells of a matrix may give the same; they count once.
            if let other = prints[print],
                other.prefix(while: { $0 != "#" }) != file.prefix(while: { $0 != "#" }),
                !file.contains("negative"), !other.contains("negative")
            {
                Issue.record("\(file) shows the same as \(other)")
            }
            prints[print] = file
        }
    }

    // MARK: The pull-out race

    static let pullOut = "Scenarios/idynamo/pulled-out-during-a-swipe.yaml"

    @Test func everySeedOfThePullOutRaceHoldsAndBothBranchesAreReached() throws {
        let scenario = try ScenarioFolder.scenario(Self.pullOut)
        var branches: Set<Int> = []
        for seed in 0..<200 as Range<UInt64> {
            let result = ScenarioFolder.play(scenario, RigOptions(choices: .seeded(seed)))
            #expect(result.failures.map(\.explanation) == [], "seed \(seed)")
            branches.formUnion(result.takenBranches.map(\.branch))
        }
        #expect(branches == [0, 1])
    }
}
