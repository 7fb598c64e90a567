import CLinux

/// A descriptor that any thread makes readable and the loop makes quiet again (an eventfd).
public final class WakeUp: Sendable {
    private let handle: Descriptor

    /// Creates one that is quiet.
    ///
    /// - Throws: ``KernelError`` when the process has no descriptors left.
    public init() throws(KernelError) {
        handle = Descriptor(adopting: try checked(clinux_eventfd(), "make an event descriptor"))
    }

    /// The descriptor to watch for reading.
    public var descriptor: Int32 { handle.number }

    /// Makes the descriptor readable; may be called on any thread, any number of times.
    public func signal() { _ = clinux_eventfd_signal(handle.number) }

    /// Makes the descriptor quiet and tells whether it was readable.
    @discardableResult
    public func clear() -> Bool { clinux_eventfd_clear(handle.number) == 1 }
}
