public import EventLoops
public import Transports

/// How the stripe went through the head.
public enum SwipeQuality: Hashable, Sendable, CaseIterable {
    /// All tracks are decoded.
    case good
    /// Track 1 has an error and the others are decoded.
    case partial
    /// All tracks are decoded, from the end of the card to its beginning.
    case reversed
    /// Too fast for the head: no track is decoded.
    case tooFast
    /// No track is decoded.
    case unreadable
}

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
