/// A card that a scenario can name: published test numbers only.
///
/// Its tracks are in clear, so no description or mirror shows them.
public struct TestCard: Hashable, Sendable {
    /// What scenarios call it, such as `visa`.
    public let name: String
    /// Track 1 with its sentinels and without the LRC; empty when the stripe has none.
    public let unmaskedTrack1: [UInt8]
    /// Track 2 with its sentinels and without the LRC; empty when the stripe has none.
    public let unmaskedTrack2: [UInt8]
    /// Track 3 with its sentinels (`;` and `?`) and without the LRC; empty when the stripe has none.
    public let unmaskedTrack3: [UInt8]
    /// What its chip answers; `nil` for a card with nothing but a stripe.
    public let chip: Chip?

    /// Creates a card from the text of its tracks.
    public init(
        name: String,
        track1: String,
        track2: String,
        track3: String = "",
        chip: Chip? = nil
    ) {
        self.name = name
        unmaskedTrack1 = Array(track1.utf8)
        unmaskedTrack2 = Array(track2.utf8)
        unmaskedTrack3 = Array(track3.utf8)
        self.chip = chip
    }

    /// Creates a card from what stands on it.
    public init(
        name: String,
        pan: PAN,
        cardholder: String,
        expirationDate: ExpirationDate,
        serviceCode: ServiceCode,
        chip: Chip? = nil
    ) {
        self.name = name
        unmaskedTrack1 =
            Track1(
                pan: pan,
                name: cardholder,
                expirationDate: expirationDate,
                serviceCode: serviceCode,
                discretionaryData: "0000000000"
            ).unmaskedBytes
        unmaskedTrack2 =
            Track2(
                pan: pan,
                expirationDate: expirationDate,
                serviceCode: serviceCode,
                discretionaryData: "0000000000"
            ).unmaskedBytes
        unmaskedTrack3 = []
        self.chip = chip
    }

    /// The name of the card in the examples of MagTek's manual 99875475.
    public static let manualExampleName = "magtek-manual"

    /// Returns the card of that name, or `nil`.
    public static func named(_ name: String) -> TestCard? { all.first { $0.name == name } }

    /// The names of all cards, sorted.
    public static let names: [String] = all.map(\.name)
}

extension TestCard: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The card's name.
    public var description: String { name }

    /// The card's name.
    public var debugDescription: String { name }

    /// A mirror without children, so that reflection shows no card data.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
