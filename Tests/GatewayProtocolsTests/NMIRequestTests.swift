import CardData
import GatewayProtocols
import Testing

@Suite("NMI requests")
struct NMIRequestTests {
    static let swipe = MagneSafeSwipeFields(
        track1: bytes("C25C1D1197D31CAA87285D59A892047426D9182EC11353C0"),
        track2: bytes("724c5daff4f1b1d0"),
        ksn: bytes("FFFF9876543210E00008"),
        magnePrint: bytes("4703576BC5C2CB20"),
        magnePrintStatus: bytes("A1050000")
    )

    static let id = NMITransactionID(12_030_573_544)!

    static let requests: [NMIRequest] = [
        NMIRequest(
            securityKey: "key+1",
            operation: .payment(
                NMIPayment(
                    .sale,
                    amount: Amount(minorUnits: 1_099),
                    orderID: "order 1/é",
                    card: .magneSafe(swipe)
                )
            )
        ),
        NMIRequest(
            securityKey: "",
            operation: .payment(NMIPayment(.sale, amount: Amount(minorUnits: 5), card: nil))
        ),
        NMIRequest(
            securityKey: "k",
            operation: .followUp(NMIFollowUp(.void, transactionID: id))
        ),
        NMIRequest(securityKey: "k", operation: .query(.orderID("order&1"))),
        NMIRequest(securityKey: "k", operation: .query(.transactionID(NMITransactionID(7)!))),
        NMIRequest(
            .login(username: "demo", password: "p&=+ "),
            operation: .payment(
                NMIPayment(
                    .auth,
                    amount: Amount(minorUnits: 1),
                    orderID: "o",
                    card: .tracks(NMITracks(unmaskedTrack1: bytes("%B1^A/B^"), unmaskedTrack2: [])),
                    cvv: CardSecurityCode(unmasked: []),
                    details: NMIDetails([
                        (.address1, "888"), (.zip, "77777"), (.tax, "-1"), (.tip, "1.00"),
                    ])
                )
            )
        ),
        NMIRequest(
            securityKey: "k",
            operation: .payment(
                NMIPayment(
                    .credit,
                    amount: Amount(minorUnits: 100),
                    card: .encrypted(
                        NMIEncryptedTracks(
                            track2: bytes("724c5daff4f1b1d0"),
                            ksn: bytes("ffff9876543210e00008")
                        )
                    )
                )
            )
        ),
        NMIRequest(
            securityKey: "k",
            operation: .payment(
                NMIPayment(
                    .validate,
                    amount: Amount(minorUnits: 0),
                    card: .keyed(NMIKeyedCard(unmaskedNumber: [], expiration: bytes("10/25")))
                )
            )
        ),
        NMIRequest(
            securityKey: "k",
            operation: .payment(
                NMIPayment(
                    .offline,
                    amount: Amount(minorUnits: 100),
                    card: nil,
                    details: NMIDetails([
                        (.authorizationCode, "ABC 1"), (.duplicateSeconds, "7862400"),
                    ])
                )
            )
        ),
        NMIRequest(
            securityKey: "k",
            operation: .followUp(
                NMIFollowUp(
                    .capture,
                    transactionID: id,
                    amount: Amount(minorUnits: 70),
                    details: NMIDetails([(.trackingNumber, "1Z"), (.shippingCarrier, "ups")])
                )
            )
        ),
        NMIRequest(
            securityKey: "k",
            operation: .followUp(
                NMIFollowUp(.void, transactionID: id, voidReason: .iccCardRemoved)
            )
        ),
        NMIRequest(
            securityKey: "k",
            operation: .followUp(NMIFollowUp(.refund, transactionID: id, orderID: "r 1"))
        ),
        NMIRequest(
            securityKey: "k",
            operation: .followUp(
                NMIFollowUp(
                    .update,
                    transactionID: id,
                    details: NMIDetails([(.purchaseOrder, "77")])
                )
            )
        ),
    ]

    @Test(arguments: requests)
    func goesThereAndBack(request: NMIRequest) throws {
        #expect(try NMIRequest(decoding: request.body, path: request.path) == request)
    }

    @Test func aSaleIsWrittenWithTheNamesOfTheManual() {
        #expect(
            text(Self.requests[0].body)
                == "security_key=key%2B1&type=sale&amount=10.99&orderid=order+1%2F%C3%A9"
                + "&magnesafe_track_1=C25C1D1197D31CAA87285D59A892047426D9182EC11353C0"
                + "&magnesafe_track_2=724c5daff4f1b1d0&magnesafe_ksn=FFFF9876543210E00008"
                + "&magnesafe_magneprint=4703576BC5C2CB20&magnesafe_magneprint_status=A1050000"
        )
        #expect(Self.requests[0].path == "/api/transact.php")
        #expect(Self.requests[2].path == "/api/transact.php")
        #expect(Self.requests[3].path == "/api/query.php")
        #expect(
            text(Self.requests[3].body)
                == "security_key=k&report_type=transaction&order_id=order%261"
        )
    }

    @Test func aBodyWithoutATypeIsASale() throws {
        let request = try NMIRequest(decoding: bytes("amount=1"), path: "/api/transact.php")
        let sale = NMIPayment(.sale, amount: Amount(minorUnits: 100), card: nil)
        #expect(request.operation == .payment(sale))
    }

    static let wrong: [(path: String, body: String, code: NMIRequestError.Code, offset: Int)] = [
        ("/api/transact.php", "type=%", .form(.wrongEscape), 5),
        ("/", "type=sale", .unknownPath, 0),
        ("/api/transact.php", "amount=1.00&type=credits", .unsupportedType, 17),
        ("/api/transact.php", "type=complete_partial_payment", .unsupportedType, 5),
        ("/api/transact.php", "type=sale&payment=check", .unsupportedPayment, 18),
        ("/api/transact.php", "type=offline&amount=1", .missingAuthorizationCode, 0),
        ("/api/transact.php", "amount=1&dup_seconds=7862401", .invalidDuplicateSeconds, 21),
        ("/api/transact.php", "amount=1&dup_seconds=x", .invalidDuplicateSeconds, 21),
        ("/api/transact.php", "type=capture&transactionid=1", .missingAmount, 0),
        ("/api/transact.php", "type=capture&transactionid=1&amount=", .invalidAmount, 36),
        ("/api/transact.php", "type=refund&transactionid=1&amount=x", .invalidAmount, 35),
        ("/api/transact.php", "type=void&transactionid=1&void_reason=bad", .invalidVoidReason, 38),
        ("/api/transact.php", "amount=1&encrypted_track_1=null", .invalidSwipe, 27),
        ("/api/transact.php", "type=sale", .missingAmount, 0),
        ("/api/transact.php", "type=sale&amount=1.005", .invalidAmount, 17),
        ("/api/transact.php", "type=sale&amount=-1.00", .invalidAmount, 17),
        ("/api/transact.php", "type=void", .missingTransactionID, 0),
        ("/api/transact.php", "type=void&transactionid=0", .invalidTransactionID, 24),
        ("/api/transact.php", "type=void&transactionid=x", .invalidTransactionID, 24),
        ("/api/query.php", "report_type=receipt&order_id=1", .unsupportedReport, 12),
        ("/api/query.php", "security_key=k", .missingFilter, 0),
        ("/api/query.php", "transaction_id=", .invalidTransactionID, 15),
    ]

    @Test(arguments: wrong)
    func aWrongRequestIsNamedWithItsPlace(
        path: String,
        body: String,
        code: NMIRequestError.Code,
        offset: Int
    ) {
        #expect(throws: NMIRequestError(code: code, offset: offset)) {
            try NMIRequest(decoding: bytes(body), path: path)
        }
    }

    @Test func swipesWithoutKeySerialNumberTracksOrWholeBlocksAreRefused() {
        var swipes = Array(repeating: Self.swipe, count: 6)
        swipes[0].ksn = []
        swipes[1].ksn = bytes("FFFF9876543210E0000")
        swipes[2].track1 = []
        swipes[2].track2 = []
        swipes[3].track2 = bytes("724C5DAF")
        swipes[4].track2 = bytes("724C5DAFF4F1B1DX")
        swipes[5].magnePrintStatus = bytes("A1")
        for (number, swipe) in swipes.enumerated() {
            let sale = NMIPayment(
                .sale,
                amount: Amount(minorUnits: 100),
                card: .magneSafe(swipe)
            )
            let request = NMIRequest(securityKey: "", operation: .payment(sale))
            let error = #expect(throws: NMIRequestError.self, "swipe \(number)") {
                try NMIRequest(decoding: request.body, path: request.path)
            }
            #expect(error?.code == .invalidSwipe)
        }
    }

    @Test func aSwipeShowsNothingOfItsContents() {
        #expect("\(Self.swipe)" == "MagneSafe swipe of 48, 16 and 0 digits")
        var dumped = ""
        dump(Self.requests[0], to: &dumped)
        #expect(dumped.contains("MagneSafe swipe of 48"))
        #expect(!dumped.contains("- 67"))  // the first byte of track 1
    }

    @Test(arguments: requests)
    func damagedRequestsNeverTrap(request: NMIRequest) {
        var source = SeededBytes(seed: 11)
        for _ in 0..<300 {
            let damaged = source.damage(request.body)
            guard let read = try? NMIRequest(decoding: damaged, path: request.path) else {
                continue
            }
            #expect((try? NMIRequest(decoding: read.body, path: read.path)) == read)
        }
    }
}
