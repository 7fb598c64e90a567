import Exploration
import Kernel
import Reporting
import ScenarioLanguage
import Testing

@testable import CardRigCLI

@Suite("explore")
struct ExploreVerbTests {
    private let folder = TemporaryFolder()

    private static let racing = """
        scenario: One hand cannot do two things
        rig: { reader: idynamo }
        steps:
          - plug in
          - race: { within: 100ms, of: [swipe: { card: visa }, unplug] }
        events: loose

        """
    /// Fails when the hand pulls first.
    private static let failing = racing.replacing(
        "events: loose",
        with: "  - expect: didSwipeCard\nevents: loose"
    )
    /// Steps before and after that no failure needs.
    private static let noisy = """
        scenario: a swipe is lost between two others
        rig: { reader: dynamag }
        events: loose
        steps:
          - plug in
          - wait: 2s
          - swipe: { card: mastercard }
          # The hand is quick here.
          - settle
          - race:
              within: 300ms
              of:
                - swipe: { card: amex }
                - unplug
                - plug in
          - settle
          - swipe:
              card: visa
          - settle

        """
    private static let planted = ["--packet-size", "64", "--plant", "keepsBytesAcrossSessions"]

    private func run(_ arguments: [String]) -> (code: Int32, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(arguments, streams: streams)
        return (
            code.rawValue, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    private func run(_ arguments: String...) -> (code: Int32, output: String, error: String) {
        run(arguments)
    }

    /// The words of each command of a report that plays an order again.
    private func commands(_ report: String) -> [[String]] {
        report.split(separator: "\n").filter { $0.contains("again") }.compactMap { line in
            let words = line.split(separator: " ").map { String($0).replacing("'", with: "") }
            return words.firstIndex(of: "./cardrig").map { Array(words[($0 + 1)...]) }
        }
    }

    @Test(arguments: ["auto", "exhaustive", "brute-force", "random", "pct"])
    func everyOutcomeOfARaceIsFoundAndPlayedAgainByItsCommand(strategy: String) throws {
        let racing = try folder.write("racing.yaml", Self.racing)
        let found = run("explore", racing, "--strategy", strategy, "--runs", "100")
        #expect(found.code == 0)
        #expect(found.output.contains("  outcomes   2 different\n"))
        let cards = commands(found.output).map { command in
            let result = run(command + ["--json"])
            #expect(result.code == 0)
            #expect(command.contains("--schedule"))
            return result.output.contains("\"card\": \"magnesafe\"")
        }
        #expect(cards.sorted { !$0 && $1 } == [false, true], "one order reads the card, one not")
    }

    @Test func autoSaysWhyAndGoesOnWithPCT() throws {
        let racing = try folder.write("racing.yaml", Self.racing)
        let all = run("explore", racing).output
        #expect(all.contains("auto: exhaustive: it was complete within half of the budget\n"))
        #expect(!all.contains("  bound "))
        let some = run("explore", racing, "--runs", "4", "--depth", "2").output
        #expect(some.contains("auto: exhaustive, then pct: half of the budget (2 runs)"))
        #expect(some.contains("finds a bug of depth 2 with a chance of at least 1 in "))
        #expect(some.contains("  orders     not all were played"))
    }

    @Test func twoStrategiesAreCompared() throws {
        let racing = try folder.write("racing.yaml", Self.racing)
        let found = run("explore", racing, "--strategy", "exhaustive,brute-force")
        #expect(found.code == 0)
        #expect(found.output.contains("  orders     3, all were played\n"))
        #expect(found.output.contains("  reduction  3 orders in "))
        #expect(found.output.contains("journals and outcomes are the same\n"))
    }

    @Test func anOrderThatFailsIsExitOneAndComesBack() throws {
        let failing = try folder.write("failing.yaml", Self.failing)
        let found = run("explore", failing)
        #expect(found.code == 1)
        let again = try #require(commands(found.output).last)
        #expect(run(again).code == 1)
        #expect(run(again + ["--seed", "1"]).code == 2)
        #expect(run(again + ["--choices", "natural"]).code == 2)
        #expect(run("explore", failing, "--fail-fast").code == 1)
    }

    @Test func aScheduleOfAnotherScenarioIsRefused() throws {
        let racing = try folder.write("racing.yaml", Self.racing)
        let failing = try folder.write("failing.yaml", Self.failing)
        let command = try #require(commands(run("explore", racing).output).first)
        let place = try #require(command.firstIndex(of: "--schedule"))
        let result = run("run", failing, "--schedule", command[place + 1])
        #expect(result.code == 2)
        #expect(result.output.contains("--schedule: it is of another scenario"))
        #expect(run("run", racing, failing, "--schedule", command[place + 1]).code == 2)
    }

    @Test func aKeyThatDoesNotComeUpIsNamed() throws {
        let text = Self.racing
        let racing = try folder.write("racing.yaml", text)
        let parsed = ScenarioParser.parse(file: racing, bytes: Array(text.utf8))
        let hash = Schedule.hash(of: try #require(parsed.scenarios.first))
        let start = Schedule(scenarioHash: hash, deviations: []).text
        #expect(run("run", racing, "--schedule", start).code == 0)
        let result = run("run", racing, "--schedule", start + "0.0.0~0>9.8.7")
        #expect(result.code == 2)
        #expect(result.output.contains("the event 9.8.7 did not come up where 0.0.0 comes"))
        #expect(run("run", racing, "--schedule", "2" + start.dropFirst()).code == 2)
        #expect(run("run", racing, "--schedule", start + "x").error.contains("found 'x'"))
        #expect(run("run", racing, "--reader", "usb:0801:0011", "--schedule", start).code == 2)
    }

    @Test func aReproFileBringsTheFailureBackWithFewerSteps() throws {
        let noisy = try folder.write("noisy.yaml", Self.noisy)
        let repro = folder.path + "/repro.yaml"
        let capture = folder.path + "/failing.pcapng"
        let arguments = ["--repro", repro, "--record", capture, "--fail-fast"]
        let found = run(["explore", noisy] + Self.planted + arguments)
        #expect(found.code == 1)
        let text = String(decoding: try FileBytes.read(path: repro, limit: 1 << 16), as: UTF8.self)
        #expect(!text.contains("mastercard") && !text.contains("settle"))
        #expect(!text.contains("quick here"))
        #expect(text.contains("- swipe: { card: amex }") && text.contains("choices: \""))
        let schedule = try #require(text.split(separator: "\"").last { $0.hasPrefix("1:") })
        #expect(run(["run", repro, "--schedule", String(schedule)] + Self.planted).code == 1)
        #expect(
            run(["run", repro, "--schedule", String(schedule), "--packet-size", "64"]).code == 0
        )
        #expect(Paths.kind(of: capture) == .file)
        FileBytes.remove(path: repro)
        FileBytes.remove(path: capture)
    }

    @Test func theReportIsTheSameForAnyNumberOfWorkers() throws {
        let files = try (0..<3).map {
            try folder.write("\($0).yaml", $0 == 1 ? Self.failing : Self.racing)
        }
        let one = run(["explore", "--json", "--jobs", "1"] + files)
        let three = run(["explore", "--json", "--jobs", "3"] + files)
        #expect(one.output == three.output)
        #expect(one.code == 1 && three.code == 1)
        #expect(one.output.split(separator: "\n").count { $0.contains("\"scenarioHash\"") } == 3)
    }

    @Test func ourOwnRunsAreTheSameTwice() throws {
        let racing = try folder.write("racing.yaml", Self.racing)
        let found = run("explore", racing, "--check-determinism", "--json")
        #expect(found.code == 0)
        #expect(found.output.contains("\"isDeterministic\": true"))
    }

    @Test func timeEndsASearch() throws {
        let noisy = try folder.write("noisy.yaml", Self.noisy)
        let found = run("explore", noisy, "--strategy", "random", "--time", "1ms")
        #expect(found.code == 0)
        #expect(found.output.contains(", ended by the budget\n"))
    }

    @Test(
        arguments: [
            ["--strategy", "clever"], ["--strategy", "pct,pct"], ["--runs", "0"],
            ["--depth", "0"], ["--time", "10"], ["--reader", "usb:0801:0011"], ["--jobs", "0"],
        ]
    )
    func aWrongOptionIsExitTwo(arguments: [String]) throws {
        let racing = try folder.write("racing.yaml", Self.racing)
        let result = run(["explore", racing] + arguments)
        #expect(result.code == 2 && !result.error.isEmpty && result.output.isEmpty)
        #expect(run("explore").code == 2)
    }

    @Test func progressTellsRateAndTimeLeft() {
        let line = ExploreProgress.line(
            runCount: 1_200,
            failedCount: 2,
            runsLeft: 20_000,
            timeLeft: nil,
            nanoseconds: 300_000_000
        )
        #expect(line == "1200 runs, 4000 runs/s, 2 failed, at most 6 s left")
    }
}
