public import EventLoops
public import Transports

/// One unit that a reader puts on its transport, and when.
public struct ReaderTransmission: Hashable, Sendable {
    /// The time from the act that caused it, such as a swipe.
    public var offset: VirtualDuration
    /// A report's packet or a piece of a stream; the units of one act share a buffer.
    public var unit: TransportUnit

    /// Creates a transmission.
    @inlinable
    public init(offset: VirtualDuration, unit: TransportUnit) {
        self.offset = offset
        self.unit = unit
    }
}
