import Kernel
import Reporting
import Testing

@testable import CardRigCLI

@Suite("run")
struct RunVerbTests {
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
        .replacing("its card", with: "none")

    private func run(_ arguments: String...) -> (code: Int32, output: String, error: String) {
        let streams = Streams.captured()
        let code = CardRigCommand.run(["run"] + arguments, streams: streams)
        return (
            code.rawValue, String(decoding: streams.output, as: UTF8.self),
            String(decoding: streams.error, as: UTF8.self)
        )
    }

    /// Ten files, of which the third and the sixth fail and the eighth is no scenario.
    private func writeTen() throws {
        for number in 0..<10 {
            let text = number == 2 || number == 5 ? Self.failing : Self.holding
            _ = try folder.write("s\(number).yaml", number == 7 ? "broken: [" : text)
        }
    }

    @Test func aFilterLeavesWhatHasItInItsNameOrPath() throws {
        try writeTen()
        let failing = run(folder.path, "--filter", "GIVES NONE")
        #expect(failing.code == 1)
        #expect(failing.output.hasSuffix("2 scenarios on sim:, 0 passed, 2 failed\n"))
        #expect(run(folder.path, "--filter", "s3.yaml").output.contains("1 scenario on sim:"))
        #expect(run(folder.path, "--filter", "s?.yaml").output.contains("9 scenarios on sim:"))
        #expect(run(folder.path, "--filter", "a swipe*card").output.contains("7 scenarios on"))
        #expect(run(folder.path, "--filter", "*/s9.*").output.contains("1 scenario on sim:"))
        #expect(run(folder.path, "--filter", "s7").code == 2, "the file that is none stays")
    }

    @Test func aFilterThatNothingMatchesIsExitTwo() throws {
        try writeTen()
        let result = run(folder.path, "--filter", "s3")
        #expect(result.code == 0)
        let none = run(folder.path, "--filter", "s33", "--json")
        #expect(none.code == 2)
        #expect(none.output.isEmpty)
        #expect(none.error.contains("--filter s33: no scenario has it in its name or path"))
        #expect(run(folder.path, "--filter", "s3?.yaml").code == 2, "a pattern fits all of it")
        #expect(run(folder.path, "--filter", "").code == 2)
    }

    @Test(
        arguments: [
            ("a*c", "abc", true), ("a*c", "abcd", false), ("*b*", "abc", true), ("?", "é", true),
            ("a?c", "ac", false), ("*a*b*c*", "xxaxxbxxc", true), ("*ab*ab", "abab", true),
            ("*ab*ab", "ab", false), ("B", "abc", true), ("[b: 1]", "a [b: 1] c", true),
        ]
    )
    func aPatternFits(pattern: String, text: String, isFit: Bool) throws {
        let filter = try #require(ScenarioFilter(pattern))
        #expect(filter.matches(file: "/", name: text) == isFit)
    }

    @Test func failFastLeavesTheRestForAnyNumberOfWorkers() throws {
        try writeTen()
        let alone = run(folder.path, "--fail-fast", "--jobs", "1")
        #expect(alone.code == 1)
        #expect(alone.output.hasSuffix("10 scenarios on sim:, 2 passed, 1 failed, 7 not run\n"))
        for jobs in ["2", "5"] { #expect(run(folder.path, "--fail-fast", "--jobs", jobs) == alone) }
    }

    @Test func whatIsPlayedTwiceIsTheSame() throws {
        try writeTen()
        let once = run(folder.path)
        #expect(run(folder.path, "--twice") == once)
        let live = run(folder.path, "--twice", "--reader", "usb:0801:0011")
        #expect(live.code == 2)
        #expect(live.error.contains("--twice"))
    }

    @Test func theJUnitReportIsWrittenBesideTheOther() throws {
        try writeTen()
        let file = try folder.write("report.xml", "old")
        let result = run(folder.path, "--junit", file, "--json")
        #expect(result.code == 2)
        #expect(result.output.hasPrefix("{"))
        let xml = String(decoding: try FileBytes.read(path: file, limit: 1 << 20), as: UTF8.self)
        #expect(xml.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"))
        #expect(xml.split(separator: "\n").count { $0.contains("<testcase ") } == 10)
        #expect(xml.split(separator: "\n").count { $0.contains("<failure ") } == 2)
        #expect(xml.split(separator: "\n").count { $0.contains("<error ") } == 1)
        #expect(run(folder.path, "--junit", folder.path).code == 2)
        let missing = run(folder.path, "--junit", folder.path + "/none/report.xml")
        #expect(missing.code == 2)
        #expect(missing.output.isEmpty, "nothing is played when it could not be told")
    }

    @Test func aCellIsNamedWithItsFileOnly() throws {
        try writeTen()
        let one = folder.path + "/s1.yaml"
        #expect(run(one, "--cell", "1").code == 0)
        let none = run(one, "--cell", "2")
        #expect(none.code == 2)
        #expect(none.error.contains("--cell 2: there is no such cell"))
        #expect(run(folder.path, "--cell", "1").code == 2)
    }

    @Test func aPlantedMistakeIsSaid() throws {
        let file = try folder.write("out.yaml", Self.holding + "\n  - unplug\nevents: loose")
        #expect(run(file).code == 0)
        let result = run(file, "--plant", "skipsDeactivated")
        #expect(result.code == 1)
        #expect(result.output.contains(": law nesting: "))
        #expect(result.output.contains(" --seed 1 --plant skipsDeactivated\n"))
        #expect(result.output.contains("\nplanted in the SDK: skipsDeactivated\n"))
        #expect(run(file, "--plant", "nonsense").code == 2)
    }

    @Test func progressIsForTerminalsOnly() throws {
        try writeTen()
        #expect(run(folder.path, "--filter", "a swipe*").error.isEmpty)
        let line = Progress.line(
            fileCount: 120,
            of: 1_000,
            playCount: 240,
            failureCount: 2,
            nanoseconds: 500_000_000
        )
        #expect(line == "120 of 1000 files, 2 failed, 480 scenarios/s")
    }

    @Test func recordingsOfCellsHaveTheirNumberBehindTheName() {
        let target = Recorder.target("out.pcapng", scenario: "a/b.yaml", cell: 3, count: 1)
        #expect(target == "out-3.pcapng")
        let inFolder = Recorder.target("there/", scenario: "a/b.yaml", cell: 3, count: 1)
        #expect(inFolder == "there/a/b-3.pcapng")
        #expect(Recorder.target("a.b/out", scenario: "b.yaml", cell: 1, count: 1) == "a.b/out-1")
    }

    private static let matrix = """
        scenario: A swipe with <quality> quality
        matrix: { quality: [good, unreadable], brand: [visa, mastercard] }
        rig: { reader: idynamo }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - swipe: { card: <brand>, quality: <quality> }
          - expect: { didSwipeCard: { card: magnesafe } }
        """

    @Test func eachCellOfAMatrixIsNamedCountedAndPlayedAgainByItsCommand() throws {
        let file = try folder.write("matrix.yaml", Self.matrix)
        let report = try folder.write("report.xml", "")
        let all = run(file, "--junit", report)
        #expect(all.code == 1)
        #expect(all.output.hasSuffix("4 scenarios on sim:, 2 passed, 2 failed\n"))
        let name = "A swipe with unreadable quality [quality: unreadable, brand: mastercard]"
        #expect(all.output.contains("FAIL \(file)  \(name)\n"))
        let xml = String(decoding: try FileBytes.read(path: report, limit: 1 << 20), as: UTF8.self)
        #expect(xml.split(separator: "\n").count { $0.contains("<testsuite ") } == 1)
        #expect(xml.split(separator: "\n").count { $0.contains("<testcase ") } == 4)
        #expect(xml.contains("<testcase classname=") && xml.contains("name=\"\(name)\""))
        let again = "./cardrig run \(file) --seed 1 --cell 4"
        #expect(all.output.contains("     again: \(again)\n"))
        #expect(xml.contains("<property name=\"repeat.4\" value=\"\(again)\"/>"))
        let fourth = run(file, "--cell", "4")
        #expect(fourth.code == 1)
        #expect(fourth.output.contains("FAIL \(file)  \(name)\n"))
        #expect(fourth.output.hasSuffix("1 scenario on sim:, 0 passed, 1 failed\n"))
        #expect(run(file, "--cell", "1").code == 0)
        #expect(run(file, "--cell", "5").code == 2)
        #expect(run(file, "--filter", "[quality: good, *").code == 2, "all of the name")
        #expect(run(file, "--filter", "*quality: good,*").output.contains("2 passed"))
        let first = run(file, "--fail-fast")
        #expect(first.output.hasSuffix("2 passed, 1 failed, 1 not run\n"))
        #expect(first.output.contains("--   \(file)  \(name): not run\n"))
        #expect(run(file, "--json").output.contains("\"cell\": 4,"))
    }

    @Test func anAddressThatTheStandInHasNotIsRefused() throws {
        let text = Self.holding.replacing(
            "  - swipe",
            with: "  - link: { drop, at: { block: 1 } }\n  - swipe"
        )
        let file = try folder.write("block.yaml", text + "\nevents: loose")
        let result = run(file, "--reader", "sim:dynamag")
        #expect(result.code == 3, "nothing is left to run")
        #expect(result.output.contains("skip \(file)  "))
        #expect(result.output.contains("     \(file):6: "))
        #expect(result.output.hasSuffix("1 refused\n"))
        let streams = Streams.captured()
        let arguments = ["explore", file, "--reader", "sim:dynamag"]
        #expect(CardRigCommand.run(arguments, streams: streams) == .lost)
    }

    @Test func eachCellIsRecordedIntoAFileOfItsOwn() throws {
        let file = try folder.write("matrix.yaml", Self.matrix)
        let target = folder.path + "/wire.pcapng"
        #expect(run(file, "--record", target).code == 1)
        for cell in 1...4 {
            let path = folder.path + "/wire-\(cell).pcapng"
            #expect(Paths.kind(of: path) == .file)
            FileBytes.remove(path: path)
        }
        #expect(run(file, "--cell", "3", "--record", target).code == 1)
        #expect(Paths.kind(of: folder.path + "/wire-3.pcapng") == .file)
        FileBytes.remove(path: folder.path + "/wire-3.pcapng")
    }

    @Test func listAndExploreKnowCells() throws {
        let file = try folder.write("matrix.yaml", Self.matrix)
        let streams = Streams.captured()
        #expect(CardRigCommand.run(["list", file], streams: streams) == .held)
        let list = String(decoding: streams.output, as: UTF8.self)
        #expect(list.split(separator: "\n").count { $0.contains("[quality: ") } == 4)
        let all = Streams.captured()
        #expect(CardRigCommand.run(["explore", file, "--jobs", "2"], streams: all) == .failed)
        let text = String(decoding: all.output, as: UTF8.self)
        #expect(text.split(separator: "\n").count { $0.contains("[quality: ") } == 4)
        let one = Streams.captured()
        let arguments = ["explore", file, "--cell", "2"]
        #expect(CardRigCommand.run(arguments, streams: one) == .held)
        #expect(String(decoding: one.output, as: UTF8.self).contains(" --cell 2\n"))
    }
}
