import CardCrypto
import CardData
import ReaderProtocols
import Testing

/// Each quirk of the gateway's library, and what a careful one does instead.
@Suite("ID TECH packet to card")
struct IDTechCardVectorsTests {
    private let u1 = IDTechVectors.u1

    private func observed(_ packet: [UInt8]) -> EncryptedCard? {
        IDTechRecord.card(fromPacket: packet, reading: .observed)
    }

    private func careful(_ packet: [UInt8]) -> EncryptedCard? {
        IDTechRecord.card(fromPacket: packet, reading: .careful)
    }

    /// The record with its card data changed and its checks right again.
    private func changed(_ packet: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var data = Array(packet[3..<(packet.count - 3)])
        change(&data)
        return IDTechRecord.packet(around: data)
    }

    private static let text =
        "encrypted_track_1=a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
        + "c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf"
        + "&encrypted_track_2=101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f"
        + "303132333435363738393a3b3c3d3e3f&encrypted_ksn=ffff9876543210e0000a"

    @Test(arguments: PacketReading.allCases)
    func aWholeRecordGivesTheObservedCard(reading: PacketReading) throws {
        let card = try #require(IDTechRecord.card(fromPacket: u1, reading: reading))
        #expect(card.maskedCardNumber?.description == "4111********1111")
        #expect(card.expirationText?.description == "1225")
        #expect(card.expirationDate == ExpirationDate("1225"))
        #expect(card.cardholderName?.description == "CARD ONE TEST")
        #expect(card.directPostText(reading) == Self.text)
        #expect(card.directPostText(reading, includesCVV: true) == Self.text)
        #expect(
            card.directPostText(reading, includesCVV: true, cvv: "999") == Self.text + "&cvv=999"
        )
        #expect("\(card)" == "4111********1111")
        let record = try IDTechRecord(u1)
        #expect(IDTechRecord.card(from: record, reading: reading) == card)
    }

    @Test func checksAreNotLookedAtByTheLibrary() throws {
        var wrong = u1
        wrong[275] ^= 0xFF
        wrong[276] ^= 0xFF
        #expect(observed(wrong)?.directPostText(.observed) == Self.text)
        #expect(careful(wrong) == nil)
        wrong[0] = 0x55
        wrong[1] = 0
        #expect(observed(wrong)?.directPostText(.observed) == Self.text)
        #expect(careful(wrong) == nil)
    }

    @Test func aCutRecordLeavesACardWithoutFields() throws {
        for packet in [Array(u1[..<60]), Array(u1[..<3]), []] {
            let card = try #require(observed(packet))
            #expect(card.isBlank && card.ksn == nil && card.maskedCardNumber == nil)
            #expect(card.directPostText(.observed) == "encrypted_track_1=null")
            #expect(careful(packet) == nil)
        }
    }

    @Test func aCarefulLibraryTakesNoCutRecord() {
        for count in 0..<u1.count {
            #expect(careful(Array(u1[..<count])) == nil)
            _ = observed(Array(u1[..<count]))
        }
    }

    @Test func aSwipeErrorIsNoCard() {
        for text in ["%E?;E?+E?\r", "%E?;E?\r"] {
            #expect(observed(Array(text.utf8)) == nil)
            #expect(careful(Array(text.utf8)) == nil)
        }
    }

    @Test func aRecordWithoutTrack1IsABadSwipeForTheLibraryOnly() throws {
        let packet = IDTechVectors.a7
        #expect(observed(packet) == nil)
        let card = try #require(careful(packet))
        #expect(card.maskedCardNumber?.description == "4266********9999")
        #expect(card.track1 == nil && card.cardholderName == nil)
        #expect(card.directPostText().hasPrefix("encrypted_track_2=3bb7cb"))
        #expect(card.directPostText().hasSuffix("&encrypted_ksn=62994901190000000006"))
    }

    @Test func bytesAfterTheRecordShiftTheKSN() throws {
        let packet = u1 + [0x0D, 0x0A]
        let card = try #require(observed(packet))
        #expect(card.track1 == observed(u1)?.track1)
        #expect(card.ksn == IDTechVectors.bytes("9876543210E0000AA119"))
        #expect(careful(packet) == nil)
        // In the stream the end of the record is known, and what follows is passed over.
        var decoder = IDTechStreamDecoder()
        decoder.append(packet[...])
        guard case .record(let record)? = decoder.next() else {
            Issue.record("no record")
            return
        }
        #expect(IDTechRecord.card(from: record)?.ksn == IDTechVectors.bytes("FFFF9876543210E0000A"))
        #expect(decoder.next() == nil && decoder.finish() == nil)
    }

    @Test func aMissingTrailerShiftsTheKSN() throws {
        let packet = Array(u1.dropLast(3))
        let card = try #require(observed(packet))
        #expect(card.ksn == IDTechVectors.bytes("383930FFFF9876543210"))
        #expect(card.track2 == observed(u1)?.track2)
        #expect(careful(packet) == nil)
    }

    @Test func aRecordWithoutKSNGivesTheSerialNumberInItsPlace() throws {
        let packet = changed(u1) {
            $0[6] &= 0x7F
            $0.removeLast(10)
        }
        #expect(observed(packet)?.ksn == Array("1234567890".utf8))
        #expect(careful(packet) == nil)
    }

    @Test func blocksOfEightAreSlicedWrongly() throws {
        let card = try #require(observed(IDTechVectors.a5))
        #expect(card.track1?.count == 80 && card.track2?.count == 48)
        #expect(card.ksn == nil)
        #expect(!card.directPostText(.observed).contains("encrypted_ksn"))
        let right = try #require(careful(IDTechVectors.a5))
        #expect(right.track1?.count == 72 && right.track2?.count == 40)
        #expect(card.track1?.suffix(8) == right.track2?.prefix(8))
        #expect(right.ksn == IDTechVectors.bytes("62994901190000000004"))
    }

    @Test func maskedTextWithoutItsFlagIsReadAsACryptogram() throws {
        let packet = changed(u1) { $0[5] &= 0xFC }
        let card = try #require(observed(packet))
        #expect(card.track1?.prefix(5) == Array("%*411".utf8)[...])
        #expect(card.maskedCardNumber == nil && card.expirationText == nil)
        #expect(careful(packet) == nil)
    }

    @Test func namesAreTurnedAndKeptAsTheLibraryDoes() throws {
        func names(_ name: String) throws -> [String?] {
            let packet = changed(u1) { data in
                data.replaceSubrange(26..<39, with: Array(name.utf8))
                data[2] = UInt8(0x36 - 13 + name.utf8.count)
                let padded = (Int(data[2]) + 15) / 16 * 16
                let start = 7 + Int(data[2]) + 39
                data.replaceSubrange(
                    start..<(start + 64),
                    with: [UInt8](repeating: 0xA5, count: padded)
                )
            }
            return [
                try #require(observed(packet)).cardholderName?.description,
                try #require(careful(packet)).cardholderName?.description,
            ]
        }
        #expect(
            try names("DOE/JOHN Q           ") == [
                "JOHN Q            DOE", "JOHN Q DOE",
            ]
        )
        #expect(try names("NOSLASH  ") == ["NOSLASH  ", "NOSLASH"])
        #expect(try names("") == ["", ""])
        #expect(try names("/") == [" ", ""])
        #expect(try names("A/B/C") == ["B/C A", "B/C A"])
    }

    @Test func anExpirationDateThatIsHiddenIsShownHidden() throws {
        let card = try #require(careful(IDTechVectors.a6))
        #expect(card.expirationText?.description == "****" && card.expirationDate == nil)
        #expect(card.cardholderName?.description == "GEORGE W.MR BUSH JR")
        #expect(observed(IDTechVectors.a6)?.expirationText?.description == "****")
    }

    @Test func tracksThatNoVariableCanCarryAreABadSwipe() throws {
        #expect(careful(IDTechVectors.a1) == nil)
        #expect(careful(IDTechVectors.a8) == nil)
        let nine = try #require(careful(IDTechVectors.a9))
        #expect(nine.maskedCardNumber == nil && nine.track1?.count == 72)
        // One track alone is its own cryptogram in the original format too.
        var settings = IDTechReaderSettings()
        settings.format = .original
        let record = IDTechRecord(
            card: IDTechVectors.card,
            settings: settings,
            read: .track2,
            key: .publishedTestKey,
            ksn: .publishedTestKSN.withCounter(1),
            cache: CryptoCache()
        )
        #expect(IDTechRecord.card(from: record)?.track2?.count == 40)
        #expect(IDTechRecord.card(from: record)?.track1 == nil)
    }

    @Test func directPostStringsAreThoseOfTheLibrary() {
        func text(
            _ card: EncryptedCard,
            cvv: String? = nil
        ) -> [String] {
            PacketReading.allCases.map { card.directPostText($0, includesCVV: true, cvv: cvv) }
        }
        let blank = EncryptedCard(library: .uniMag)
        #expect(text(blank) == ["encrypted_track_1=null", ""])
        let first = EncryptedCard(library: .uniMag, track1: [0xAB], ksn: [0xCD])
        #expect(
            text(first, cvv: "")
                == Array(
                    repeating: "encrypted_track_1=ab&encrypted_ksn=cd&cvv=",
                    count: 2
                )
        )
        let second = EncryptedCard(library: .ips, track2: [0xAB], track3: [], ksn: [0xCD])
        #expect(
            text(second) == [
                "encrypted_track_1=null&encrypted_track_2=ab&encrypted_track_3=&encrypted_ksn=CD&cvv=",
                "encrypted_track_2=ab&encrypted_track_3=&encrypted_ksn=CD&cvv=",
            ]
        )
    }
}
