public import CardData

/// A record as a reader in USB keyboard mode types it: binary parts as pairs of hexadecimal digits,
/// tracks that are masked or clear as they are.
///
/// Length, LRC and checksum are those of the typed characters between the length and the checks, not
/// of the bytes that they stand for.
/// Source: SecureMag User Manual, Data Format; the SecuRED sample of Bluefin's integration guide, in
/// which the three agree with the typed characters only.
public enum IDTechTypedRecord {
    /// Whether a text can be one: `02`, then hexadecimal digits.
    public static func isTyped(_ text: some Collection<UInt8>) -> Bool {
        text.count >= 8 && text.starts(with: [0x30, 0x32])
            && text.prefix(8).allSatisfy { Hexadecimal.value(of: $0) != nil }
    }

    /// The most characters that are typed for one record.
    public static let maximumCharacterCount = 2 * IDTechRecord.maximumByteCount

    /// Reads one whole typed record; a carriage return or line feed behind it is passed over.
    ///
    /// - Returns: The record as it would be sent in binary.
    /// - Throws: ``IDTechError``; its offset counts characters.
    public static func packet(_ typed: some Collection<UInt8>) throws(IDTechError) -> [UInt8] {
        var text = Array(typed)
        while let last = text.last, last == 0x0D || last == 0x0A { text.removeLast() }
        guard text.count <= maximumCharacterCount else {
            throw IDTechError(.tooLong, offset: maximumCharacterCount)
        }
        guard isTyped(text) else { throw IDTechError(.noStart, offset: 0) }
        let count = Int(try byte(text, at: 2)) | Int(try byte(text, at: 4)) << 8
        let end = 6 + count
        guard text.count >= end + 6 else { throw IDTechError(.truncated, offset: text.count) }
        guard text.count == end + 6 else { throw IDTechError(.trailingBytes, offset: end + 6) }
        guard try byte(text, at: end + 4) == IDTechLayout.end else {
            throw IDTechError(.missingEnd, offset: end + 4)
        }
        let (lrc, sum) = IDTechRecord.checks(text[6..<end])
        guard try byte(text, at: end) == lrc else { throw IDTechError(.lrcMismatch, offset: end) }
        guard try byte(text, at: end + 2) == sum else {
            throw IDTechError(.checksumMismatch, offset: end + 2)
        }
        return IDTechRecord.packet(around: try data(text, end: end))
    }

    /// The card data that the characters from the sixth on stand for.
    private static func data(_ text: [UInt8], end: Int) throws(IDTechError) -> [UInt8] {
        var data: [UInt8] = []
        var place = 6
        func takeByte() throws(IDTechError) {
            guard place + 2 <= end else { throw IDTechError(.wrongLength, offset: 2) }
            data.append(try byte(text, at: place))
            place += 2
        }
        for _ in 0..<5 { try takeByte() }
        var masked: UInt8 = 0x07
        if data[0] & 0x80 != 0 {
            try takeByte()
            try takeByte()
            masked = data[5]
            if data[1] & 0x40 != 0 {
                try takeByte()
                for _ in 0..<data[7] { try takeByte() }
            }
        }
        for track in 0..<3 where masked >> UInt8(track) & 1 == 1 {
            let length = Int(data[2 + track])
            guard place + length <= end else { throw IDTechError(.wrongLength, offset: 2) }
            data += text[place..<(place + length)]
            place += length
        }
        while place < end { try takeByte() }
        return data
    }

    private static func byte(_ text: [UInt8], at offset: Int) throws(IDTechError) -> UInt8 {
        guard offset + 1 < text.count else { throw IDTechError(.truncated, offset: text.count) }
        // Small digits are what Caps Lock makes of them.
        guard text[offset] < 0x61, text[offset + 1] < 0x61,
            let high = Hexadecimal.value(of: text[offset]),
            let low = Hexadecimal.value(of: text[offset + 1])
        else { throw IDTechError(.malformed, offset: offset) }
        return high << 4 | low
    }

    /// What a wrong keyboard layout or Caps Lock has made of a typed record; `nil` when neither shows.
    ///
    /// The reader types as on the US layout: of `%`, `^`, `;`, `=`, `?`, `*` and `/` other layouts
    /// make other characters.
    package static func layoutFault(in text: [UInt8]) -> String? {
        let shown = String(decoding: text, as: UTF8.self)
        let layouts: [(name: String, signs: [Character])] = [
            ("German", ["ö", "´", "ü", "ß"]), ("Turkish", ["ş", "ç", "ı", "ğ"]),
            ("French", ["ù", "§", "é", "à"]), ("Spanish", ["ñ", "¡", "¿"]),
        ]
        for layout in layouts where shown.contains(where: { layout.signs.contains($0) }) {
            return "it was typed under the \(layout.name) keyboard layout: the reader types as on "
                + "the US layout; set that, or switch the reader to HID (02 53 23 01 30 03 40)"
        }
        let hasAmpersand = text.contains(0x26) && !text.contains(0x5E)
        if hasAmpersand || text.contains(where: { $0 >= 0x80 }) {
            return "it was typed under another keyboard layout than the reader's, which is the US "
                + "one; set that, or switch the reader to HID (02 53 23 01 30 03 40)"
        }
        // The digits of the hexadecimal part are upper case.
        let isTurned =
            text.contains { (0x61...0x66).contains($0) }
            && !text.contains { (0x41...0x46).contains($0) }
        return isTurned
            ? "it was typed with Caps Lock on: capital letters came out small; switch it off" : nil
    }

    /// What a reader types for a record that it would send in binary; upper case.
    ///
    /// - Returns: `nil` for bytes that are no record.
    public static func text(of packet: [UInt8]) -> [UInt8]? {
        guard (try? IDTechRecord.checkEnvelope(packet)) != nil,
            let layout = try? IDTechLayout(packet)
        else { return nil }
        var typed: [UInt8] = []
        for field in layout.fields {
            let value = packet[field.range]
            typed += field.content == .masked ? Array(value) : digits(value)
        }
        let (lrc, sum) = IDTechRecord.checks(typed[...])
        let length = [UInt8(truncatingIfNeeded: typed.count), UInt8(clamping: typed.count >> 8)]
        return digits([IDTechLayout.start] + length) + typed
            + digits([lrc, sum, IDTechLayout.end])
    }

    private static func digits(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let alphabet = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { [alphabet[Int($0 >> 4)], alphabet[Int($0 & 15)]] }
    }
}

extension FieldListing {
    /// Lists a typed record: the fields of the record that it stands for, by their bytes.
    public init(idTechTyped text: [UInt8]) {
        let packet: [UInt8]
        do throws(IDTechError) {
            packet = try IDTechTypedRecord.packet(text)
        } catch {
            self.init()
            let fault = IDTechTypedRecord.layoutFault(in: text)
            complain(
                fault ?? "the typed record is not whole: \(error.code)",
                at: error.offset
            )
            return
        }
        self.init(idTech: packet)
        fields.insert(
            Field(
                offset: 0,
                byteCount: 0,
                name: "typed",
                value: SafeText(text.count),
                meaning: "characters of a reader in keyboard mode, their checks right; below the "
                    + "record in binary"
            ),
            at: 0
        )
    }
}
