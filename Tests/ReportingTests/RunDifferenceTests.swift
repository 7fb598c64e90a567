import EventLoops
import Reporting
import Rig
import ScenarioRunner
import Testing

@Suite("Run difference")
struct RunDifferenceTests {
    private static let racing = """
        scenario: The reader is pulled out during a swipe
        rig: { reader: idynamo }
        steps:
          - plug in
          - race: { within: 300ms, of: [swipe: { card: visa }, unplug] }
        events: loose
        """

    private func difference(_ seeds: (UInt64, UInt64)) throws -> RunDifference? {
        let prepared = try Played.scenario(Self.racing)
        let results = [seeds.0, seeds.1].map {
            Played.result(prepared, RigOptions(choices: .seeded($0)))
        }
        return RunDifference(between: results[0], and: results[1], of: prepared)
    }

    @Test func theSameRunHasNone() throws {
        #expect(try difference((3, 3)) == nil)
    }

    @Test func theFirstRecordThatDiffersIsShown() throws {
        let found = try #require(try difference((1, 2)))
        #expect(found.place == "record #5")
        #expect(found.first != found.second)
        let back = try #require(try difference((2, 1)))
        #expect(back.first == found.second && back.second == found.first)
    }

    @Test func aRunThatIsLongerHasARecordMore() throws {
        let prepared = try Played.scenario(Self.racing)
        let longer = try Played.scenario(
            Self.racing.replacing("events:", with: "  - unplug\nevents:")
        )
        let options = RigOptions(choices: .natural)
        let found = try #require(
            RunDifference(
                between: Played.result(prepared, options),
                and: Played.result(longer, options),
                of: prepared
            )
        )
        #expect(found.first == nil || found.second == nil || found.first != found.second)
    }

    @Test func aDifferenceFailsTheScenarioWhateverItsVerdict() throws {
        let prepared = try Played.scenario(Self.racing)
        let result = Played.result(prepared, RigOptions())
        let report = ScenarioReport(
            prepared,
            endpoint: "sim:",
            source: [],
            result: result,
            difference: try difference((1, 2))
        )
        #expect(report.status == .failed)
        let run = Played.run(.scenario(report))
        #expect(run.exitCode == .failed)
        let text = ConsoleReport().text(.scenario(report), of: run)
        #expect(text.contains("     played twice, it differs: record #5\n       first   "))
        #expect(text.hasSuffix("     again: ./cardrig run Scenarios/test.yaml --seed 7 --twice\n"))
        let junit = String(decoding: JUnitReport.bytes(run), as: UTF8.self)
        #expect(
            junit.contains("<failure type=\"twice\" message=\"played twice, it differs: record")
        )
        let json = String(decoding: JSONReport.bytes(run), as: UTF8.self)
        #expect(json.contains("\"place\": \"record #5\""))
    }
}
