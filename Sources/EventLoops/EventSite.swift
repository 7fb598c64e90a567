/// Which kind of event it is and which component it is for; both are small numbers that the owner
/// of the loop gives out.
///
/// Together with a count of its own kind a site names an event for good: keys of events, timers and
/// choices never depend on a queue position, so that a schedule survives edits elsewhere.
public struct EventSite: Hashable, Sendable {
    /// The target component; its handler changes that component only.
    public var component: UInt16
    /// The event's name within the component.
    public var name: UInt16

    /// Creates a site.
    @inlinable
    public init(component: UInt16, name: UInt16) {
        self.component = component
        self.name = name
    }
}

/// The name of one event for good: its site and the how-manieth of that site it is.
public struct EventKey: Hashable, Sendable {
    /// Where it belongs.
    public var site: EventSite
    /// How many events of that site came before it.
    public var ordinal: UInt32

    /// Creates a key.
    @inlinable
    public init(site: EventSite, ordinal: UInt32) {
        self.site = site
        self.ordinal = ordinal
    }

    /// The key as one number, the same in every run.
    @inlinable
    public var hash: UInt64 {
        SplitMix64.mix(
            UInt64(site.component) << 48 | UInt64(site.name) << 32 | UInt64(ordinal)
        )
    }
}

/// What an event touches, for the explorer: two events commute when neither changes what the other
/// one reads or changes.
public struct Footprint: Hashable, Sendable {
    /// One bit for each thing that is only read.
    public var reads: UInt64
    /// One bit for each thing that is changed: a component, or the records that an observer sees.
    public var changes: UInt64

    /// Creates a footprint from its bits; bit 63 is time itself.
    @inlinable
    public init(reads: UInt64 = 0, changes: UInt64 = 0) {
        self.reads = reads
        self.changes = changes
    }

    /// Touches everything: never reordered without being tried.
    public static let everything = Footprint(changes: .max)

    /// Time: read by what happens so long after now, changed by an event that had to be waited for.
    public static let time: UInt64 = 1 << 63

    /// Returns whether one changes what the other one reads or changes.
    ///
    /// Two events that both moved time commute: it ends at the later one's moment in either order.
    @inlinable
    public func overlaps(_ other: Footprint) -> Bool {
        changes & other.changes & ~Self.time != 0
            || changes & other.reads != 0 || reads & other.changes != 0
    }

    /// Adds what something else touches.
    @inlinable
    public mutating func formUnion(_ other: Footprint) {
        reads |= other.reads
        changes |= other.changes
    }
}
