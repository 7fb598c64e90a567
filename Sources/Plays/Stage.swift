package import CardCrypto
package import EventLoops
import Journal
package import Laws
package import Rig

/// What every play has: a world, the laws that judge it, and the numbers of its seed.
package struct Stage {
    /// The world.
    package var rig: Rig
    /// The laws, which have seen the records up to ``seenCount``.
    package var laws: LawBook
    /// The numbers of the seed; all that is left open is drawn from them, and from nothing else.
    package var random: SplitMix64
    /// How many records were looked at.
    var seenCount = 0

    /// Builds the world; nothing happens in it before the play starts.
    package init(
        _ configuration: RigConfiguration,
        laws: LawBook,
        random: SplitMix64,
        cache: CryptoCache
    ) {
        rig = Rig(configuration, cache: cache)
        self.laws = laws
        self.random = random
    }

    mutating func judge(_ record: Record) { laws.observe(record, in: rig.journal) }

    mutating func judgeTheEnd() { laws.finish(in: rig.journal) }
}

extension SplitMix64 {
    /// Returns one of the values; each is equally likely.
    ///
    /// - Precondition: There is one.
    mutating func choice<Value>(_ values: [Value]) -> Value {
        values[index(below: values.count)]
    }

    /// Returns whether one case in so many has come; never for 0.
    mutating func isOne(in count: UInt64) -> Bool { count > 0 && next(below: count) == 0 }
}
