/// A set of a stripe's tracks.
public struct StripeTracks: OptionSet, Hashable, Sendable {
    /// Bit *n* − 1 for track *n*.
    public var rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Track 1.
    public static let track1 = StripeTracks(rawValue: 1)
    /// Track 2.
    public static let track2 = StripeTracks(rawValue: 2)
    /// Track 3.
    public static let track3 = StripeTracks(rawValue: 4)
    /// All three.
    public static let all: StripeTracks = [.track1, .track2, .track3]
}
