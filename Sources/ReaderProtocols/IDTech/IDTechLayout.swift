/// Where the fields of a record's card data stand; the decoder and the listing share it.
///
/// Envelope: `02`, length (two bytes, little-endian, of the card data alone), card data, exclusive
/// or of the card data, sum of the card data, `03`. Offsets count from the `02`.
/// Source: SecureMag User Manual, Data Format; UniMag II/Shuttle User Manual, Decrypted Data Format.
package struct IDTechLayout: Hashable, Sendable {
    /// What stands in a field.
    package enum Content: Hashable, Sendable {
        /// The kind of card, and in bit 7 the format.
        case encodeType
        /// The decode and sampling bits.
        case status
        /// How many characters a track has.
        case byteCount
        /// What was sent in clear or masked, and how it was encrypted.
        case fieldByte1
        /// What was sent encrypted or hashed.
        case fieldByte2
        /// How many optional bytes follow.
        case optionalByteCount
        /// The optional bytes of a SREDKey 2.
        case optionalBytes
        /// A track as text.
        case masked
        /// A track's cryptogram.
        case encrypted
        /// The cryptogram of tracks 1 and 2 in one.
        case joined
        /// The session id of security level 4.
        case sessionID
        /// A track's hash.
        case hash
        /// The reader's serial number.
        case serial
        /// The key serial number.
        case ksn
    }

    /// One field of the card data.
    package struct Field: Hashable, Sendable {
        /// What stands there.
        package var content: Content
        /// The track, counted from 0; 0 for fields of no track.
        package var track: Int
        /// Where, in bytes from the `02`.
        package var range: Range<Int>
    }

    /// The first byte of a record.
    package static let start: UInt8 = 0x02
    /// Its last byte.
    package static let end: UInt8 = 0x03
    /// The bytes around the card data: start, length, LRC, checksum, end.
    package static let envelopeByteCount = 6
    /// The length of a reader's serial number.
    package static let serialByteCount = 10
    /// The length of a track's hash.
    package static let hashByteCount = 20
    /// The length of a key serial number.
    package static let ksnByteCount = 10
    /// The most bytes of card data that the fields can have, rounded up to a power of two.
    package static let maximumDataByteCount = 2_048
    /// The longest record, envelope included.
    package static let maximumByteCount = maximumDataByteCount + envelopeByteCount

    /// The fields, without gaps, from byte 3 on.
    package private(set) var fields: [Field] = []
    /// What the blocks of the cryptograms say.
    package private(set) var cipher = IDTechRecord.Cipher.tripleDES
    /// The first byte after the card data.
    package private(set) var endOfData = 3

    private init(_ cipher: IDTechRecord.Cipher) { self.cipher = cipher }

    /// The length field; the caller has at least three bytes.
    package static func dataByteCount(_ bytes: [UInt8], from start: Int = 0) -> Int {
        Int(bytes[start + 1]) | Int(bytes[start + 2]) << 8
    }

    /// Whether the length and the encode type are such as readers send; the caller has four bytes.
    package static func isPlausible(_ bytes: [UInt8], from start: Int) -> Bool {
        let count = dataByteCount(bytes, from: start)
        return count >= 5 && count <= maximumDataByteCount
            && IDTechRecord.EncodeType(rawValue: bytes[start + 3] & 0x7F) != nil
    }

    /// Lays out the card data of a record whose length field is right.
    ///
    /// The cipher that the flags state is tried first, then the other one: libraries and readers were
    /// seen to disagree with the flags.
    /// - Throws: ``IDTechError`` with `malformed`, or `wrongLength` when no reading of the flags
    ///   gives the length.
    package init(_ bytes: [UInt8]) throws(IDTechError) {
        let end = 3 + Self.dataByteCount(bytes)
        guard end >= 8, bytes.count >= 8 else { throw IDTechError(.wrongLength, offset: 1) }
        guard IDTechRecord.EncodeType(rawValue: bytes[3] & 0x7F) != nil else {
            throw IDTechError(.malformed, offset: 3)
        }
        let candidates =
            bytes[3] & 0x80 == 0
            ? Self.originalCandidates(bytes) : Self.enhancedCandidates(bytes, end)
        guard let found = candidates.first(where: { $0.endOfData == end }) else {
            throw IDTechError(.wrongLength, offset: 1)
        }
        self = found
    }

    /// The layout that the flags state, whatever the length says; `nil` without flags.
    package static func stated(_ bytes: [UInt8]) -> IDTechLayout? {
        guard bytes.count >= 8 else { return nil }
        if bytes[3] & 0x80 == 0 { return originalCandidates(bytes).first }
        return enhancedCandidates(bytes, bytes.count).first
    }

    private mutating func add(_ content: Content, track: Int = 0, _ byteCount: Int) {
        let range = endOfData..<(endOfData + byteCount)
        fields.append(Field(content: content, track: track, range: range))
        endOfData = range.upperBound
    }

    private mutating func addHeader() {
        add(.encodeType, 1)
        add(.status, 1)
        for track in 0..<3 { add(.byteCount, track: track, 1) }
    }

    private static func padded(_ count: Int, _ cipher: IDTechRecord.Cipher) -> Int {
        (count + cipher.blockByteCount - 1) / cipher.blockByteCount * cipher.blockByteCount
    }

    private static func enhancedCandidates(_ bytes: [UInt8], _ end: Int) -> [IDTechLayout] {
        guard end >= 10, bytes.count >= 10 else { return [] }
        let statesAES = bytes[8] & 0x30 == 0x10
        let ciphers: [IDTechRecord.Cipher] = statesAES ? [.aes, .tripleDES] : [.tripleDES, .aes]
        return ciphers.compactMap { enhanced(bytes, $0) }
    }

    private static func enhanced(
        _ bytes: [UInt8],
        _ cipher: IDTechRecord.Cipher
    ) -> IDTechLayout? {
        var layout = IDTechLayout(cipher)
        layout.addHeader()
        layout.add(.fieldByte1, 1)
        layout.add(.fieldByte2, 1)
        if IDTechTrackStatus(rawValue: bytes[4]).contains(.optionalBytes) {
            guard bytes.count > 10 else { return nil }
            layout.add(.optionalByteCount, 1)
            layout.add(.optionalBytes, Int(bytes[10]))
        }
        for track in 0..<3 where bytes[8] >> UInt8(track) & 1 == 1 {
            layout.add(.masked, track: track, Int(bytes[5 + track]))
        }
        for track in 0..<3 where bytes[9] >> UInt8(track) & 1 == 1 {
            layout.add(.encrypted, track: track, padded(Int(bytes[5 + track]), cipher))
        }
        if bytes[9] & 0x40 != 0 { layout.add(.sessionID, 8) }
        for track in 0..<3 where bytes[9] >> UInt8(track + 3) & 1 == 1 {
            layout.add(.hash, track: track, hashByteCount)
        }
        if bytes[8] & 0x80 != 0 { layout.add(.serial, serialByteCount) }
        if bytes[9] & 0x80 != 0 { layout.add(.ksn, ksnByteCount) }
        return layout
    }

    /// The readings of the original format, which has no flags: the length tells which one it is.
    ///
    /// Where two have the same length, the earlier one is taken.
    private static func originalCandidates(_ bytes: [UInt8]) -> [IDTechLayout] {
        var candidates: [IDTechLayout] = []
        let isBankCard = bytes[3] == IDTechRecord.EncodeType.iso.rawValue
        if !isBankCard { candidates.append(original(bytes, .tripleDES)) }
        for hasSessionID in [false, true] {
            for cipher in IDTechRecord.Cipher.allCases {
                for hasHashes in [true, false] {
                    var layout = original(bytes, cipher)
                    layout.addCryptograms(bytes, hasSessionID: hasSessionID, hasHashes: hasHashes)
                    candidates.append(layout)
                }
            }
        }
        if isBankCard { candidates.append(original(bytes, .tripleDES)) }
        return candidates
    }

    /// The header and the tracks as text: all there is for cards that are not encrypted.
    private static func original(
        _ bytes: [UInt8],
        _ cipher: IDTechRecord.Cipher
    ) -> IDTechLayout {
        var layout = IDTechLayout(cipher)
        layout.addHeader()
        let isRaw = bytes[3] == IDTechRecord.EncodeType.raw.rawValue
        for track in 0..<(isRaw ? 2 : 3) {
            layout.add(.masked, track: track, Int(bytes[5 + track]))
        }
        return layout
    }

    private mutating func addCryptograms(_ bytes: [UInt8], hasSessionID: Bool, hasHashes: Bool) {
        add(.joined, Self.padded(Int(bytes[5]) + Int(bytes[6]), cipher))
        if hasSessionID { add(.sessionID, 8) }
        for track in 0..<2 where hasHashes && bytes[5 + track] > 0 {
            add(.hash, track: track, Self.hashByteCount)
        }
        add(.ksn, Self.ksnByteCount)
    }
}
