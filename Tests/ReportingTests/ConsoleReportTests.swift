import CardData
import Reporting
import Testing

@Suite("Console report")
struct ConsoleReportTests {
    private func text(_ scenario: ScenarioReport, isColoured: Bool = false) -> String {
        let report = Played.run(.scenario(scenario))
        let console = ConsoleReport(style: Style(isColoured: isColoured))
        return console.text(.scenario(scenario), of: report) + console.summary(report)
    }

    @Test func aScenarioThatHeldIsOneLine() throws {
        let report = try Played.report(Played.holding)
        #expect(
            text(report) == """
                ok   Scenarios/test.yaml  A swipe that gives its card
                not reached: Scenarios/test.yaml:8:10: branch 1 of expect-any
                1 scenario on sim:, 1 passed

                """
        )
    }

    @Test func branchesThatWereNotReachedAreShownUpToTwenty() throws {
        let scenario = RunReport.Entry.scenario(try Played.report(Played.holding))
        func lines(_ count: Int) -> [Substring] {
            var report = Played.run()
            report.entries = Array(repeating: scenario, count: count)
            return ConsoleReport().summary(report).split(separator: "\n").dropLast()
        }
        #expect(lines(20).count == 20)
        #expect(lines(21).count == 21)
        #expect(lines(21).last == "not reached: 1 more branch")
        #expect(lines(25).last == "not reached: 5 more branches")
    }

    @Test func aFailureShowsPlaceCaretRecordsAndTheCommandToRepeatIt() throws {
        let lines = text(try Played.report(Played.failing)).split(separator: "\n").map(String.init)
        #expect(lines[0] == "FAIL Scenarios/test.yaml  A swipe that gives no card")
        #expect(
            lines[1].hasPrefix(
                "     Scenarios/test.yaml:7:15: expected didSwipeCard { card: none }, found "
            )
        )
        #expect(lines[2] == "           - expect: { didSwipeCard: { card: none } }")
        #expect(lines[3].firstIndex(of: "^") == lines[2].firstRange(of: "didSwipeCard")?.lowerBound)
        let records = lines.filter { $0.contains(" #") }
        let blamed = records.filter { $0.hasPrefix("       > #") }
        #expect(blamed.count == 1)
        #expect(blamed.first?.contains(" sdk didSwipeCard ") == true)
        #expect(blamed.first?.hasSuffix("(line 6)") == true)
        #expect(records.count == 7, "six before the one to blame, and none after it")
        #expect(lines.contains("     again: ./cardrig run Scenarios/test.yaml --seed 7"))
        #expect(lines.last == "1 scenario on sim:, 0 passed, 1 failed")
    }

    @Test func aFailureThatTheVerdictWantsIsAPass() throws {
        let verdict = "\nverdict: { exit: 1, line: 7 }"
        let report = try Played.report(Played.failing + verdict)
        #expect(report.status == .passed)
        let lines = text(report).split(separator: "\n")
        #expect(lines.first?.hasSuffix("  (failed as it must: exit 1, line 7)") == true)
        #expect(lines.last == "1 scenario on sim:, 1 passed (1 failed as they must)")
    }

    @Test func aVerdictThatIsNotMetSaysWhatCameInstead() throws {
        let report = try Played.report(Played.failing + "\nverdict: { exit: 1, line: 6 }")
        #expect(report.status == .failed)
        #expect(
            text(report).contains(
                "the verdict wants exit 1, line 6, but what came is exit 1, line 7\n"
            )
        )
    }

    @Test func aRefusalNamesItsLineAndReason() throws {
        let report = try Played.refused(
            """
            scenario: One hand cannot do two things
            rig: { reader: idynamo }
            steps:
              - plug in
              - race: { within: 1ms, of: [swipe: { card: visa }, unplug] }
            """
        )
        let lines = text(report).split(separator: "\n")
        #expect(lines[0] == "skip Scenarios/test.yaml  One hand cannot do two things")
        #expect(lines[1].hasPrefix("     Scenarios/test.yaml:5: "))
        #expect(report.skipName == "scenario:Scenarios/test.yaml@usb:0801:0011")
    }

    @Test func lawsThatAreOffAreNamed() throws {
        let report = try Played.report(Played.holding + "\nlaws: { off: [nesting] }")
        #expect(text(report).contains("     laws off: nesting\n"))
    }

    @Test func coloursAreWrittenOnlyWhenTheyAreWanted() throws {
        let report = try Played.report(Played.failing)
        #expect(!text(report).contains("\u{1B}"))
        #expect(text(report, isColoured: true).contains("\u{1B}[1;31mFAIL"))
    }

    @Test func noReportHoldsTheCardNumberOfATestCard() throws {
        let card = try #require(TestCard.named("visa"))
        let track = String(decoding: card.unmaskedTrack2, as: UTF8.self)
        let number = String(track.drop { !$0.isNumber }.prefix { $0.isNumber })
        #expect(number.count == 16)
        let report = try Played.report(
            Played.failing.replacing("A swipe", with: "Card \(number) and a swipe")
        )
        let run = Played.run(.scenario(report))
        #expect(!text(report).contains(number))
        let json = String(decoding: JSONReport.bytes(run), as: UTF8.self)
        #expect(!json.contains(number))
    }
}
