import EventLoops
import Rig
import Transports

/// The line between a probe and a reader, real or simulated: bytes and reports in both directions,
/// hands, and a clock.
protocol ProbeLine: AnyObject {
    /// The time on this line; a simulated one passes as it is waited for.
    var now: VirtualInstant { get }
    /// Whether the reader is there.
    var isAttached: Bool { get }

    /// Sends one unit to the reader; it goes nowhere while the reader is not there.
    func send(_ unit: TransportUnit)

    /// Returns the next thing from the reader, or `nil` when none comes until then.
    ///
    /// - Throws: ``ProbeStop`` when the reader cannot be used.
    func next(until limit: VirtualInstant) throws(ProbeStop) -> TransportEvent?

    /// Does what a hand does, or has it done; what the reader does meanwhile is kept for `next`.
    ///
    /// - Throws: ``ProbeStop`` when the hand does not act.
    func act(_ act: HandAct, words: String) throws(ProbeStop)

    /// Ends the session.
    func close()
}

/// Why a suite of probes ends early.
enum ProbeStop: Error, Equatable {
    /// The reader or the hand is lost; the text names the remedy.
    case lost(String)
    /// The person at the desk leaves this probe out.
    case skipped(String)
    /// A signal came.
    case interrupted
}

extension ProbeLine {
    /// Waits until the reader is there.
    func awaitAttach(within limit: VirtualDuration) throws(ProbeStop) -> Bool {
        let end = now + limit
        while !isAttached {
            guard try next(until: end) != nil else { return isAttached }
        }
        return true
    }

    /// Drops what comes until the reader is silent for so long, at most five seconds.
    func drain(silence: VirtualDuration = .milliseconds(120)) throws(ProbeStop) {
        let end = now + .seconds(5)
        while now < end, try next(until: min(end, now + silence)) != nil {}
    }
}
