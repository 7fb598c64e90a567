import CardData
import EventLoops
import GatewayProtocols
import JSON
import SimulatedGateways
import Testing
import Transports

/// Bank accounts at PAYMILL, and what else travels beside a charge.
@Suite("PAYMILL's direct debit")
struct PAYMILLDirectDebitTests {
    private typealias PAYMILLPlay = SimulatedPAYMILLGatewayTests

    /// Makes a token of a bank account.
    private static func debit(
        _ gateway: inout SimulatedPAYMILLGateway,
        bank: String = "50010517"
    ) throws -> PAYMILLTokenAnswer {
        let account = PAYMILLAccount(
            .national(unmaskedNumber: "648489890", bankCode: bank, country: "DE"),
            holder: "Chris Hansen"
        )
        var request = HTTPRequest(method: "GET", path: "/", contentType: "", body: [])
        let key = gateway.configuration.publicKey
        request.query = PAYMILLTokenRequest(publicKey: key, instrument: .account(account)).query
        let response = try PAYMILLPlay.response(&gateway, request)
        return try #require(PAYMILLTokenAnswer(decoding: response.body))
    }

    @Test(arguments: PAYMILLVersion.allCases)
    func anAccountIsChargedAndPaidBackButNothingIsHeldOnIt(version: PAYMILLVersion) throws {
        var gateway = SimulatedPAYMILLGateway()
        let answer = try Self.debit(&gateway)
        guard case .token(let token) = answer else { throw PAYMILLPlay.NoAnswer() }
        #expect(token.isDebit)
        let held = try PAYMILLPlay.ask(
            &gateway,
            .preauthorize(
                PAYMILLRequest.Money(
                    amount: Amount(minorUnits: 100),
                    currency: "EUR",
                    source: .token(token.id)
                )
            ),
            version
        )
        guard case .refused(let refusal) = held else { throw PAYMILLPlay.NoAnswer() }
        #expect(refusal.status == version.invalidStatus)

        var money = PAYMILLRequest.Money(
            amount: Amount(minorUnits: 1_000),
            currency: "EUR",
            source: .token(token.id)
        )
        money.mandateReference = "mandate-7"
        let paid = try PAYMILLPlay.ask(&gateway, .charge(money), version)
        let transaction = try #require(paid.transaction)
        #expect(transaction.responseCode == .success)
        #expect(transaction.payment?.object?.debit?.account == "*****9890")
        #expect(transaction.mandateReference == (version == .v2 ? nil : "mandate-7"))
        #expect(paid.data?["payment"]?["type"]?.text == "debit")
        #expect(paid.data?["payment"]?["last4"] == nil)

        let back = PAYMILLRequest.Operation.refund(
            transaction: transaction.id,
            Amount(minorUnits: 400),
            description: ""
        )
        #expect(try PAYMILLPlay.ask(&gateway, back, version).isApproval)
        let payment = try #require(transaction.payment?.id)
        money.source = .payment(payment)
        #expect(try PAYMILLPlay.ask(&gateway, .charge(money), version).isApproval)
        let again = try PAYMILLPlay.ask(&gateway, .preauthorize(money), version)
        #expect(!again.isApproval)
    }

    @Test func anUnknownBankIsNamedAsACardNumber() throws {
        var gateway = SimulatedPAYMILLGateway()
        let answer = try Self.debit(&gateway, bank: "70070010")
        guard case .refused(let refusal) = answer else { throw PAYMILLPlay.NoAnswer() }
        #expect(refusal.isDebit && refusal.code == "100.100.101")
        #expect(answer.result == .failure(.invalidCardNumber))
    }

    @Test func aClientAndARefundAreToldOf() throws {
        var gateway = SimulatedPAYMILLGateway()
        let types = ["client.updated", "refund.created", "refund.succeeded"]
        let url = "https://merchant.example/hooks"
        _ = try PAYMILLPlay.ask(&gateway, .createWebhook(url: url, eventTypes: types))
        let token = try PAYMILLPlay.tokenID(&gateway)
        let paid = try PAYMILLPlay.ask(&gateway, PAYMILLPlay.charge(token))
        let transaction = try #require(paid.transaction)
        let client = try #require(transaction.client?.id)
        let change = PAYMILLRequest.Operation.updateClient(client, email: "a@b.c", description: "")
        _ = try PAYMILLPlay.ask(&gateway, change)
        let amount = Amount(minorUnits: 100)
        let back = PAYMILLRequest.Operation.refund(
            transaction: transaction.id,
            amount,
            description: ""
        )
        _ = try PAYMILLPlay.ask(&gateway, back)
        var told: [String] = []
        var statuses: [String] = []
        while let attempt = gateway.webhooks.nextAttempt(at: .zero) {
            let event = try #require(PAYMILLEvent(decoding: attempt.request.body))
            told.append(event.type)
            statuses.append(event.resource["status"]?.text ?? "")
        }
        #expect(told == types)
        #expect(statuses == ["", "open", "refunded"])
    }

    @Test func aFeeIsKeptAndWantsAPaymentThatThereIs() throws {
        var gateway = SimulatedPAYMILLGateway()
        let merchant = gateway.keepCard(
            PAYMILLCard(
                unmaskedNumber: "4111111111111111",
                expiryMonth: "12",
                expiryYear: "2018"
            ),
            email: "",
            at: .zero
        )
        var money = PAYMILLRequest.Money(
            amount: Amount(minorUnits: 1_000),
            currency: "EUR",
            source: .token(try PAYMILLPlay.tokenID(&gateway))
        )
        money.fee = PAYMILLFee(payment: "pay_0", amount: Amount(minorUnits: 40), currency: "EUR")
        let unknown = try PAYMILLPlay.ask(&gateway, .charge(money))
        #expect(unknown == .refused(.noSuchPayment))
        money.fee?.payment = merchant
        let paid = try PAYMILLPlay.ask(&gateway, .charge(money), .v2point1)
        #expect(paid.transaction?.fees == [try #require(money.fee)])
    }
}
