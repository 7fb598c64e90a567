/// How a card moves past a reader's head, and what is wrong with its stripe.
///
/// The defaults are an ordinary swipe. Shares are whole percents.
public struct StripePlan: Hashable, Sendable {
    /// The speed at the first edge, in inches a second; 1 to 400.
    public var speed = 20
    /// The speed at the other edge; `nil` is the same.
    public var endSpeed: Int?
    /// The speed after the middle in percent of that before it: a jolt.
    public var joltPercent = 100
    /// The card goes from its end to its beginning.
    public var isBackward = false
    /// Noise, root mean square, of a pulse at 20 inches a second.
    public var noisePercent = 0
    /// How far the flux's turns lie from their places, root mean square, of half a cell.
    public var jitterPercent = 0
    /// The strength of the stripe.
    public var strengthPercent = 100
    /// Where the amplifier cuts, of a pulse at 20 inches a second; `nil` is far away.
    public var clipPercent: Int?
    /// Places without a stripe.
    public var holes: [Hole] = []
    /// The first number of the noise; `nil` is 0.
    public var seed: UInt64?

    /// Creates an ordinary swipe.
    public init() {}

    /// A place where nothing is left of the stripe.
    public struct Hole: Hashable, Sendable {
        /// 1, 2 or 3; `nil` is all tracks.
        public var track: Int?
        /// Where it begins, in millimetres from the card's front edge.
        public var startMillimetres: Int
        /// How long it is, in millimetres.
        public var lengthMillimetres: Int
    }
}
