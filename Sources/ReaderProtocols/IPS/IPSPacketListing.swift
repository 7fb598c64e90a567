public import CardData

extension FieldListing {
    /// Lists one 128-byte packet of an IPS reader.
    ///
    /// What is wrong is named with its byte; fields that are there whole are listed all the same.
    /// Source: observed reading of the packet by the gateway's Android library.
    public init(ipsPacket bytes: [UInt8]) {
        self.init()
        checkIPSPacket(bytes)
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

    /// Names everything in a packet that no reader sends, with what stands there.
    private mutating func checkIPSPacket(_ bytes: [UInt8]) {
        let total = IPSPacket.byteCount
        if bytes.count > 4, !PAN.digitCounts.contains(Int(bytes[4])) {
            let counts = PAN.digitCounts
            complainToo(
                "a card number has \(counts.lowerBound) to \(counts.upperBound) digits, and this says "
                    + "\(bytes[4])",
                at: 4
            )
        }
        for index in 5..<max(5, min(12, bytes.count)) {
            let isDecimal = bytes[index] >> 4 < 10 && bytes[index] & 0xF < 10
            if !isDecimal {
                complainToo(
                    "two decimal digits are expected, found \(IDTechListing.hexadecimal(bytes[index]))",
                    at: index
                )
            } else if index == 11, !(1...12 ~= bytes[11] >> 4 * 10 + bytes[11] & 0xF) {
                complainToo(
                    "the second half of a date is a month, 01 to 12, found "
                        + IDTechListing.hexadecimal(bytes[11]),
                    at: 11
                )
            }
        }
        if let index = (12..<max(12, min(38, bytes.count))).first(where: {
            !(0x20..<0x7F ~= bytes[$0])
        }) {
            complainToo(
                "a name has printable characters, 20 to 7E, found "
                    + IDTechListing.hexadecimal(bytes[index]),
                at: index
            )
        }
        if bytes.count < total {
            complainToo(
                "a packet has \(total) bytes, and the input ends after \(bytes.count)",
                at: bytes.count
            )
        } else if bytes.count > total {
            complainToo(
                "a packet has \(total) bytes, and here are \(bytes.count): this is one too many",
                at: total
            )
            add("rest", at: total, byteCount: bytes.count - total, SafeText("not shown"))
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
