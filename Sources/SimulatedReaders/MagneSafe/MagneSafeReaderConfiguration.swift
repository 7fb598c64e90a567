public import CardCrypto
public import EventLoops
public import Transports

/// Which reader it is and how its swipes travel.
public enum MagneSafeModel: Hashable, Sendable {
    /// An iDynamo on an accessory stream: ASCII in blocks of 500 bytes.
    case idynamo
    /// A Dynamag on USB: one HID report in packets of 1 to 64 bytes (property 0x0A, 8 by default).
    case dynamag(packetByteCount: Int)
}

/// When the key serial number moves on; the manual does not say it for swipes.
public enum MagneSafeKSNStep: Hashable, Sendable {
    /// Before each swipe, so that the first one after key injection uses counter 1.
    case beforeUse
    /// After each swipe.
    case afterUse
    /// Never: every swipe uses the same key, as in published examples.
    case never
}

/// Everything that tells one simulated reader from another.
///
/// Delays of the iDynamo are assumed; no manual gives them.
public struct MagneSafeReaderConfiguration: Hashable, Sendable {
    /// Which reader it is.
    public var model: MagneSafeModel
    /// The base derivation key (BDK) of its keys.
    public var baseDerivationKey = CipherKey.publishedTestKey
    /// The key serial number with which it starts.
    public var initialKSN = KSN.publishedTestKSN
    /// When the key serial number moves on; `beforeUse` by default (assumed).
    public var ksnStep = MagneSafeKSNStep.beforeUse
    /// The device serial number, at most 15 ASCII characters.
    public var serial: [UInt8] = Array("B000795".utf8)
    /// Whether tracks are encrypted under the data variant, property 0x54; else the PIN variant.
    public var encryptsUnderDataVariant = false
    /// How numbers are masked, property 0x07.
    public var mask = MagneSafeMask.factory
    /// The MagnePrint in clear, whole blocks of 8 bytes.
    ///
    /// The same for every swipe, although real ones differ (assumed): that of the manual's
    /// example 11 for the report and 12 for the stream.
    public var magnePrint: [UInt8]
    /// The report's length: 887 bytes, or 856 on older firmware.
    public var reportByteCount = 887
    /// The endpoint's interval, property 0x02: one packet leaves in each.
    public var pollInterval = VirtualDuration.milliseconds(1)
    /// The time from the swipe to the stream's first block; 40 ms (assumed).
    public var firstBlockDelay = VirtualDuration.milliseconds(40)
    /// The time from one block of the stream to the next; 10 ms (assumed).
    public var blockInterval = VirtualDuration.milliseconds(10)

    /// Creates the configuration of a reader with the published test keys.
    public init(_ model: MagneSafeModel) {
        self.model = model
        switch model {
        case .dynamag: magnePrint = Self.magnePrintOfExample11
        case .idynamo: magnePrint = Self.magnePrintOfExample12
        }
    }

    /// The reader of the MagneSafe V5 manual's example 11 (report, 856 bytes) or 12 (stream):
    /// no serial number, and every swipe under counter 8.
    public static func manualExample(_ model: MagneSafeModel) -> MagneSafeReaderConfiguration {
        var configuration = MagneSafeReaderConfiguration(model)
        configuration.initialKSN = KSN.publishedTestKSN.withCounter(8)
        configuration.ksnStep = .never
        configuration.serial = []
        configuration.reportByteCount = 856
        return configuration
    }

    /// Whether swipes travel as a stream of bytes, and not as reports.
    public var isStream: Bool { model == .idynamo }

    /// What a host learns when the reader is attached: 0801:0011 for a Dynamag.
    public var attachment: Attachment {
        switch model {
        case .idynamo: Attachment()
        case .dynamag(let packetByteCount):
            Attachment(
                maximumPacketByteCount: packetByteCount,
                vendorID: 0x0801,
                productID: 0x0011
            )
        }
    }

    /// Source: MagneSafe V5 Communication Reference Manual, example 11, decrypted.
    private static let magnePrintOfExample11: [UInt8] = [
        0x01, 0x00, 0x01, 0x84, 0xEA, 0x10, 0xB9, 0x39, 0x40, 0x8C, 0x87, 0x2A, 0x5C, 0x51,
        0x3C, 0x90, 0xC7, 0x8B, 0x57, 0xA6, 0xF3, 0xFA, 0xA6, 0x63, 0xCE, 0x06, 0x78, 0xB8,
        0x79, 0xD0, 0xD7, 0x8B, 0x7F, 0xAD, 0xBC, 0xE8, 0x59, 0x1A, 0xE7, 0xE4, 0xBE, 0xA1,
        0x04, 0xC4, 0xEF, 0x58, 0x4E, 0xD5, 0xCE, 0x07, 0xC0, 0xD5, 0x5B, 0x81, 0x00, 0x00,
    ]

    /// Source: MagneSafe V5 Communication Reference Manual, example 12, decrypted.
    private static let magnePrintOfExample12: [UInt8] = [
        0x01, 0x00, 0x02, 0xD4, 0xB6, 0x9C, 0xD2, 0xC0, 0xC7, 0x61, 0x7D, 0x04, 0x63, 0x31,
        0x6E, 0x85, 0x3F, 0x9C, 0xB0, 0x0F, 0xE2, 0xC5, 0xA3, 0x55, 0x6E, 0x9C, 0xE5, 0xA9,
        0xB2, 0xE6, 0xDB, 0x89, 0x14, 0xA6, 0x37, 0x2C, 0xA7, 0x73, 0x67, 0x03, 0x6E, 0xFA,
        0xAD, 0xC0, 0x2F, 0x02, 0xC4, 0xFB, 0x76, 0xC6, 0xCF, 0xD8, 0xA5, 0x9C, 0x00, 0x00,
    ]
}
