extension TLVTag {
    /// How a value is shown to people.
    public enum Secrecy: Hashable, Sendable {
        /// No card data: shown in full, as bytes.
        case open
        /// Text that is shown after everything like a card number was hidden in it.
        case text
        /// A card number in half bytes: first six and last four are shown.
        case cardNumber
        /// Track 2 in half bytes: its number masked, of the rest the expiration date.
        case binaryTrack
        /// A track in ASCII: its number masked, of the rest the expiration date.
        case track
        /// Only its length: keys, PIN blocks, encrypted tracks, security codes.
        case hidden
        /// Not listed: shown with everything like a card number hidden, and only when short.
        case unknown
    }

    /// The name in the vendor's SDK or in EMV Book 3, or `nil` for a tag that neither lists.
    public var name: String? { Self.entry(self)?.name }

    /// How the value is shown to people.
    public var secrecy: Secrecy { Self.entry(self)?.secrecy ?? .unknown }

    private static func entry(_ tag: TLVTag) -> TagEntry? {
        var low = 0
        var high = TagEntry.all.count
        while low < high {
            let middle = (low + high) / 2
            if TagEntry.all[middle].tag < tag { low = middle + 1 } else { high = middle }
        }
        return low < TagEntry.all.count && TagEntry.all[low].tag == tag ? TagEntry.all[low] : nil
    }
}
