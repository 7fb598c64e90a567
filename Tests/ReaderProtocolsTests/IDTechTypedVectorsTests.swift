import CardData
import Testing

@testable import ReaderProtocols

@Suite("ID TECH records as typed text")
struct IDTechTypedVectorsTests {
    @Test(arguments: IDTechVectors.records.indices)
    func everyRecordComesBackFromWhatIsTypedForIt(index: Int) throws {
        let packet = IDTechVectors.records[index]
        guard let text = IDTechTypedRecord.text(of: packet) else {
            // The observed library's own packet has no right checks.
            #expect((try? IDTechRecord(packet)) == nil)
            return
        }
        #expect(try IDTechTypedRecord.packet(text) == packet)
        #expect(try IDTechTypedRecord.packet(text + [0x0D, 0x0A]) == packet)
    }

    @Test func maskedTracksAreTypedAsTheyAreAndTheRestInHexadecimal() throws {
        let text = try #require(IDTechTypedRecord.text(of: IDTechVectors.a5))
        let typed = String(decoding: text, as: UTF8.self)
        #expect(typed.hasPrefix("02"))
        #expect(typed.dropFirst(6).hasPrefix("801F4823008383%*4266********9999^BUSH"))
        #expect(typed.hasSuffix("03"))
        // 7 bytes, 107 characters as they are, 72 + 40 + 10 + 10 bytes.
        #expect(text.count == 6 + 14 + 107 + 264 + 6)
        #expect(typed.dropFirst(2).prefix(4) == "8101")
    }

    @Test func anyOtherCharacterIsNoticed() throws {
        let text = try #require(IDTechTypedRecord.text(of: IDTechVectors.a5))
        for place in text.indices {
            var damaged = text
            damaged[place] ^= 1
            #expect(throws: IDTechError.self) { try IDTechTypedRecord.packet(damaged) }
        }
        for count in 0..<text.count {
            #expect(throws: IDTechError.self) { try IDTechTypedRecord.packet(text.prefix(count)) }
        }
    }

    @Test func aLayoutsOtherLettersAreNoRecord() throws {
        let text = try #require(IDTechTypedRecord.text(of: IDTechVectors.a5))
        let lower = text.map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }
        #expect(throws: IDTechError.self) { try IDTechTypedRecord.packet(lower) }
    }

    @Test func theListingIsThatOfTheRecordAndMasked() throws {
        let text = try #require(IDTechTypedRecord.text(of: IDTechVectors.a10))
        let listing = FieldListing(idTechTyped: text)
        #expect(listing.problems.isEmpty)
        #expect(listing.fields.first?.name == "typed")
        #expect(
            Array(listing.fields.dropFirst()) == FieldListing(idTech: IDTechVectors.a10).fields
        )
    }

    @Test(
        arguments: [
            ("German", ["^": "&", ";": "ö", "=": "´", "?": "_", "*": "("]),
            ("Turkish", ["^": "&", ";": "ş", "=": "-", "?": "Ö", "*": "("]),
            ("another", ["^": "&", "*": "("]),
        ]
    )
    func aLayoutThatTurnedTheSignsIsNamed(name: String, signs: [Character: Character]) throws {
        let text = try #require(IDTechTypedRecord.text(of: IDTechVectors.a5))
        let typed = String(String(decoding: text, as: UTF8.self).map { signs[$0] ?? $0 })
        let listing = FieldListing(idTechTyped: Array(typed.utf8))
        #expect(listing.problem?.text.contains(name) == true)
        #expect(listing.problem?.text.contains("layout") == true)
    }

    @Test func capsLockIsNamed() throws {
        let text = try #require(IDTechTypedRecord.text(of: IDTechVectors.a5))
        let lower = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        #expect(FieldListing(idTechTyped: lower).problem?.text.contains("Caps Lock") == true)
    }
}
