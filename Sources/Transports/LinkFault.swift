public import EventLoops

/// One fault of a link, addressed by its place in what one side sends; it fires once.
///
/// Places count from the first unit that came through the link in the run, over all sessions; what
/// was lost before the link (sent while nothing was attached, or while the link was cut) does not
/// count. So a place is never met twice, whatever is pulled out and put back. Both directions are
/// counted for themselves.
public struct LinkFault: Hashable, Sendable {
    /// Who is to receive what it disturbs.
    public enum Direction: UInt8, Hashable, Sendable {
        /// The host: it disturbs what the reader sends.
        case toHost
        /// The reader: it disturbs what the host sends.
        case toReader
    }

    /// Where it fires.
    public enum Address: Hashable, Sendable {
        /// At the unit (report, packet or block) with this number; the first is 1.
        case unit(Int)
        /// At the byte with this number; the first is 1. Borders of units are not counted.
        case byte(Int)
        /// At a byte of the unit with this number; both begin with 1. A byte behind the unit's end
        /// never comes.
        case byteOfUnit(unit: Int, byte: Int)
    }

    /// What happens there.
    ///
    /// Offsets count from the addressed byte, or from the start of the addressed
    /// unit; one that lies outside of the unit never fires.
    public enum Action: Hashable, Sendable {
        /// The unit comes so much later, and what follows no earlier than it.
        case delay(VirtualDuration)
        /// The unit comes in two, the border being before the byte at the offset, and the second
        /// part so much later; an offset at an end of the unit does not split it.
        case split(at: Int, gap: VirtualDuration)
        /// The unit waits at most so long for the next one of its kind and arrives as one with it.
        case merge(within: VirtualDuration)
        /// The addressed unit or byte is lost.
        case drop
        /// The byte at the offset is changed by exclusive or.
        case corrupt(at: Int, xor: UInt8)
        /// The addressed unit or byte arrives twice.
        case duplicate
        /// Everything before the address arrives, then the link is lost: `detached(cut)`. Later
        /// units of either side are lost until the next attach. Of a report's packet nothing
        /// arrives when it is cut: USB knows no half packets (USB 2.0 section 8.4.5).
        case cut
    }

    /// Where it fires.
    public var address: Address
    /// What happens there.
    public var action: Action
    /// Who is to receive what it disturbs.
    public var direction: Direction

    /// Creates a fault; it disturbs what the reader sends unless it is said otherwise.
    public init(_ action: Action, at address: Address, direction: Direction = .toHost) {
        self.address = address
        self.action = action
        self.direction = direction
    }
}

/// A fault that fired.
public struct FiredFault: Hashable, Sendable {
    /// The fault.
    public var fault: LinkFault
    /// When the link met the unit; what it did to it may show later.
    public var time: VirtualInstant
    /// The number of the unit that it met; the first of the run is 1.
    public var unitNumber: Int

    /// Creates the account of a fault that fired.
    public init(fault: LinkFault, time: VirtualInstant, unitNumber: Int) {
        self.fault = fault
        self.time = time
        self.unitNumber = unitNumber
    }
}

/// What a link does to everything that the reader sends: the same delay for all, and a random one.
///
/// Order is kept: a unit never overtakes another. Attach and detach are not delayed, so what is on
/// its way at a detach is lost.
public struct LinkTiming: Hashable, Sendable {
    /// How much later everything arrives.
    public var delay: VirtualDuration
    /// The longest random delay on top of it; each length up to it is equally likely.
    public var jitter: VirtualDuration
    /// Where the random delays come from.
    public var seed: UInt64
    /// The most bytes that arrive at once, at least 1; `nil` leaves units whole.
    ///
    /// Larger units come in parts of this size.
    public var partByteCount: Int?
    /// The time between the parts of a unit.
    public var partGap: VirtualDuration

    /// Creates the timing of a link; at first nothing is delayed.
    public init(
        delay: VirtualDuration = .zero,
        jitter: VirtualDuration = .zero,
        seed: UInt64 = 0,
        partByteCount: Int? = nil,
        partGap: VirtualDuration = .zero
    ) {
        self.delay = delay
        self.jitter = jitter
        self.seed = seed
        self.partByteCount = partByteCount
        self.partGap = partGap
    }

    /// Whether everything arrives as without it, whatever its seed.
    public var isNeutral: Bool { delay <= .zero && jitter <= .zero && partByteCount == nil }
}
