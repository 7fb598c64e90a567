public import CardCrypto
import CardData

/// The packet of an IPS reader: 128 bytes with the shown parts of the number, the KSN and two
/// cryptograms.
///
/// Nothing in it is a check: damage in a cryptogram shows only where it is decrypted.
/// Source: observed reading of the packet by the gateway's Android library.
public struct IPSPacket: Hashable, Sendable {
    /// The length of a packet.
    public static let byteCount = 128
    /// The length of a track's cryptogram.
    public static let trackByteCount = 40
    /// The length of the name, padding blanks included.
    public static let nameByteCount = 26

    /// How the tracks are encrypted; the library's words are "unknown", "fixed key" and "dukpt".
    ///
    /// The numbers are inferred from the order of the words and one packet (2).
    public enum EncryptionMode: UInt8, Hashable, Sendable, CaseIterable {
        /// "unknown"
        case unknown = 0
        /// "fixed key"
        case fixedKey = 1
        /// "dukpt"
        case dukpt = 2
    }

    /// Byte 0, which nothing looks at.
    public var firstByte: UInt8
    /// Byte 1.
    public var version: UInt8
    /// Byte 2; see ``EncryptionMode``.
    public var encryptionMode: UInt8
    /// Byte 3, which nothing looks at.
    public var fourthByte: UInt8
    /// Byte 4: how many digits the number has.
    public var cardNumberDigitCount: UInt8
    /// Bytes 5 to 7: the first six digits, two to a byte.
    public var leadingDigits: [UInt8]
    /// Bytes 8 and 9: the last four digits, two to a byte.
    public var trailingDigits: [UInt8]
    /// Bytes 10 and 11: the expiration date, `YYMM`, two digits to a byte.
    public var expiration: [UInt8]
    /// Bytes 12 to 37: the name as the stripe has it, filled with blanks.
    public var name: [UInt8]
    /// Bytes 38 to 47: the key serial number.
    public var ksn: KSN
    /// Bytes 48 to 87: the cryptogram of track 2, zeros when it was not read.
    public var track2: [UInt8]
    /// Bytes 88 to 127: the cryptogram of track 1, zeros when it was not read.
    public var track1: [UInt8]

    /// Creates a packet; fields of another length are cut or filled with zeros, the name with blanks.
    public init(
        firstByte: UInt8 = 0,
        version: UInt8 = 1,
        encryptionMode: UInt8 = EncryptionMode.dukpt.rawValue,
        fourthByte: UInt8 = 0,
        cardNumberDigitCount: UInt8,
        leadingDigits: [UInt8],
        trailingDigits: [UInt8],
        expiration: [UInt8],
        name: [UInt8],
        ksn: KSN,
        track2: [UInt8],
        track1: [UInt8]
    ) {
        func fit(_ bytes: [UInt8], _ count: Int, _ filler: UInt8 = 0) -> [UInt8] {
            let kept = bytes.prefix(count)
            return Array(kept) + Array(repeating: filler, count: count - kept.count)
        }
        self.firstByte = firstByte
        self.version = version
        self.encryptionMode = encryptionMode
        self.fourthByte = fourthByte
        self.cardNumberDigitCount = cardNumberDigitCount
        self.leadingDigits = fit(leadingDigits, 3)
        self.trailingDigits = fit(trailingDigits, 2)
        self.expiration = fit(expiration, 2)
        self.name = fit(name, Self.nameByteCount, 0x20)
        self.ksn = ksn
        self.track2 = fit(track2, Self.trackByteCount)
        self.track1 = fit(track1, Self.trackByteCount)
    }
}

extension IPSPacket: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The masked number and the key serial number.
    public var description: String {
        "IPS packet (\(maskedCardNumber?.description ?? "no card number"), KSN \(ksn))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection shows no track.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
