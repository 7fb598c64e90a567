import CLinux
import Glibc

/// One descriptor that became ready.
public struct Readiness: Hashable, Sendable {
    /// The number the descriptor was added under.
    public var token: UInt64
    /// Reading will not block; at the end of a stream it returns nothing.
    public var isReadable: Bool
    /// Writing will not block.
    public var isWritable: Bool
    /// The other side is gone or the descriptor failed; reported whatever the interest is.
    public var isHungUp: Bool
    /// A socket's peer sends no more, though not all of it may have been read; reported only where
    /// it is asked for.
    public var isPeerClosed: Bool
}

/// Waits for descriptors and for one moment, without spinning (epoll and a timer descriptor).
///
/// A poller belongs to one thread. A descriptor must be removed before it is closed.
public final class Poller {
    private static let timerToken = UInt64.max

    private let epoll: Descriptor
    private let timer: Descriptor
    private var armedFor: Int64 = 0
    private var entries = [clinux_ready](repeating: clinux_ready(), count: 64)

    /// Creates a poller that waits for nothing yet.
    ///
    /// - Throws: ``KernelError`` when the process has no descriptors left.
    public init() throws(KernelError) {
        epoll = Descriptor(adopting: try checked(clinux_epoll_create(), "make a poller"))
        timer = Descriptor(adopting: try checked(clinux_timerfd(), "make a timer"))
        try checked(
            clinux_epoll_add(epoll.number, timer.number, readableBit, Self.timerToken),
            "watch a timer"
        )
    }

    /// Watches a descriptor; the token comes back in each ``Readiness`` of it.
    ///
    /// The token may be any number but the largest, which the poller's own timer has.
    ///
    /// - Throws: ``KernelError`` for a descriptor that is closed, watched already or a plain file.
    public func add(
        _ descriptor: Int32,
        token: UInt64,
        readable: Bool = true,
        writable: Bool = false,
        peerClosed: Bool = false
    ) throws(KernelError) {
        precondition(token != Self.timerToken, "the largest token is the poller's own")
        let bits = Self.bits(readable, writable, peerClosed)
        try checked(
            clinux_epoll_add(epoll.number, descriptor, bits, token),
            "watch a descriptor"
        )
    }

    /// Changes what a watched descriptor is watched for.
    ///
    /// - Throws: ``KernelError`` for a descriptor that is not watched.
    public func change(
        _ descriptor: Int32,
        token: UInt64,
        readable: Bool,
        writable: Bool,
        peerClosed: Bool = false
    ) throws(KernelError) {
        let bits = Self.bits(readable, writable, peerClosed)
        try checked(
            clinux_epoll_change(epoll.number, descriptor, bits, token),
            "watch a descriptor"
        )
    }

    /// The descriptor that is readable while a watched one is ready or an alarm has come, so that
    /// one poller can be watched by another.
    public var descriptor: Int32 { epoll.number }

    /// Makes ``descriptor`` readable at a moment, for those who watch it and do not wait here.
    ///
    /// - Parameter moment: Nanoseconds of ``MonotonicClock``; `nil` takes the alarm back, and so
    ///   does the next wait.
    /// - Throws: ``KernelError`` when the kernel refuses, which closed descriptors cannot cause.
    public func setAlarm(atMonotonicNanoseconds moment: Int64?) throws(KernelError) {
        try arm(for: moment ?? 0)
    }

    /// Stops watching a descriptor; one that is not watched is ignored.
    public func remove(_ descriptor: Int32) {
        _ = clinux_epoll_remove(epoll.number, descriptor)
    }

    /// Sleeps until a descriptor is ready or the moment has come, then hands out what is ready.
    ///
    /// A moment in the past only looks. What is handed out may remove descriptors that were ready
    /// in the same round: their entries still come, so owners look tokens up.
    ///
    /// - Parameters:
    ///   - deadline: Nanoseconds of ``MonotonicClock``; `nil` waits without limit.
    ///   - body: Called once for each descriptor that is ready.
    /// - Returns: The number of descriptors that were ready; 0 when only the moment came.
    /// - Throws: ``KernelError`` when the kernel refuses, which closed descriptors cannot cause.
    @discardableResult
    public func wait(
        untilMonotonicNanoseconds deadline: Int64?,
        each body: (Readiness) -> Void
    ) throws(KernelError) -> Int {
        while true {
            let isPast = deadline.map { $0 <= MonotonicClock.now } ?? false
            if !isPast { try arm(for: deadline ?? 0) }
            let count = clinux_epoll_wait(epoll.number, &entries, 64, isPast ? 0 : -1)
            if count == -EINTR { continue }
            try checked(count, "wait for descriptors")
            var readyCount = 0
            for index in 0..<Int(count) where entries[index].token != Self.timerToken {
                readyCount += 1
                body(Readiness(entries[index]))
            }
            // The timer alone: the moment has come, or an older one that no longer counts.
            let isOver = deadline.map { $0 <= MonotonicClock.now } ?? false
            if readyCount > 0 || isPast || isOver { return readyCount }
            armedFor = -1
        }
    }

    private func arm(for moment: Int64) throws(KernelError) {
        guard moment != armedFor else { return }
        try checked(clinux_timerfd_set(timer.number, moment), "set a timer")
        armedFor = moment
    }

    private static func bits(_ readable: Bool, _ writable: Bool, _ peerClosed: Bool) -> Int32 {
        (readable ? readableBit : 0) | (writable ? writableBit : 0)
            | (peerClosed ? peerClosedBit : 0)
    }
}

private let readableBit = Int32(clinux_readable)
private let writableBit = Int32(clinux_writable)
private let hungUpBit = Int32(clinux_hung_up)
private let peerClosedBit = Int32(clinux_peer_closed)

extension Readiness {
    fileprivate init(_ entry: clinux_ready) {
        token = entry.token
        isReadable = entry.bits & readableBit != 0
        isWritable = entry.bits & writableBit != 0
        isHungUp = entry.bits & hungUpBit != 0
        isPeerClosed = entry.bits & peerClosedBit != 0
    }
}
