import Kernel
import Reporting
import ScenarioLanguage
import ScenarioRunner

/// A scenario file, read and parsed, or why it is none.
struct LoadedScenario {
    /// One scenario of the file.
    struct Cell {
        /// The scenario, ready to be played.
        let prepared: PreparedScenario
        /// Which cell of the matrix it is, counted from 1; `nil` without a matrix.
        let number: Int?
    }

    /// The path, as it was given.
    let file: String
    /// What the file holds.
    private(set) var bytes: [UInt8] = []
    /// Its scenarios: one for each cell of its matrix, one without; empty when the file is none.
    private(set) var cells: [Cell] = []
    /// What the reports say of a file that is no scenario.
    private(set) var failure: RunReport.Entry
    /// Its mistakes.
    private(set) var diagnostics: [Diagnostic] = []

    init(file: String, desk: Desk? = nil) {
        self.file = file
        failure = .notRun(file: file)
        do throws(KernelError) {
            bytes = try FileBytes.read(path: file, limit: ScenarioFiles.maximumByteCount)
        } catch {
            failure = .unreadable(file: file, reason: error.description)
            return
        }
        parse(desk)
    }

    /// A scenario that another file holds, such as a recording.
    init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
        failure = .notRun(file: file)
        parse(nil)
    }

    private mutating func parse(_ desk: Desk?) {
        let parsed = ScenarioParser.parse(file: file, bytes: bytes)
        diagnostics = parsed.diagnostics
        cells = parsed.scenarios.enumerated().map { index, scenario in
            Cell(
                prepared: PreparedScenario(scenario) { desk?.value(of: $0) },
                number: scenario.cell.isEmpty ? nil : index + 1
            )
        }
        if cells.isEmpty { failure = .invalid(file: file, parsed.diagnostics) }
    }

    /// Returns the scenarios that a filter and a wanted cell leave.
    func cells(_ filter: ScenarioFilter?, only number: Int?) -> [Cell] {
        cells.filter { cell in
            let isWanted = number == nil || (cell.number ?? 1) == number
            return isWanted
                && filter?.matches(file: file, name: cell.prepared.scenario.name) != false
        }
    }

    /// Returns the entry of a scenario that cannot be played where the options say, or `nil` when
    /// it can.
    func refusal(of cell: Cell, _ options: RunOptions) -> RunReport.Entry? {
        let refusals = options.refusals(of: cell.prepared.scenario)
        guard !refusals.isEmpty else { return nil }
        return .scenario(
            ScenarioReport(
                cell.prepared,
                endpoint: options.placeDescription,
                source: bytes,
                cellNumber: cell.number,
                refusals: refusals
            )
        )
    }
}
