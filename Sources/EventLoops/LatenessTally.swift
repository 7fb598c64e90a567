/// How late things came: a bounded tally of times, with the largest and any percentile.
///
/// Times are sorted into classes whose width grows with them, so that the tally keeps its size
/// however long a run is; a percentile is the upper end of its class, at most 1/16 too large. All of
/// it is whole numbers.
///
/// - Complexity: O(1) in memory and for each time; O(1) for a percentile.
public struct LatenessTally: Hashable, Sendable {
    /// The 99th percentile above which a machine was too busy for its time limits to be trusted.
    public static let busyLimit = VirtualDuration.milliseconds(5)

    /// How many times were noted.
    public private(set) var count = 0
    /// The largest of them.
    public private(set) var largest = VirtualDuration.zero
    /// Each class is a sixteenth of a power of two; the first sixteen are 64 ns wide.
    private var classes = [Int](repeating: 0, count: Self.classCount)

    private static let classCount = 16 * 40
    private static let shift: Int64 = 6

    /// Creates an empty tally.
    public init() {}

    /// Notes one time; what came early counts as in time.
    public mutating func note(_ lateness: VirtualDuration) {
        let late = max(lateness, .zero)
        count += 1
        largest = max(largest, late)
        classes[Self.index(of: late.nanoseconds)] += 1
    }

    /// Adds what another tally noted.
    public mutating func add(_ other: LatenessTally) {
        count += other.count
        largest = max(largest, other.largest)
        for index in classes.indices { classes[index] += other.classes[index] }
    }

    /// Finds the time that so many of a hundred, 1 to 100, were not later than; zero when nothing
    /// was noted.
    public func percentile(_ percent: Int) -> VirtualDuration {
        guard count > 0 else { return .zero }
        // Rounded up: of three times, the 99th percentile is the third.
        let rank = max(1, (count * min(max(percent, 1), 100) + 99) / 100)
        var seen = 0
        for index in classes.indices {
            seen += classes[index]
            if seen >= rank { return min(Self.upperEnd(of: index), largest) }
        }
        return largest
    }

    /// Whether the machine was too busy for time limits to be trusted: semantics of live runs.
    public var isBusy: Bool { percentile(99) > Self.busyLimit }

    private static func index(of nanoseconds: Int64) -> Int {
        let units = nanoseconds >> shift
        guard units >= 16 else { return Int(units) }
        let power = 63 - units.leadingZeroBitCount
        let fraction = Int((units >> (power - 4)) & 15)
        return min((power - 3) * 16 + fraction, classCount - 1)
    }

    private static func upperEnd(of index: Int) -> VirtualDuration {
        guard index >= 16 else { return .nanoseconds((Int64(index) + 1) << shift) }
        let power = index / 16 + 3
        let units = (Int64(16 + index % 16) + 1) << Int64(power - 4)
        return .nanoseconds(units << shift)
    }
}
