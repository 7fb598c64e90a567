public import CardCrypto

/// What a reader of ID TECH is set to: it decides what a swipe's record holds.
///
/// The default is a Shuttle that the gateway's users have: enhanced format, both tracks masked and
/// encrypted. Numbers in the comments are the function ids of the ITP commands that change them.
/// Source: SecureMag User Manual, Configuration; UniMag II/Shuttle User Manual, Decrypted Data
/// Format.
public struct IDTechReaderSettings: Hashable, Sendable {
    /// 0x85: the layout.
    public var format = IDTechRecord.Format.enhanced
    /// 0x4C: the cipher.
    public var cipher = IDTechRecord.Cipher.tripleDES
    /// 0x3E: whether the PIN variant of the key encrypts tracks, and not the data variant.
    public var usesPINKey = false
    /// 0x49, PrePAN: digits that stay clear at the start of the number, 0 to 6.
    public var leadingClearDigitCount = 4
    /// 0x4A, PostPAN: digits that stay clear at its end, 0 to 4.
    public var trailingClearDigitCount = 4
    /// 0x4B: what stands for a hidden character.
    public var maskCharacter: UInt8 = 0x2A
    /// 0x50: whether the expiration date stays clear.
    public var showsExpirationDate = false
    /// 0x6F: whether the tracks have their LRC character at the end.
    public var sendsLRCCharacter = true
    /// 0x5C: whether hashes follow; a Shuttle never sends any.
    public var sendsHashes = false
    /// Whether hashes are zeros, as from SRED readers.
    public var sendsNullHashes = false
    /// 0x86: which tracks are sent masked too.
    public var maskedTracks = StripeTracks.all
    /// 0x84: whether cards that are no bank cards are encrypted too.
    public var encryptsEveryCard = false
    /// How many tracks the head has: 2 on UniMag II and Shuttle, 3 on SecureMag.
    public var trackCount = 2
    /// The reader's serial number, at most ten characters; `nil` when it is not sent.
    ///
    /// It is filled with `0` from the left. The original format never sends it.
    public var serial: String? = "0000000001"

    /// Creates the settings of a Shuttle.
    public init() {}

    /// The variant of the DUKPT key that encrypts tracks.
    public var keyVariant: DUKPT.Variant { usesPINKey ? .pin : .dataRequest }
}
