import Kernel

/// The wall-clock side of a loop: the same timeline, moved by the monotonic clock, asleep until an
/// event is due or a descriptor has something.
///
/// The owner watches its live transports, sleeps, moves ``EventLoop/now`` to ``now``, takes what is
/// due and asks the transports. There is no busy waiting: epoll and a timerfd do the sleeping.
public final class WallClock {
    private let poller: Poller
    private let start: Int64

    /// Starts a timeline at the present moment.
    ///
    /// - Throws: ``WallClockError`` when the kernel gives no descriptors.
    public init() throws(WallClockError) {
        do {
            poller = try Poller()
        } catch {
            throw WallClockError(description: "\(error)")
        }
        start = MonotonicClock.now
    }

    /// The present moment of the timeline.
    public var now: VirtualInstant { VirtualInstant(nanoseconds: MonotonicClock.now - start) }

    /// The moment of the timeline that is this moment of the monotonic clock, in nanoseconds.
    public func instant(ofMonotonicNanoseconds nanoseconds: Int64) -> VirtualInstant {
        VirtualInstant(nanoseconds: nanoseconds - start)
    }

    /// Wakes ``sleep(until:)`` whenever the descriptor is readable.
    ///
    /// - Throws: ``WallClockError`` when the descriptor cannot be watched.
    public func watch(_ descriptor: Int32) throws(WallClockError) {
        do {
            try poller.add(descriptor, token: UInt64(UInt32(bitPattern: descriptor)))
        } catch {
            throw WallClockError(description: "\(error)")
        }
    }

    /// Sleeps until a watched descriptor is readable or the moment has come.
    ///
    /// - Throws: ``WallClockError`` when the kernel refuses to wait.
    public func sleep(until instant: VirtualInstant) throws(WallClockError) {
        let (deadline, overflow) = start.addingReportingOverflow(instant.nanoseconds)
        do {
            try poller.wait(untilMonotonicNanoseconds: overflow ? nil : deadline) { _ in }
        } catch {
            throw WallClockError(description: "\(error)")
        }
    }
}

/// Why the wall clock cannot be followed.
public struct WallClockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line for people.
    public var description: String
}
