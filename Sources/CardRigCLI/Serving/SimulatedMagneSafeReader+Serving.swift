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
        let card = try TestCard.inHand(name)
        return ServedReaction(
            transmissions: swipe(card: card, quality: quality, cache: cache, at: now)
        )
    }
}

extension ServedReaction {
    /// What a reader on USB does, as the server carries it out.
    init(_ reactions: [MagneSafeReaction]) {
        self.init()
        for reaction in reactions {
            switch reaction {
            case .send(let transmission): transmissions.append(transmission)
            case .reattach: restarts = true
            case .finishFeature(let result): featureResults.append(result)
            }
        }
    }
}

extension TestCard {
    /// What a hand is told that holds no card of that name.
    static var absence: String {
        "there is no such card; the cards are " + names.joined(separator: ", ")
    }

    /// The card of a name.
    ///
    /// - Throws: `HandRefusal` when there is none.
    static func inHand(_ name: String) throws(HandRefusal) -> TestCard {
        guard let card = named(name) else { throw HandRefusal(reason: absence) }
        return card
    }
}
