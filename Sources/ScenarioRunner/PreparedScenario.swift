public import ScenarioLanguage

/// A scenario made ready to be played again and again: its steps in one flat list, so that each
/// record can name the step that caused it.
///
/// Each worker has its own copy; sharing one costs more than it saves.
public struct PreparedScenario: Sendable {
    /// One step of the flat list.
    public struct FlatStep: Sendable {
        /// The step.
        public var step: Step
        /// The flat indices of the steps inside it, for a race.
        public var branches: [Int]
    }

    /// The scenario.
    public let scenario: Scenario
    /// All steps, the ones inside a race after the race.
    public private(set) var flat: [FlatStep] = []
    /// The flat indices of the steps that follow one another.
    public private(set) var order: [Int] = []

    /// Prepares a scenario.
    public init(_ scenario: Scenario) {
        self.scenario = scenario
        for step in scenario.steps {
            let index = flat.count
            order.append(index)
            flat.append(FlatStep(step: step, branches: []))
            guard case .race(_, let branches) = step.action else { continue }
            for branch in branches {
                flat[index].branches.append(flat.count)
                flat.append(FlatStep(step: branch, branches: []))
            }
        }
    }
}
