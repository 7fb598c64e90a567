/// What may stand at a place of a scenario file.
///
/// The parser reads maps by these tables and the schema is written from them, so that both know
/// the same keys and the same words.
indirect enum Shape: Sendable {
    /// Any text; a number is text too.
    case text
    /// A whole number.
    case integer(ClosedRange<Int64>)
    /// `true` or `false`.
    case flag
    /// Money with at most two decimals.
    case amount
    /// A length of time such as `20s`.
    case duration
    /// A moment of the calendar such as `2024-06-03T09:00:00Z`.
    case instant
    /// One of these words.
    case words([String])
    /// Text that matches a regular expression.
    case pattern(String)
    /// Nothing behind the colon.
    case nothing
    /// Anything.
    case any
    /// A list.
    case list(Shape, minimumCount: Int)
    /// A map whose keys are known.
    case map(MapTable)
    /// A map whose keys are names that the file chooses.
    case named(Shape)
    /// A map of one length of time to something.
    case timed(Shape)
    /// One of several.
    case either([Shape])
    /// What ``Grammar/shape(of:)`` says of a definition.
    case defined(Definition)
}

/// The parts of the language that are used in more than one place.
enum Definition: String, CaseIterable, Sendable {
    case rig
    case step
    case steps
    case act
    case acts
    case record
    case records
    case counts
    case linkFault
    case address
}

/// The keys of a map.
struct MapTable: Sendable {
    /// What the map describes, for complaints.
    let subject: String
    /// Its keys.
    let keys: [KeyRow]
    /// The names of the keys.
    let names: [String]
    /// Keys of later versions.
    let later: [String]
    /// Keys of which exactly one must be there, for each group.
    let exactlyOne: [[String]]
    /// Keys of which at least one must be there; empty when none need be.
    let atLeastOne: [String]

    init(
        subject: String,
        keys: [KeyRow],
        later: [String] = [],
        exactlyOne: [[String]] = [],
        atLeastOne: [String] = []
    ) {
        self.subject = subject
        self.keys = keys
        names = keys.map(\.name)
        self.later = later
        self.exactlyOne = exactlyOne
        self.atLeastOne = atLeastOne
    }
}

/// A key of a map.
struct KeyRow: Sendable {
    /// The key.
    let name: String
    /// What stands behind it.
    let shape: Shape
    /// Whether the map needs it.
    let isRequired: Bool
    /// What it says, in one sentence.
    let meaning: String

    init(_ name: String, _ shape: Shape, isRequired: Bool = false, _ meaning: String) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.meaning = meaning
    }
}
