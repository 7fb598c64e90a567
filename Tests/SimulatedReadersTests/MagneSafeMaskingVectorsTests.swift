import CardData
import ReaderProtocols
import SimulatedReaders
import Testing

@Suite("MagneSafe masking")
struct MagneSafeMaskingTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: [
        ("%B123^A^1", "", "", MagneSafeMasking.CardKind.payment),
        ("", ";1234567890=1512?", "", .payment),
        ("%BX^A", ";636000123=1512?", "", .licence), ("", ";604425123=1512?", "", .licence),
        ("", ";636062123=1512?", "", .licence), ("", ";636063123=1512?", "", .payment),
        ("%CA", ";1=1?", "%A LICENCE?", .licence), ("%CA", "", "#A LICENCE?", .licence),
        ("%LIBRARY?", ";123?", "", .other), ("", "", ";123=1?", .other),
        ("", ";123456789012345678901=1512?", "", .other),
    ])
    func cardsAreToldApart(
        track1: String,
        track2: String,
        track3: String,
        kind: MagneSafeMasking.CardKind
    ) {
        #expect(
            MagneSafeMasking.kind(
                track1: bytes(track1),
                track2: bytes(track2),
                track3: bytes(track3)
            ) == kind
        )
    }

    private let licence = TestCard(
        name: "licence",
        track1: "%CASACRAMENTO^DOE$JOHN^1234 MAIN?",
        track2: ";636014012345678=15121968051500?",
        track3: "%A95811     C    M?"
    )

    private func masked(
        _ card: TestCard,
        level: MagneSafeSecurityLevel = .three,
        _ properties: [MagneSafePropertyValue] = []
    ) -> [String] {
        var desk = CommandDesk(.dynamag(packetByteCount: 8), level: level) {
            $0.properties = properties
        }
        let record = desk.reader.record(card: card, quality: .good, cache: desk.cache)
        return [record.track1, record.track2, record.track3].map {
            String(decoding: $0.masked, as: UTF8.self)
        } + ["\(record.encodeType?.rawValue ?? 0xFF)"]
    }

    @Test func licencesLoseAllButNumberEndsAndDates() {
        #expect(
            masked(licence) == [
                "%0000000000000000000000000000000?", ";636000010005678=15121968051500?",
                "%00000000000000000?", "1",
            ]
        )
        let clear = MagneSafePropertyValue(id: 0x34, value: [1])
        #expect(masked(licence, [clear])[1] == ";636014012345678=15121968051500?")
        let stars = MagneSafePropertyValue(id: 0x08, value: Array("0602*N".utf8))
        #expect(masked(licence, [stars])[1] == ";636014*******78=151219680515**?")
        #expect(masked(licence, level: .two)[0] == "%CASACRAMENTO^DOE$JOHN^1234 MAIN?")
    }

    @Test func otherCardsAreClearUnlessAsked() {
        let card = TestCard(name: "library", track1: "%LIBRARY CARD?", track2: ";12345?")
        #expect(masked(card) == ["%LIBRARY CARD?", ";12345?", "", "4"])
        let hide = MagneSafePropertyValue(id: 0x31, value: [1])
        #expect(masked(card, [hide]) == ["%000000000000?", ";00000?", "", "4"])
        // Track 1 of a payment card that does not begin with B is never masked.
        let odd = TestCard(name: "odd", track1: "%A4111?", track2: ";4111111111111111=1512101?")
        #expect(masked(odd, [hide]) == ["%A4111?", ";4111000010001111=1512000?", "", "0"])
    }

    @Test func theManualsOtherCardIsMasked() {
        let card = TestCard(
            name: "edynamo",
            track1: "%B6011000995500000^ TEST CARD ^15121015432112345678?",
            track2: ";6011000995500000=15121015432112345678?"
        )
        #expect(masked(card)[1] == ";6011000020000000=15120000000000000000?")
        #expect(masked(card)[0] == "%B6011000020000000^ TEST CARD ^15120000000000000000?")
    }

    @Test(arguments: ["04040Y", "0604*N", "0004XN", "0404VY", "0404VN"])
    func aMaskTellsItsProperty(text: String) {
        #expect(MagneSafeMask(property: text)?.property == Array(text.utf8))
    }

    @Test func theLuhnDigitOfAnOddMiddleMayStandFurtherRight() {
        let clear = bytes(";341111111111111=1512?")
        var mask = MagneSafeMask.factory
        #expect(mask.track2(clear) == bytes(";341100000001111=1512?"))
        mask.roundsLuhnPositionUp = true
        let other = mask.track2(clear)
        #expect(other.count == clear.count)
        #expect(PAN(other[1..<16])?.isLuhnValid == true)
    }

    @Test func tracksCanBeSwitchedOffOrRequired() {
        let card = TestCard(
            name: "two",
            track1: "%B4111111111111111^A^1512?",
            track2: ";4111111111111111=1512?"
        )
        var desk = CommandDesk(.dynamag(packetByteCount: 8)) {
            // Track 1 off, track 2 on, track 3 required.
            $0.properties = [MagneSafePropertyValue(id: 0x05, value: [0b1010_0100])]
        }
        let record = desk.reader.record(card: card, quality: .good, cache: desk.cache)
        #expect(record.track1 == .blank)
        #expect(record.track2.status == .read)
        #expect(record.track3 == .failed)
    }
}
