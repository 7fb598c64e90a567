public import Journal
import ScenarioLanguage

/// Which branches of the scenarios some run has taken: lists of an `expect-any`, reactions of an
/// `on`, and cells of a matrix.
///
/// A branch that no run took is no failure of a run, and is reported: it may be out of date.
public struct BranchCoverage: Sendable {
    /// A branch that no run took.
    public struct Unreached: Hashable, Sendable {
        /// The scenario's file.
        public var file: String
        /// Where the branch stands.
        public var location: SourceLocation
        /// What it is, such as `branch 2 of expect-any`.
        public var description: String
    }

    private struct Known: Sendable {
        var file: String
        var location: SourceLocation
        var description: String
        var isReached = false
    }

    private var known: [Known] = []
    private var indices: [Key: Int] = [:]

    fileprivate struct Key: Hashable {
        var file: String
        var location: SourceLocation
        var branch: Int
        var cell: [CellValue]
    }

    /// Creates a coverage that knows no scenario.
    public init() {}

    /// Adds the branches of a scenario that may be run; cells of one file share their steps.
    public mutating func expect(_ prepared: PreparedScenario) {
        let scenario = prepared.scenario
        if !scenario.cell.isEmpty {
            let values = scenario.cell.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
            add(
                Key(scenario, SourceLocation(line: 1, column: 1), 0, cell: scenario.cell),
                "the cell [\(values)]"
            )
        }
        for flat in prepared.flat {
            switch flat.step.action {
            case .expectAny(let branches, _, _):
                for branch in branches.indices {
                    let place = branches[branch].first?.location ?? flat.step.location
                    add(
                        Key(scenario, flat.step.location, branch),
                        at: place,
                        "branch \(branch + 1) of expect-any"
                    )
                }
            case .on:
                add(Key(scenario, flat.step.location, 0), "what `on` does")
            default:
                break
            }
        }
    }

    /// Notes what a run has taken.
    public mutating func note(_ result: RunResult, of prepared: PreparedScenario) {
        let scenario = prepared.scenario
        if !scenario.cell.isEmpty {
            reach(Key(scenario, SourceLocation(line: 1, column: 1), 0, cell: scenario.cell))
        }
        for taken in result.takenBranches + result.explored.branches {
            reach(Key(scenario, prepared.flat[taken.step].step.location, taken.branch))
        }
        for step in result.firedReactions + result.explored.reactions {
            reach(Key(scenario, prepared.flat[step].step.location, 0))
        }
    }

    /// The branches that no run took, in the order in which they were added.
    public var unreached: [Unreached] {
        known.filter { !$0.isReached }.map {
            Unreached(file: $0.file, location: $0.location, description: $0.description)
        }
    }

    private mutating func add(
        _ key: Key,
        at location: SourceLocation? = nil,
        _ description: String
    ) {
        guard indices[key] == nil else { return }
        indices[key] = known.count
        known.append(
            Known(
                file: key.file,
                location: location ?? key.location,
                description: description
            )
        )
    }

    private mutating func reach(_ key: Key) {
        guard let index = indices[key] else { return }
        known[index].isReached = true
    }
}

extension BranchCoverage.Key {
    fileprivate init(
        _ scenario: Scenario,
        _ location: SourceLocation,
        _ branch: Int,
        cell: [CellValue] = []
    ) {
        self.init(file: scenario.file, location: location, branch: branch, cell: cell)
    }
}
