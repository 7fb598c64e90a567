public import CardCrypto
import CardData

/// One swipe of an ID TECH reader (UniMag, UniMag II, Shuttle, SecureMag), in the enhanced or the
/// original encryption format.
///
/// Masked fields are clear for cards that are no bank cards, and track 3 of the original format
/// always is, so no description or mirror shows any; what may be shown comes from
/// ``EncryptedCard``.
/// Source: SecureMag User Manual (rebadged as Unitech MS246 manual 80096504-001), Data Format;
/// UniMag II/Shuttle User Manual 80110509-001, Decrypted Data Format.
public struct IDTechRecord: Hashable, Sendable {
    /// Which of the two layouts the card data has; bit 7 of the card encode type.
    public enum Format: Hashable, Sendable, CaseIterable {
        /// Tracks 1 and 2 are one cryptogram; no flags and no serial number.
        case original
        /// Flags say what was sent; each track is a cryptogram of its own.
        case enhanced
    }

    /// The kind of card; the low bits of the card encode type.
    public enum EncodeType: UInt8, Hashable, Sendable, CaseIterable {
        /// ISO/ABA: a payment card.
        case iso = 0
        /// AAMVA: a driver's licence.
        case aamva = 1
        /// Neither of the two.
        case other = 3
        /// Raw: not decoded.
        case raw = 4
        /// JIS II, newer readers.
        case jis2 = 5
        /// JIS I, newer readers.
        case jis1 = 6
        /// Entered by hand, newer readers.
        case manual = 7
    }

    /// What encrypted the tracks; it decides the size of a block.
    public enum Cipher: UInt8, Hashable, Sendable, CaseIterable {
        /// Triple DES, CBC, vector of zeros: blocks of 8 bytes.
        case tripleDES = 0
        /// AES-128, CBC, vector of zeros: blocks of 16 bytes.
        case aes = 1

        /// The size of a block in bytes.
        public var blockByteCount: Int { self == .aes ? 16 : 8 }
    }

    /// What the reader sent of one track.
    public struct Track: Hashable, Sendable {
        /// How many characters the track has in clear, sentinels and LRC character included; 0 when
        /// it was not decoded.
        public var byteCount: Int
        /// The masked text, ``byteCount`` characters; clear for other than bank cards; `nil` when it
        /// was not sent.
        public var masked: [UInt8]?
        /// The cryptogram, whole blocks; `nil` when it was not sent.
        public var encrypted: [UInt8]?
        /// The SHA-1 of the clear track, 20 bytes, zeros from SRED readers; `nil` when not sent.
        public var hash: [UInt8]?

        /// Creates a track.
        public init(
            byteCount: Int = 0,
            masked: [UInt8]? = nil,
            encrypted: [UInt8]? = nil,
            hash: [UInt8]? = nil
        ) {
            self.byteCount = byteCount
            self.masked = masked
            self.encrypted = encrypted
            self.hash = hash
        }
    }

    /// The layout.
    public var format: Format
    /// The kind of card.
    public var encodeType: EncodeType
    /// The decode and sampling bits of the three tracks.
    public var status: IDTechTrackStatus
    /// Track 1, start sentinel `%`.
    public var track1: Track
    /// Track 2, start sentinel `;`.
    public var track2: Track
    /// Track 3, start sentinel `;`.
    public var track3: Track
    /// What the enhanced format's flags say beside which fields there are.
    public var attributes: IDTechAttributes
    /// What encrypted the tracks, told by the sizes of the cryptograms: the attributes may say
    /// something else.
    public var cipher: Cipher
    /// Tracks 1 and 2 as the original format encrypts them, in one; `nil` in the enhanced format and
    /// for cards that are not encrypted.
    public var joinedCryptogram: [UInt8]?
    /// The optional bytes of a SREDKey 2, at most 255; `nil` when status bit 6 is clear.
    public var optionalBytes: [UInt8]?
    /// The session id of security level 4; `nil` when it was not sent.
    public var sessionID: UInt64?
    /// The reader's serial number, ten ASCII characters; `nil` when it was not sent.
    public var serial: [UInt8]?
    /// The key serial number; `nil` when it was not sent.
    public var ksn: KSN?

    /// Creates a record; what is left out was not sent.
    public init(
        format: Format = .enhanced,
        encodeType: EncodeType = .iso,
        status: IDTechTrackStatus,
        track1: Track = Track(),
        track2: Track = Track(),
        track3: Track = Track(),
        attributes: IDTechAttributes = [],
        cipher: Cipher = .tripleDES,
        joinedCryptogram: [UInt8]? = nil,
        optionalBytes: [UInt8]? = nil,
        sessionID: UInt64? = nil,
        serial: [UInt8]? = nil,
        ksn: KSN? = nil
    ) {
        self.format = format
        self.encodeType = encodeType
        self.status = status
        self.track1 = track1
        self.track2 = track2
        self.track3 = track3
        self.attributes = attributes
        self.cipher = cipher
        self.joinedCryptogram = joinedCryptogram
        self.optionalBytes = optionalBytes
        self.sessionID = sessionID
        self.serial = serial
        self.ksn = ksn
    }

    /// The tracks in their order.
    public var tracks: [Track] { [track1, track2, track3] }
}

extension IDTechRecord: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The masked number and the key serial number.
    public var description: String {
        let card = maskedCardNumber?.description ?? "no card number"
        return "ID TECH record (\(card), KSN \(ksn?.description ?? "none"))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no track.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension IDTechRecord.Track: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The number of characters only.
    public var description: String { "track of \(byteCount) characters" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no track.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
