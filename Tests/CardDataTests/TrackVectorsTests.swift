import CardData
import Testing

@Suite("Tracks and test cards")
struct TrackVectorsTests {
    static let stripeNames = [
        "amex", "discover", "magtek-manual", "mastercard", "paymill-3ds", "paymill-mastercard",
        "paymill-trigger", "visa",
    ]

    @Test(arguments: TestCard.names)
    func everyTestCardReadsBackAsItsTracks(name: String) throws {
        let card = try #require(TestCard.named(name))
        let track1 = try #require(Track1(parsing: card.unmaskedTrack1))
        let track2 = try #require(Track2(parsing: card.unmaskedTrack2))
        #expect(track1.unmaskedBytes == card.unmaskedTrack1)
        #expect(track2.unmaskedBytes == card.unmaskedTrack2)
        #expect(track1.pan == track2.pan)
        // The manual's own number does not pass the check.
        #expect(track1.pan.isLuhnValid == (name != "magtek-manual"))
    }

    @Test func theVisaCardExpiresInDecember2025() throws {
        let card = try #require(TestCard.named("visa"))
        #expect(
            String(decoding: card.unmaskedTrack2, as: UTF8.self)
                == ";4111111111111111=25121010000000000?"
        )
        let track = try #require(Track1(parsing: card.unmaskedTrack1))
        #expect(track.expirationDate?.description == "1225")
        #expect(track.serviceCode?.description == "101")
        #expect(String(decoding: track.name, as: UTF8.self) == "TEST CARD")
    }

    @Test func namesAreSortedAndUnknownOnesAreNil() {
        #expect(TestCard.names == TestCard.names.sorted())
        #expect(Set(TestCard.names).count == TestCard.names.count)
        #expect(TestCard.all.filter { $0.chip == nil }.map(\.name) == Self.stripeNames)
        #expect(TestCard.named("visas") == nil)
    }

    @Test(arguments: [
        "", "%", "%B?", "%B4111111111111111^A^2513101?", "%B4111111111111111^A^25?",
        "%B41111111111^A^2512101?", "B4111111111111111^A^2512101?",
    ])
    func refusesDamagedTracks(text: String) { #expect(Track1(parsing: Array(text.utf8)) == nil) }

    @Test func aSeparatorMayStandForDateAndServiceCode() throws {
        let bytes = Array(";4111111111111111==1?".utf8)
        #expect(Track2(parsing: bytes) == nil)
        let track = try #require(Track2(parsing: Array(";4111111111111111===1?".utf8)))
        #expect(track.expirationDate == nil && track.serviceCode == nil)
        #expect(track.unmaskedBytes == Array(";4111111111111111===1?".utf8))
    }
}
