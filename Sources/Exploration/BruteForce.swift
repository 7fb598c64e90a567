import CardCrypto
import CardData
import EventLoops
import Journal
public import Laws
import Rig
public import ScenarioRunner
import ScenarioLanguage

/// What a run came to, as far as anybody is concerned afterwards.
public struct RunOutcome: Hashable, Sendable {
    /// The gateway's transactions.
    public var ledger: [LedgerFact]
    /// How many swipes gave the app a card.
    public var cardCount: Int
    /// How many swipes gave the app the news that the card could not be read.
    public var unreadableCount: Int
    /// Whether everything held.
    public var hasPassed: Bool

    init(_ result: RunResult) {
        ledger = result.ledger
        hasPassed = result.hasPassed
        cardCount = 0
        unreadableCount = 0
        for record in result.journal.readable where record.name == .didSwipeCard {
            if result.journal.value(.card, of: record) == .symbol(.none) {
                unreadableCount += 1
            } else {
                cardCount += 1
            }
        }
    }
}

/// What playing every order of a scenario found.
public struct BruteForceResult: Sendable {
    /// One kind of outcome, with how often it came and an order that leads to it.
    public struct OutcomeCount: Sendable {
        /// The outcome.
        public var outcome: RunOutcome
        /// How many orders led to it.
        public var count: Int
        /// The choices of the first such order.
        public var example: [Int]
    }

    /// How many orders were played.
    public var orderCount = 0
    /// Whether that is every order there is.
    public var isComplete = false
    /// Whether somebody wanted no more of them.
    public var isStopped = false
    /// How many different canonical journals came.
    public var journalCount = 0
    /// The different outcomes, in the order in which they first came.
    public var outcomes: [OutcomeCount] = []
    /// How many orders did not hold what was promised.
    public var failedCount = 0
    /// The choices of the first order that did not, with what came of it.
    public var firstFailure: (choices: [Int], result: RunResult)?
    /// The most choices of one order.
    public var longestChoiceCount = 0
}

/// Plays every order that a scenario's windows and simultaneous events allow, one by one, each from
/// the start to the end; no order is left out because it looks like another.
public enum BruteForce {
    /// Plays every order, at most `limit`.
    ///
    /// - Parameters:
    ///   - prepared: The scenario.
    ///   - options: What the scenario leaves open; its source of choices is replaced.
    ///   - limit: The most orders to play.
    ///   - progress: Called after each order with the number played; `false` ends the search.
    /// - Returns: What was found.
    /// - Complexity: One run an order.
    public static func search(
        _ prepared: PreparedScenario,
        options: RigOptions,
        limit: Int,
        progress: (Int) -> Bool = { _ in true }
    ) -> BruteForceResult {
        var found = BruteForceResult()
        var fingerprints: Set<UInt64> = []
        let cache = CryptoCache()
        var options = options
        var prefix: [Int]? = []
        while let choices = prefix, found.orderCount < limit {
            options.choices = .enumerating(choices)
            let rig = Rig(
                RigConfiguration(prepared.scenario.rig, options: options),
                cache: cache
            )
            var result = play(prepared, on: rig)
            found.orderCount += 1
            fingerprints.insert(result.journal.canonicalFingerprint())
            let taken = result.choices.taken
            found.longestChoiceCount = max(found.longestChoiceCount, taken.count)
            count(RunOutcome(result), taken.map(\.index), in: &found)
            prefix = result.choices.nextPrefix
            if !result.hasPassed {
                found.failedCount += 1
                if found.firstFailure == nil {
                    found.firstFailure = (taken.map(\.index), result)
                }
            }
            guard progress(found.orderCount) else {
                found.isStopped = true
                break
            }
        }
        found.isComplete = prefix == nil
        found.journalCount = fingerprints.count
        return found
    }

    private static func count(
        _ outcome: RunOutcome,
        _ choices: [Int],
        in found: inout BruteForceResult
    ) {
        if let index = found.outcomes.firstIndex(where: { $0.outcome == outcome }) {
            found.outcomes[index].count += 1
        } else {
            found.outcomes.append(
                BruteForceResult.OutcomeCount(outcome: outcome, count: 1, example: choices)
            )
        }
    }
}
