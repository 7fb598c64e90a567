import CardData
import GatewayProtocols
import Testing

/// The published request bodies of keyed and swiped cards: kicbac-js's encoding test,
/// active_merchant's sale transcript, the SDK manual, and the fields of the SDK's card classes.
@Suite("NMI card data, published bodies")
struct NMICardVectorsTests {
    static let number = "4111111111111111"

    @Test func aFormIsWrittenAsPublished() {
        var form = FormEncoder()
        for (name, value) in [
            ("a", "x&y"), ("b", "p=q"), ("c", "1+1"), ("d", "100%"), ("e", "two words"),
        ] {
            form.append(name, value)
        }
        #expect(text(form.bytes) == "a=x%26y&b=p%3Dq&c=1%2B1&d=100%25&e=two+words")
    }

    @Test func aKeyedSaleWithOlderNamesIsRead() throws {
        let body =
            "amount=1.00&orderid=c9f2fb356d2a839d315aa6e8d7ed2404&orderdescription=Store+purchase"
            + "&currency=USD&payment=creditcard&firstname=Longbob&lastname=Longsen"
            + "&ccnumber=\(Self.number)&cvv=917&ccexp=0916&email=&ipaddress=&company=Widgets+Inc"
            + "&address1=456+My+Street&address2=Apt+1&city=Ottawa&state=ON&country=CA&zip=K1C2N6"
            + "&phone=%28555%29555-5555&type=sale&username=demo&password=secret"
        let request = try NMIRequest(decoding: bytes(body), path: NMIRequest.transactPath)
        #expect(request.credentials == .login(username: "demo", password: "secret"))
        guard case .payment(let payment) = request.operation else {
            return #expect(Bool(false), "\(request.operation)")
        }
        #expect(payment.type == .sale)
        #expect(payment.amount == Amount(minorUnits: 100))
        #expect(payment.orderID == "c9f2fb356d2a839d315aa6e8d7ed2404")
        guard case .keyed(let card) = payment.card else {
            return #expect(Bool(false), "\(String(describing: payment.card))")
        }
        #expect(card.pan?.unmasked == Self.number)
        #expect(card.expirationDate == ExpirationDate("0916"))
        #expect(payment.cvv == CardSecurityCode(unmasked: bytes("917")))
        #expect(payment.details[.orderDescription] == "Store purchase")
        #expect(payment.details[.firstName] == "Longbob")
        #expect(payment.details[.lastName] == "Longsen")
        #expect(payment.details[.phone] == "(555)555-5555")
        #expect(payment.details[.zip] == "K1C2N6")
        #expect(payment.details[.email] == nil)
        #expect(payment.details[.ipAddress] == nil)
    }

    @Test func aLoginStandsInFrontAndAValidationHasNoAmount() throws {
        let pan = try #require(PAN(Self.number))
        let date = try #require(ExpirationDate("1025"))
        let request = NMIRequest(
            .login(username: "demo", password: "1234"),
            operation: .payment(
                NMIPayment(
                    .validate,
                    amount: Amount(minorUnits: 0),
                    card: .keyed(NMIKeyedCard(pan, expires: date)),
                    cvv: CardSecurityCode(unmasked: bytes("999"))
                )
            )
        )
        #expect(
            text(request.body)
                == "username=demo&password=1234&type=validate&ccnumber=\(Self.number)"
                + "&ccexp=1025&cvv=999"
        )
    }

    static let bodies: [(fields: String, card: NMICardData)] = [
        (
            "track_1=A&track_2=B&track_3=C",
            .tracks(
                NMITracks(
                    unmaskedTrack1: bytes("A"),
                    unmaskedTrack2: bytes("B"),
                    unmaskedTrack3: bytes("C")
                )
            )
        ),
        (
            "track_1=null&track_2=B",
            .tracks(NMITracks(unmaskedTrack1: bytes("null"), unmaskedTrack2: bytes("B")))
        ),
        (
            "encrypted_track_1=00112233445566AA&encrypted_ksn=ffff9876543210e0000a",
            .encrypted(
                NMIEncryptedTracks(
                    track1: bytes("00112233445566AA"),
                    ksn: bytes("ffff9876543210e0000a")
                )
            )
        ),
        (
            "ccnumber=4111 1111-1111 1111&ccexp=10/25",
            .keyed(
                NMIKeyedCard(
                    unmaskedNumber: bytes("4111 1111-1111 1111"),
                    expiration: bytes("10/25")
                )
            )
        ),
    ]

    @Test(arguments: bodies)
    func theSDKsFieldsAreRead(fields: String, card: NMICardData) throws {
        let body = bytes("type=auth&amount=1.00&" + fields)
        let request = try NMIRequest(decoding: body, path: NMIRequest.transactPath)
        guard case .payment(let payment) = request.operation else {
            return #expect(Bool(false), "\(request.operation)")
        }
        #expect(payment.card == card)
    }

    @Test func blanksAndStrokesOfAKeyedCardCountForNothing() {
        let card = NMIKeyedCard(
            unmaskedNumber: bytes("4111 1111-1111 1111"),
            expiration: bytes("10/25")
        )
        #expect(card.pan?.unmasked == Self.number)
        #expect(card.expirationDate == ExpirationDate("1025"))
        let wrong = NMIKeyedCard(unmaskedNumber: bytes("411111111111"), expiration: bytes("1325"))
        #expect(wrong.pan == nil)
        #expect(wrong.expirationDate == nil)
    }

    @Test func nothingOfCardsCodesAndPasswordsIsShown() {
        let payment = NMIPayment(
            .sale,
            amount: Amount(minorUnits: 100),
            card: .keyed(
                NMIKeyedCard(unmaskedNumber: bytes(Self.number), expiration: bytes("1025"))
            ),
            cvv: CardSecurityCode(unmasked: bytes("987"))
        )
        var swiped = payment
        swiped.card = .tracks(
            NMITracks(unmaskedTrack2: bytes(";\(Self.number)=25121010000000000?"))
        )
        for payment in [payment, swiped] {
            let request = NMIRequest(
                .login(username: "demo", password: "hush-hush"),
                operation: .payment(payment)
            )
            var dumped = "\(request)"
            dump(request, to: &dumped)
            for secret in [Self.number, "987", "hush", "52\n", "2512"] {
                #expect(!dumped.contains(secret), "\(secret)")
            }
        }
    }

    // MARK: Listings

    @Test func aRequestIsListedMaskedWithOffsets() {
        let body =
            "security_key=abc&type=sale&amount=10.99&ccnumber=\(Self.number)&ccexp=1025&cvv=999"
            + "&track_2=;\(Self.number)=2512?&colour=red&zip=77777"
        let listing = FieldListing(nmiRequest: bytes(body))
        #expect(listing.problem == nil)
        #expect(
            listing.fields.map { "\($0.offset)+\($0.byteCount) \($0.name)=\($0.value)" } == [
                "13+3 security_key=3 characters", "22+4 type=sale", "34+5 amount=10.99",
                "49+16 ccnumber=411111...1111", "72+4 ccexp=1025", "81+3 cvv=3 digits",
                "93+23 track_2=23 characters", "124+3 colour=red", "132+5 zip=77777",
            ]
        )
        #expect(listing.fields[1].meaning == "authorise and flag for settlement")
        #expect(listing.fields[3].meaning == "the card's number")
        #expect(listing.fields[7].meaning == "not a field that is known here")
    }

    @Test func fieldsLikeSecretOnesAreNotShown() {
        let secrets = [
            "Cvv=917", "CVV=917", "cvv2=917", "cvv%20=917", "cvc=917", "card-code=917",
            "cvv=9&917", "{\"cvv\":\"917\"}", "cvv:917", "Track_2=;\(Self.number)=251210100917?",
            "note=;\(Self.number)=251210100917?", "PASSWORD=917", "CCNumber=4111.1111.1111.917",
        ]
        for secret in secrets {
            let listing = FieldListing(nmiRequest: bytes("type=sale&amount=1.00&" + secret))
            let shown = listing.fields.map { "\($0.name) \($0.value) \($0.meaning)" }
            #expect(!shown.joined(separator: "\n").contains("917"), "\(secret)")
            #expect(shown.count >= 3)
        }
        let echoed = FieldListing(nmiResponse: bytes("response=1&response_code=100&CVV=917"))
        #expect(echoed.fields.last?.value.description == "3 characters")
    }

    static let wrong: [(body: String, offset: Int, text: String)] = [
        ("type=sale&amount=1.005", 17, "expected an amount such as 10.99"),
        ("type=sale&amount=1%", 18, "`%` without two hexadecimal digits"),
        ("type=void&transactionid=0", 24, "expected a decimal number above 0"),
        (
            "report_type=receipt&order_id=1", 12,
            "expected the report `transaction`, `sdk_key`, `customer_vault`, `recurring`, "
                + "`recurring_plans`, `test_mode_status`, `profile`"
        ),
        ("", 0, "`amount` is missing"),
    ]

    @Test(arguments: wrong)
    func whatIsWrongWithARequestIsListedWithItsOffset(body: String, offset: Int, text: String) {
        let listing = FieldListing(nmiRequest: bytes(body))
        #expect(listing.problem == FieldListing.Problem(offset: offset, text: text))
    }

    @Test func anAnswerIsListedWithTheMeaningOfItsCodes() {
        let body =
            "response=2&responsetext=DECLINE&transactionid=0&avsresponse=Z&cvvresponse=N"
            + "&response_code=202&x=1"
        let listing = FieldListing(nmiResponse: bytes(body))
        #expect(listing.problem == nil)
        #expect(
            listing.fields.map(\.meaning) == [
                "declined", "text for people", "nothing was stored",
                "5-character ZIP match only", "CVV2/CVC2 no match", "Insufficient funds",
                "an extra field",
            ]
        )
        let odd = FieldListing(nmiResponse: bytes("response=1&response_code=300"))
        #expect(odd.fields.last?.name == "note")
        let cut = FieldListing(nmiResponse: bytes("response=1&response_co"))
        #expect(
            cut.problem == FieldListing.Problem(offset: 22, text: "`response_code` is missing")
        )
    }

    @Test func listingsOfDamagedBodiesNeverTrapAndShowNoNumber() {
        let body = bytes(
            "type=sale&ccnumber=\(Self.number)&track_1=%25B\(Self.number)%5EA&responsetext=x"
        )
        var source = SeededBytes(seed: 3)
        for _ in 0..<500 {
            let damaged = source.damage(body)
            for listing in [FieldListing(nmiRequest: damaged), FieldListing(nmiResponse: damaged)] {
                let shown = listing.fields.map { "\($0.name) \($0.value)" }.joined()
                #expect(!shown.contains(Self.number))
            }
        }
    }
}
