import Exploration
import ScenarioLanguage
import Testing

@Suite("Schedule")
struct ScheduleTests {
    private static let text = """
        scenario: Pulled out
        rig: { reader: idynamo }
        steps:
          - plug in
          - race: { within: 100ms, of: [swipe: { card: visa }, unplug] }
        events: loose
        """

    private func hash(_ text: String) throws -> UInt64 {
        let parsed = ScenarioParser.parse(file: "schedule.yaml", bytes: Array(text.utf8))
        return Schedule.hash(of: try #require(parsed.scenario))
    }

    /// Strings that people keep must stay valid: a change of this number is a new version.
    @Test func theHashOfAScenarioStaysTheSame() throws {
        #expect(try hash(Self.text) == 0x98E9_FE3D_A34A_ACC2)
    }

    @Test(arguments: [
        ("scenario: Pulled out", "# A comment.\nscenario: Another name"),
        ("  - plug in", "\n\n  - plug in # with care"), ("steps:", "never: [misuse]\nsteps:"),
    ])
    func whatDecidesNothingIsNotInTheHash(old: String, new: String) throws {
        #expect(try hash(Self.text.replacing(old, with: new)) == hash(Self.text))
    }

    @Test(arguments: [
        ("reader: idynamo", "reader: dynamag"), ("100ms", "101ms"), ("visa", "amex"),
        ("reader: idynamo", "reader: idynamo, gateway: nmi"), ("  - plug in\n", ""),
        ("  - plug in", "  - plug in\n  - settle"),
    ])
    func whatDecidesIsInTheHash(old: String, new: String) throws {
        #expect(try hash(Self.text.replacing(old, with: new)) != hash(Self.text))
    }
}
