import Kernel
import Reporting
import ScenarioLanguage
import Testing

/// The real part opposite the writer: what xmllint says of the documents.
private enum XMLLint {
    static let isPresent =
        (try? ChildProcess(["sh", "-c", "command -v xmllint > /dev/null"]).waited()) == .exited(0)
    static let absence = "xmllint is not installed"

    /// Checks a document against the schema; what is wrong stands on standard error. One at a time:
    /// the document goes through one file.
    static func accepts(_ document: [UInt8]) throws -> Bool {
        let path = "/tmp/cardrig-junit-tests.\(ProcessEnvironment.processID).xml"
        try FileBytes.write(document, to: path)
        defer { FileBytes.remove(path: path) }
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let schema = folder.joined(separator: "/") + "/Schemas/junit.xsd"
        var child = try ChildProcess(["xmllint", "--nonet", "--noout", "--schema", schema, path])
        let limit = MonotonicClock.now + 20_000_000_000
        return try child.wait(untilMonotonicNanoseconds: limit) == .exited(0)
    }
}

extension ChildProcess {
    fileprivate consuming func waited() throws -> Kernel.ExitStatus {
        try wait(untilMonotonicNanoseconds: MonotonicClock.now + 20_000_000_000)
    }
}

@Suite("JUnit report", .serialized)
struct JUnitReportTests {
    /// A file of each kind that there is.
    private static func everyKind() throws -> RunReport {
        let parsed = ScenarioParser.parse(file: "b/wrong.yaml", bytes: Array("rig: 1".utf8))
        return Played.run(
            .scenario(try Played.report(Played.holding)),
            .scenario(try Played.report(Played.failing)),
            .scenario(try Played.refused(Played.holding)),
            .invalid(file: "b/wrong.yaml", parsed.diagnostics),
            .unreadable(file: "gone.yaml", reason: "read file: gone.yaml: it is missing"),
            .notRun(file: "late.yaml"),
            .notRun(file: "late.yaml", name: "Late [card: visa]")
        )
    }

    private func text(_ report: RunReport) -> String {
        String(decoding: JUnitReport.bytes(report), as: UTF8.self)
    }

    @Test(.enabled(if: XMLLint.isPresent, Comment(rawValue: XMLLint.absence)))
    func everyKindConformsToTheSchema() throws {
        #expect(try XMLLint.accepts(JUnitReport.bytes(Self.everyKind())))
        #expect(try XMLLint.accepts(JUnitReport.bytes(Played.run())))
        let broken = text(try Self.everyKind()).replacing("hostname=\"localhost\"", with: "")
        #expect(try !XMLLint.accepts(Array(broken.utf8)), "the check can fail")
    }

    @Test(.enabled(if: XMLLint.isPresent, Comment(rawValue: XMLLint.absence)))
    func anyCharacterOfAScenarioConformsToTheSchema() throws {
        let name = #""<&>]]>'\" \t\n\r \u0001\u0000\u001B\uFFFE \U0001F600 \x9F""#
        let scenario = Played.failing.replacing("A swipe that gives no card", with: name)
        let report = Played.run(.scenario(try Played.report(scenario)))
        #expect(text(report).contains("&lt;&amp;&gt;]]&gt;"))
        #expect(!text(report).contains("\u{1}"))
        #expect(try XMLLint.accepts(JUnitReport.bytes(report)))
    }

    @Test func eachScenarioIsATestCaseOfItsFilesSuite() throws {
        let lines = text(try Self.everyKind()).split(separator: "\n")
        let suites = lines.filter { $0.contains("<testsuite ") }
        let counts = suites.compactMap { $0.firstRange(of: " tests=") }
        #expect(counts.count == 4)
        #expect(suites[0].contains("name=\"Scenarios/test.yaml\" package=\"Scenarios\" id=\"0\""))
        #expect(suites[0].contains("timestamp=\"2024-06-03T09:00:00\""))
        #expect(suites[0].contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""))
        #expect(suites[3].contains("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"2\""))
        #expect(lines.count { $0.contains("<testcase ") } == 7)
        #expect(lines.contains { $0.contains("name=\"Late [card: visa]\"") })
    }

    @Test func aFailureHasItsTextAndTheCommandThatBringsItBack() throws {
        let text = text(Played.run(.scenario(try Played.report(Played.failing))))
        #expect(
            text.contains(
                "<failure type=\"check\" message=\"line 7: expected didSwipeCard { card: none }, "
            )
        )
        #expect(text.contains("\n     again: ./cardrig run Scenarios/test.yaml --seed 7\n"))
        #expect(text.contains("<property name=\"seed\" value=\"7\"/>"))
        #expect(text.contains("<property name=\"profile\" value=\"idynamo\"/>"))
        #expect(
            text.contains(
                "name=\"repeat\" value=\"./cardrig run Scenarios/test.yaml --seed 7\"/>"
            )
        )
    }

    @Test func aCellIsRepeatedByItsNumber() throws {
        var report = Played.run(
            .scenario(try Played.report(Played.holding, cell: 1)),
            .scenario(try Played.report(Played.failing, cell: 2))
        )
        report.choices = [0, 2]
        let text = text(report)
        let command = "./cardrig run Scenarios/test.yaml --choices 0,2 --cell 2"
        #expect(text.contains("<property name=\"repeat.2\" value=\"\(command)\"/>"))
        #expect(text.contains("     again: \(command)\n"))
        #expect(text.contains("<property name=\"choices\" value=\"0,2\"/>"))
        #expect(!text.contains("name=\"seed\""))
    }

    @Test func aSkipSaysWhy() throws {
        let racing = """
            scenario: One hand cannot do two things
            rig: { reader: idynamo }
            steps:
              - plug in
              - race: { within: 1ms, of: [swipe: { card: visa }, unplug] }
            """
        let text = text(Played.run(.scenario(try Played.refused(racing))))
        #expect(text.contains("<skipped message=\"line 5: "))
    }

    @Test func theMomentOfALiveRunIsACivilOne() throws {
        for (seconds, moment) in [
            (0, "1970-01-01T00:00:00"), (951_827_696, "2000-02-29T12:34:56"),
            (4_107_542_399, "2100-02-28T23:59:59"), (4_107_542_400, "2100-03-01T00:00:00"),
        ] as [(Int64, String)] {
            var report = Played.run(.notRun(file: "a.yaml"))
            report.epochSeconds = seconds
            #expect(text(report).contains("timestamp=\"\(moment)\""))
        }
    }
}
