import Kernel
import Synchronization

/// Whether somebody wants the program to end: SIGINT or SIGTERM.
///
/// Make it before any other thread starts.
final class Interruption: Sendable {
    private let signals: Mutex<TerminationSignals?>
    private let flag = Atomic<Bool>(false)
    /// A descriptor that is readable when a signal waits, if the process has one left.
    let descriptor: Int32?

    init() {
        let watch = try? TerminationSignals()
        descriptor = watch?.descriptor
        signals = Mutex(watch)
    }

    /// Whether a signal has come; may be asked on any thread.
    var hasCome: Bool {
        if flag.load(ordering: .relaxed) { return true }
        guard signals.withLock({ $0?.take() != nil }) else { return false }
        flag.store(true, ordering: .relaxed)
        return true
    }
}
