/// Where the flux of one track turns, along the card.
///
/// F2F (Aiken biphase): a turn at every cell's border, and one more in the middle of a 1.
///
/// Source: ISO/IEC 7811-2, section 8 (coding), section 9.2 (the data's first bit at 7.44 mm from the
/// edge); a card is 85.60 mm long (ISO/IEC 7810, ID-1). Zeros fill the stripe on both sides.
public struct StripeFlux: Hashable, Sendable {
    /// The turns in nanometres from the card's leading edge, in ascending order.
    public let turnNanometres: [Int]

    /// A card's length in nanometres.
    public static let cardLengthNanometres = 85_600_000
    /// Where the first bit of data begins, in nanometres from the leading edge.
    public static let dataStartNanometres = 7_440_000
    private static let inchNanometres = 25_400_000

    /// Writes a track onto the stripe.
    ///
    /// - Returns: `nil` when the text is no track; an empty text gives a stripe without a turn.
    public init?(track: StripeTrack, text: some Collection<UInt8>) {
        guard !text.isEmpty else {
            self.init(turnNanometres: [])
            return
        }
        guard let data = track.bits(of: text) else { return nil }
        let bits = track.bitsPerInch
        let leading = Self.dataStartNanometres * bits / Self.inchNanometres
        let whole = Self.cardLengthNanometres * bits / Self.inchNanometres
        let trailing = max(0, whole - leading - data.count)
        self.init(
            bits: Array(repeating: false, count: leading) + data
                + Array(repeating: false, count: trailing),
            bitsPerInch: bits
        )
    }

    private init(turnNanometres: [Int]) { self.turnNanometres = turnNanometres }

    /// Writes bits onto a stripe, from its leading edge.
    public init(bits: [Bool], bitsPerInch: Int) {
        var turns: [Int] = []
        turns.reserveCapacity(bits.count * 2)
        for (cell, bit) in bits.enumerated() {
            turns.append(cell * Self.inchNanometres / bitsPerInch)
            if bit { turns.append((2 * cell + 1) * Self.inchNanometres / (2 * bitsPerInch)) }
        }
        turns.append(bits.count * Self.inchNanometres / bitsPerInch)
        self.init(turnNanometres: turns)
    }
}
