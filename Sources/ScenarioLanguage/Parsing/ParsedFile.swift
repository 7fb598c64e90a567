/// What a scenario file holds: scenarios, or mistakes.
public struct ParsedFile: Sendable {
    /// One scenario for each cell of the file's matrix, one for a file without; empty when there
    /// are mistakes.
    public var scenarios: [Scenario]
    /// The mistakes, in the order of the file.
    public var diagnostics: [Diagnostic]

    /// The first scenario, or `nil` when there are mistakes.
    public var scenario: Scenario? { scenarios.first }

    /// Creates the result of reading a file.
    public init(scenarios: [Scenario], diagnostics: [Diagnostic]) {
        self.scenarios = scenarios
        self.diagnostics = diagnostics
    }
}
