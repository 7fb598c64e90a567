/// The reader encryption status of a swipe, 16 bits.
///
/// The stream sends the low byte first (`0600`), the HID report the high one (`00 06`).
/// Source: MagneSafe V5 Communication Reference Manual, Reader Encryption Status; bits 9 to 13:
/// eDynamo Programmer's Manual D998200115.
public struct ReaderEncryptionStatus: OptionSet, Hashable, Sendable {
    /// The 16 bits, bit 0 the lowest.
    public let rawValue: UInt16

    /// Creates a status from its bits; unknown ones are kept.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Bit 0: all DUKPT keys are used up, and the reader reads no more cards.
    public static let keysExhausted = Self(rawValue: 1 << 0)
    /// Bit 1: the initial key was injected.
    public static let initialKeyInjected = Self(rawValue: 1 << 1)
    /// Bit 2: encryption is enabled.
    public static let encryptionEnabled = Self(rawValue: 1 << 2)
    /// Bit 3: authentication is required (security level 4).
    public static let authenticationRequired = Self(rawValue: 1 << 3)
    /// Bit 4: the time for the swipe ran out.
    public static let timedOut = Self(rawValue: 1 << 4)
    /// Bit 5: the encrypting head got a message that is too short; the reader needs service.
    public static let messageTooShort = Self(rawValue: 1 << 5)
    /// Bit 6: the encrypting head got a message of the wrong type; the reader needs service.
    public static let wrongMessageType = Self(rawValue: 1 << 6)
    /// Bit 7: the keys of reader and encrypting head differ; the reader needs service.
    public static let keySynchronisationError = Self(rawValue: 1 << 7)
    /// Bit 8: the encryption counter is used up.
    public static let encryptionCounterExpired = Self(rawValue: 1 << 8)
    /// Bit 9: a secondary key was injected.
    public static let secondaryKeyInjected = Self(rawValue: 1 << 9)
    /// Bit 10: tracks are encrypted under the secondary key.
    public static let secondaryKeyForTracks = Self(rawValue: 1 << 10)
    /// Bit 11: tracks are encrypted under the data variant, otherwise under the PIN variant.
    public static let dataVariant = Self(rawValue: 1 << 11)
    /// Bit 12: MagnePrint is encrypted under the secondary key.
    public static let secondaryKeyForMagnePrint = Self(rawValue: 1 << 12)
    /// Bit 13: MagnePrint is encrypted under the data variant, otherwise under the PIN variant.
    public static let magnePrintDataVariant = Self(rawValue: 1 << 13)

    /// Whether the encrypted fields are encrypted; they carry clear text otherwise.
    public var isEncrypting: Bool { contains([.initialKeyInjected, .encryptionEnabled]) }
}

/// The MagnePrint status of a swipe, 32 bits, little-endian on both transports.
///
/// Source: MagneSafe V5 Communication Reference Manual, MagnePrint Status; bit 20 is set by
/// readers in the field although the manual says that it is zero.
public struct MagnePrintStatus: OptionSet, Hashable, Sendable {
    /// The 32 bits, bit 0 the lowest.
    public let rawValue: UInt32

    /// Creates a status from its bits; unknown ones are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bit 0: the reader can read MagnePrint.
    public static let capable = Self(rawValue: 1 << 0)
    /// Bit 16: only the status is sent.
    public static let statusOnly = Self(rawValue: 1 << 16)
    /// Bit 17: too much noise.
    public static let noise = Self(rawValue: 1 << 17)
    /// Bit 18: the swipe was too slow.
    public static let tooSlow = Self(rawValue: 1 << 18)
    /// Bit 19: the swipe was too fast.
    public static let tooFast = Self(rawValue: 1 << 19)
    /// Bit 21: the card was swiped in reverse.
    public static let reversed = Self(rawValue: 1 << 21)
}

/// What kind of encoding the reader found; only the HID report carries it.
///
/// Source: MagneSafe V5 Communication Reference Manual, Card Encode Type.
public enum CardEncodeType: UInt8, Hashable, Sendable {
    /// ISO/ABA, as of payment cards.
    case iso = 0
    /// AAMVA, as of driver's licences.
    case aamva = 1
    /// Reserved; older readers reported Californian licences so.
    case reserved = 2
    /// No track has data, and none has an error.
    case blank = 3
    /// The card decodes and follows neither ISO nor AAMVA.
    case other = 4
    /// At least one track has an error and the others are blank.
    case undetermined = 5
    /// Nothing could be decoded.
    case unreadable = 6
}
