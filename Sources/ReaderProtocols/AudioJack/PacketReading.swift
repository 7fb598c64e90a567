/// How an SDK reads the packet of an audio-jack reader.
public enum PacketReading: Hashable, Sendable, CaseIterable {
    /// As the published library was observed to, with every quirk: checks, length field and KSN flag
    /// are not looked at, and what cannot be read leaves a card without fields behind.
    ///
    /// Source: observed output of the Android library's classes for UniMag and IPS packets.
    case observed
    /// As a library should: a truncated or damaged packet is a bad swipe, and so is one whose tracks
    /// no gateway could decrypt.
    case careful
}
