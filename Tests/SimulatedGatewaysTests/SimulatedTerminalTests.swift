import CardData
import GatewayProtocols
import SimulatedGateways
import Testing

@Suite("Simulated terminal app")
struct SimulatedTerminalTests {
    private static let base = InnerFenceChargeRequest.baseURL

    private static func pan(_ card: String) throws -> PAN {
        let card = try #require(TestCard.named(card))
        return try #require(Track2(parsing: card.unmaskedTrack2)).pan
    }

    private static func url(of events: [SimulatedTerminal.Event]) -> String? {
        for case .calledBack(let url, _) in events { return url }
        return nil
    }

    @Test
    func theQueryOfTheReturnURLIsKeptByteForByte() throws {
        var terminal = SimulatedTerminal()
        let returnURL = "app://r?b=%7e&a==&&c#frag"
        let request = "\(Self.base)?amount=1.00&returnURL=" + InnerFenceEscaping.encode(returnURL)
        _ = terminal.open(Array(request.utf8))
        let url = Self.url(of: terminal.leave())
        #expect(url == "app://r?b=%7e&a==&&c&ifcc_responseType=cancelled#frag")
    }

    @Test(arguments: [SimulatedTerminal.Answer.declined, .error])
    func aFailureCarriesItsTypeOnly(_ answer: SimulatedTerminal.Answer) throws {
        var terminal = SimulatedTerminal()
        terminal.configuration.answers = [answer]
        _ = terminal.open(Array("\(Self.base)?amount=1.00&returnURL=app%3A%2F%2Fr".utf8))
        _ = terminal.pay(try Self.pan("visa"))
        #expect(Self.url(of: terminal.leave()) == "app://r?ifcc_responseType=\(answer.rawValue)")
        #expect(terminal.transactions.isEmpty)
        #expect(!terminal.isOpen)
    }

    @Test
    func whatCannotBeAddedUpIsNotCharged() throws {
        var terminal = SimulatedTerminal()
        terminal.configuration.tip = Amount(minorUnits: .max)
        _ = terminal.open(Array("\(Self.base)?amount=1.00".utf8))
        #expect(terminal.pay(try Self.pan("visa")).isEmpty)
        _ = terminal.open(Array("\(Self.base)?amount=92233720368547758.07&taxRate=99".utf8))
        #expect(terminal.pay(try Self.pan("visa")).isEmpty)
        #expect(terminal.transactions.isEmpty)
    }

    @Test(arguments: ["", "1", "8.", ".5", "100", "8.1255", "-1", "8,5", "8.5 ", "٣"])
    func onlyRatesOfTheHeaderAreRates(_ text: String) {
        #expect((SimulatedTerminal.TaxRate(text) != nil) == (text == "1"))
    }

    @Test
    func taxIsRoundedHalfUp() throws {
        let rate = try #require(SimulatedTerminal.TaxRate("8.5"))
        #expect(rate.tax(on: Amount(minorUnits: 1_099)) == Amount(minorUnits: 93))
        #expect(rate.tax(on: Amount(minorUnits: 5_000)) == Amount(minorUnits: 425))
        let half = try #require(SimulatedTerminal.TaxRate("5"))
        #expect(half.tax(on: Amount(minorUnits: 10)) == Amount(minorUnits: 1))
        #expect(half.tax(on: Amount(minorUnits: 9)) == Amount(minorUnits: 0))
    }

    @Test
    func cardsAndKeysWithoutAChargeDoNothing() throws {
        var terminal = SimulatedTerminal()
        #expect(terminal.pay(try Self.pan("visa")).isEmpty)
        #expect(terminal.leave().isEmpty)
    }

    @Test(arguments: [
        ("visa", "Visa", "Visa"), ("mastercard", "MasterCard", "MasterCard"),
        ("amex", "Amex", "American Express"), ("discover", "Discover", "Discover"),
    ])
    func kindsOfCardsHaveTwoSetsOfNames(_ card: String, _ readme: String, _ header: String) throws {
        for (names, name) in [(SimulatedTerminal.CardNames.readme, readme), (.header, header)] {
            var terminal = SimulatedTerminal()
            terminal.configuration.cardNames = names
            let request = "\(Self.base)?amount=1.00&returnURL=app%3A%2F%2Fr&returnImmediately=1"
            _ = terminal.open(Array(request.utf8))
            let url = try #require(Self.url(of: terminal.pay(try Self.pan(card))))
            let response = try InnerFenceChargeResponse(decoding: Array(url.utf8))
            #expect(response[.cardType] == name)
        }
    }
}
