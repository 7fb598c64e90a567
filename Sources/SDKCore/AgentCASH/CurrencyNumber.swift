/// The numbers of the currencies that have two decimals, which is what amounts here have.
///
/// Source: ISO 4217, list one.
enum CurrencyNumber {
    /// The number of a currency by its three letters, such as 826 for `GBP`; `nil` for none of the
    /// list.
    ///
    /// - Complexity: O(*n*) in the length of the list.
    static func number(of currency: String) -> Int? {
        let letters = Array(currency.utf8)
        guard letters.count == 3 else { return nil }
        let list = Array(codes.utf8)
        var index = 0
        while index + 6 <= list.count {
            if list[index] == letters[0], list[index + 1] == letters[1],
                list[index + 2] == letters[2]
            {
                return list[index + 3..<index + 6].reduce(0) { $0 * 10 + Int($1 - 0x30) }
            }
            index += 6
        }
        return nil
    }

    /// Letters and number of each, without anything between.
    private static let codes =
        "AED784AFN971ALL008AMD051ANG532AOA973ARS032AUD036AWG533AZN944BAM977BBD052BDT050BGN975"
        + "BMD060BND096BOB068BRL986BSD044BTN064BWP072BYN933BZD084CAD124CDF976CHF756CNY156COP170"
        + "CRC188CUP192CVE132CZK203DKK208DOP214DZD012EGP818ERN232ETB230EUR978FJD242FKP238GBP826"
        + "GEL981GHS936GIP292GMD270GTQ320GYD328HKD344HNL340HTG332HUF348IDR360ILS376INR356IRR364"
        + "JMD388KES404KGS417KHR116KPW408KYD136KZT398LAK418LBP422LKR144LRD430LSL426MAD504MDL498"
        + "MGA969MKD807MMK104MNT496MOP446MRU929MUR480MVR462MWK454MXN484MYR458MZN943NAD516NGN566"
        + "NIO558NOK578NPR524NZD554PAB590PEN604PGK598PHP608PKR586PLN985QAR634RON946RSD941RUB643"
        + "SAR682SBD090SCR690SDG938SEK752SGD702SHP654SLE925SOS706SRD968SSP728STN930SYP760SZL748"
        + "THB764TJS972TMT934TOP776TRY949TTD780TWD901TZS834UAH980USD840UYU858UZS860VES928WST882"
        + "XCD951YER886ZAR710ZMW967"
}
