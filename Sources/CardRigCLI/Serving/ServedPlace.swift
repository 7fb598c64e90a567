import Kernel

/// A simulated reader at the place where programs or kernels reach it, on the wall clock.
///
/// The owner waits, has ``note(_:)`` told of what is ready, and calls ``work()``.
protocol ServedPlace {
    /// The tokens of its descriptors at the owner's poller.
    var tokens: Range<UInt64> { get }
    /// When something is to be done by itself, in nanoseconds of `MonotonicClock`.
    var nextWork: Int64? { get }
    /// Whether the reader can be reached.
    var isPluggedIn: Bool { get }
    /// Who has the reader, for people.
    var client: String? { get }
    /// Where it is reached, as it is printed: the kind of place, and how it is typed.
    var placeLine: String { get }

    /// Takes note that a descriptor is ready.
    func note(_ readiness: Readiness)
    /// Does what is due and takes what clients sent.
    mutating func work()
    /// Takes what had happened before a hand acts, though the loop was not told of it yet.
    mutating func catchUp()
    /// Gives the reader power and lets clients reach it; nothing happens when it is plugged in.
    mutating func plugIn() throws(KernelError)
    mutating func unplug()
    mutating func act(_ command: HandCommand) throws(HandRefusal)
}
