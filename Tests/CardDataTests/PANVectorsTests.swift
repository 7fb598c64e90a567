import CardData
import Testing

@Suite("PAN and masked card number")
struct PANVectorsTests {
    @Test(arguments: [
        ("4111111111111111", "411111...1111", "4111000010001111"),
        ("5431111111111111", "543111...1111", "5431000010001111"),
        ("6011000995500000", "601100...0000", "6011000020000000"),
        ("5452300551227189", "545230...7189", "5452000000007189"),
    ])
    func printsAndMasksLikeTheReader(clear: String, printed: String, masked: String) throws {
        let pan = try #require(PAN(clear))
        #expect("\(pan)" == printed)
        #expect(String(reflecting: pan) == printed)
        #expect(pan.maskedByReader.description == masked)
        #expect(PAN(masked)?.isLuhnValid == true)
        #expect(pan.unmasked == clear)
    }

    @Test func reflectionShowsNoDigits() throws {
        let card = try #require(TestCard.named("visa"))
        let track = try #require(Track1(parsing: card.unmaskedTrack1))
        var text = ""
        dump(track, to: &text)
        dump(track.pan, to: &text)
        dump(card, to: &text)
        #expect(!text.contains("4111111111111111"))
        #expect(!text.contains("11111111"))
    }

    @Test(arguments: ["", "41111111111", "41111111111111111111", "411111111111111x"])
    func refusesWhatIsNoCardNumber(text: String) { #expect(PAN(text) == nil) }

    @Test func aChangedDigitFailsTheCheck() throws {
        #expect(try !#require(PAN("4111111111111112")).isLuhnValid)
    }

    @Test(arguments: [
        ("4111000010001111", "4111000010001111"), ("411111******1111", "411111******1111"),
        ("4xxxxxxxxxxx1111", "4xxxxxxxxxxx1111"), ("4111111111111111", "4111110009001111"),
        ("123456789", "000006789"), ("1234567", "0000000"),
    ])
    func hidesTheMiddleWhateverItIsMadeFrom(shown: String, masked: String) throws {
        let number = try #require(MaskedCardNumber(shown))
        #expect(number.description == masked)
        #expect(number.safeText.description == masked)
    }

    @Test(arguments: ["", "4111-1111", "41111111111111111111"])
    func refusesOtherMaskedNumbers(text: String) { #expect(MaskedCardNumber(text) == nil) }

    @Test func lastFourDigits() throws {
        #expect(try #require(MaskedCardNumber("4111000010001234")).lastFour == "1234")
    }

    @Test(arguments: [
        ("card 4111111111111111!", "card 411111******1111!"),
        ("4111-1111 1111 1111", "4111-11** **** 1111"),
        ("masked 4111000010001111", "masked 4111000010001111"),
        ("order 123456789012", "order 123456789012"), ("411111111111 1116", "411111****** 1116"),
        ("9999123456789", "999912***6789"), ("a\u{1B}[0m\nb", "a\u{FFFD}[0m\u{FFFD}b"),
        ("$10.99", "$10.99"), ("%B5452300551227189^X", "%B545230******7189^X"),
    ])
    func scrubsCardNumbersAndControlCharacters(text: String, safe: String) {
        #expect(SafeText(scrubbing: text).description == safe)
    }

    @Test func safeTextsAreEqualByTheirCharacters() throws {
        let number = try #require(MaskedCardNumber("4111000010001111"))
        #expect(SafeText(number) == SafeText("4111000010001111"))
        #expect(SafeText(number).hashValue == SafeText("4111000010001111").hashValue)
        #expect(SafeText(scrubbing: "visa") == SafeText("visa"))
        #expect(SafeText("visa") != SafeText("amex"))
    }
}
