import CardData
import SDKCore
import Testing

@Suite("Card scanner")
struct ScannedCardTests {
    private static func card(_ name: String, _ month: Int, _ year: Int) throws -> ScannedCard {
        let card = try #require(TestCard.named(name))
        let track = try #require(Track2(parsing: card.unmaskedTrack2))
        return ScannedCard(pan: track.pan, expiryMonth: month, expiryYear: year, isScanned: true)
    }

    /// Source: card-io/card.io-iOS-SDK, `CardIOCreditCardInfo.h`: the values are characters.
    @Test(arguments: [
        ("visa", 52, UInt8(ascii: "4")), ("mastercard", 53, UInt8(ascii: "5")),
        ("amex", 51, UInt8(ascii: "3")), ("discover", 54, UInt8(ascii: "6")),
    ])
    func typesAreTheCharactersOfTheHeader(_ name: String, _ code: Int, _ byte: UInt8) throws {
        let type = try Self.card(name, 2, 2018).cardType
        #expect(type.rawValue == code)
        #expect(type.rawValue == Int(byte))
        #expect(ScannedCard.CardType.jcb.rawValue == Int(UInt8(ascii: "J")))
        #expect(ScannedCard.CardType.unrecognized.rawValue == 0)
    }

    @Test
    func aDateNeedsAMonthAndFourDigitsOfAYear() throws {
        #expect(try Self.card("visa", 2, 2018).expirationDate?.description == "0218")
        for (month, year) in [(0, 0), (10, 20), (13, 2020), (0, 2020), (2, 1999), (2, 20_200)] {
            #expect(try Self.card("visa", month, year).expirationDate == nil)
        }
    }

    @Test
    func nothingShowsTheNumber() throws {
        let card = try Self.card("visa", 2, 2018)
        let number = card.pan.unmasked
        var text = ""
        dump(card, to: &text)
        for shown in ["\(card)", String(reflecting: card), text] {
            #expect(!shown.contains(number))
        }
        #expect(card.redactedCardNumber.description == "XXXXXXXXXXXX1111")
    }
}
