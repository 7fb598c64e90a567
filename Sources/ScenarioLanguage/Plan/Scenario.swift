public import Journal

/// A scenario as the file says it, with every word checked and every value typed.
public struct Scenario: Hashable, Sendable {
    /// The file's path, as it was given.
    public var file: String
    /// What the scenario shows, in its own words, and the cell: `A card is declined [code: 202]`.
    public var name: String
    /// The values of the matrix's cell, in the file's order; empty without a matrix.
    public var cell: [CellValue]
    /// The world that the run starts with.
    public var rig: RigPlan
    /// What happens, in order.
    public var steps: [Step]
    /// Records that must not come in the whole run.
    public var never: [RecordPattern]
    /// How often records come in the whole run.
    public var counts: [CountPattern]
    /// What must have become of the money; `nil` when the file does not say.
    public var outcome: OutcomePlan?
    /// Whether records that no step took are allowed (`events: loose`).
    public var allowsUnexpectedEvents: Bool
    /// The laws that the file switches off; the report names them.
    public var lawsOff: [LawName]
    /// What must become of a scenario that is meant to fail.
    public var verdict: VerdictPlan?
    /// How many orders `run` plays after its own; `nil` where the file does not say.
    public var explore: ExplorePlan?
    /// The one order to play, as the text of a schedule; `nil` leaves it to the run.
    public var choices: SchedulePlan?
    /// Where the scenario can run, derived from its steps or narrowed by `levels:`.
    public var levels: [Level]
    /// Why it cannot run at a level, for each level that is not in ``levels``.
    public var refusals: [Refusal]

    /// The fields of cards that checks name, `$card.masked`, in the order of the file.
    public var cardReferences: [CardReference] = []

    /// Creates a scenario.
    public init(
        file: String,
        name: String,
        cell: [CellValue] = [],
        rig: RigPlan,
        steps: [Step],
        never: [RecordPattern] = [],
        counts: [CountPattern] = [],
        outcome: OutcomePlan? = nil,
        allowsUnexpectedEvents: Bool = false,
        lawsOff: [LawName] = [],
        verdict: VerdictPlan? = nil,
        explore: ExplorePlan? = nil,
        choices: SchedulePlan? = nil,
        levels: [Level] = [.sim],
        refusals: [Refusal] = []
    ) {
        self.file = file
        self.name = name
        self.cell = cell
        self.rig = rig
        self.steps = steps
        self.never = never
        self.counts = counts
        self.outcome = outcome
        self.allowsUnexpectedEvents = allowsUnexpectedEvents
        self.lawsOff = lawsOff
        self.verdict = verdict
        self.explore = explore
        self.choices = choices
        self.levels = levels
        self.refusals = refusals
    }
}

/// A value that a matrix gave to a name.
public struct CellValue: Hashable, Sendable {
    /// The name, as in `<name>`.
    public var name: String
    /// The value on one line, without card data.
    public var value: String

    /// Creates a value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// How many orders of a scenario `run` plays.
public struct ExplorePlan: Hashable, Sendable {
    /// How many orders after the run's own, at least one.
    public var runCount: Int
    /// Where they come from.
    public var seed: UInt64

    /// Creates a budget.
    public init(runCount: Int, seed: UInt64 = 1) {
        self.runCount = runCount
        self.seed = seed
    }
}

/// The order that a scenario brings back (`choices`).
public struct SchedulePlan: Hashable, Sendable {
    /// The text of a schedule; what it says is checked by who plays it.
    public var text: String
    /// The line that says it.
    public var location: SourceLocation

    /// Creates an order.
    public init(text: String, location: SourceLocation) {
        self.text = text
        self.location = location
    }
}

/// A kind of endpoint that a scenario can run against.
public enum Level: String, CaseIterable, Hashable, Sendable {
    /// Simulated readers in virtual time.
    case sim
    /// A reader on USB, its steps done by hands.
    case usb
    /// A reader on a serial line or a pty, its steps done by hands.
    case serial
    /// A reader on the network, its steps done by hands.
    case tcp
    /// A reader on a serial line of another machine (RFC 2217), its steps done by hands.
    case rfc2217
    /// Simulated readers in real time, and a gateway on a web server.
    case http

    /// Those at which hands do the cardholder's steps, in real time.
    public static let live: [Level] = [.usb, .serial, .tcp, .rfc2217]
}

/// Why a scenario cannot run at a level, and which line says so.
public struct Refusal: Hashable, Sendable {
    /// The level.
    public var level: Level
    /// The line that asks for what cannot be done there.
    public var location: SourceLocation
    /// One sentence for people.
    public var reason: String

    /// Creates a refusal.
    public init(level: Level, location: SourceLocation, reason: String) {
        self.level = level
        self.location = location
        self.reason = reason
    }
}

/// What must become of a scenario that is meant to fail (`Scenarios/negative`).
public struct VerdictPlan: Hashable, Sendable {
    /// The exit code it would give alone; 1 for what did not hold.
    public var exit: Int
    /// The law that must be broken, if one is named.
    public var law: LawName?
    /// The line that must be blamed, if one is named.
    public var line: Int?

    /// Creates a verdict.
    public init(exit: Int, law: LawName? = nil, line: Int? = nil) {
        self.exit = exit
        self.law = law
        self.line = line
    }
}
