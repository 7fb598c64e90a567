public import CardCrypto
public import EventLoops
public import ReaderProtocols

/// Everything that tells one simulated IPS from another.
public struct IPSConfiguration: Hashable, Sendable {
    /// What a swipe is to a sleeping reader.
    public enum Waking: Hashable, Sendable, CaseIterable {
        /// It wakes the reader and is read (assumed: the SDK says ready at once, and knows no sleep).
        case swipeIsRead
        /// It wakes the reader and is lost.
        case swipeIsLost
        /// Only a tone wakes the reader.
        case toneOnly
    }

    /// The battery at the start in percent, 0 to 100; 100 by default.
    public var batteryPercent = 100
    /// How many swipes use up one percent of it, from 1 on; 20 (assumed).
    public var swipesPerPercent = 20
    /// After how long without a swipe or a tone it sleeps; `nil`, never, by default.
    public var sleepsAfter: VirtualDuration?
    /// What wakes it, beside being plugged in.
    public var waking = Waking.swipeIsRead
    /// How loud the tone of a communication test must be, in percent of the maximum; 30 (assumed).
    public var thresholdPercent = 30
    /// From the end of that tone to the first byte of the answer; 150 ms (assumed).
    public var answerDelay = VirtualDuration.milliseconds(150)
    /// How long a swipe is decoded before its first byte is sent; 50 ms (assumed).
    public var decodeTime = VirtualDuration.milliseconds(50)
    /// The speed of the link, 10 bits a byte; 2400 (assumed).
    public var baudRate = 2_400
    /// What is assumed of its packets.
    public var settings = IPSReaderSettings()
    /// The base derivation key (BDK) of its keys.
    public var baseDerivationKey = CipherKey.publishedTestKey
    /// The key serial number before the first swipe.
    public var initialKSN = KSN.publishedTestKSN
    /// Whether a bad read sends a part of a packet, an error inside the library, and not nothing.
    public var sendsDamagedPackets = false

    /// Creates an IPS with the published test keys.
    public init() {}
}
