import CardData
import Testing

@Suite("Amounts, dates and hexadecimal text")
struct AmountTests {
    @Test(arguments: [
        ("10.99", 1_099, "10.99"), ("10", 1_000, "10.00"), ("10.9", 1_090, "10.90"),
        ("0.01", 1, "0.01"), ("92233720368547758.07", .max, "92233720368547758.07"),
    ])
    func readsDecimalText(text: String, minorUnits: Int64, printed: String) throws {
        let amount = try #require(Amount(text))
        #expect(amount.minorUnits == minorUnits)
        #expect(amount.description == printed)
    }

    @Test(arguments: [
        "", ".", "1.", ".5", "1.234", "-1", "+1", "1,00", "1.0.0", " 1", "1e3",
        "92233720368547758.08", "99999999999999999999",
    ])
    func refusesEverythingElse(text: String) { #expect(Amount(text) == nil) }

    @Test func aNegativeAmountPrintsItsSign() {
        #expect(Amount(minorUnits: -5).description == "-0.05")
        #expect(Amount(minorUnits: .min).description == "-92233720368547758.08")
    }

    @Test func datesAreYearFirstOnStripesAndMonthFirstInTheSDK() throws {
        let date = try #require(ExpirationDate(stripe: ArraySlice("0804".utf8)))
        #expect(date.description == "0408")
        #expect(ExpirationDate("0408") == date)
        #expect(ExpirationDate("1308") == nil)
        #expect(ExpirationDate("008") == nil)
    }

    @Test func hexadecimalTextGoesBothWays() {
        let all = (0...255).map { UInt8($0) }
        let text = Hexadecimal.encode(all)
        #expect(text.hasPrefix("000102030405060708090A0B"))
        #expect(Hexadecimal.decode(text) == all)
        #expect(Hexadecimal.decode("fF") == [0xFF])
        #expect(Hexadecimal.decode("F") == nil)
        #expect(Hexadecimal.decode("0G") == nil)
    }
}
