public import CardCrypto
public import EventLoops

/// Everything that tells one simulated Shuttle from another.
public struct ShuttleConfiguration: Hashable, Sendable {
    /// How a swipe is written down.
    public enum Format: Hashable, Sendable, CaseIterable {
        /// Card encode type with bit 7: field bytes, serial, each track padded on its own.
        case enhanced
        /// Card encode type without bit 7: tracks 1 and 2 encrypted in one piece, hashes.
        case original
        /// Text in clear and a CR, of a reader without keys.
        case clear
    }

    /// Which cipher encrypts the tracks.
    public enum Cipher: Hashable, Sendable, CaseIterable {
        /// Triple DES, blocks of 8 bytes; ID TECH's default.
        case tripleDES
        /// AES-128 under the same 16 bytes of key (assumed), blocks of 16 bytes.
        case aes
    }

    /// A way of sending wrongly that was seen in the field.
    public enum Quirk: Hashable, Sendable, CaseIterable {
        /// The record ends in the middle of its encrypted tracks.
        case truncatesRecord
        /// CR LF follow the record.
        case appendsLineEnd
        /// The three bytes behind the key serial number are missing.
        case omitsTrailer
        /// The record has no key serial number.
        case omitsKSN
        /// Track 1 is missing though the card has one.
        case omitsTrack1
    }

    /// How loud the power tone must be, in percent of the maximum volume; 90 (assumed: readers
    /// "require maximum volume", and phone profiles exist that stay one step of sixteen below).
    public var thresholdPercent = 90
    /// From power to the first byte of the answer; 500 ms, the most frequent value of
    /// `powerupLastBeforeCMD` in ID TECH's phone profiles, which know 300 to 1,500 ms.
    public var bootTime = VirtualDuration.milliseconds(500)
    /// How long a swipe is decoded before its first byte is sent; 30 ms (assumed).
    public var decodeTime = VirtualDuration.milliseconds(30)
    /// The speed of the link, 10 bits a byte; 9600, as in most phone profiles.
    public var baudRate = 9_600
    /// How a swipe is written down.
    public var format = Format.enhanced
    /// Which cipher encrypts the tracks.
    public var cipher = Cipher.tripleDES
    /// Whether tracks are encrypted under the PIN variant of the key; the data variant by default.
    public var usesPINKey = false
    /// Whether masked tracks are sent; a reader with forced encryption has none.
    public var sendsMaskedTracks = true
    /// Whether cards that are no payment cards are encrypted as well.
    public var forcesEncryption = false
    /// Whether SHA-1 hashes of the tracks are sent; a Shuttle has none.
    public var sendsHashes = false
    /// The serial number, at most 10 ASCII characters; empty sends none.
    public var serial = Array("3012345678".utf8)
    /// The base derivation key (BDK) of its keys.
    public var baseDerivationKey = CipherKey.publishedTestKey
    /// The key serial number before the first swipe; that of ID TECH's manuals.
    public var initialKSN = ShuttleConfiguration.publishedTestKSN
    /// Whether the reader reports a swipe that it could not read (`%E`); a Shuttle of the gateway's
    /// SDK does, since the SDK document promises an event for bad swipes.
    public var reportsErrors = true
    /// What it sends then, before a CR; the text after `%E` is not published (assumed).
    public var errorText = Array("%E?;E?".utf8)
    /// How many leading digits stay in clear, 0 to 6.
    public var prePANDigitCount = 4
    /// Whether the expiry stays in clear.
    public var showsExpiry = true
    /// What it does wrong.
    public var quirks: [Quirk] = []

    /// Creates a Shuttle with the published test keys.
    public init() {}

    /// The published initial number of ID TECH's manuals, `62994901190000000000`.
    public static let publishedTestKSN =
        KSN([0x62, 0x99, 0x49, 0x01, 0x19, 0, 0, 0, 0, 0]) ?? .publishedTestKSN
}
