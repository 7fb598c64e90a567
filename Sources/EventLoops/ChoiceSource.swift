/// A place where the world could have gone either way.
public struct ChoiceSite: Hashable, Sendable {
    /// What is being chosen.
    public enum Kind: UInt8, Hashable, Sendable {
        /// Which of several due events comes first.
        case order
        /// When in its window an event comes.
        case instant
        /// Where a read is split.
        case split
        /// Whether a fault fires.
        case fault
    }

    /// What is being chosen.
    public var kind: Kind
    /// The key of the event that the choice is about.
    public var key: EventKey
    /// How many choices of the run came before it.
    public var ordinal: Int

    /// Creates a site.
    @inlinable
    public init(kind: Kind, key: EventKey, ordinal: Int) {
        self.kind = kind
        self.key = key
        self.ordinal = ordinal
    }
}

/// One way that the world could go.
public struct Alternative: Hashable, Sendable {
    /// The event that would come.
    public var key: EventKey
    /// Who caused it: events of one chain keep their order.
    public var chain: UInt32
    /// What it touches.
    public var footprint: Footprint

    /// Creates an alternative.
    @inlinable
    public init(key: EventKey, chain: UInt32, footprint: Footprint) {
        self.key = key
        self.chain = chain
        self.footprint = footprint
    }
}

/// A choice that was made: what it was about, how many ways there were, and which was taken.
public struct TakenChoice: Hashable, Sendable {
    /// Where it was made.
    public var site: ChoiceSite
    /// How many alternatives there were, at least two.
    public var count: Int
    /// The alternative taken; 0 is the natural one.
    public var index: Int
}

/// Who answers where the world could have gone either way.
///
/// It is asked only where there are two or more alternatives; index 0 is the natural order, so the
/// empty schedule is the natural run.
///
/// | source | answers |
/// | --- | --- |
/// | ``natural`` | always 0, windows at their earliest |
/// | ``seeded(_:)`` | from the seed, the key of the choice and how often in a row it was asked about that key, so edits elsewhere change nothing |
/// | ``recorded(_:)`` | from a list, then naturally; what was asked is kept |
/// | ``enumerating(_:)`` | as recorded, and ``nextPrefix`` gives the list of the next run |
public struct ChoiceSource: Sendable {
    @usableFromInline
    enum Mode: Sendable {
        case natural
        case seeded(UInt64)
        case listed([Int])
    }

    @usableFromInline let mode: Mode
    @usableFromInline var count = 0

    /// What a seeded source was asked about last, and how often in a row.
    private var lastAsked: EventKey?
    private var repetition: UInt64 = 0

    /// The choices made so far by a recorded or enumerating source.
    public private(set) var taken: [TakenChoice] = []

    /// The first index of a recorded list that no alternative had, if any: the list is of another
    /// scenario or version.
    public private(set) var firstMisfit: Int?

    @usableFromInline
    init(mode: Mode) { self.mode = mode }

    /// Answers with the natural order.
    public static let natural = ChoiceSource(mode: .natural)

    /// The seed of a seeded source; `nil` for others, whose randomness is that of seed 0.
    public var seed: UInt64? {
        if case .seeded(let seed) = mode { seed } else { nil }
    }

    /// Answers from a seed.
    public static func seeded(_ seed: UInt64) -> Self { Self(mode: .seeded(seed)) }

    /// Answers from a list of indices, then naturally.
    public static func recorded(_ indices: [Int]) -> Self { Self(mode: .listed(indices)) }

    /// Answers from a prefix, then naturally; start with the empty one.
    public static func enumerating(_ prefix: [Int]) -> Self { Self(mode: .listed(prefix)) }

    /// Whether windows are kept open, so that every order in them can be tried.
    @inlinable
    public var keepsWindows: Bool {
        if case .listed = mode { true } else { false }
    }

    /// Whether every answer is the natural one.
    @inlinable
    public var isNatural: Bool {
        if case .natural = mode { true } else { false }
    }

    /// Chooses one of `count` alternatives, at least two.
    public mutating func choose(
        _ kind: ChoiceSite.Kind,
        key: EventKey,
        among count: Int
    ) -> Int {
        precondition(count >= 2, "asked where there is nothing to choose")
        let site = ChoiceSite(kind: kind, key: key, ordinal: self.count)
        self.count += 1
        switch mode {
        case .natural:
            return 0
        case .seeded(let seed):
            repetition = key == lastAsked ? repetition + 1 : 0
            lastAsked = key
            let drawn = Self.draw(seed, kind, key, repetition)
            return Int(drawn.multipliedFullWidth(by: UInt64(count)).high)
        case .listed(let indices):
            var index = site.ordinal < indices.count ? indices[site.ordinal] : 0
            if index < 0 || index >= count {
                if firstMisfit == nil { firstMisfit = site.ordinal }
                index = 0
            }
            taken.append(TakenChoice(site: site, count: count, index: index))
            return index
        }
    }

    /// Chooses when in its window an event comes; sources that keep windows leave it as it is.
    public mutating func chooseInstant(in window: TimeWindow, key: EventKey) -> TimeWindow {
        switch mode {
        case .natural:
            return TimeWindow(at: window.earliest)
        case .seeded(let seed):
            let width = UInt64(bitPattern: (window.latest - window.earliest).nanoseconds)
            guard width > 0 else { return TimeWindow(at: window.earliest) }
            let bound = width == .max ? width : width + 1
            let drawn = Self.draw(seed, .instant, key, 0)
            let offset = drawn.multipliedFullWidth(by: bound).high
            return TimeWindow(at: window.earliest + .nanoseconds(Int64(offset)))
        case .listed:
            return window
        }
    }

    /// The prefix of the next run of an exhaustive enumeration, or `nil` when all were played.
    public var nextPrefix: [Int]? {
        guard let last = taken.lastIndex(where: { $0.index + 1 < $0.count }) else { return nil }
        return taken[..<last].map(\.index) + [taken[last].index + 1]
    }

    private static func draw(
        _ seed: UInt64,
        _ kind: ChoiceSite.Kind,
        _ key: EventKey,
        _ repetition: UInt64
    ) -> UInt64 {
        let salt = UInt64(kind.rawValue) << 32 &+ repetition
        return SplitMix64.mix(seed &+ key.hash &+ salt &* 0x9E37_79B9_7F4A_7C15)
    }
}
