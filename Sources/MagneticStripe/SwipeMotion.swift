/// How a card goes past the head, and what the stripe and the head's amplifier do to the signal.
///
/// All values are integers, so that the same swipe gives the same samples on every machine. The
/// default is an ordinary swipe: 20 inches a second, without noise.
public struct SwipeMotion: Hashable, Sendable {
    /// The speed when the stripe's first edge passes the head, in hundredths of an inch a second;
    /// 1 inch/s to 400 inches/s.
    public var speedHundredths: Int = 2_000
    /// The speed at the other edge, in hundredths of an inch a second; it changes evenly with time.
    public var endSpeedHundredths: Int = 2_000
    /// The card goes from its end to its beginning.
    public var isReversed = false
    /// How much faster the card goes after the middle of the stripe, all at once, in percent.
    public var joltPercent = 100
    /// White noise of the amplifier, root mean square, in per mille of a pulse at 20 inches/s.
    public var noisePerMille = 0
    /// How far each turn of the flux lies from its place, root mean square, in per mille of half a
    /// cell of the track: a worn encoder, a scratched stripe.
    public var jitterPerMille = 0
    /// Weak places of the stripe.
    public var dropouts: [Dropout] = []
    /// The amplifier's limit, in per mille of a pulse at 20 inches/s: what is beyond is cut.
    ///
    /// It is never more than 16 bits hold.
    public var clipPerMille = 3_000
    /// Half the width of a pulse at half its height, in nanometres along the card: the head's gap and
    /// its distance from the stripe; 1 µm to 500 µm.
    public var halfWidthNanometres = 20_000
    /// The strength of the stripe's flux in percent: 100 is a good card, 5 a demagnetised one.
    public var strengthPercent = 100
    /// The first number of the noise, the jitter and the dropouts.
    public var seed: UInt64 = 0

    /// Creates an ordinary swipe.
    public init() {}

    /// A place where the stripe gives less signal: dirt, a scratch, a magnet.
    public struct Dropout: Hashable, Sendable {
        /// The track; `nil` is all of them.
        public var track: StripeTrack?
        /// Where it begins, in nanometres from the card's leading edge.
        public var startNanometres: Int
        /// How long it is, in nanometres.
        public var lengthNanometres: Int
        /// What is left of the signal, in percent.
        public var strengthPercent: Int

        /// Creates a weak place.
        public init(
            track: StripeTrack? = nil,
            startNanometres: Int,
            lengthNanometres: Int,
            strengthPercent: Int = 0
        ) {
            self.track = track
            self.startNanometres = startNanometres
            self.lengthNanometres = lengthNanometres
            self.strengthPercent = strengthPercent
        }
    }
}
