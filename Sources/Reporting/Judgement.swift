import Journal
public import ScenarioLanguage
public import ScenarioRunner

/// What a run means, measured by what its scenario wants.
public enum Judgement: Hashable, Sendable {
    /// Everything held.
    case held
    /// It failed exactly as its `verdict:` says.
    case failedAsItMust
    /// Something did not hold; the failures say what.
    case failed
    /// Its `verdict:` wants something else; one sentence says what was wanted and what came.
    case failedOtherwise(String)
    /// The rig could not be built or was lost; the text names the remedy.
    case lost(String)
    /// Somebody interrupted it.
    case interrupted

    /// Judges a run.
    ///
    /// A verdict is met when exactly that came: the exit code that the scenario would give alone;
    /// the law it names and no other one (none when it names none); and the line it names as the
    /// one to blame.
    public init(_ result: RunResult, verdict: VerdictPlan?) {
        if case .interrupted = result.end {
            self = .interrupted
            return
        }
        // Whoever plays it reports one that was left out as refused.
        if case .skipped(let reason, at: _) = result.end {
            self = .lost(reason)
            return
        }
        guard let verdict else {
            if case .lost(let reason) = result.end {
                self = .lost(reason)
            } else {
                self = result.failures.isEmpty ? .held : .failed
            }
            return
        }
        let came = Self.verdict(of: result, about: verdict)
        if came.exit == verdict.exit, came.laws == [verdict.law].compactMap(\.self),
            verdict.line == nil || came.line == verdict.line
        {
            self = .failedAsItMust
        } else if case .lost(let reason) = result.end {
            self = .lost(reason)
        } else {
            self = .failedOtherwise(
                "the verdict wants \(Self.words(verdict)), but what came is "
                    + Self.words(exit: came.exit, laws: came.laws, line: came.line)
            )
        }
    }

    /// The exit code, the broken laws in the order found, and the line to blame.
    private static func verdict(
        of result: RunResult,
        about plan: VerdictPlan
    ) -> (exit: Int, laws: [LawName], line: Int?) {
        var laws: [LawName] = []
        var blamed: RunFailure?
        for failure in result.failures {
            if case .law(let law) = failure.kind {
                if !laws.contains(law) { laws.append(law) }
                if law == plan.law, blamed == nil { blamed = failure }
            } else if plan.law == nil, blamed == nil {
                blamed = failure
            }
        }
        let line = (blamed ?? result.failures.first)?.location?.line
        if case .lost = result.end { return (Int(ExitCode.lost.rawValue), laws, line) }
        return (result.failures.isEmpty ? 0 : 1, laws, line)
    }

    private static func words(_ verdict: VerdictPlan) -> String {
        words(exit: verdict.exit, laws: [verdict.law].compactMap(\.self), line: verdict.line)
    }

    static func words(exit: Int, laws: [LawName], line: Int?) -> String {
        var text = "exit \(exit)"
        for law in laws { text += ", law \(law.spelling)" }
        if let line { text += ", line \(line)" }
        return text
    }
}
