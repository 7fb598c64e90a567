import CardCrypto
import CardData
import EventLoops
import SimulatedReaders

extension SimulatedMagneSafeReader {
    /// Swipes a card, by its name, and returns what the reader sends.
    ///
    /// - Throws: `HandRefusal` when there is no such card.
    mutating func served(
        swipe name: String,
        _ quality: SwipeQuality,
        cache: CryptoCache,
        at now: VirtualInstant
    ) throws(HandRefusal) -> ServedReaction {
        guard let card = TestCard.named(name) else {
            throw HandRefusal(
                reason: "there is no such card; the cards are "
                    + TestCard.names.joined(separator: ", ")
            )
        }
        return ServedReaction(
            transmissions: swipe(card: card, quality: quality, cache: cache, at: now)
        )
    }
}
