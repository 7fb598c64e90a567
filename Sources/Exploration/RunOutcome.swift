import Journal
public import Laws
import ScenarioRunner

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
