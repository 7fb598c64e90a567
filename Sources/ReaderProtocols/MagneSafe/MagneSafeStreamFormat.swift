/// The parts of the ASCII message that a reader's properties change.
///
/// Manuals name them by the decimal number of the property: P30 is property 0x1E.
/// Source: MagneSafe V5 Communication Reference Manual 99875475, Magnetic Stripe Card Data and
/// properties 0x19 to 0x30.
public struct MagneSafeStreamFormat: Hashable, Sendable {
    /// P30, property 0x1E: sent before the first track; at most 7 characters.
    public var preCard: [UInt8] = []
    /// P31, property 0x1F: sent after the last track; at most 7 characters.
    public var postCard: [UInt8] = []
    /// P32, property 0x20: sent before each track; at most 7 characters.
    public var preTrack: [UInt8] = []
    /// P33, property 0x21: sent after each track; at most 7 characters.
    public var postTrack: [UInt8] = []
    /// P34, property 0x22: the end of the message, at most 7 characters; carriage return.
    public var terminator: [UInt8] = [0x0D]
    /// P35, property 0x23: stands before each field, `|`; 0 sends none.
    public var separator: UInt8 = 0x7C
    /// P36 to P38, properties 0x24 to 0x26: the start sentinels `%`, `;` and `+`.
    public var startSentinels = StartSentinels()
    /// P43, property 0x2B: the end sentinel of tracks without one of their own, `?`.
    public var endSentinel: UInt8 = 0x3F
    /// P45 to P47, properties 0x2D to 0x2F: the end sentinel of each track; 0xFF stands for P43.
    public var trackEndSentinels = TrackEndSentinels()
    /// Property 0x19 bit 0: whether the checksum is sent; its separator always is.
    public var sendsClearCRC = true
    /// Property 0x19 bit 1: whether the encrypted checksum is sent; its separator always is.
    public var sendsEncryptedCRC = false
    /// Whether fields that are not sent at level 2 (property 0x15) keep their separators.
    ///
    /// The manual's text says that they are dropped and its example 5 shows them.
    public var keepsMagnePrintSeparators = true

    /// The start sentinels by track; the other three of the manual stand for track 2 with 7 bits
    /// and track 3 of AAMVA and with 7 bits.
    public struct StartSentinels: Hashable, Sendable {
        /// P36, property 0x24.
        public var track1: UInt8 = 0x25
        /// P37, property 0x25.
        public var track2: UInt8 = 0x3B
        /// P38, property 0x26.
        public var track3: UInt8 = 0x2B
        /// P39, property 0x27: track 3 of AAMVA.
        public var track3AAMVA: UInt8 = 0x23
        /// P40, property 0x28: track 2 with 7 bits.
        public var track2SevenBit: UInt8 = 0x40
        /// P41, property 0x29: track 3 with 7 bits.
        public var track3SevenBit: UInt8 = 0x26

        /// The sentinels of the factory: `%`, `;`, `+`, `#`, `@`, `&`.
        public init() {}
    }

    /// The end sentinels by track.
    public struct TrackEndSentinels: Hashable, Sendable {
        /// P45, property 0x2D.
        public var track1: UInt8 = 0xFF
        /// P46, property 0x2E.
        public var track2: UInt8 = 0xFF
        /// P47, property 0x2F.
        public var track3: UInt8 = 0xFF

        /// No end sentinels of their own.
        public init() {}
    }

    /// The format of the factory.
    public init() {}

    /// The format of the factory.
    public static let factory = MagneSafeStreamFormat()

    /// The end sentinel of a track, 1 to 3.
    public func endSentinel(ofTrack number: Int) -> UInt8 {
        let own =
            switch number {
            case 1: trackEndSentinels.track1
            case 2: trackEndSentinels.track2
            default: trackEndSentinels.track3
            }
        return own == 0xFF ? endSentinel : own
    }
}
