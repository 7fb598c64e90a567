public import CardData

extension FieldListing {
    /// Lists one 128-byte packet of an IPS reader.
    ///
    /// What is wrong is named with its byte; fields that are there whole are listed all the same.
    /// Source: observed reading of the packet by the gateway's Android library.
    public init(ipsPacket bytes: [UInt8]) {
        self.init()
        do {
            _ = try IPSPacket(bytes)
        } catch {
            complain(error.reason, at: error.offset)
        }
        for (name, offset, byteCount) in IPSPacket.fields where offset + byteCount <= bytes.count {
            let value = Array(bytes[offset..<(offset + byteCount)])
            var text = SafeText(wireBytes: value)
            var meaning = ""
            switch offset {
            case 2:
                switch IPSPacket.EncryptionMode(rawValue: value[0]) {
                case .unknown: meaning = "unknown"
                case .fixedKey: meaning = "fixed key"
                case .dukpt: meaning = "DUKPT"
                case nil: break
                }
            case 4: text = SafeText(Int(value[0]))
            case 10: meaning = "YYMM"
            case 12:
                // Digits have no place in a name; a packet that is shifted has them here.
                var letters = value.map { IDTechListing.isDigit($0) ? 0x2A : $0 }
                while letters.last == 0x20 { letters.removeLast() }
                text = SafeText(scrubbing: MagneSafeListing.printable(letters))
            case 38: text = IDTechListing.cryptogram(value)
            case 48, 88:
                let isBlank = value.allSatisfy { $0 == 0 }
                text = isBlank ? SafeText("zeros") : IDTechListing.cryptogram(value)
                meaning = isBlank ? "not read" : "\(byteCount) bytes"
            default: break
            }
            add(name, at: offset, byteCount: byteCount, text, meaning: meaning)
        }
    }
}

extension IPSPacket {
    /// The fields of a packet: name, offset and length.
    static let fields: [(name: String, offset: Int, byteCount: Int)] = [
        ("byte 0", 0, 1), ("version", 1, 1), ("encryption mode", 2, 1), ("byte 3", 3, 1),
        ("card number length", 4, 1), ("first six digits", 5, 3), ("last four digits", 8, 2),
        ("expiration date", 10, 2), ("cardholder name", 12, 26),
        ("DUKPT key serial number", 38, 10), ("track 2 encrypted", 48, 40),
        ("track 1 encrypted", 88, 40),
    ]
}

extension IPSError {
    /// What is wrong, for a listing: one sentence without the place.
    var reason: String {
        switch code {
        case .truncated: "a packet has \(IPSPacket.byteCount) bytes, and the input ends"
        case .trailingBytes: "a packet has \(IPSPacket.byteCount) bytes, and this is one more"
        case .malformed:
            switch offset {
            case 4: "a card number has 12 to 19 digits"
            case 12...: "a name has printable characters"
            case 11: "the second half of a date is a month, 01 to 12"
            default: "decimal digits are expected, two to a byte"
            }
        }
    }
}
