extension TestCard {
    /// All cards, sorted by name.
    ///
    /// The brands' numbers are those of the NMI Direct Post documentation (test transactions), with
    /// an expiration date of December 2025 (assumed); those of `paymill-` are of PAYMILL's guide to
    /// testing. `magtek-manual` is the card of the MagneSafe
    /// V5 Communication Reference Manual, examples 3 and 11. Cards with a chip: ``chipCards``.
    public static let all: [TestCard] = {
        let brands = [
            ("amex", "341111111111111"), ("discover", "6011000991300009"),
            ("mastercard", "5431111111111111"), ("paymill-3ds", "4012888888881881"),
            ("paymill-mastercard", "5500000000000004"), ("paymill-trigger", "5105105105105100"),
            ("visa", "4111111111111111"),
        ]
        var cards: [TestCard] = []
        for (name, number) in brands {
            guard let pan = PAN(number), let date = ExpirationDate("1225"),
                let code = ServiceCode(101)
            else { continue }
            cards.append(
                TestCard(
                    name: name,
                    pan: pan,
                    cardholder: "TEST CARD",
                    expirationDate: date,
                    serviceCode: code
                )
            )
        }
        cards.append(
            TestCard(
                name: "magtek-manual",
                track1: "%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?",
                track2: ";5452300551227189=080432100000007250?",
                track3: ";5163499080020445=000000000000?"
            )
        )
        cards += chipCards
        return cards.sorted { $0.name < $1.name }
    }()
}
