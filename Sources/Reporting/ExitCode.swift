/// What the process returns.
///
/// Where several hold, the one with the highest precedence is returned: 130, 3, 2, 1, 0.
public enum ExitCode: Int32, CaseIterable, Hashable, Sendable {
    /// All held, and negative scenarios failed as they said.
    case held = 0
    /// An expectation, a law, an outcome or a bound did not hold.
    case failed = 1
    /// The command line or a file is wrong, or nothing matched.
    case wrong = 2
    /// The rig could not be built or was lost, or nothing was left to run.
    case lost = 3
    /// SIGINT or SIGTERM came; what was recorded until then is kept.
    case interrupted = 130

    /// Returns the code with the higher precedence.
    public func combined(with other: ExitCode) -> ExitCode {
        rawValue >= other.rawValue ? self : other
    }
}
