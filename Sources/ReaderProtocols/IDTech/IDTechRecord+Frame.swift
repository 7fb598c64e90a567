import CardCrypto

/// The bytes of a record: `02`, length, card data, LRC, checksum, `03`.
extension IDTechRecord {
    /// The longest record in bytes, envelope included; a longer one is refused unread.
    public static let maximumByteCount = IDTechLayout.maximumByteCount

    /// Reads one whole record and nothing after it.
    ///
    /// The cipher is told by the sizes of the cryptograms; see ``cipher``.
    /// - Throws: ``IDTechError`` for everything that is not exactly a record.
    /// - Complexity: O(*n*).
    public init(_ packet: some Collection<UInt8>) throws(IDTechError) {
        let bytes = Array(packet)
        try Self.checkEnvelope(bytes)
        let layout = try IDTechLayout(bytes)
        self.init(
            format: bytes[3] & 0x80 == 0 ? .original : .enhanced,
            encodeType: EncodeType(rawValue: bytes[3] & 0x7F) ?? .other,
            status: IDTechTrackStatus(rawValue: bytes[4]),
            cipher: layout.cipher
        )
        var read = [Track(), Track(), Track()]
        for field in layout.fields {
            let value = Array(bytes[field.range])
            switch field.content {
            case .encodeType, .status, .optionalByteCount, .fieldByte2: break
            case .byteCount: read[field.track].byteCount = Int(value[0])
            case .fieldByte1: attributes = IDTechAttributes(rawValue: value[0])
            case .optionalBytes: optionalBytes = value
            case .masked: read[field.track].masked = value
            case .encrypted: read[field.track].encrypted = value
            case .joined: joinedCryptogram = value
            case .sessionID: sessionID = value.reduce(0) { $0 << 8 | UInt64($1) }
            case .hash: read[field.track].hash = value
            case .serial: serial = value
            case .ksn: ksn = KSN(value)
            }
        }
        (track1, track2, track3) = (read[0], read[1], read[2])
    }

    /// Checks everything around the card data.
    static func checkEnvelope(_ bytes: [UInt8]) throws(IDTechError) {
        if let first = bytes.first, first != IDTechLayout.start {
            throw IDTechError(.noStart, offset: 0)
        }
        guard bytes.count >= 3 else { throw IDTechError(.truncated, offset: bytes.count) }
        let count = IDTechLayout.dataByteCount(bytes)
        guard count >= 5, count <= IDTechLayout.maximumDataByteCount else {
            throw IDTechError(.wrongLength, offset: 1)
        }
        let end = 3 + count
        guard bytes.count >= end + 3 else { throw IDTechError(.truncated, offset: bytes.count) }
        guard bytes[end + 2] == IDTechLayout.end else {
            throw IDTechError(.missingEnd, offset: end + 2)
        }
        let (lrc, sum) = checks(bytes[3..<end])
        guard bytes[end] == lrc else { throw IDTechError(.lrcMismatch, offset: end) }
        guard bytes[end + 1] == sum else { throw IDTechError(.checksumMismatch, offset: end + 1) }
        guard bytes.count == end + 3 else { throw IDTechError(.trailingBytes, offset: end + 3) }
    }

    /// The exclusive or and the sum of the card data.
    package static func checks(_ data: ArraySlice<UInt8>) -> (lrc: UInt8, sum: UInt8) {
        var lrc: UInt8 = 0
        var sum: UInt8 = 0
        for byte in data {
            lrc ^= byte
            sum &+= byte
        }
        return (lrc, sum)
    }

    /// The record as a reader sends it.
    ///
    /// Field bytes 1 and 2 follow from which fields are not `nil`. The caller's tracks agree with
    /// their byte counts.
    public var packet: [UInt8] {
        let isEnhanced = format == .enhanced
        var data: [UInt8] = [encodeType.rawValue | (isEnhanced ? 0x80 : 0), status.rawValue]
        data += tracks.map { UInt8(clamping: $0.byteCount) }
        if isEnhanced {
            data += fieldBytes
            if let optionalBytes {
                data.append(UInt8(clamping: optionalBytes.count))
                data += optionalBytes.prefix(255)
            }
        }
        for track in tracks { data += track.masked ?? [] }
        if isEnhanced {
            for track in tracks { data += track.encrypted ?? [] }
        } else {
            data += joinedCryptogram ?? []
        }
        if let sessionID {
            data += (0..<8).reversed().map { UInt8(truncatingIfNeeded: sessionID >> ($0 * 8)) }
        }
        for track in tracks { data += track.hash ?? [] }
        if isEnhanced { data += serial ?? [] }
        if let ksn { ksn.append(to: &data) }
        return Self.packet(around: data)
    }

    /// Puts length, checks and ends around card data.
    package static func packet(around data: [UInt8]) -> [UInt8] {
        let (lrc, sum) = checks(data[...])
        let length = [UInt8(truncatingIfNeeded: data.count), UInt8(clamping: data.count >> 8)]
        return [IDTechLayout.start] + length + data + [lrc, sum, IDTechLayout.end]
    }

    private var fieldBytes: [UInt8] {
        var first = attributes.rawValue
        var second: UInt8 = sessionID == nil ? 0 : 0x40
        for (index, track) in tracks.enumerated() {
            if track.masked != nil { first |= 1 << UInt8(index) }
            if track.encrypted != nil { second |= 1 << UInt8(index) }
            if track.hash != nil { second |= 0x08 << UInt8(index) }
        }
        if serial != nil { first |= 0x80 }
        if ksn != nil { second |= 0x80 }
        return [first, second]
    }
}
