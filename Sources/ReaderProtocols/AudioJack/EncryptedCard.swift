public import CardData

/// What an SDK makes of one packet of an audio-jack reader: `PGEncryptedSwipedCard`.
///
/// Fields are `nil` where the library's object has `null`. The tracks are cryptograms when the packet
/// was read right, and may be anything when it was not, so no description or mirror shows them.
public struct EncryptedCard: Hashable, Sendable {
    /// Whose packet it was; it decides how Direct Post variables are spelled.
    public var library: AudioLibrary
    /// The card number as the reader masked it; `nil` when the packet gave none.
    public var maskedCardNumber: MaskedCardNumber?
    /// The expiration date as it is shown, `MMYY`; mask characters where the reader hid it.
    public var expirationText: SafeText?
    /// The cardholder's name as it is shown.
    public var cardholderName: SafeText?
    /// Track 1 for the gateway; the value of `encrypted_track_1` in bytes.
    public var track1: [UInt8]?
    /// Track 2 for the gateway; the value of `encrypted_track_2` in bytes.
    public var track2: [UInt8]?
    /// Track 3 for the gateway; the IPS gives an empty one.
    public var track3: [UInt8]?
    /// What stands where the key serial number is looked for, 10 bytes; the `observed` reading may
    /// take them from a wrong place.
    public var ksn: [UInt8]?

    /// Creates a card; without arguments one whose fields are all `nil`.
    public init(
        library: AudioLibrary,
        maskedCardNumber: MaskedCardNumber? = nil,
        expirationText: SafeText? = nil,
        cardholderName: SafeText? = nil,
        track1: [UInt8]? = nil,
        track2: [UInt8]? = nil,
        track3: [UInt8]? = nil,
        ksn: [UInt8]? = nil
    ) {
        self.library = library
        self.maskedCardNumber = maskedCardNumber
        self.expirationText = expirationText
        self.cardholderName = cardholderName
        self.track1 = track1
        self.track2 = track2
        self.track3 = track3
        self.ksn = ksn
    }

    /// The expiration date, or `nil` when the reader hid it or sent none.
    public var expirationDate: ExpirationDate? {
        expirationText.flatMap { ExpirationDate($0.description) }
    }

    /// Whether no track was read: a library that hands such a card over has lost the swipe.
    public var isBlank: Bool { track1 == nil && track2 == nil && track3 == nil }
}

extension EncryptedCard: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The masked number only.
    public var description: String { maskedCardNumber?.description ?? "no card number" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no track.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
