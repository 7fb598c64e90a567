import CardData
import EventLoops
import GatewayProtocols
import SDKCore
import SimulatedGateways
import Testing
import Transports

/// PAYMILL's SDK and its backend for apps, with nothing between them.
@Suite("PMInstallation")
struct PMInstallationTests {
    /// One app and the gateway.
    struct World {
        var gateway = SimulatedPAYMILLGateway()
        var sdk = PMInstallation(startSecondsSince1970: 1_401_580_800)
        var now = VirtualInstant.zero
        /// What becomes of the answers of the next exchanges, in order; `nil` is the natural one.
        var outcomes: [HTTPOutcome?] = []

        init(_ configuration: SimulatedPAYMILLGateway.Configuration = .init()) {
            gateway = SimulatedPAYMILLGateway(configuration)
        }

        /// Makes a call, lets it end, and returns how it did.
        mutating func call(_ call: PMCall) throws -> Result<PMValue, PMError> {
            let number = sdk.call(call, at: now)
            var result: Result<PMValue, PMError>?
            while let action = sdk.nextAction() {
                switch action {
                case .send(let exchange, _, let request):
                    let wire = gateway.receive(request, at: now).wire
                    guard case .answer(let response, _) = wire else { throw NoAnswer() }
                    let outcome = outcomes.isEmpty ? nil : outcomes.removeFirst()
                    sdk.outcome(outcome ?? .answered(response), exchange: exchange, at: now)
                case .finished(number, _, let end):
                    #expect(result == nil)
                    result = end
                case .finished: break
                }
            }
            return try #require(result)
        }

        mutating func initialise() throws {
            let key = gateway.configuration.publicKey
            let result = try call(.initialise(testMode: true, publicKey: key, newDeviceID: false))
            #expect(result == .success(.flag(true)))
        }

        mutating func pay(isConsumable: Bool = true) throws -> PMTransaction {
            let call = PMCall.transaction(
                try PMInstallationTests.payer(),
                try PMInstallationTests.parameters(),
                isConsumable: isConsumable
            )
            guard case .success(.transaction(let transaction)) = try self.call(call) else {
                throw NoAnswer()
            }
            return transaction
        }
    }

    struct NoAnswer: Error {}

    static func payer(_ number: String = PAYMILLTestCards.numbers[0]) throws -> PMPayer {
        .method(
            try PMFactory.genCardPayment(
                accHolder: "Ada Lovelace",
                cardNumber: number,
                expiryMonth: "12",
                expiryYear: "2020",
                verification: "123"
            )
        )
    }

    static func parameters() throws -> PMPaymentParams {
        try PMFactory.genPaymentParams(currency: "EUR", amount: 1_099, description: "voucher")
    }

    @Test func nothingIsAskedBeforeItIsInitialised() throws {
        var world = World()
        #expect(!world.sdk.isInit && world.sdk.deviceID == nil)
        let result = try world.call(.transactionsList)
        #expect(throws: PMError(.notInitialised, "the SDK has no device")) { try result.get() }
        let empty = try world.call(.initialise(testMode: true, publicKey: "", newDeviceID: false))
        #expect(throws: PMError.self) { try empty.get() }
        let other = try world.call(.initialise(testMode: true, publicKey: "k", newDeviceID: false))
        #expect(throws: PMError(.api, "Access Denied")) { try other.get() }
        #expect(world.gateway.requestCount == 1 && !world.sdk.isInit)
        try world.initialise()
        #expect(world.sdk.deviceID?.hasPrefix("device_") == true)
    }

    @Test func aDeviceIsMadeOnceUnlessANewOneIsWished() throws {
        var world = World()
        try world.initialise()
        let first = world.sdk.device
        world.sdk = PMInstallation(savedDevice: first, startSecondsSince1970: 1_401_580_800)
        try world.initialise()
        #expect(world.sdk.device == first && world.gateway.requestCount == 1)
        let made = try world.call(.newDeviceID)
        #expect(made == .success(.text(try #require(world.sdk.deviceID))))
        #expect(world.sdk.device != first && world.gateway.books.installations.count == 2)
    }

    @Test func aConsumableChargeIsListedUntilItIsConsumed() throws {
        var world = World()
        try world.initialise()
        let paid = try world.pay()
        #expect(paid.amount == "1099" && paid.originAmount == 1_099 && paid.status == "closed")
        #expect(paid.description == "voucher" && paid.payment?.last4 == "1111")
        _ = try world.pay(isConsumable: false)
        let all = try world.call(.transactionsList)
        guard case .success(.transactions(let listed)) = all else { throw NoAnswer() }
        #expect(listed.count == 2)
        #expect(try world.call(.transactionForID(paid.id)) == .success(.transaction(listed[0])))
        let open = try world.call(.nonConsumedTransactionsList)
        #expect(open == .success(.transactions([listed[0]])))
        #expect(try world.call(.consumeTransaction(paid.id)) == .success(.text(paid.id)))
        #expect(try world.call(.nonConsumedTransactionsList) == .success(.transactions([])))
        for id in [paid.id, listed[1].id, "tran_0"] {
            let again = try world.call(.consumeTransaction(id))
            #expect(throws: PMError.self) { try again.get() }
        }
    }

    @Test func heldMoneyComesAsATransactionWithoutADescription() throws {
        var world = World()
        try world.initialise()
        let call = PMCall.preauthorization(
            try Self.payer(),
            try Self.parameters(),
            isConsumable: true
        )
        guard case .success(.transaction(let held)) = try world.call(call) else { throw NoAnswer() }
        #expect(held.status == "preauth" && held.description.isEmpty)
        let id = try #require(held.preauthorization?.id)
        #expect(try world.call(.transactionsList) == .success(.transactions([])))
        guard case .success(.transaction(let shown)) = try world.call(.preauthorizationForID(id))
        else { throw NoAnswer() }
        #expect(shown.id == held.id)
        let key = world.gateway.configuration.publicKey
        let start = PMCall.initialiseAndList(testMode: true, publicKey: key, newDeviceID: false)
        let open = try world.call(start)
        #expect(open == .success(.notConsumed(transactions: [], preauthorizations: [shown])))
        #expect(try world.call(.consumePreauthorization(id)) == .success(.text(id)))
        let none = try world.call(.nonConsumedPreauthorizationsList)
        #expect(none == .success(.transactions([])))
    }

    @Test func eachDeviceSeesItsOwn() throws {
        var world = World()
        try world.initialise()
        let paid = try world.pay()
        _ = try world.call(.newDeviceID)
        #expect(try world.call(.transactionsList) == .success(.transactions([])))
        let foreign = try world.call(.transactionForID(paid.id))
        #expect(throws: PMError(.api, "Transaction not found")) { try foreign.get() }
    }

    @Test func tokensAndKeptCardsPay() throws {
        var world = World()
        try world.initialise()
        guard case .method(let method) = try Self.payer() else { throw NoAnswer() }
        let made = try world.call(.generateToken(method, try Self.parameters()))
        guard case .success(.text(let token)) = made else { throw NoAnswer() }
        let byToken = PMCall.transaction(
            .token(token),
            try Self.parameters(),
            isConsumable: false
        )
        guard case .success(.transaction(let paid)) = try world.call(byToken) else {
            throw NoAnswer()
        }
        let again = try world.call(byToken)
        #expect(throws: PMError(.api, "Token is invalid: used")) { try again.get() }
        let payment = try #require(paid.payment?.id)
        let byPayment = PMCall.transaction(
            .payment(payment),
            try Self.parameters(),
            isConsumable: false
        )
        _ = try world.call(byPayment).get()
    }

    @Test func theSafeOpensByItsPasswordAndIsBlockedAfterThree() throws {
        var world = World()
        try world.initialise()
        let payment = try #require(try world.pay().payment)
        #expect(try world.call(.arePaymentsAvailable) == .success(.flag(false)))
        let saved = try world.call(.savePayment(payment.id, password: "honey"))
        #expect(saved == .success(.payment(payment)))
        #expect(try world.call(.arePaymentsAvailable) == .success(.flag(true)))
        let listed = try world.call(.paymentsList(password: "honey"))
        #expect(listed == .success(.payments([payment])))
        for expected in [PMError.SafeStoreError](
            [.incorrectPassword, .incorrectPassword, .incorrectPassword, .blocked]
        ) {
            guard case .failure(let error) = try world.call(.paymentsList(password: "money"))
            else { throw NoAnswer() }
            #expect(error.kind == .safeStore && error.safeStoreError == expected)
        }
        let right = try world.call(.deletePayment(payment.id, password: "honey"))
        #expect(throws: PMError.self) { try right.get() }
        #expect(try world.call(.resetPayments) == .success(.flag(true)))
        #expect(try world.call(.arePaymentsAvailable) == .success(.flag(false)))
    }

    @Test func aLostAnswerIsNoErrorOfTheInterface() throws {
        var world = World()
        try world.initialise()
        world.outcomes = [nil, .reset]
        let lost = try world.call(
            .transaction(try Self.payer(), try Self.parameters(), isConsumable: true)
        )
        guard case .failure(let error) = lost else { throw NoAnswer() }
        #expect(error.kind == .httpConnection)
        guard case .success(.transactions(let open)) = try world.call(.nonConsumedTransactionsList)
        else { throw NoAnswer() }
        #expect(open.map(\.description) == ["voucher"])

        world.sdk.call(.transactionsList, at: world.now)
        _ = world.sdk.nextAction()
        let deadline = try #require(world.sdk.nextDeadline)
        world.sdk.deadlineReached(at: deadline)
        guard case .finished(_, _, .failure(let late))? = world.sdk.nextAction() else {
            throw NoAnswer()
        }
        #expect(late.kind == .httpConnection && !world.sdk.isBusy)
    }

    @Test func anAccountWithoutTheMobileAppIsRefused() throws {
        var configuration = SimulatedPAYMILLGateway.Configuration()
        configuration.hasMobileApp = false
        var world = World(configuration)
        let key = configuration.publicKey
        let result = try world.call(
            .initialise(testMode: true, publicKey: key, newDeviceID: false)
        )
        guard case .failure(let error) = result else { throw NoAnswer() }
        #expect(error.kind == .api)
    }

    static let strange: [(String, String, String, Int)] = [
        ("GET", "/transactions", "", 200), ("GET", "/transactions/", "", 200),
        ("GET", "/transactions/x/y/z", "", 404), ("PUT", "/transactions", "", 404),
        ("POST", "/transactions", "", 412), ("POST", "/transactions", "amount=1", 412),
        ("POST", "/transactions", "amount=1&currency=EUR&token=t&consumable=maybe", 412),
        ("POST", "/transactions/x/consume", "", 404), ("GET", "/payments", "", 412),
        ("POST", "/payments", "id=pay_0", 412), ("DELETE", "/payments/any", "", 200),
        ("GET", "/merchants", "", 404), ("POST", "/merchants/a/b", "", 404),
        ("POST", "/transactions", "%", 412), ("GET", "/preauthorizations/non-consumed", "", 200),
    ]

    @Test(arguments: strange)
    func strangeRequestsGetOneClearAnswer(
        method: String,
        path: String,
        body: String,
        status: Int
    ) throws {
        var world = World()
        try world.initialise()
        let device = try #require(world.sdk.device)
        for (authorization, expected) in [(device.authorization, status), ("Basic !", 401)] {
            let request = HTTPRequest(
                method: method,
                path: path,
                contentType: FormEncoder.contentType,
                fields: [HTTPField("Authorization", authorization)],
                body: Array(body.utf8)
            )
            guard case .answer(let response, _) = world.gateway.receive(request, at: .zero).wire
            else { throw NoAnswer() }
            #expect(response.status == expected)
        }
        #expect(world.gateway.books.transactions.isEmpty)
    }
}
