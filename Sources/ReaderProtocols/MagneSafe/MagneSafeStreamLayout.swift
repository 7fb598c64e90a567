import CardCrypto
import CardData

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
    }

    static let fields = Field.allCases

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

extension MagneSafeRecord {
    /// Returns the message of the swipe as a stream reader sends it, with its carriage return.
    public func streamMessage() -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(MagneSafeStreamLayout.maximumMessageByteCount)
        appendStreamMessage(to: &message)
        return message
    }

    /// Returns the message in whole blocks of 500 bytes as an iDynamo sends it, `x` at the end.
    ///
    /// The carriage return comes before the padding (assumed: no manual shows which is first).
    public func streamBlocks() -> [UInt8] {
        var message = streamMessage()
        let size = MagneSafeStreamLayout.blockByteCount
        while message.count % size != 0 { message.append(MagneSafeStreamLayout.padding) }
        return message
    }

    private func appendStreamMessage(to message: inout [UInt8]) {
        let start = message.count
        Self.append(track1, startSentinel: 0x25, to: &message)
        Self.append(track2, startSentinel: 0x3B, to: &message)
        Self.append(track3, startSentinel: 0x2B, to: &message)
        for field in MagneSafeStreamLayout.fields {
            if field == .encryptionCounter, encryptionCounter == nil { continue }
            message.append(MagneSafeStreamLayout.separator)
            append(field, startingAt: start, to: &message)
        }
        message.append(MagneSafeStreamLayout.terminator)
    }

    private func append(
        _ field: MagneSafeStreamLayout.Field,
        startingAt start: Int,
        to message: inout [UInt8]
    ) {
        switch field {
        case .readerStatus: Self.appendLittleEndian(UInt32(readerStatus.rawValue), 2, to: &message)
        case .track1: appendEncrypted(track1, to: &message)
        case .track2: appendEncrypted(track2, to: &message)
        case .track3: appendEncrypted(track3, to: &message)
        case .magnePrintStatus:
            if let status = magnePrintStatus {
                Self.appendLittleEndian(status.rawValue, 4, to: &message)
            }
        case .magnePrint: Hexadecimal.append(magnePrint, to: &message)
        case .serial: message.append(contentsOf: serial)
        case .sessionID:
            for shift in (0..<8).reversed() {
                Hexadecimal.append(
                    CollectionOfOne(UInt8(truncatingIfNeeded: sessionID >> UInt64(shift * 8))),
                    to: &message
                )
            }
        case .ksn: if let ksn { Hexadecimal.append(ksn.bytes, to: &message) }
        case .encryptionCounter:
            let counter = (encryptionCounter ?? 0).bigEndian >> 8
            Self.appendLittleEndian(counter, 3, to: &message)
        case .clearCRC:
            let checksum = CRC16.checksum(of: message, in: start..<message.count)
            Self.appendLittleEndian(UInt32(checksum), 2, to: &message)
        case .encryptedCRC: break
        case .formatCode:
            for shift in [24, 16, 8, 0] {
                message.append(UInt8(truncatingIfNeeded: formatCode >> UInt32(shift)))
            }
        }
    }

    private func appendEncrypted(_ track: Track, to message: inout [UInt8]) {
        if readerStatus.isEncrypting {
            Hexadecimal.append(track.encrypted, to: &message)
        } else {
            message.append(contentsOf: track.encrypted)
        }
    }

    private static func append(_ track: Track, startSentinel: UInt8, to message: inout [UInt8]) {
        switch track.status {
        case .read: message.append(contentsOf: track.masked)
        case .blank: break
        case .failed:
            message.append(startSentinel)
            message.append(0x45)
            message.append(MagneSafeStreamLayout.endSentinel)
        }
    }

    private static func appendLittleEndian(
        _ value: UInt32,
        _ byteCount: Int,
        to message: inout [UInt8]
    ) {
        for index in 0..<byteCount {
            let byte = UInt8(truncatingIfNeeded: value >> UInt32(index * 8))
            message.append(Hexadecimal.digit(byte >> 4))
            message.append(Hexadecimal.digit(byte & 0xF))
        }
    }
}
