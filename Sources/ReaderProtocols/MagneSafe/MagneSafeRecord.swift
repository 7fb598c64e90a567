public import CardCrypto
import CardData

/// One swipe of a MagneSafe V5 reader, whichever way it travels.
///
/// The HID report and the ASCII stream carry the same fields in other places: see
/// ``MagneSafeReportLayout`` and ``MagneSafeStreamLayout``. At security level 2 readers send
/// clear text in the encrypted and often in the masked fields, so no description or mirror shows
/// either; what may be shown comes from ``maskedCardNumber``, ``expirationDate`` and
/// ``cardholderName``.
/// Source: MagneSafe V5 Communication Reference Manual 99875475, Magnetic Stripe Card Data.
public struct MagneSafeRecord: Hashable, Sendable {
    /// What the reader made of one track.
    public struct Track: Hashable, Sendable {
        /// How the decoding of a track ended.
        public enum Status: Hashable, Sendable {
            /// The track was decoded.
            case read
            /// The track holds nothing, or is switched off.
            case blank
            /// The track holds something that could not be decoded.
            case failed
        }

        /// How the decoding ended.
        public var status: Status
        /// The masked text with its sentinels; empty unless the track was read.
        public var masked: [UInt8]
        /// The cryptogram, whole blocks of 8 bytes; clear text when the reader does not encrypt.
        public var encrypted: [UInt8]
        /// How many bytes of the decrypted text are the track's, sentinels included.
        public var absoluteByteCount: Int

        /// Creates the state of a track.
        public init(
            status: Status,
            masked: [UInt8] = [],
            encrypted: [UInt8] = [],
            absoluteByteCount: Int? = nil
        ) {
            self.status = status
            self.masked = masked
            self.encrypted = encrypted
            self.absoluteByteCount = absoluteByteCount ?? masked.count
        }

        /// A track without data.
        public static let blank = Track(status: .blank)
        /// A track that could not be decoded.
        public static let failed = Track(status: .failed)
    }

    /// Track 1, start sentinel `%`.
    public var track1: Track
    /// Track 2, start sentinel `;`.
    public var track2: Track
    /// Track 3, start sentinel `+` in the stream and `;` in the report.
    public var track3: Track
    /// The kind of encoding; the stream does not carry it and gives `nil`.
    public var encodeType: CardEncodeType?
    /// The reader's keys and mode.
    public var readerStatus: ReaderEncryptionStatus
    /// Speed, direction and capability of MagnePrint; `nil` when the stream's field is empty.
    public var magnePrintStatus: MagnePrintStatus?
    /// The encrypted MagnePrint, 56 bytes at level 3; empty when it was not sent.
    public var magnePrint: [UInt8]
    /// The reader's serial number, ASCII, at most 15 characters.
    public var serial: [UInt8]
    /// The encrypted session id, eight bytes as a big-endian number.
    public var sessionID: UInt64
    /// The key serial number of every field of the swipe; `nil` when the reader has no keys.
    public var ksn: KSN?
    /// How many encryptions are left, 24 bits; `nil` when they are not counted or not sent.
    public var encryptionCounter: UInt32?
    /// The stream's format code, four characters; ``MagneSafeStreamLayout/defaultFormatCode``
    /// unless a property that changes the format was set.
    public var formatCode: UInt32
    /// What few readers send; one reference, since records are copied often.
    private var rarities: Rarities?

    private final class Rarities: Hashable, Sendable {
        let cardStatus: UInt8
        let track2Hash: [UInt8]
        let encryptedCRC: [UInt8]

        init(cardStatus: UInt8, track2Hash: [UInt8], encryptedCRC: [UInt8]) {
            self.cardStatus = cardStatus
            self.track2Hash = track2Hash
            self.encryptedCRC = encryptedCRC
        }

        static func == (left: Rarities, right: Rarities) -> Bool {
            left.cardStatus == right.cardStatus && left.track2Hash == right.track2Hash
                && left.encryptedCRC == right.encryptedCRC
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(cardStatus)
            hasher.combine(track2Hash)
            hasher.combine(encryptedCRC)
        }
    }

    private mutating func keep(_ cardStatus: UInt8, _ track2Hash: [UInt8], _ encryptedCRC: [UInt8])
    {
        let isUsual = cardStatus == 0 && track2Hash.isEmpty && encryptedCRC.isEmpty
        rarities =
            isUsual
            ? nil
            : Rarities(
                cardStatus: cardStatus,
                track2Hash: track2Hash,
                encryptedCRC: encryptedCRC
            )
    }

    /// What an insert reader says of the card's way; 0 for swipe readers.
    ///
    /// Bit 0 is set when the card was read on insertion. The stream does not carry it.
    public var cardStatus: UInt8 {
        get { rarities?.cardStatus ?? 0 }
        set { keep(newValue, track2Hash, encryptedCRC) }
    }

    /// The hash of track 2 in a report, 20 bytes; empty when it is zeros or not sent.
    public var track2Hash: [UInt8] {
        get { rarities?.track2Hash ?? [] }
        set { keep(cardStatus, newValue, encryptedCRC) }
    }

    /// The stream's encrypted checksum, eight bytes; empty when it is switched off.
    public var encryptedCRC: [UInt8] {
        get { rarities?.encryptedCRC ?? [] }
        set { keep(cardStatus, track2Hash, newValue) }
    }

    /// Creates a record; what is left out is as a reader at level 3 without MagnePrint sends it.
    public init(
        track1: Track = .blank,
        track2: Track = .blank,
        track3: Track = .blank,
        encodeType: CardEncodeType? = nil,
        readerStatus: ReaderEncryptionStatus = [.initialKeyInjected, .encryptionEnabled],
        magnePrintStatus: MagnePrintStatus? = nil,
        magnePrint: [UInt8] = [],
        serial: [UInt8] = [],
        sessionID: UInt64 = 0,
        ksn: KSN? = nil,
        encryptionCounter: UInt32? = nil,
        formatCode: UInt32 = MagneSafeStreamLayout.defaultFormatCode
    ) {
        self.track1 = track1
        self.track2 = track2
        self.track3 = track3
        self.encodeType = encodeType
        self.readerStatus = readerStatus
        self.magnePrintStatus = magnePrintStatus
        self.magnePrint = magnePrint
        self.serial = serial
        self.sessionID = sessionID
        self.ksn = ksn
        self.encryptionCounter = encryptionCounter
        self.formatCode = formatCode
    }
}

extension MagneSafeRecord: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The masked number and the key serial number.
    public var description: String {
        let card = maskedCardNumber?.description ?? "unreadable"
        return "MagneSafe record (\(card), KSN \(ksn?.description ?? "none"))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no track.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension MagneSafeRecord.Track: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The decode status only.
    public var description: String {
        switch status {
        case .read: "track read"
        case .blank: "track blank"
        case .failed: "track failed"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no track.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
