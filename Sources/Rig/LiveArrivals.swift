/// What came from real readers in one turn of the loop, for measuring how long it took to its events.
public struct LiveArrivals: Hashable, Sendable {
    /// How many units.
    public private(set) var count = 0
    /// When the first of them was there, in nanoseconds of the monotonic clock; `nil` where that is
    /// when the loop woke.
    public private(set) var oldestNanoseconds: Int64?

    mutating func note(_ nanoseconds: Int64?) {
        count += 1
        guard let nanoseconds else { return }
        oldestNanoseconds = min(oldestNanoseconds ?? nanoseconds, nanoseconds)
    }
}
