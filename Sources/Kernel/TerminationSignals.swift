import CLinux
import Glibc

/// SIGINT and SIGTERM as something the loop reads, instead of something that interrupts it.
///
/// Make it on the main thread before any other thread starts: a thread that was there before
/// would still be ended by the signals.
public final class TerminationSignals {
    private let handle: Descriptor

    /// Blocks both signals from here on.
    ///
    /// - Throws: ``KernelError`` when the process has no descriptors left.
    public init() throws(KernelError) {
        handle = Descriptor(adopting: try checked(clinux_termination_signals(), "watch signals"))
    }

    /// A signal that came again, and that nobody took, would end the process here.
    deinit {
        while take() != nil {}
        clinux_unblock_termination_signals()
    }

    /// The descriptor that is readable when a signal waits.
    public var descriptor: Int32 { handle.number }

    /// Takes one signal: SIGINT (2) or SIGTERM (15), or `nil` when none waits.
    public func take() -> Int32? {
        let number = clinux_take_signal(handle.number)
        return number > 0 ? number : nil
    }
}
