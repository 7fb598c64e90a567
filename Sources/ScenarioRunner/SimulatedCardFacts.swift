import CardCrypto
import CardData
import Journal
import Rig
import SimulatedReaders

/// What a simulated MagTek reader reports of test cards, found by swiping each once on a rig of its
/// own: an iDynamo and a Dynamag mask alike.
struct SimulatedCardFacts {
    private var journals: [(card: String, journal: Journal)] = []

    /// Returns the field as `didSwipeCard` has it, or `nil` when the stripe has none.
    mutating func value(_ reference: CardReference) -> SafeText? {
        let journal = journal(of: reference.card)
        guard let record = journal.readable.last(where: { $0.name == .didSwipeCard }),
            case .text(let text)? = journal.value(reference.field.attribute, of: record)
        else { return nil }
        return text
    }

    private mutating func journal(of card: String) -> Journal {
        if let known = journals.first(where: { $0.card == card }) { return known.journal }
        let reader = RigReader(
            name: "idynamo",
            endpoint: .simulated(MagneSafeReaderConfiguration(.idynamo))
        )
        var rig = Rig(RigConfiguration(readers: [reader]), cache: CryptoCache())
        rig.start()
        for act in [HandAct.plugIn(reader: 0), .swipe(reader: 0, card: card, quality: .good)] {
            rig.act(act)
            while rig.advance() == .handled {}
        }
        journals.append((card, rig.journal))
        return rig.journal
    }
}
