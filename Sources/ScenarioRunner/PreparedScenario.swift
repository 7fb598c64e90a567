public import CardData
public import Journal
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
        /// The flat indices of the steps inside it: of a block, a race or a reaction.
        public var branches: [Int]
    }

    /// The scenario.
    public let scenario: Scenario
    /// All steps, the ones inside another right after it.
    public private(set) var flat: [FlatStep] = []
    /// The flat indices of the steps that follow one another.
    public private(set) var order: [Int] = []

    /// Prepares a scenario.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - look: Knows the cards that lie on the desk, for `$card.masked`; what it does not know is
    ///     what the simulated reader reports of the published test card.
    public init(_ scenario: Scenario, cards look: ((CardReference) -> SafeText?)? = nil) {
        var facts = SimulatedCardFacts()
        let scenario = scenario.namingCards { look?($0) ?? facts.value($0) }
        self.scenario = scenario
        order = append(scenario.steps)
    }

    private mutating func append(_ steps: [Step]) -> [Int] {
        var indices: [Int] = []
        for step in steps {
            let index = flat.count
            indices.append(index)
            flat.append(FlatStep(step: step, branches: []))
            let inner = step.action.innerSteps
            if !inner.isEmpty { flat[index].branches = append(inner) }
        }
        return indices
    }
}
