import CardCrypto

/// The borders of the fields of one message inside a buffer.
struct MagneSafeStreamMessage {
    /// The most separators that a message has: with the encryption counter.
    static let maximumSeparatorCount = 13

    /// The shortest message: twelve separators and the format code, with all fields empty.
    static let minimumByteCount = 16

    /// The message's bytes, without terminator and padding.
    var range: Range<Int>
    /// The positions of the first separators.
    var separators = InlineArray<13, Int>(repeating: 0)
    /// How many separators were seen; may exceed what ``separators`` holds.
    var separatorCount = 0

    /// Creates an empty message at a position.
    init(startingAt position: Int) { range = position..<position }

    /// Finds the separators of a range of a buffer.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.range = range
        for index in range where bytes[index] == MagneSafeStreamLayout.separator {
            addSeparator(at: index)
        }
    }

    /// Notes a separator.
    mutating func addSeparator(at position: Int) {
        if separatorCount < Self.maximumSeparatorCount { separators[separatorCount] = position }
        separatorCount += 1
    }

    /// Whether a field of six digits stands after the KSN; known after the eleventh separator.
    var hasCounter: Bool { separatorCount > 10 && separators[10] - separators[9] == 7 }

    /// Whether the MagnePrint fields and their separators are left out, as the manual says of
    /// level 2; known after the tenth separator, or the eleventh when there is a counter.
    ///
    /// The checksum, third from the end, is then the only field of four digits where the whole
    /// form has the session id or the KSN.
    var isShort: Bool { isShortWithoutCounter || isShortWithCounter }

    private var isShortWithoutCounter: Bool {
        separatorCount == 10 && separators[8] - separators[7] == 5
    }

    private var isShortWithCounter: Bool {
        separatorCount == 11 && separators[9] - separators[8] == 5
            && separators[8] - separators[7] == 7
    }

    /// Whether the complete message has a field for the encryption counter.
    var hasCounterField: Bool { isShort ? isShortWithCounter : hasCounter }

    /// Whether the status of the message says that its fields are encrypted.
    func isEncrypting(_ bytes: [UInt8]) -> Bool {
        let value = Self.number(bytes[text(of: .readerStatus)].prefix(4)) ?? 0
        let status = UInt16(truncatingIfNeeded: value).byteSwapped
        return ReaderEncryptionStatus(rawValue: status).isEncrypting
    }

    /// How many separators the message has when it is complete.
    var expectedSeparatorCount: Int {
        if isShort { return separatorCount }
        return hasCounter ? 13 : 12
    }

    /// The range of the masked tracks.
    var maskedTracks: Range<Int> {
        range.lowerBound..<(separatorCount > 0 ? separators[0] : range.upperBound)
    }

    /// The range of a field's text; the message has as many separators as expected.
    func text(of field: MagneSafeStreamLayout.Field) -> Range<Int> {
        var index = field.rawValue
        if field.rawValue >= MagneSafeStreamLayout.Field.magnePrintStatus.rawValue, isShort {
            if field.isMagnePrint { return separators[3]..<separators[3] }
            index -= 2
        }
        let isAfterCounter = field.rawValue > MagneSafeStreamLayout.Field.encryptionCounter.rawValue
        if isAfterCounter, !(isShort ? isShortWithCounter : hasCounter) { index -= 1 }
        let end = index + 1 < separatorCount ? separators[index + 1] : range.upperBound
        return (separators[index] + 1)..<end
    }

    /// Whether all separators and the four characters of the format code are there.
    private var isComplete: Bool {
        separatorCount == expectedSeparatorCount
            && range.upperBound - separators[separatorCount - 1] == 5
    }

    /// Whether the message is complete and the next one has not begun inside its format code.
    private func isComplete(_ bytes: [UInt8]) -> Bool {
        guard isComplete else { return false }
        let encryptedCRC = text(of: .encryptedCRC)
        return (encryptedCRC.isEmpty || encryptedCRC.count == 16)
            && bytes[text(of: .formatCode)].allSatisfy {
                MagneSafeMaskedTracks.trackNumber($0) == 0
            }
    }

    /// Whether the message is complete and its checksum right; one without checksum is not.
    func hasRightChecksum(_ bytes: [UInt8]) -> Bool {
        guard isComplete(bytes) else { return false }
        let text = text(of: .clearCRC)
        guard text.count == 4, let given = Self.number(bytes[text]) else { return false }
        let sum = CRC16.checksum(of: bytes, in: range.lowerBound..<text.lowerBound)
        return UInt16(truncatingIfNeeded: given).byteSwapped == sum
    }

    /// Reads the message; the offset of an error counts from the start of the buffer.
    ///
    /// - Parameters:
    ///   - bytes: The buffer in which the message lies.
    ///   - isProven: Whether ``hasRightChecksum(_:)`` said so already.
    /// - Returns: What the message says.
    /// - Throws: ``MagneSafeError`` with `truncated`, `malformed` or `checksumMismatch`.
    func record(
        _ bytes: [UInt8],
        isProven: Bool = false
    ) throws(MagneSafeError) -> MagneSafeRecord {
        guard isProven || isComplete(bytes) else {
            let isShort = separatorCount < expectedSeparatorCount
            throw MagneSafeError(isShort ? .truncated : .malformed, offset: range.lowerBound)
        }
        let checksum = text(of: .clearCRC)
        guard isProven || checksum.isEmpty || hasRightChecksum(bytes) else {
            throw MagneSafeError(.checksumMismatch, offset: checksum.lowerBound)
        }
        let tracks = try MagneSafeMaskedTracks(bytes, maskedTracks)
        let status = try fixed(.readerStatus, digitCount: 4, bytes)
        let readerStatus = ReaderEncryptionStatus(
            rawValue: UInt16(truncatingIfNeeded: status ?? 0).byteSwapped
        )
        let isEncrypting = readerStatus.isEncrypting
        var magnePrintStatus: MagnePrintStatus?
        if let value = try fixed(.magnePrintStatus, digitCount: 8, bytes) {
            magnePrintStatus = MagnePrintStatus(
                rawValue: UInt32(truncatingIfNeeded: value).byteSwapped
            )
        }
        let serial = text(of: .serial)
        guard serial.count <= 16 else {
            throw MagneSafeError(.malformed, offset: serial.lowerBound)
        }
        var ksn: KSN?
        let ksnBytes = try binary(.ksn, bytes)
        if !ksnBytes.isEmpty {
            ksn = KSN(ksnBytes)
            guard ksn != nil else {
                throw MagneSafeError(.malformed, offset: text(of: .ksn).lowerBound)
            }
        }
        var counter: UInt32?
        if hasCounter || isShortWithCounter,
            let value = try fixed(.encryptionCounter, digitCount: 6, bytes)
        {
            counter = UInt32(truncatingIfNeeded: value)
        }
        let encryptedCRC = try binary(.encryptedCRC, bytes)
        var formatCode: UInt32 = 0
        for index in text(of: .formatCode) { formatCode = formatCode << 8 | UInt32(bytes[index]) }
        var record = MagneSafeRecord(
            track1: try track(.track1, tracks.track1, isEncrypting, bytes),
            track2: try track(.track2, tracks.track2, isEncrypting, bytes),
            track3: try track(.track3, tracks.track3, isEncrypting, bytes),
            readerStatus: readerStatus,
            magnePrintStatus: magnePrintStatus,
            magnePrint: try binary(.magnePrint, bytes),
            serial: Array(bytes[serial]),
            sessionID: try fixed(.sessionID, digitCount: 16, bytes) ?? 0,
            ksn: ksn,
            encryptionCounter: counter,
            formatCode: formatCode
        )
        if !encryptedCRC.isEmpty { record.encryptedCRC = encryptedCRC }
        return record
    }

    private func track(
        _ field: MagneSafeStreamLayout.Field,
        _ track: MagneSafeRecord.Track,
        _ isEncrypting: Bool,
        _ bytes: [UInt8]
    ) throws(MagneSafeError) -> MagneSafeRecord.Track {
        var track = track
        let range = text(of: field)
        guard range.count <= MagneSafeReportLayout.trackByteCount * 2 else {
            throw MagneSafeError(.malformed, offset: range.lowerBound)
        }
        let encrypted = isEncrypting ? try binary(field, bytes) : Array(bytes[range])
        if track.status == .read { track.encrypted = encrypted }
        return track
    }

    private func binary(
        _ field: MagneSafeStreamLayout.Field,
        _ bytes: [UInt8]
    ) throws(MagneSafeError) -> [UInt8] {
        let range = text(of: field)
        guard let decoded = Self.decode(bytes, range) else {
            throw MagneSafeError(.malformed, offset: range.lowerBound)
        }
        return decoded
    }

    /// The bytes of upper-case hexadecimal text, or `nil` for another character or an odd length.
    private static func decode(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8]? {
        guard range.count & 1 == 0 else { return nil }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count / 2)
        var seen: UInt8 = 0
        var index = range.lowerBound
        while index < range.upperBound {
            let high = nibble(bytes[index])
            let low = nibble(bytes[index + 1])
            seen |= high | low
            decoded.append(high << 4 | low & 0xF)
            index += 2
        }
        return seen > 0xF ? nil : decoded
    }

    /// The value of an upper-case digit, or 0xFF.
    private static func nibble(_ character: UInt8) -> UInt8 {
        if character &- 0x30 < 10 { return character &- 0x30 }
        return character &- 0x41 < 6 ? character &- 0x37 : 0xFF
    }

    /// The number of a field of so many digits, or `nil` when it is empty.
    private func fixed(
        _ field: MagneSafeStreamLayout.Field,
        digitCount: Int,
        _ bytes: [UInt8]
    ) throws(MagneSafeError) -> UInt64? {
        let range = text(of: field)
        if range.isEmpty { return nil }
        guard range.count == digitCount, let value = Self.number(bytes[range]) else {
            throw MagneSafeError(.malformed, offset: range.lowerBound)
        }
        return value
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for digit in digits {
            let nibble = nibble(digit)
            guard nibble <= 0xF else { return nil }
            value = value << 4 | UInt64(nibble)
        }
        return value
    }
}
