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

/// What an event touches, for the explorer: events whose footprints share nothing commute.
public struct Footprint: Hashable, Sendable {
    /// One bit for each component and each observer that sees the event's records.
    public var bits: UInt64

    /// Creates a footprint from its bits.
    @inlinable
    public init(bits: UInt64) { self.bits = bits }

    /// Touches everything: never reordered without being tried.
    public static let everything = Footprint(bits: .max)

    /// Returns whether both touch something in common.
    @inlinable
    public func overlaps(_ other: Footprint) -> Bool { bits & other.bits != 0 }
}
