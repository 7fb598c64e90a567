import CardCrypto
import Reporting
import Rig
import SDKCore
import ScenarioLanguage
import ScenarioRunner

/// Plays scenario texts, for tests of what is reported about them.
enum Played {
    static let file = "Scenarios/test.yaml"

    /// A scenario whose last check does not come.
    static let failing = """
        scenario: A swipe that gives no card
        rig: { reader: idynamo }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - swipe: { card: visa }
          - expect: { didSwipeCard: { card: none } }
        """

    /// A scenario that holds, with one branch that it never takes.
    static let holding = """
        scenario: A swipe that gives its card
        rig: { reader: idynamo }
        steps:
          - plug in
          - await: deviceBecameReadyForSwipe
          - swipe: { card: visa }
          - expect-any:
              - [didSwipeCard: { card: none }]
              - [didSwipeCard: { card: magnesafe }]
        """

    static func scenario(_ text: String, file: String = file) throws -> PreparedScenario {
        let parsed = ScenarioParser.parse(file: file, bytes: Array(text.utf8))
        guard let scenario = parsed.scenario else { throw Broken(diagnostics: parsed.diagnostics) }
        return PreparedScenario(scenario)
    }

    static func result(
        _ prepared: PreparedScenario,
        _ options: RigOptions,
        plant: Plant? = nil
    ) -> RunResult {
        var options = options
        options.plant = plant
        let configuration = RigConfiguration(prepared.scenario.rig, options: options)
        return play(prepared, on: Rig(configuration, cache: CryptoCache()))
    }

    static func report(
        _ text: String,
        file: String = file,
        cell: Int? = nil,
        options: RigOptions = RigOptions()
    ) throws -> ScenarioReport {
        let prepared = try scenario(text, file: file)
        return ScenarioReport(
            prepared,
            endpoint: "sim:",
            source: Array(text.utf8),
            cellNumber: cell,
            result: result(prepared, options)
        )
    }

    static func refused(_ text: String) throws -> ScenarioReport {
        let prepared = try scenario(text)
        return ScenarioReport(
            prepared,
            endpoint: "usb:0801:0011",
            source: Array(text.utf8),
            refusals: prepared.scenario.refusals.filter { $0.level == .usb }
        )
    }

    static func run(_ entries: RunReport.Entry...) -> RunReport {
        RunReport(version: "1.2.3", seed: 7, endpoint: "sim:", entries: entries)
    }
}

struct Broken: Error {
    var diagnostics: [Diagnostic]
}
