import CardData
import GatewayProtocols
import Testing

/// Published requests and answers of the bridge, and its checks before it asks.
@Suite("PAYMILL bridge")
struct PAYMILLBridgeVectorsTests {
    static func card(
        _ number: String = "4111 1111-1111 1111",
        month: String = "2",
        year: String = "2018",
        code: String = "123"
    ) -> PAYMILLCard {
        PAYMILLCard(
            unmaskedNumber: number,
            expiryMonth: month,
            expiryYear: year,
            unmaskedCode: code,
            holder: "Max Muster"
        ).cleaned
    }

    static func error(_ card: PAYMILLCard) -> PAYMILLBridgeError? {
        do throws(PAYMILLBridgeError) {
            try card.check(year: 2017, month: 6)
            return nil
        } catch {
            return error
        }
    }

    @Test func cleansWhatWasTyped() {
        let card = Self.card()
        #expect(card.unmaskedNumber == "4111111111111111")
        #expect(card.expiryMonth == "02")
        #expect(Self.error(card) == nil)
    }

    static let wrong: [(PAYMILLCard, PAYMILLBridgeError?)] = [
        (card(year: "18"), .invalidCardExpiry),
        (card("4111111111111112"), .invalidCardNumber),
        (card("340000000000009", code: "1234"), nil),
        (card(code: "1234"), .invalidCardCVC),
        (card(month: "5", year: "2017"), .invalidCardExpiry),
        (card(month: "6", year: "2017"), nil),
        (card(month: "13"), .invalidCardExpiry),
        (card("2223000048400011"), .invalidCardNumber),
        (card("6759000000000000", code: ""), nil),
        (card("0000000000000000"), .invalidCardNumber),
        // The first that fails is told.
        (card("4111111111111112", year: "18", code: ""), .invalidCardNumber),
    ]

    @Test(arguments: wrong.indices) func tellsTheFirstWrongField(index: Int) {
        #expect(Self.error(Self.wrong[index].0) == Self.wrong[index].1)
    }

    static let money: [(String, String, PAYMILLBridgeError?)] = [
        ("4900", "EUR", nil), ("49.00", "EUR", .invalidAmountInt),
        ("4900", "eur", .invalidCurrency),
        ("", "EUR", .invalidAmount), ("4900", "", .invalidCurrency), ("", "", nil),
    ]

    @Test(arguments: money.indices) func checksTheMoney(index: Int) {
        let (amount, currency, expected) = Self.money[index]
        var found: PAYMILLBridgeError?
        do throws(PAYMILLBridgeError) {
            try PAYMILLTokenAmount(amountInt: amount, currency: currency).check()
        } catch {
            found = error
        }
        #expect(found == expected)
    }

    @Test func sendsTheAmountAsADecimal() {
        #expect(PAYMILLTokenAmount(amountInt: "4900", currency: "EUR").decimalText == "49.00")
    }

    @Test func writesTheQueryInTheOrderOfTheBridge() {
        let request = PAYMILLTokenRequest(
            publicKey: "443368146777979106b2ce2042c289a5",
            callback: "mobileSDK",
            card: Self.card(),
            amount: .decimal("49.00"),
            currency: "EUR"
        )
        #expect(
            request.query == """
                transaction.mode=CONNECTOR_TEST&channel.id=443368146777979106b2ce2042c289a5\
                &jsonPFunction=mobileSDK&account.number=4111111111111111&account.expiry.month=02\
                &account.expiry.year=2018&account.verification=123&account.holder=Max%20Muster\
                &presentation.amount3D=49.00&presentation.currency3D=EUR
                """
        )
    }

    @Test func readsTheRequestOfAServer() throws {
        let request = try PAYMILLTokenRequest(
            decoding: """
                account.holder=Longbob+Longsen&account.number=5500000000000004\
                &account.expiry.month=09&account.expiry.year=2016&account.verification=123\
                &presentation.amount3D=100&presentation.currency3D=USD&channel.id=PUBLIC\
                &jsonPFunction=jsonPFunction&transaction.mode=CONNECTOR_TEST
                """
        )
        #expect(request.publicKey == "PUBLIC" && request.callback == "jsonPFunction")
        #expect(request.card?.holder == "Longbob Longsen" && request.card?.expiryMonth == "09")
        #expect(request.amount == .minorUnits("100") && request.currency == "USD")
        #expect(request.mode == .test)
    }

    @Test func readsUnderscoresAndPlainRequests() throws {
        let request = try PAYMILLTokenRequest(
            decoding: """
                channel_id=KEY&transaction_mode=CONNECTOR_TEST&account_number=4111111111111111\
                &account_holder=Max+Muster&account_expiry_month=12&account_expiry_year=2018
                """
        )
        #expect(request.publicKey == "KEY" && request.callback == nil)
        #expect(request.card?.unmaskedCode == "" && request.card?.expiryYear == "2018")
    }

    // MARK: Bank accounts

    static func account(
        _ number: String = "648489890",
        bank: String = "50010517",
        holder: String = "Chris Hansen",
        country: String = "DE"
    ) -> PAYMILLAccount {
        PAYMILLAccount(
            .national(unmaskedNumber: number, bankCode: bank, country: country),
            holder: holder
        )
    }

    static func sepa(
        _ iban: String = "DE12500105170648489890",
        bic: String = "BENEDEPPYYY",
        holder: String = "Alex Tabo"
    ) -> PAYMILLAccount {
        PAYMILLAccount(.international(unmaskedIBAN: iban, bic: bic), holder: holder)
    }

    /// An account, what the bridge says of it before it asks, and what the processor says.
    static let accounts: [(PAYMILLAccount, PAYMILLBridgeError?, String?)] = [
        (account(), nil, nil),
        (account("12345678", bank: "10000000"), nil, nil),
        (account(" 648 489 890"), nil, nil),
        (account("648489890", bank: "10000000"), nil, "999.999.998"),
        (account(bank: "70070010"), nil, "100.100.101"),
        (account(""), .invalidAccountNumber, "100.100.100"),
        (account("6484898x0"), .invalidAccountNumber, "100.100.101"),
        (account("64848989012"), .invalidAccountNumber, "999.999.998"),
        (account(bank: "5001051"), .invalidBankCode, "100.100.101"),
        (account(holder: "Ann"), .invalidAccountHolder, "100.100.401"),
        (account(country: "AT"), .invalidCountry, nil),
        (sepa(), nil, nil),
        (sepa("DE93100000000012345678"), nil, nil),
        (sepa("DE12 5001 0517 0648 4898 90", bic: "BENEDEPP"), nil, "100.100.101"),
        (sepa("DE12500105170648489891"), .invalidIBAN, "100.100.101"),
        (sepa("AT611904300234573201"), .invalidIBAN, "100.100.101"),
        (sepa(""), .invalidIBAN, "100.100.101"),
        (sepa(bic: "BENEATPPYYY"), .invalidBIC, "100.100.101"),
        (sepa("DE89370400440532013000"), nil, "100.100.101"),
        (sepa(holder: ""), .invalidAccountHolder, "100.100.401"),
    ]

    @Test(arguments: accounts.indices) func accountsAreCheckedHereAndThere(index: Int) {
        let (account, local, code) = Self.accounts[index]
        var found: PAYMILLBridgeError?
        do throws(PAYMILLBridgeError) {
            try account.cleaned.check()
        } catch {
            found = error
        }
        #expect(found == local)
        #expect(account.cleaned.processorProblem?.code == code)
    }

    @Test(arguments: [account(), sepa()])
    func anAccountTravelsInTheQueryAndIsShownHidden(account: PAYMILLAccount) throws {
        let request = PAYMILLTokenRequest(publicKey: "KEY", instrument: .account(account))
        #expect(try PAYMILLTokenRequest(decoding: request.query) == request)
        #expect(request.card == nil)
        let shown = account.shown
        #expect(shown.account == "*****9890" && shown.code == "50010517")
        let isSEPA = account == Self.sepa()
        #expect(shown.iban == (isSEPA ? "DE1250010517******9890" : nil))
        var lines = ["\(request)", "\(account)", String(reflecting: account)]
        lines += FieldListing(paymill: Array(request.query.utf8)).fields.map { "\($0)" }
        for line in lines {
            #expect(!line.contains("648489890"))
        }
    }

    @Test func showsNoCardInDescriptions() {
        let request = PAYMILLTokenRequest(publicKey: "K", card: Self.card())
        for text in ["\(request)", String(reflecting: request), "\(Self.card())"] {
            #expect(!text.contains("4111111111111111"))
        }
        let listing = FieldListing(paymill: Array(request.query.utf8))
        let values = listing.fields.map { "\($0.name)=\($0.value)" }
        #expect(values.contains("account.number=411111...1111"))
        #expect(values.contains("account.verification=3 characters"))
    }

    // MARK: Answers

    @Test func readsAndWritesATokenByteForByte() throws {
        let body = Array(PAYMILLVectors.tokenAccepted.utf8)
        let answer = try #require(PAYMILLTokenAnswer(decoding: body))
        guard case .token(let token) = answer else { throw Wrong() }
        #expect(token.id == "tok_4f9a571b39bd8d0b4db5")
        #expect(answer.body(callback: "jsonPFunction") == body)
    }

    @Test func readsAndWritesARefusalByteForByte() throws {
        let body = Array(PAYMILLVectors.tokenRefused.utf8)
        let answer = try #require(PAYMILLTokenAnswer(decoding: body))
        guard case .refused(let refusal) = answer else { throw Wrong() }
        #expect(refusal.code == "000.100.201")
        #expect(refusal.text == "Account or Bank Details Incorrect")
        #expect(answer.result == .failure(.unknownError))
        #expect(answer.body(callback: "jsonPFunction") == body)
    }

    @Test func namesAWrongKey() {
        let text = """
            jsonPFunction({"error":{"message":"Unable to process the transaction - please check \
            channelId or login data"}})
            """
        let answer = PAYMILLTokenAnswer(decoding: Array(text.utf8))
        #expect(answer?.result == .failure(.invalidPublicKey))
        #expect(answer?.body(callback: "jsonPFunction") == Array(text.utf8))
        #expect(PAYMILLTokenAnswer(decoding: Array("File not found.\n".utf8)) == nil)
    }

    @Test func escapesARedirectAndReadsItAgain() throws {
        var token = PAYMILLTokenAnswer.Token(
            id: "tok_0123456789abcdef0123456789ab",
            publicKey: "K",
            shortID: "1",
            timestamp: "2014-06-01 00:00:00"
        )
        token.redirect = PAYMILLTokenAnswer.Redirect(
            url: "https://issuer.example/acs?a=1&b=2",
            request: "eJ+/=",
            returnURL: "https://test-tds.paymill.de/end.php?parentUrl=x",
            merchantData: "42"
        )
        let body = PAYMILLTokenAnswer.token(token).body(callback: nil)
        #expect(String(decoding: body, as: UTF8.self).contains("https%3A%2F%2Fissuer.example"))
        #expect(PAYMILLTokenAnswer(decoding: body) == .token(token))
    }

    static let returnCodes: [(String, PAYMILLBridgeError?)] = [
        ("000.100.112", nil), ("100.100.101", .invalidCardNumber),
        ("100.100.201", .invalidCardExpiryMonth), ("100.100.301", .invalidCardExpiryYear),
        ("100.100.304", .invalidCardExpiry), ("100.100.402", .invalidCardHolder),
        ("100.100.601", .invalidCardCVC), ("600.200.500", .invalidPaymentData),
        ("999.999.998", .paymentNotTestData), ("000.100.201", .unknownError),
    ]

    @Test(arguments: returnCodes.indices) func namesReturnCodes(index: Int) {
        let (code, error) = Self.returnCodes[index]
        #expect(PAYMILLBridgeError(returnCode: code) == error)
    }

    static let triggers = [
        (5, 2020, 50_102), (8, 2020, 40_101), (1, 2021, 40_102), (1, 2020, 50_501),
        (7, 2021, 40_301), (2, 2022, 50_002),
    ]

    @Test(arguments: triggers.indices) func triggersByExpiry(index: Int) {
        let (month, year, code) = Self.triggers[index]
        let found = PAYMILLTestCards.trigger(month: month, year: year)
        #expect(found?.rawValue == code && found?.text != nil)
        #expect(PAYMILLTestCards.trigger(month: 3, year: 2022) == nil)
    }

    @Test(arguments: PAYMILLTestCards.numbers) func takesItsTestCards(number: String) throws {
        let brand = try #require(PAYMILLCardBrand(number: number))
        #expect(brand.accepts(number))
    }

    @Test func neverTrapsOnMutatedAnswers() {
        let vectors = [PAYMILLVectors.tokenAccepted, PAYMILLVectors.tokenRefused]
        for vector in vectors.map({ Array($0.utf8) }) {
            for index in vector.indices {
                _ = PAYMILLTokenAnswer(decoding: Array(vector[..<index]))
                var bytes = vector
                bytes[index] ^= 0x15
                _ = PAYMILLTokenAnswer(decoding: bytes)
                _ = FieldListing(paymill: bytes)
            }
        }
    }

    struct Wrong: Error {}
}
