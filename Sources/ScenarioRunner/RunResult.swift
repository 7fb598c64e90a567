public import EventLoops
public import Journal
public import Laws
public import Rig

/// What a run did not keep, and where.
public struct RunFailure: Sendable {
    /// What kind of promise it was.
    public enum Kind: Hashable, Sendable {
        /// A check of the scenario.
        case check
        /// A record that no step took.
        case unexpected
        /// A record that must not come.
        case never
        /// A law of the SDK.
        case law(LawName)
        /// What became of the money.
        case outcome
        /// A step that could not be done, as a charge without a card.
        case step
        /// The run was longer or larger than a run may be.
        case bound
    }

    /// What kind of promise it was.
    public var kind: Kind
    /// The line of the scenario that is to blame; `nil` when none is.
    public var location: SourceLocation?
    /// What was expected and what came, in plain words, without card data.
    public var explanation: String
    /// The record that broke it; `nil` when something did not come.
    public var sequence: Int?

    /// Creates a failure.
    public init(
        _ kind: Kind,
        at location: SourceLocation?,
        _ explanation: String,
        sequence: Int? = nil
    ) {
        self.kind = kind
        self.location = location
        self.explanation = explanation
        self.sequence = sequence
    }
}

/// How a run ended.
public enum RunEnd: Hashable, Sendable {
    /// Everything was played to the end.
    case finished
    /// The rig could not be built or was lost; the text names the remedy.
    case lost(String)
    /// The person at the desk left it out; the text says at which step.
    case skipped(String, at: SourceLocation?)
    /// Somebody interrupted it; what was recorded is kept.
    case interrupted
}

/// What came of one run.
public struct RunResult: Sendable {
    /// How it ended.
    public var end: RunEnd
    /// Whether it was lost because of a hand: none is there, it gave up or did not come.
    ///
    /// Other scenarios would be lost the same way; one that a reader lost says nothing of them.
    public var isLostByHand = false
    /// What did not hold, in the order found; empty when all held.
    public var failures: [RunFailure]
    /// Its records; the newest are readable.
    public var journal: Journal
    /// What went over the wires, when the run was recorded.
    public var wireTap: WireTap?
    /// The money at the end, for outcomes.
    public var ledger: [LedgerFact]
    /// How many events were taken.
    public var eventCount: Int
    /// How long it took on its own timeline.
    public var duration: VirtualDuration
    /// The choices that were made, when the source of choices keeps them.
    public var choices: ChoiceSource
    /// The events in the order taken, when the source of choices keeps a trace.
    public var trace: [TracedEvent]
    /// The branches of each `expect-any` that were taken, by the flat index of the step.
    public var takenBranches: [(step: Int, branch: Int)]

    /// The reactions (`on`) that acted at least once, by the flat index of their step.
    public var firedReactions: [Int]

    /// What other runs of the scenario took and this one did not, when its `explore` was played:
    /// branches of `expect-any` and reactions, as in ``takenBranches`` and ``firedReactions``.
    public var explored = TakenPlaces()

    /// How the machine kept time; `nil` in virtual time.
    public var timing: LiveTiming?

    /// A run whose reader was lost before the first step.
    ///
    /// - Parameter reason: What happened, and the remedy.
    /// - Returns: A result without records.
    public static func lostAtStart(_ reason: String) -> RunResult {
        RunResult(
            end: .lost(reason),
            failures: [],
            journal: Journal(capacity: 1),
            wireTap: nil,
            ledger: [],
            eventCount: 0,
            duration: .zero,
            choices: .natural,
            trace: [],
            takenBranches: [],
            firedReactions: []
        )
    }

    /// Whether it was played to the end and everything held.
    public var hasPassed: Bool { end == .finished && failures.isEmpty }
}

/// Branches and reactions that runs of a scenario took, each once.
public struct TakenPlaces: Sendable {
    /// The branches of each `expect-any`, by the flat index of the step.
    public private(set) var branches: [(step: Int, branch: Int)] = []
    /// The reactions (`on`) that acted, by the flat index of their step.
    public private(set) var reactions: [Int] = []

    /// Creates one of no runs.
    public init() {}

    /// Adds what a run took.
    public mutating func note(_ result: RunResult) {
        for taken in result.takenBranches where !branches.contains(where: { $0 == taken }) {
            branches.append(taken)
        }
        for step in result.firedReactions where !reactions.contains(step) {
            reactions.append(step)
        }
    }
}
