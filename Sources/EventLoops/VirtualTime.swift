/// A point on a run's timeline, in nanoseconds since the run began.
///
/// On the virtual loop it jumps from event to event; on the wall-clock loop it follows the
/// monotonic clock. Nothing below the command line knows which.
public struct VirtualInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the beginning of the run.
    public var nanoseconds: Int64

    /// Creates an instant so many nanoseconds after the beginning of the run.
    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The beginning of the run.
    public static let zero = VirtualInstant(nanoseconds: 0)

    /// The latest instant there is; an event posted for it never comes by itself.
    public static let distantFuture = VirtualInstant(nanoseconds: .max)

    /// Returns whether the left one comes before the right one.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the instant so much later, or ``distantFuture`` when there is none.
    @inlinable
    public static func + (instant: Self, duration: VirtualDuration) -> Self {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.nanoseconds)
        return overflow ? .distantFuture : VirtualInstant(nanoseconds: sum)
    }

    /// Returns the time from the right instant to the left one; negative when it is earlier.
    @inlinable
    public static func - (left: Self, right: Self) -> VirtualDuration {
        VirtualDuration(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }
}

/// A length of time in nanoseconds; plain integers, since `Swift.Duration` doubles the heap's cost.
public struct VirtualDuration: Hashable, Comparable, Sendable {
    /// The length in nanoseconds; negative lengths come only from subtraction.
    public var nanoseconds: Int64

    /// Creates a length of so many nanoseconds.
    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// No time at all.
    public static let zero = VirtualDuration(nanoseconds: 0)

    /// Returns a length of so many nanoseconds.
    @inlinable
    public static func nanoseconds(_ count: Int64) -> Self { Self(nanoseconds: count) }

    /// Returns a length of so many microseconds.
    @inlinable
    public static func microseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000) }

    /// Returns a length of so many milliseconds.
    @inlinable
    public static func milliseconds(_ count: Int64) -> Self {
        Self(nanoseconds: count * 1_000_000)
    }

    /// Returns a length of so many seconds.
    @inlinable
    public static func seconds(_ count: Int64) -> Self {
        Self(nanoseconds: count * 1_000_000_000)
    }

    /// Returns whether the left length is the shorter one.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the sum of two lengths, or the longest one there is.
    @inlinable
    public static func + (left: Self, right: Self) -> Self {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        return overflow ? Self(nanoseconds: .max) : Self(nanoseconds: sum)
    }

    /// Returns a length so many times as long, or the longest one there is.
    @inlinable
    public static func * (duration: Self, factor: Int64) -> Self {
        let (product, overflow) = duration.nanoseconds.multipliedReportingOverflow(by: factor)
        return overflow ? Self(nanoseconds: .max) : Self(nanoseconds: product)
    }
}

/// The time in which an event may come: at `earliest` in a natural run, at any moment up to
/// `latest` when the explorer decides.
public struct TimeWindow: Hashable, Sendable {
    /// The first moment, and the one of a natural run.
    public var earliest: VirtualInstant
    /// The last moment; never before ``earliest``.
    public var latest: VirtualInstant

    /// Creates a window; a `latest` before `earliest` counts as `earliest`.
    @inlinable
    public init(earliest: VirtualInstant, latest: VirtualInstant) {
        self.earliest = earliest
        self.latest = max(earliest, latest)
    }

    /// Creates a window of a single moment.
    @inlinable
    public init(at instant: VirtualInstant) {
        earliest = instant
        latest = instant
    }
}
