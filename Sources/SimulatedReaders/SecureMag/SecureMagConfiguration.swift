public import CardCrypto
public import EventLoops
public import ReaderProtocols

/// Everything that tells one simulated SecureMag from another.
///
/// Source: MS246 manual 80096504-001 (a rebadged SecureMag); what is assumed says so.
public struct SecureMagConfiguration: Hashable, Sendable {
    /// What a swipe's record holds: three tracks, hashes, serial number; and what commands set.
    public var settings: IDTechReaderSettings
    /// Whether the reader has keys; one without sends tracks in clear.
    public var hasKeys = true
    /// The base derivation key (BDK) of its keys.
    public var baseDerivationKey = CipherKey.publishedTestKey
    /// The key serial number before the first swipe; that of ID TECH's manuals.
    public var initialKSN = ShuttleConfiguration.publishedTestKSN
    /// The endpoint's packet size, 1 to 64; 8 (assumed: only that of endpoint 0 is published, 8).
    public var packetByteCount: Int
    /// Between two packets; 1 ms, the shortest interval of a full-speed device (assumed).
    public var packetInterval = VirtualDuration.milliseconds(1)
    /// How long a swipe is decoded before its first packet; 30 ms (assumed).
    public var decodeTime = VirtualDuration.milliseconds(30)
    /// The length of feature reports; 8 as on ID TECH's MOIR (assumed of a SecureMag).
    public var featureByteCount = 8
    /// Whether it acts as a keyboard: 0ACD:2030 in place of 0ACD:2010.
    public var isKeyboard = false
    /// What it answers when it is asked for its firmware (constructed; none is published).
    public var firmwareVersion = "ID TECH SecureMag V1.00"

    /// Creates a reader with the published test keys.
    ///
    /// Unlike the factory's it shows the expiration date, so that the SDK's card has one.
    public init(packetByteCount: Int = 8) {
        self.packetByteCount = packetByteCount
        settings = IDTechReaderSettings()
        settings.showsExpirationDate = true
        settings.trackCount = 3
        settings.sendsHashes = true
    }
}

extension SecureMagConfiguration {
    /// What can be set by name.
    public static let options: [ReaderOption<SecureMagConfiguration>] = [
        .choice(
            "format",
            ["enhanced": IDTechRecord.Format.enhanced, "original": .original],
            \.settings.format
        ),
        .choice("cipher", ["tdes": IDTechRecord.Cipher.tripleDES, "aes": .aes], \.settings.cipher),
        .choice("key", ["data": false, "pin": true], \.settings.usesPINKey),
        .choice("hashes", ["yes": true, "no": false], \.settings.sendsHashes),
        .choice("expiry", ["shown": true, "masked": false], \.settings.showsExpirationDate),
        .choice("keys", ["loaded": true, "none": false], \.hasKeys),
        .choice("usb-mode", ["hid": false, "keyboard": true], \.isKeyboard),
    ]
}
