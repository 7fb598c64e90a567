import CardData

/// The gateway library's reading of a UniMag packet, quirks included.
///
/// | quirk | what happens |
/// | --- | --- |
/// | block size | always 16, whatever the flags say; smaller blocks give track 1 the start of track 2 |
/// | checks | first byte, length field, LRC and checksum are not looked at |
/// | no track 1 | no card: a bad swipe |
/// | masked flags clear | masked text is read as a cryptogram, nothing is shown |
/// | text that begins `%E` | no card |
/// | the bytes end early | a card whose fields from there on are `nil` |
/// | KSN | bytes 13 to 4 from the end, whatever stands there |
///
/// Which fields a cut packet leaves, and that the fields before the KSN must fit for it to be read,
/// is inferred from the observed outputs.
/// Source: observed output of the Android library for synthetic packets.
enum ObservedIDTechPacket {
    static func card(_ packet: [UInt8]) -> EncryptedCard? {
        if packet.starts(with: [0x25, 0x45]) { return nil }
        var card = EncryptedCard(library: .uniMag)
        guard packet.count >= 10 else { return card }
        let counts = packet[5...7].map { Int($0) }
        let (first, second) = (packet[8], packet[9])
        if second & 1 == 0 || counts[0] == 0 { return nil }
        var position = 10
        func take(_ count: Int) -> [UInt8]? {
            guard position + count <= packet.count else { return nil }
            defer { position += count }
            return Array(packet[position..<(position + count)])
        }
        func blocks(_ count: Int) -> Int { (count + 15) / 16 * 16 }
        if first & 1 != 0 {
            guard let text = take(counts[0]) else { return card }
            guard show(text, in: &card) else { return card }
        }
        if first & 2 != 0, take(counts[1]) == nil { return card }
        guard let track1 = take(blocks(counts[0])) else { return card }
        card.track1 = track1
        if second & 2 != 0 {
            guard let track2 = take(blocks(counts[1])) else { return card }
            card.track2 = track2
        }
        for bit in [UInt8(0x08), 0x10] where second & bit != 0 {
            guard take(20) != nil else { return card }
        }
        if first & 0x80 != 0, take(10) == nil { return card }
        guard packet.count >= 13 else { return card }
        card.ksn = Array(packet[(packet.count - 13)..<(packet.count - 3)])
        return card
    }

    /// Takes the fields of masked track 1; `false` when the library's reading ends there.
    private static func show(_ bytes: [UInt8], in card: inout EncryptedCard) -> Bool {
        guard let first = bytes.firstIndex(of: 0x5E), first >= 2,
            let second = bytes[(first + 1)...].firstIndex(of: 0x5E)
        else { return false }
        card.maskedCardNumber = MaskedCardNumber(bytes[2..<first])
        let name = ShownTrack.swapped(bytes[(first + 1)..<second])
        card.cardholderName = SafeText(scrubbing: String(decoding: name, as: UTF8.self))
        guard let date = ShownTrack.expirationText(bytes[(second + 1)...].prefix(4)) else {
            return false
        }
        card.expirationText = date
        return true
    }
}
