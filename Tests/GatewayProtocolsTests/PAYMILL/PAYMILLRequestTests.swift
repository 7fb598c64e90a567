import CardData
import GatewayProtocols
import Testing

/// Requests to the REST interface.
@Suite("PAYMILL requests")
struct PAYMILLRequestTests {
    static let money = PAYMILLRequest.Money(
        amount: Amount(minorUnits: 4200),
        currency: "EUR",
        source: .token("tok_0123456789abcdef0123456789ab"),
        description: "Acacia & Co."
    )
    static var list: PAYMILLRequest.List {
        var list = PAYMILLRequest.List()
        list.count = 2
        list.order = "created_at_desc"
        list.filters = [PAYMILLRequest.List.Filter("amount", ">300")]
        return list
    }

    static let requests: [PAYMILLRequest.Operation] = [
        .createPayment(token: "tok_0123456789abcdef0123456789ab", client: "client_1"),
        .preauthorize(money), .charge(money),
        .refund(transaction: "tran_1", Amount(minorUnits: 5), description: "late"),
        .createClient(email: "a@b.example", description: "maya"),
        .updateClient("client_1", email: "c@d.example", description: ""),
        .updateTransaction("tran_1", description: "x"),
        .createWebhook(url: "https://m.example/h", eventTypes: ["transaction.succeeded"]),
        .updateWebhook("hook_1", isActive: false), .show(.transactions, "tran_1"),
        .list(.transactions, list), .remove(.preauthorizations, "preauth_1"),
    ]

    @Test(arguments: requests.indices, PAYMILLVersion.allCases)
    func readsWhatItWrites(index: Int, version: PAYMILLVersion) throws {
        let request = PAYMILLRequest(Self.requests[index], version: version)
        let read = try PAYMILLRequest(
            method: request.method,
            path: request.path,
            query: request.query,
            body: request.body
        )
        #expect(read == request)
    }

    @Test func writesTheDocumentedWebhook() {
        let request = PAYMILLRequest(
            .createWebhook(
                url: "<url>",
                eventTypes: ["transaction.succeeded", "transaction.failed"]
            )
        )
        let body = "url=<url>&event_types[]=transaction.succeeded&event_types[]=transaction.failed"
        #expect(String(decoding: request.body, as: UTF8.self) == body)
    }

    @Test func takesAnyPassword() {
        #expect(PAYMILLPrivateKey.authorization("PRIVATE") == "Basic UFJJVkFURTo=")
        #expect(PAYMILLPrivateKey.authorization("PRIVATE", password: "X") == "Basic UFJJVkFURTpY")
        for value in ["Basic UFJJVkFURTo=", "Basic UFJJVkFURTpY"] {
            #expect(PAYMILLPrivateKey.key(authorization: value) == "PRIVATE")
        }
        #expect(PAYMILLPrivateKey.key(authorization: "Bearer x") == nil)
    }

    static let wrong: [(String, String, String, PAYMILLVersion, Int)] = [
        ("POST", "/v2/nothing", "", .v2, 404), ("POST", "/v3/clients", "", .v2, 404),
        ("POST", "/v2/transactions", "amount=0&currency=EUR&token=t", .v2, 412),
        ("POST", "/v2.1/transactions", "amount=0&currency=EUR&token=t", .v2point1, 400),
        ("POST", "/v2.1/transactions", "amount=1&currency=EUR&token=tok_123", .v2point1, 400),
        ("POST", "/v2/transactions", "amount=1&currency=EUR&token=tok_123", .v2, 0),
        ("POST", "/v2/transactions", "amount=1&currency=EUR", .v2, 412),
        ("POST", "/v2/transactions", "amount=1&currency=EUR&token=a&payment=b", .v2, 412),
        ("POST", "/v2/transactions", "amount=1&currency=euro&token=a", .v2, 412),
        ("POST", "/v2/transactions", "amount=1&currency=EUR&token=a&fee_amount=1", .v2, 412),
        ("POST", "/v2/preauthorizations", "amount=1&currency=EUR&preauthorization=a", .v2, 412),
        ("DELETE", "/v2/transactions/tran_1", "", .v2, 404),
        ("POST", "/v2/webhooks", "url=x&event_types[]=nothing", .v2, 412),
        ("POST", "/v2/clients", "email=%zz", .v2, 412),
        ("POST", "/v2/clients", "email=%00", .v2, 412),
        ("POST", "/v2/clients", "email=%ff", .v2, 412),
        ("POST", "/v2/clients", "email=a&email=b", .v2, 412),
        ("POST", "/v2/refunds/tran_1", "amount=1&reason=none", .v2, 412),
        ("POST", "/v2/refunds/tran_1", "amount=1&reason=duplicate", .v2, 0),
        ("POST", "/v2/webhooks", "url=ftp://a&event_types[]=transaction.failed", .v2, 412),
        ("POST", "/v2/webhooks", "url=http://&event_types[]=transaction.failed", .v2, 412),
        ("PUT", "/v2/webhooks/hook_1", "url=ftp://a", .v2, 412),
        ("POST", "/v2/webhooks", "email=a@b.c&event_types[]=transaction.failed", .v2, 412),
        ("PUT", "/v2/webhooks/hook_1", "event_types[]=none", .v2, 412),
        ("PUT", "/v2/webhooks/hook_1", "active=maybe", .v2, 412),
        ("PUT", "/v2/webhooks/hook_1", "url=https://a/b&active=0", .v2, 0),
        ("POST", "/v2/transactions", "amount=1&currency=EUR&token=a&mandate_reference=", .v2, 412),
        (
            "POST", "/v2/transactions",
            "amount=1&currency=EUR&token=a&mandate_reference="
                + String(repeating: "m", count: 36), .v2, 412
        ),
    ]

    @Test(arguments: wrong.indices) func refusesWhatIsWrong(index: Int) {
        let (method, path, body, _, status) = Self.wrong[index]
        var found = 0
        do throws(PAYMILLRefusal) {
            _ = try PAYMILLRequest(method: method, path: path, query: "", body: Array(body.utf8))
        } catch {
            found = error.status
        }
        #expect(found == status)
    }

    @Test(arguments: [
        ("order=created_at_desc", true), ("order=amount", true), ("order=mood_desc", false),
        ("status=closed", true), ("mood=good", false), ("count=-1", false),
        ("amount=100", true), ("amount=>100", true), ("amount=>x", false), ("amount=", false),
        ("created_at=1-2", true), ("created_at=7", true), ("created_at=1-", false),
        ("created_at=yesterday", false), ("updated_at=1-2-3", false),
    ]) func listsTakeFieldsOfTheObjectsOnly(query: String, isGood: Bool) {
        let request = try? PAYMILLRequest(
            method: "GET",
            path: "/v2/transactions",
            query: query,
            body: []
        )
        #expect((request != nil) == isGood)
    }

    @Test func whatIsNotSaidIsLeftAsItWas() throws {
        let change = try PAYMILLRequest(
            method: "PUT",
            path: "/v2/transactions/tran_1",
            query: "",
            body: []
        )
        #expect(change.operation == .updateTransaction("tran_1", description: nil))
    }
}
