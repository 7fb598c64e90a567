import Kernel
import Reporting
import ScenarioLanguage
import ScenarioRunner

/// A scenario file, read and parsed, or why it is none.
struct LoadedScenario {
    /// The path, as it was given.
    let file: String
    /// What the file holds.
    private(set) var bytes: [UInt8] = []
    /// The scenario, ready to be played; `nil` when the file is none.
    private(set) var prepared: PreparedScenario?
    /// What the reports say of a file that is no scenario.
    private(set) var failure: RunReport.Entry
    /// Its mistakes.
    private(set) var diagnostics: [Diagnostic] = []

    init(file: String) {
        self.file = file
        failure = .notRun(file: file)
        do throws(KernelError) {
            bytes = try FileBytes.read(path: file, limit: ScenarioFiles.maximumByteCount)
        } catch {
            failure = .unreadable(file: file, reason: error.description)
            return
        }
        let parsed = ScenarioParser.parse(file: file, bytes: bytes)
        diagnostics = parsed.diagnostics
        if let scenario = parsed.scenario {
            prepared = PreparedScenario(scenario)
        } else {
            failure = .invalid(file: file, parsed.diagnostics)
        }
    }

    /// Returns the entry of a scenario that the endpoint cannot do, or `nil` when it can.
    func refusal(at endpoint: Endpoint) -> RunReport.Entry? {
        guard let prepared, !prepared.scenario.levels.contains(endpoint.level) else { return nil }
        let refusals = prepared.scenario.refusals.filter { $0.level == endpoint.level }
        return .scenario(
            ScenarioReport(
                prepared,
                endpoint: endpoint.description,
                source: bytes,
                refusals: refusals
            )
        )
    }
}
