public import EventLoops

/// How the machine kept time in a run on the wall clock.
///
/// A scenario's time limits are as good as the timers: where the 99th percentile of their lateness is
/// above ``EventLoops/LatenessTally/busyLimit``, the machine was too busy for a limit to be trusted.
public struct LiveTiming: Hashable, Sendable {
    /// How late the timers came that the run waited for.
    public var timers = LatenessTally()
    /// From bytes of a reader to the last event that they caused: from the moment the USB thread had
    /// them, or the loop woke to read them, until the app had been told.
    public var events = LatenessTally()

    /// Creates one of no run.
    public init() {}

    /// Whether the machine was too busy for time limits to be trusted.
    public var isBusy: Bool { timers.isBusy }

    /// Adds what another run measured.
    public mutating func add(_ other: LiveTiming) {
        timers.add(other.timers)
        events.add(other.events)
    }
}
