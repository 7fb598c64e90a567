import CardData
import GatewayProtocols
import JSON
import Testing

@Suite("AgentCASH requests")
struct AgentCASHRequestTests {
    static let card = AgentCASHCard(
        entryMode: .chip,
        verification: .onlinePIN,
        maskedCardNumber: MaskedCardNumber("476173******0010"),
        encryptedCard: [1, 2, 3, 4, 5, 6, 7, 8],
        keySerialNumber: Array(0..<10),
        pinBlock: Array(8..<16),
        pinKeySerialNumber: Array(10..<20),
        chipData: [0x50, 0x01, 0x41]
    )

    static let requests: [AgentCASHRequest] = [
        .authorise(
            AgentCASHAuthorisation(
                amount: Amount(minorUnits: 1_599),
                currency: "GBP",
                capturesAtOnce: true,
                externalID: "1234567890",
                webhookURL: "http://www.myserver.com/mycallback",
                reference: "r-1",
                card: card
            )
        ),
        .confirm(5, signature: []), .confirm(5, signature: [1, 2, 3]), .reverse(7),
        .capture(7, nil), .capture(7, Amount(minorUnits: 100)), .refund(1, nil),
        .refund(1, Amount(minorUnits: 1)), .transaction(18_446_744_073_709_551_615),
        .search(.reference("r-1")), .search(.externalID("é \"quoted\"")),
    ]

    @Test(arguments: requests)
    func aRequestIsReadAsItWasWritten(_ request: AgentCASHRequest) throws {
        let read = try AgentCASHRequest(
            method: request.method,
            path: request.path,
            contentType: "application/json; charset=utf-8",
            body: request.body
        )
        #expect(read == request)
    }

    @Test(arguments: [
        ("amount", JSONValue.string("0")), ("amount", .integer(5)), ("amount", .string("1.999")),
        ("currency", .string("gbp")), ("currency", .string("GBPX")), ("capture", .string("yes")),
        ("installmentCount", .integer(2)), ("reference", .string("")),
        ("webhookURL", .string("ftp://x")), ("externalId", .integer(5)), ("card", .null),
    ])
    func aWrongMemberIsNamed(_ name: String, _ value: JSONValue) throws {
        let error = try #require(refusal(of: Self.requests[0], replacing: name, with: value))
        #expect(error.code == .invalidRequest)
        #expect(error.member.hasPrefix(name))
    }

    @Test(arguments: [
        "entryMode", "verification", "keySerialNumber", "pinBlock", "pinKeySerialNumber",
        "encryptedCard", "chipData", "maskedCardNumber",
    ])
    func aWrongMemberOfTheCardIsNamed(_ name: String) throws {
        var card = try #require(Self.card.json.members)
        let index = try #require(card.firstIndex { $0.name == name })
        card[index].value = .string("?")
        let error = try #require(
            refusal(of: Self.requests[0], replacing: "card", with: .object(card))
        )
        #expect(error.member == "card.\(name)")
    }

    @Test func aNumberThatIsNotMaskedIsRefused() throws {
        var card = try #require(Self.card.json.members)
        let index = try #require(card.firstIndex { $0.name == "maskedCardNumber" })
        card[index].value = .string("4" + String(repeating: "1", count: 15))
        let error = refusal(of: Self.requests[0], replacing: "card", with: .object(card))
        #expect(error?.member == "card.maskedCardNumber")
    }

    @Test(arguments: [
        ("GET", "/v1/transactions"), ("POST", "/v1/transactions/5"), ("PUT", "/v1/searches"),
        ("POST", "/v2/transactions"), ("POST", "v1/transactions"), ("POST", "/v1/transactions/"),
        ("POST", "/v1/transactions/5/steal"), ("POST", ""), ("POST", "/v1/transactions/5/refund/"),
    ])
    func anotherPathIsRefused(_ method: String, _ path: String) {
        #expect(refusal(method, path, Array("{}".utf8))?.code == .noSuchPath)
    }

    @Test(arguments: ["-1", "+1", "18446744073709551616", "x", "%35"])
    func whatIsNoNumberIsNoTransaction(_ id: String) {
        let error = refusal("POST", "/v1/transactions/\(id)/refund", Array("{}".utf8))
        #expect(error?.code == .noSuchTransaction)
    }

    @Test func everyPrefixOfABodyIsRefused() {
        let body = Self.requests[0].body
        for count in 0..<body.count {
            let error = refusal("POST", "/v1/transactions", Array(body[..<count]))
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func aTransactionIsReadAsItWasWritten() throws {
        guard case .authorise(let authorisation) = Self.requests[0] else { return }
        var transaction = AgentCASHTransaction(
            id: 9,
            state: .captured,
            authorisation: authorisation,
            responseCode: "00"
        )
        transaction.capturedAmount = Amount(minorUnits: 1_599)
        transaction.scheme = "Visa"
        transaction.signatureURL = "https://agentcash.invalid/signatures/9"
        #expect(AgentCASHTransaction(transaction.json) == transaction)
        for error in AgentCASHError.Code.allCases {
            #expect(AgentCASHError(AgentCASHError(error, member: "x").json)?.code == error)
            #expect(AgentCASHTransaction(AgentCASHError(error).json) == nil)
        }
    }

    @Test func credentialsShowNoPassword() {
        let credentials = AgentCASHCredentials(username: "shop", password: "hunter2")
        #expect("\(credentials) \(String(reflecting: credentials))".contains("hunter2") == false)
        // RFC 7617, section 2.
        #expect(
            AgentCASHCredentials(username: "Aladdin", password: "open sesame").authorization
                == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        )
    }

    private func refusal(
        of request: AgentCASHRequest,
        replacing name: String,
        with value: JSONValue
    ) -> AgentCASHError? {
        guard let json = try? JSONValue(reading: request.body), var members = json.members else {
            return nil
        }
        for index in members.indices where members[index].name == name {
            members[index].value = value
        }
        return refusal(request.method, request.path, JSONValue.object(members).encoded)
    }

    private func refusal(_ method: String, _ path: String, _ body: [UInt8]) -> AgentCASHError? {
        do throws(AgentCASHError) {
            _ = try AgentCASHRequest(
                method: method,
                path: path,
                contentType: "application/json",
                body: body
            )
            return nil
        } catch {
            return error
        }
    }
}
