import Kernel
import Reporting
import Testing

@testable import CardRigCLI

@Suite("Command line")
struct CardRigCommandTests {
    private let folder = TemporaryFolder()

    private static let holding = """
        scenario: A swipe that gives its card
        rig: { reader: idynamo }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - swipe: { card: visa }
          - expect: { didSwipeCard: { card: magnesafe } }
        """
    private static let failing = holding.replacing("card: magnesafe", with: "card: none")
    private static let racing = """
        scenario: One hand cannot do two things
        rig: { reader: idynamo }
        steps:
          - plug in
          - race: { within: 100ms, of: [swipe: { card: visa }, unplug] }
        events: loose
        """

    private func run(_ arguments: String...) -> (code: Int32, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(arguments, streams: streams)
        return (
            code.rawValue, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    @Test func anUnknownVerbIsExitTwoWithASuggestion() {
        let result = run("rnu")
        #expect(result.code == 2)
        #expect(result.error.contains("did you mean 'run'?"))
    }

    @Test func everyVerbExplainsItselfWithAnExample() {
        for verb in CardRigCommand.verbs {
            let result = run(verb.name, "--help")
            #expect(result.code == 0)
            #expect(result.output.contains("Example: ./cardrig \(verb.name)"))
            #expect(run("help", verb.name).output == result.output)
        }
        #expect(run("--help").output.contains("  Example: ./cardrig run"))
    }

    @Test func whatHoldsIsExitZeroAndWhatDoesNotExitOne() throws {
        let good = try folder.write("good.yaml", Self.holding)
        let bad = try folder.write("bad.yaml", Self.failing)
        #expect(run("run", good).code == 0)
        let result = run("run", good, bad)
        #expect(result.code == 1)
        #expect(result.output.contains("2 scenarios on sim:, 1 passed, 1 failed\n"))
    }

    @Test func anInvalidFileAmongValidOnesIsExitTwoAndTheOthersRun() throws {
        let good = try folder.write("good.yaml", Self.holding)
        let wrong = try folder.write("wrong.yaml", "scenario: x\nrig: { reader: idynami }\n")
        let bad = try folder.write("bad.yaml", Self.failing)
        let result = run("run", wrong, good, bad)
        #expect(result.code == 2)
        #expect(result.error.contains("\(wrong):2:"))
        #expect(result.output.contains("ok   \(good)  "))
        #expect(result.output.contains("FAIL \(bad)  "))
        #expect(result.output.hasSuffix("1 passed, 1 failed; 1 file is wrong\n"))
    }

    @Test func nothingMatchedIsExitTwo() throws {
        #expect(run("run", folder.path + "/none").code == 2)
        let result = run("run", folder.path)
        #expect(result.code == 2)
        #expect(result.error.contains("there is no .yaml file in it"))
    }

    @Test func anEmptyPathIsExitTwoAndSaysSo() {
        let result = run("run", "")
        #expect(result.code == 2)
        #expect(result.error == "cardrig: '' is no path: name a file or a folder\n")
    }

    @Test func helpIsTypedAsTheProgramIs() {
        let help = RunVerb.help
        #expect(HelpText.typed(help, program: "/a/.build/release/cardrig") == help)
        let installed = HelpText.typed(help, program: "/usr/local/bin/cardrig")
        #expect(installed.contains("  Example: cardrig run ") && !installed.contains("./cardrig"))
    }

    @Test func aRecordingThatCannotBeWrittenIsExitThreeBeforeAnythingRuns() throws {
        let good = try folder.write("good.yaml", Self.holding)
        let also = try folder.write("also.yaml", Self.holding)
        for (files, path) in [
            ([good], good + "/run.pcapng"), ([good], "/proc/run.pcapng"),
            ([good, also], "/proc/recordings"),
        ] {
            let streams = Streams.captured()
            let code = CardRigCommand.run(["run", "--record", path] + files, streams: streams)
            #expect(code == .lost)
            #expect(streams.output.isEmpty)
            let error = String(decoding: streams.error, as: UTF8.self)
            #expect(error.hasPrefix("cardrig: --record \(path): cannot "))
            #expect(error.hasSuffix("; nothing was run\n"))
        }
    }

    @Test func checkReportsAllMistakesOfAllFiles() throws {
        let wrong = try folder.write(
            "wrong.yaml",
            "scenario: x\nrig: { reader: idynami }\nfoo: 1\n"
        )
        let good = try folder.write("good.yaml", Self.holding)
        let result = run("check", wrong, good)
        #expect(result.code == 2)
        #expect(result.output.contains("\(wrong):2:"))
        #expect(result.output.contains("\(wrong):3:1: error:"))
        #expect(result.output.contains("\n2 files, "))
        #expect(run("check", good).code == 0)
        let endless = run("check", good, "/dev/zero")
        #expect(endless.code == 2)
        #expect(endless.output == "2 files, 0 mistakes, 1 not readable\n")
    }

    @Test func theReportIsTheSameForAnyNumberOfWorkers() throws {
        for number in 0..<20 {
            _ = try folder.write(
                "s\(number).yaml",
                number % 5 == 0 ? Self.failing : number % 7 == 3 ? "broken: [" : Self.holding
            )
        }
        let alone = run("run", folder.path, "--json", "--jobs", "1")
        #expect(alone.output.contains("\"passed\": "))
        for jobs in ["2", "7"] {
            let result = run("run", folder.path, "--json", "--jobs", jobs)
            #expect(result == alone)
        }
    }

    @Test func filesOfAFolderComeInTheOrderOfTheirBytes() throws {
        for name in ["b.yaml", "a.yml", "B.yaml", "a/z.yaml"] {
            _ = try folder.write(name, Self.holding)
        }
        let files = ScenarioFiles([folder.path, folder.path + "/b.yaml"]).files
        let names = files.map { String($0.dropFirst(folder.path.utf8.count + 1)) }
        #expect(names == ["B.yaml", "a.yml", "a/z.yaml", "b.yaml"])
    }

    @Test func listShowsLevelsAndRefusals() throws {
        let racing = try folder.write("racing.yaml", Self.racing)
        let result = run("list", racing)
        #expect(result.code == 0)
        #expect(result.output.contains("\(racing)  [sim]  One hand cannot do two things\n"))
        #expect(result.output.contains("     not usb, serial, tcp, rfc2217: line 5: "))
    }

    @Test func aRefusedScenarioIsASkipThatStrictHoldsAgainstTheList() throws {
        let racing = try folder.write("racing.yaml", Self.racing)
        let list = try folder.write(
            "skips",
            "# why\nscenario:\(racing)@usb:0801:0011  one hand\nstage:x  no\n"
        )
        let alone = run("run", racing, "--reader", "usb:0801:0011")
        #expect(alone.code == 3, "nothing is left to run")
        #expect(alone.output.contains("skip \(racing)"))
        let listed = run("run", racing, "--reader", "usb:0801:0011", "--strict", "--skips", list)
        #expect(!listed.output.contains("strict:"))
        let empty = try folder.write("none", "")
        let unlisted = run("run", racing, "--reader", "usb:0801:0011", "--strict", "--skips", empty)
        #expect(unlisted.output.contains("strict: scenario:\(racing)@usb:0801:0011 was refused"))
        let good = run("run", racing, "--strict", "--skips", empty)
        #expect(good.code == 0)
        let stale = try folder.write("stale", "scenario:\(racing)@sim: never\n")
        #expect(run("run", racing, "--strict", "--skips", stale).code == 1)
    }

    @Test(
        arguments: [
            ["--reader", "simm:"], ["--choices", "1,,2"], ["--reader", "sim:idynami"],
            ["--reader", "usb:0801"],
            ["--jobs", "0"], ["--seed", "-1"], ["--packet-size", "16"], ["--hand-timeout", "60"],
            ["--operator", "nobody"], ["--skips", "there/is/none"], ["--strict", "--strict"],
        ]
    )
    func aWrongOptionIsExitTwo(arguments: [String]) throws {
        let good = try folder.write("good.yaml", Self.holding)
        let streams = Streams.captured()
        #expect(CardRigCommand.run(["run", good] + arguments, streams: streams) == .wrong)
        #expect(!streams.error.isEmpty)
        #expect(streams.output.isEmpty)
    }
}
