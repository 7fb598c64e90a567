/// The track status byte of an ID TECH record.
///
/// A decode bit is 0 only when the stripe held something that could not be decoded; a track that is
/// not there has it set (the samples say so; one manual's note says the inverse, and no decision is
/// taken from it).
/// Source: SecureMag User Manual, Data Format, Track Status.
public struct IDTechTrackStatus: OptionSet, Hashable, Sendable {
    /// The byte of the wire.
    public var rawValue: UInt8

    /// Creates a status from its byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bit 0: track 1 had no decoding error.
    public static let track1Decoded = IDTechTrackStatus(rawValue: 0x01)
    /// Bit 1: track 2 had no decoding error.
    public static let track2Decoded = IDTechTrackStatus(rawValue: 0x02)
    /// Bit 2: track 3 had no decoding error.
    public static let track3Decoded = IDTechTrackStatus(rawValue: 0x04)
    /// Bit 3: the head saw something on track 1.
    public static let track1Sampled = IDTechTrackStatus(rawValue: 0x08)
    /// Bit 4: the head saw something on track 2.
    public static let track2Sampled = IDTechTrackStatus(rawValue: 0x10)
    /// Bit 5: the head saw something on track 3.
    public static let track3Sampled = IDTechTrackStatus(rawValue: 0x20)
    /// Bit 6: optional bytes follow the flags (SREDKey 2); reserved on other readers.
    public static let optionalBytes = IDTechTrackStatus(rawValue: 0x40)

    /// Whether a track, counted from 0, held something that could not be decoded.
    public func isFailed(_ track: Int) -> Bool {
        rawValue >> UInt8(track) & 0x09 == 0x08
    }
}

/// What field bytes 1 and 2 of the enhanced format say beside which fields were sent.
///
/// The raw value has the bits where field byte 1 has them.
/// Source: SecureMag User Manual, Enhanced Encryption Format, Field Byte 1.
public struct IDTechAttributes: OptionSet, Hashable, Sendable {
    /// Bits 3 to 6 of field byte 1.
    public var rawValue: UInt8

    /// Creates attributes from field byte 1; its other bits are dropped.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x78 }

    /// Bit 3: a fixed key instead of DUKPT; reserved on most readers.
    public static let fixedKey = IDTechAttributes(rawValue: 0x08)
    /// Bit 4: AES; without it and bit 5 triple DES.
    public static let aes = IDTechAttributes(rawValue: 0x10)
    /// Bit 5: in the wild, with triple DES data.
    public static let otherCipher = IDTechAttributes(rawValue: 0x20)
    /// Bit 6: the PIN variant of the DUKPT key; without it the data variant.
    public static let pinKey = IDTechAttributes(rawValue: 0x40)
}
