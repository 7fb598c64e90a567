public import CardCrypto
public import EventLoops
public import ReaderProtocols

/// Everything that tells one simulated Shuttle from another.
public struct ShuttleConfiguration: Hashable, Sendable {
    /// What it sends for a swipe that it could not read.
    public enum BadSwipe: Hashable, Sendable, CaseIterable {
        /// The error report, ``ShuttleConfiguration/errorText`` and a CR.
        case errorText
        /// A record whose tracks were sampled and not decoded.
        case emptyRecord
        /// Nothing, as with error notification off.
        case nothing
    }

    /// A way of sending wrongly that was seen in the field.
    public enum Quirk: Hashable, Sendable, CaseIterable {
        /// The last third of the record is missing.
        case truncatesRecord
        /// CR LF follow the record.
        case appendsLineEnd
        /// The three bytes behind the key serial number are missing.
        case omitsTrailer
        /// The record has no key serial number.
        case omitsKSN
        /// The record has no track 1, as if the card had none.
        case omitsTrack1
    }

    /// How loud the power tone must be, in percent of the maximum volume; 90 (assumed: readers
    /// "require maximum volume", and phone profiles exist that stay one step of sixteen below).
    public var thresholdPercent = 90
    /// From power to the first byte of the answer; 500 ms, the most frequent value of
    /// `powerupLastBeforeCMD` in ID TECH's phone profiles, which know 300 to 1,500 ms.
    public var bootTime = VirtualDuration.milliseconds(500)
    /// What it sends once it has booted: the byte with which it acknowledges commands (assumed; the
    /// power-up string that ID TECH's library looks for is not published).
    public var powerUpAnswer: [UInt8] = [0x06]
    /// How long a swipe is decoded before its first byte is sent; 30 ms (assumed).
    public var decodeTime = VirtualDuration.milliseconds(30)
    /// The speed of the link, 10 bits a byte; 9600, as in most phone profiles.
    public var baudRate = 9_600
    /// What a swipe's record holds: format, cipher, key variant, masks, hashes, serial number.
    ///
    /// Unlike the factory's it shows the expiration date, since the gateway's SDK reads one from
    /// its Shuttles.
    public var settings: IDTechReaderSettings
    /// Whether the reader has keys; one without sends the tracks as clear text and a CR.
    public var hasKeys = true
    /// The base derivation key (BDK) of its keys.
    public var baseDerivationKey = CipherKey.publishedTestKey
    /// The key serial number before the first swipe; that of ID TECH's manuals.
    public var initialKSN = ShuttleConfiguration.publishedTestKSN
    /// What it sends for a swipe that it could not read; the error report by default, since the SDK
    /// document promises an event for bad swipes.
    public var badSwipe = BadSwipe.errorText
    /// The error report; the text after `%E` is not published (assumed).
    public var errorText = Array("%E?;E?".utf8)
    /// What it does wrong.
    public var quirks: [Quirk] = []

    /// Creates a Shuttle with the published test keys.
    public init() {
        settings = IDTechReaderSettings()
        settings.showsExpirationDate = true
    }

    /// The published initial number of ID TECH's manuals, `62994901190000000000`.
    public static let publishedTestKSN =
        KSN([0x62, 0x99, 0x49, 0x01, 0x19, 0, 0, 0, 0, 0]) ?? .publishedTestKSN
}
