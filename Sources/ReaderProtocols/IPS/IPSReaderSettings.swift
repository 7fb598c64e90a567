public import CardCrypto

/// What is not published of an IPS reader, as settings; see `Docs/audio-jack.md`.
public struct IPSReaderSettings: Hashable, Sendable {
    /// What stands in the 40 bytes of track 1, which hold no whole track 1 of 79 characters.
    public enum Track1Content: Hashable, Sendable, CaseIterable {
        /// The cryptogram of its first 40 characters (assumed).
        case beginning
        /// Zeros: only track 2 is sent.
        case zeros
    }

    /// Byte 1 of the packet; 1 was seen.
    public var version: UInt8 = 1
    /// Byte 2 of the packet.
    public var encryptionMode = IPSPacket.EncryptionMode.dukpt
    /// Whether the PIN variant of the DUKPT key encrypts tracks, and not the data variant (assumed).
    public var usesPINKey = false
    /// What stands in the place of track 1.
    public var track1Content = Track1Content.beginning
    /// What the test's tone says to the reader; unknown, assumed to be one byte.
    public var testRequest: [UInt8] = [0x05]
    /// What the reader answers to it; unknown, assumed to be one byte, and never 128.
    public var testReply: [UInt8] = [0x06]

    /// Creates the assumed settings.
    public init() {}

    /// The variant of the DUKPT key that encrypts tracks.
    public var keyVariant: DUKPT.Variant { usesPINKey ? .pin : .dataRequest }
}
