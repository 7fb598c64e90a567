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

    static let check = NMICheck(
        name: "Ann Payer",
        routingNumber: bytes("123123123"),
        unmaskedAccount: bytes("123123123"),
        holderType: .business,
        accountType: .savings,
        standardEntryClass: .corporate
    )

    static let plan = NMIPlan(
        id: "gold",
        name: "Gold & more",
        amount: Amount(minorUnits: 999),
        paymentCount: 12,
        schedule: .months(1, day: 31)
    )

    static let filter: NMITransactionFilter = {
        var filter = NMITransactionFilter()
        filter.conditions = [.pending, .pendingsettlement]
        filter.actions = [.sale, .void]
        filter.transactionIDs = [id, NMITransactionID(7)!]
        filter.orderID = "o,1"
        filter.transactionType = "cc,ck"
        filter.sources = ["api", "swipe"]
        filter.cardLastFour = "1111"
        filter.details = NMIDetails([(.lastName, "Löwe"), (.zip, "1")])
        filter.customerID = "c"
        filter.subscriptionID = "s"
        filter.partialPaymentID = "p"
        filter.startDate = "20260101000000"
        filter.endDate = "20270101000000"
        filter.datesAreOfCreation = true
        filter.resultLimit = 5
        filter.pageNumber = 2
        filter.isNewestFirst = true
        return filter
    }()

    static let furtherOperations: [NMIRequest.Operation] = [
        .payment(
            NMIPayment(
                .sale,
                amount: Amount(minorUnits: 100),
                card: .encryptedPayment(bytes("R1dTQw==")),
                vault: NMIVaultOrder(isNew: true, customerID: "c 1")
            )
        ),
        .payment(
            NMIPayment(
                .auth,
                amount: Amount(minorUnits: 100),
                card: .stored(NMIStoredPayment(customerID: "c"))
            )
        ),
        .payment(
            NMIPayment(
                .sale,
                amount: Amount(minorUnits: 100),
                card: .check(check),
                subscription: NMISubscriptionOrder(.known("gold"), startDate: "20261231")
            )
        ),
        .followUp(NMIFollowUp(.void, transactionID: id, isCheck: true)),
        .vault(NMIVaultRequest(.add, card: .check(check), details: NMIDetails([(.city, "Ulm")]))),
        .vault(NMIVaultRequest(.update, customerID: "c", details: NMIDetails([(.phone, "1")]))),
        .vault(NMIVaultRequest(.delete, customerID: "c")),
        .recurring(.addPlan(plan)),
        .recurring(
            .subscribe(
                NMISubscriptionOrder(
                    .own(
                        NMIPlan(
                            amount: Amount(minorUnits: 100),
                            paymentCount: 0,
                            schedule: .days(7)
                        )
                    )
                ),
                card: .stored(NMIStoredPayment(customerID: "c")),
                orderID: "o",
                details: NMIDetails()
            )
        ),
        .recurring(
            .update(
                subscriptionID: "s",
                card: nil,
                details: NMIDetails([(.email, "a@b")])
            )
        ),
        .recurring(.delete(subscriptionID: "s")),
        .completePartialPayment(id: "1"),
        .query(.transactions(NMITransactionFilter())),
        .query(.transactions(filter)),
        .query(.report(.sdkKey, id: "")),
        .query(.report(.customerVault, id: "c")),
        .query(.report(.recurring, id: "")),
    ]

    @Test(arguments: requests)
    func goesThereAndBack(request: NMIRequest) throws {
        #expect(try NMIRequest(decoding: request.body, path: request.path) == request)
    }

    @Test(arguments: furtherOperations)
    func everyOtherOperationGoesThereAndBack(operation: NMIRequest.Operation) throws {
        let request = NMIRequest(securityKey: "k", operation: operation)
        #expect(try NMIRequest(decoding: request.body, path: request.path) == request)
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("123123123"))
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
        (
            "/api/transact.php", "type=complete_partial_payment",
            .missingField("partial_payment_id"), 0
        ),
        ("/api/transact.php", "type=sale&payment=cash", .unsupportedPayment, 18),
        ("/api/transact.php", "type=sale&amount=1&payment=check", .missingField("checkname"), 0),
        (
            "/api/transact.php",
            "amount=1&payment=check&checkname=n&checkaba=12345678&checkaccount=1",
            .invalidField("checkaba"), 44
        ),
        (
            "/api/transact.php",
            "amount=1&payment=check&checkname=n&checkaba=123123123&checkaccount=1x",
            .invalidField("checkaccount"), 67
        ),
        (
            "/api/transact.php",
            "amount=1&payment=check&checkname=n&checkaba=123123123&checkaccount=1&ccnumber=1",
            .mixedPayment, 17
        ),
        ("/api/transact.php", "amount=1&ccnumber=1&checkname=n", .mixedPayment, 30),
        ("/api/transact.php", "customer_vault=add", .invalidField("customer_vault"), 15),
        (
            "/api/transact.php", "customer_vault=delete_customer",
            .missingField("customer_vault_id"), 0
        ),
        ("/api/transact.php", "recurring=x", .invalidField("recurring"), 10),
        ("/api/transact.php", "recurring=add_plan", .missingField("plan_id"), 0),
        (
            "/api/transact.php", "recurring=add_plan&plan_id=p&plan_amount=0",
            .invalidField("plan_amount"), 41
        ),
        (
            "/api/transact.php",
            "recurring=add_plan&plan_id=p&plan_amount=1&plan_payments=0&day_frequency=1"
                + "&month_frequency=1",
            .invalidField("day_frequency"), 73
        ),
        (
            "/api/transact.php",
            "recurring=add_plan&plan_id=p&plan_amount=1&plan_payments=0&month_frequency=1",
            .missingField("day_of_month"), 0
        ),
        (
            "/api/transact.php", "recurring=add_subscription&plan_id=p&start_date=20261301",
            .invalidField("start_date"), 48
        ),
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
        ("/api/query.php", "condition=sold", .invalidField("condition"), 10),
        ("/api/query.php", "action_type=sale,x", .invalidField("action_type"), 12),
        ("/api/query.php", "start_date=2026", .invalidField("start_date"), 11),
        ("/api/query.php", "cc_number=11", .invalidField("cc_number"), 10),
        ("/api/query.php", "result_limit=0", .invalidField("result_limit"), 13),
        ("/api/query.php", "result_order=up", .invalidField("result_order"), 13),
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
