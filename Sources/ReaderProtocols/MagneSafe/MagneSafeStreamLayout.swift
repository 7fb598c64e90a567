/// The order of fields in the V5 ASCII message, for writing and reading.
///
/// The masked tracks come first, then each field after a `|`; binary fields are upper-case
/// hexadecimal. The encryption counter and its separator are there only when property 0x30 is set;
/// a field of six digits after the KSN tells. The checksum covers everything before it, the `|` in
/// front of it included, and is written low byte first.
/// Source: MagneSafe V5 Communication Reference Manual 99875475, and iDynamo manual 99875483 for
/// the blocks.
public enum MagneSafeStreamLayout {
    /// The fields after the masked tracks, in the order of the message.
    enum Field: Int, CaseIterable {
        case readerStatus, track1, track2, track3, magnePrintStatus, magnePrint, serial
        case sessionID, ksn, encryptionCounter, clearCRC, encryptedCRC, formatCode

        /// Whether the field may be left out at security level 2 (property 0x15).
        var isMagnePrint: Bool { self == .magnePrintStatus || self == .magnePrint }
    }

    static let fields = Field.allCases

    /// Where an iDynamo's terminator stands; readers of the stream accept each.
    public enum TerminatorPlacement: Hashable, Sendable, CaseIterable {
        /// Directly after the message (assumed by default).
        case beforePadding
        /// As the last of the block.
        case afterPadding
        /// Nowhere.
        case absent
    }

    /// The separator of fields, `|` (property 0x23).
    static let separator: UInt8 = 0x7C
    /// The end of a message, carriage return (property 0x22).
    static let terminator: UInt8 = 0x0D
    /// What fills the rest of an iDynamo's block, `x`; it occurs in no message.
    static let padding: UInt8 = 0x78
    /// The sentinel at the end of a track, `?`.
    static let endSentinel: UInt8 = 0x3F

    /// The size of an iDynamo's blocks, in bytes.
    public static let blockByteCount = 500
    /// The longest message, in bytes: it fits two blocks of an iDynamo.
    public static let maximumMessageByteCount = 1_000
    /// The format code of a reader whose format properties were never changed, `0000`.
    public static let defaultFormatCode: UInt32 = 0x3030_3030
}
