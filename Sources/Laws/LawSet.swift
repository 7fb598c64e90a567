import Journal

/// A set of laws in one word, so that asking costs nothing.
struct LawSet: Hashable, Sendable {
    private var bits: UInt64 = 0

    init(_ laws: some Sequence<LawName>) {
        for law in laws { bits |= 1 << UInt64(law.rawValue) }
    }

    func contains(_ law: LawName) -> Bool { bits >> UInt64(law.rawValue) & 1 == 1 }
}
