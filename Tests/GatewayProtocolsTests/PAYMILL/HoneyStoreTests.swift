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
}
