import CardData
import GatewayProtocols
import Testing

@Suite("HoneyStore on the wire")
struct HoneyStoreTests {
    /// Computed from the published app: a double times 100, cut.
    static let prices: [(Int64, Int64)] = [
        (1_655, 1_655), (1_700, 1_700), (1_200, 1_200), (1_155, 1_155), (1_999, 1_998),
        (820, 819), (435, 434), (115, 114), (29, 28), (1, 1), (0, 0), (100, 100),
    ]

    @Test(arguments: prices.map { [$0.0, $0.1] })
    func cutsPricesAsThePublishedApp(pair: [Int64]) {
        let amount = HoneyStoreProduct.observedAmount(ofPrice: Amount(minorUnits: pair[0]))
        #expect(amount.minorUnits == pair[1])
    }

    @Test func hasTheFourPricesOfTheTable() {
        #expect(HoneyStoreProduct.all.map(\.price.minorUnits) == [1_655, 1_700, 1_200, 1_155])
    }

    static let order = HoneyStoreOrder(
        amount: Amount(minorUnits: 1_655),
        currency: "EUR",
        description: "order-1",
        product: "acacia"
    )
    static let requests: [HoneyStoreRequest] = [
        .signUp(username: "maya", password: "honey", email: "m@store.example"),
        .logIn(username: "maya", password: "honey"), .saveUser(email: "n@store.example"),
        .products, .currentUserID, .createTransactionWithToken("tok_1", order),
        .createPreauthorizationWithToken("tok_1", order),
        .createTransactionWithPayment("pay_1", order), .payments,
        .transactions(description: "order-1"),
    ]

    @Test(arguments: requests.indices) func readsWhatItWrites(index: Int) throws {
        let request = Self.requests[index]
        let read = try HoneyStoreRequest(
            method: request.method,
            path: request.path,
            body: request.body
        )
        #expect(read == request)
    }

    @Test(arguments: [
        ("GET", "/1/classes/Secret"), ("POST", "/1/functions/nothing"), ("DELETE", "/1/users"),
        ("POST", "/1/functions/"), ("GET", "/1/"),
    ])
    func saysThatNothingIsAtAPathWhateverTheBodyIs(method: String, path: String) {
        #expect(throws: HoneyStoreError(.noSuchFunction, "nothing is at this path")) {
            try HoneyStoreRequest(method: method, path: path, body: [])
        }
    }

    @Test func takesTheTutorialsSpelling() throws {
        let body = #"{"token":"t","amount":"1655","currency":"EUR","descrition":"honey"}"#
        let read = try HoneyStoreRequest(
            method: "POST",
            path: "/1/functions/createTransactionWithToken",
            body: Array(body.utf8)
        )
        guard case .createTransactionWithToken("t", let order) = read else { throw Wrong() }
        #expect(order.description == "honey" && order.amount == Amount(minorUnits: 1_655))
    }

    struct Wrong: Error {}

    @Test(arguments: ["", "[]", "{", #"{"token":"t","amount":-1,"currency":"EUR"}"#])
    func refusesWhatIsNoOrder(body: String) {
        #expect(throws: HoneyStoreError.self) {
            try HoneyStoreRequest(
                method: "POST",
                path: "/1/functions/createTransactionWithToken",
                body: Array(body.utf8)
            )
        }
    }

    @Test func readsWhatTheAppLooksFor() throws {
        func result(_ body: String) throws -> HoneyStoreResult {
            let answer = HoneyStoreAnswer(decoding: Array(body.utf8))
            guard case .result(let result) = answer else { throw Wrong() }
            return result
        }
        #expect(try result(#"{"objectId":"u1","sessionToken":"s1"}"#).session == "s1")
        #expect(try result(#"{"results":[{},{},{},{}]}"#).listedCount == 4)
        let cards = try result(
            #"{"result":[{"id":"pay_1","last4":"1111"},{"id":"pay_2","last4":"4444"},{"id":"iban"}]}"#
        )
        #expect(cards.newestCard == "pay_2" && cards.listedCount == 3 && cards.session == nil)
        let found = try result(#"{"result":[{"response_code":50102},{"response_code":20000}]}"#)
        #expect(found.transactionCode == PAYMILLResponseCode(rawValue: 50_102))
        let none = try result(#"{"result":[]}"#)
        #expect(none.transactionCode == nil && none.newestCard == nil && none.listedCount == 0)
    }

    @Test func readsWhyTheBackendDidNot() {
        let answer = HoneyStoreAnswer(decoding: Array(#"{"code":124,"error":"late"}"#.utf8))
        #expect(answer == .failed(HoneyStoreError(.timeout, "late")))
        #expect(HoneyStoreAnswer(decoding: Array("<html>".utf8)) == nil)
    }

    @Test func addsAMemberToABodyThatThereIs() {
        let body = HoneyStoreRequest.payments.body(adding: "4111", as: "cardNumber")
        #expect(String(decoding: body, as: UTF8.self) == #"{"cardNumber":"4111"}"#)
        #expect(HoneyStoreRequest.products.body(adding: "4111", as: "cardNumber").isEmpty)
    }
}
