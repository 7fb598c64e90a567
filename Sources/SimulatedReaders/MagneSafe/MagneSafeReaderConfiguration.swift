public import CardCrypto
public import EventLoops
public import ReaderProtocols
public import Transports

/// Which reader it is and how its swipes travel.
public enum MagneSafeModel: Hashable, Sendable {
    /// An iDynamo on an accessory stream: ASCII in blocks of 500 bytes.
    case idynamo
    /// A Dynamag on USB: one HID report in packets of 1 to 64 bytes (property 0x0A, 8 by default), or
    /// up to 1,024 to have whole reports, as the host gets them.
    case dynamag(packetByteCount: Int)
    /// A Dynamag that acts as a keyboard: it types its message.
    case keyboard
    /// A SureSwipe reader on USB, without encryption: clear reports of 337 bytes.
    case sureSwipe(packetByteCount: Int)

    /// Whether it is no MagneSafe reader and knows commands 00 to 02 only.
    var isSureSwipe: Bool {
        switch self {
        case .sureSwipe: true
        case .idynamo, .dynamag, .keyboard: false
        }
    }

    /// The properties that such a reader has.
    var propertyModels: MagneSafeProperty.Models {
        switch self {
        case .idynamo: .idynamo
        // Its interface property turns one into the other, so it keeps the settings of both.
        case .dynamag, .keyboard: .usb
        case .sureSwipe: .all
        }
    }
}

/// How far a reader is locked; it only goes up.
///
/// Source: MagneSafe V5 Communication Reference Manual 99875475, Security Levels.
public enum MagneSafeSecurityLevel: UInt8, Hashable, Sendable, Comparable {
    /// Nothing is encrypted, and every property can be set.
    case two = 2
    /// Tracks are encrypted; properties need a MAC.
    case three = 3
    /// As three, and a swipe is read only after an authentication.
    case four = 4

    /// Whether a level is the lower one.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
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
    public var serial = Self.usualSerial
    /// Whether tracks are encrypted under the data variant, property 0x54; else the PIN variant.
    public var encryptsUnderDataVariant = false
    /// How numbers are masked, property 0x07.
    public var mask = MagneSafeMask.factory
    /// How licence numbers are masked, property 0x08.
    public var licenceMask = MagneSafeMask.factory
    /// The security level with which it starts.
    public var securityLevel = MagneSafeSecurityLevel.three
    /// Whether an initial key was injected; without one nothing is encrypted, as at level 2.
    public var hasKeys = true
    /// Properties as a reseller set them before delivery; they hold from the start.
    public var properties: [MagneSafePropertyValue] = []
    /// How many encryptions are left, at most 1,000,000; `nil` does not count them.
    public var encryptionCounter: UInt32?
    /// MagnePrint capable, with the product revision of the manual's examples.
    public var magnePrintStatus = MagnePrintStatus(rawValue: 0x05A1)
    /// The 20 bytes sent as hash of track 2; empty sends zeros (what is hashed is not published).
    public var track2Hash: [UInt8] = []
    /// Whether masked fields are masked at level 2; `nil` masks them in text and not in reports, as
    /// in the manual's examples 5 and 3 (its example 2 shows clear text).
    public var masksAtLevelTwo: Bool?
    /// Whether fields that are not sent at level 2 keep their separators, as in example 5.
    public var keepsMagnePrintSeparators = true
    /// Whether clear tracks of reports are zero padded to blocks of 8, as in example 1; not in 3.
    public var padsClearTracks = false
    /// Where an iDynamo's terminator stands; before the padding by default (assumed).
    public var terminatorPlacement = MagneSafeStreamLayout.TerminatorPlacement.beforePadding
    /// Whether a stream's replies to commands fill blocks of 500 bytes; no by default (assumed).
    public var padsReplies = false
    /// The time from a command to its reply on a stream; 5 ms (assumed).
    public var replyDelay = VirtualDuration.milliseconds(5)
    /// The length of feature reports: 60 bytes, or 24 as keyboards' printed descriptor says.
    public var featureByteCount = 60
    /// The answer to a command that the reader does not know; not published.
    public var unknownCommandResult = MagneSafeResponse.Result.badParameter
    /// The answer for a property that the reader does not have; not published.
    public var unknownPropertyResult = MagneSafeResponse.Result.badParameter
    /// Where the challenges of the authenticated mode come from.
    public var challengeSeed: UInt64 = 0
    /// Challenges to use instead of drawn ones; the low two bytes of the first give way to the KSN.
    public var fixedChallenges: Challenges?
    /// Whether the end of an authenticated swipe window sends a message with status bit 4; no by
    /// default (no example exists).
    public var reportsSwipeTimeOut = false

    /// The two random numbers of an activation.
    public struct Challenges: Hashable, Sendable {
        /// The first, whose upper six bytes count.
        public var first: UInt64
        /// The second.
        public var second: UInt64

        /// Creates a pair.
        public init(first: UInt64, second: UInt64) {
            self.first = first
            self.second = second
        }
    }
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
        case .dynamag, .sureSwipe: magnePrint = Self.magnePrintOfExample11
        case .idynamo, .keyboard: magnePrint = Self.magnePrintOfExample12
        }
        if case .sureSwipe = model {
            pollInterval = .milliseconds(10)
            featureByteCount = 24
            securityLevel = .two
            hasKeys = false
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

    /// What a host learns when the reader is attached: 0801:0011 for a Dynamag, 0001 for a keyboard
    /// and 0002 for a SureSwipe reader.
    public var attachment: Attachment { SimulatedMagneSafeReader(self).attachment }

    private static let usualSerial = Array("B000795".utf8)

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
