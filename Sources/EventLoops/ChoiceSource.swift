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

    /// Whose next event it is: the chain's, or the event's own when it is in none.
    ///
    /// It is the same in every order of the same events.
    @inlinable
    public var process: UInt64 { chain != 0 ? UInt64(chain) : key.hash | 1 << 63 }

    /// Whether their order can matter.
    @inlinable
    public func depends(on other: Self) -> Bool {
        process == other.process || footprint.overlaps(other.footprint)
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
    /// The alternatives, when the source of choices looks at them.
    public var alternatives: [Alternative] = []
    /// What a guided source need not try here, since another order of the same events was or will
    /// be played.
    public var asleep: [Alternative] = []

    /// Creates a choice.
    public init(site: ChoiceSite, count: Int, index: Int) {
        self.site = site
        self.count = count
        self.index = index
    }
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
/// | ``guided(_:asleep:)`` | as recorded, then the first alternative that does not sleep |
/// | ``walking(_:)`` | from the seed, every alternative as likely as the others, windows open |
/// | ``prioritised(_:)`` | the alternative of the highest priority (``PriorityPlan``), windows open |
/// | ``keyed(_:)`` | naturally but for deviations named by keys, windows open |
public struct ChoiceSource: Sendable {
    @usableFromInline
    enum Mode: Sendable {
        case natural
        case seeded(UInt64)
        case listed([Int])
        case guided([Int])
        case walking
        case prioritised
        case keyed
    }

    @usableFromInline let mode: Mode
    @usableFromInline var count = 0

    /// What a seeded source was asked about last, and how often in a row.
    private var lastAsked: EventKey?
    private var repetition: UInt64 = 0
    private var generator = SplitMix64(seed: 0)
    private var priorities = PriorityPlan(seed: 0, changePoints: [])
    private var asleep: [Alternative] = []
    private var keyed = KeyedChoices([])

    /// The choices made so far by a source that keeps windows.
    public private(set) var taken: [TakenChoice] = []

    /// The first index of a recorded list that no alternative had, if any: the list is of another
    /// scenario or version.
    public private(set) var firstMisfit: Int?

    /// Whether a guided source came to where everything sleeps: the run only repeats another one
    /// in a different order.
    public private(set) var isRedundant = false

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

    /// Answers from a prefix, then with the first alternative that does not sleep.
    ///
    /// - Parameters:
    ///   - prefix: The indices to take.
    ///   - asleep: What sleeps where the last index of the prefix is taken; an alternative wakes
    ///     when something that depends on it comes.
    /// - Returns: The source.
    public static func guided(_ prefix: [Int], asleep: [Alternative]) -> Self {
        var source = Self(mode: .guided(prefix))
        source.asleep = asleep
        return source
    }

    /// Answers from a seed, with windows open: a random walk.
    public static func walking(_ seed: UInt64) -> Self {
        var source = Self(mode: .walking)
        source.generator = SplitMix64(seed: seed)
        return source
    }

    /// Answers by priorities, with windows open.
    public static func prioritised(_ plan: PriorityPlan) -> Self {
        var source = Self(mode: .prioritised)
        source.priorities = plan
        return source
    }

    /// Answers naturally but where a deviation says otherwise.
    public static func keyed(_ deviations: [ScheduleDeviation]) -> Self {
        var source = Self(mode: .keyed)
        source.keyed = KeyedChoices(deviations)
        return source
    }

    /// The deviations of a keyed source that did not come up so far: once the run is over, the
    /// schedule is of another scenario or version.
    public var missingDeviations: [ScheduleDeviation] { keyed.missing }

    /// Whether windows are kept open, so that every order in them can be tried.
    @inlinable
    public var keepsWindows: Bool {
        switch mode {
        case .natural, .seeded: false
        case .listed, .guided, .walking, .prioritised, .keyed: true
        }
    }

    /// Whether the alternatives themselves matter, and not only their number.
    @inlinable
    public var looksAtAlternatives: Bool {
        switch mode {
        case .natural, .seeded: false
        case .listed, .walking, .guided, .prioritised, .keyed: true
        }
    }

    /// Whether the loop keeps a trace of what was taken.
    @inlinable
    public var keepsTrace: Bool {
        if case .guided = mode { true } else { false }
    }

    /// Whether every answer is the natural one.
    @inlinable
    public var isNatural: Bool {
        if case .natural = mode { true } else { false }
    }

    /// Chooses one of `count` alternatives, at least two.
    ///
    /// - Parameters:
    ///   - kind: What is being chosen.
    ///   - key: The key of the natural alternative.
    ///   - count: How many alternatives there are.
    ///   - alternatives: The alternatives, when the source looks at them.
    /// - Returns: The index of the one that comes.
    public mutating func choose(
        _ kind: ChoiceSite.Kind,
        key: EventKey,
        among count: Int,
        _ alternatives: [Alternative] = []
    ) -> Int {
        precondition(count >= 2, "asked where there is nothing to choose")
        let site = ChoiceSite(kind: kind, key: key, ordinal: self.count)
        self.count += 1
        var choice = TakenChoice(site: site, count: count, index: 0)
        switch mode {
        case .natural:
            return 0
        case .seeded(let seed):
            repetition = key == lastAsked ? repetition + 1 : 0
            lastAsked = key
            let drawn = Self.draw(seed, kind, key, repetition)
            return Int(drawn.multipliedFullWidth(by: UInt64(count)).high)
        case .listed(let indices):
            choice.alternatives = alternatives
            choice.index = fitting(indices, site.ordinal, count) ?? 0
        case .guided(let prefix):
            choice.alternatives = alternatives
            if site.ordinal < prefix.count {
                choice.index = fitting(prefix, site.ordinal, count) ?? 0
            } else {
                choice.asleep = asleep
                choice.index = kind == .order ? firstAwake(alternatives) : 0
            }
        case .keyed:
            choice.alternatives = alternatives
            choice.index = keyed.choose(key, among: alternatives)
        case .walking:
            choice.alternatives = alternatives
            choice.index = generator.index(below: count)
        case .prioritised:
            choice.alternatives = alternatives
            choice.index = priorities.choose(among: alternatives, step: site.ordinal)
        }
        taken.append(choice)
        return choice.index
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
        case .listed, .guided, .walking, .prioritised, .keyed:
            return window
        }
    }

    /// Tells a guided source that the only event that is due comes.
    mutating func comes(alone alternative: Alternative) {
        if isPastPrefix, sleeps(alternative) { isRedundant = true }
    }

    /// Tells a guided source what an event touched: what depends on it wakes.
    mutating func touched(_ event: Alternative) {
        guard isPastPrefix, !asleep.isEmpty else { return }
        asleep.removeAll { $0.depends(on: event) }
    }

    /// The prefix of the next run of an exhaustive enumeration, or `nil` when all were played.
    public var nextPrefix: [Int]? {
        guard let last = taken.lastIndex(where: { $0.index + 1 < $0.count }) else { return nil }
        return taken[..<last].map(\.index) + [taken[last].index + 1]
    }

    /// Whether the last index of a guided source's prefix was taken.
    private var isPastPrefix: Bool {
        if case .guided(let prefix) = mode { count >= prefix.count } else { false }
    }

    private func sleeps(_ alternative: Alternative) -> Bool {
        asleep.contains { $0.process == alternative.process }
    }

    private mutating func firstAwake(_ alternatives: [Alternative]) -> Int {
        if let awake = alternatives.firstIndex(where: { !sleeps($0) }) { return awake }
        isRedundant = true
        return 0
    }

    private mutating func fitting(_ indices: [Int], _ ordinal: Int, _ count: Int) -> Int? {
        guard ordinal < indices.count else { return nil }
        let index = indices[ordinal]
        if index >= 0 && index < count { return index }
        if firstMisfit == nil { firstMisfit = ordinal }
        return nil
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
