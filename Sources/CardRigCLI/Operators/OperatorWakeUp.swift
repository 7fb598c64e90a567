import Kernel

/// The one descriptor by which an operator wakes the loop, whatever it waits for.
///
/// The loop watches ``descriptor`` for the whole run. Only while an act is under way something is
/// watched behind it, so that what comes between two acts (a key pressed too early, a peer that
/// left) does not keep the loop awake.
final class OperatorWakeUp {
    private let poller: Poller

    /// Creates one that is quiet.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    init() throws(KernelError) { poller = try Poller() }

    /// The descriptor to watch for reading.
    var descriptor: Int32 { poller.descriptor }

    /// Wakes the loop while the descriptor is readable; `false` when it cannot be watched.
    func watch(_ descriptor: Int32) -> Bool {
        do {
            try poller.add(descriptor, token: 0)
            return true
        } catch {
            return false
        }
    }

    /// Wakes the loop at a moment, in nanoseconds of `MonotonicClock`; `nil` takes it back.
    func wake(at moment: Int64?) { try? poller.setAlarm(atMonotonicNanoseconds: moment) }

    /// Is quiet again; the descriptor must still be open.
    func forget(_ descriptor: Int32) {
        poller.remove(descriptor)
        wake(at: nil)
    }
}
