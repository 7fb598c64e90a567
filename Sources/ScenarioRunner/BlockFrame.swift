import Journal
import Laws
import ScenarioLanguage

/// A block of steps that is being played: the scenario's own, a `do`, or a round of a `repeat`.
struct BlockFrame {
    /// The flat indices of its steps.
    let steps: [Int]
    /// The next of them.
    var position = 0
    /// The step that the block belongs to, by its flat index; `nil` for the scenario's own.
    let owner: Int?
    /// Which round it is, from 1.
    var round = 1
    /// What `count` asks of the block.
    var tally: CountTally
    /// Whether the record that ends a `repeat` has come.
    var hasMetUntil = false
}

/// An `on` that waits for its record.
struct Reaction {
    /// Its step, by its flat index.
    let step: Int
    let pattern: RecordPattern
    /// How often it still acts.
    var remainingCount: Int
    /// How many blocks were open when it was armed; it ends with the innermost of them.
    let depth: Int
}
