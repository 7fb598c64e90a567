import CardData
import EventLoops
import GatewayProtocols
import Journal
public import SDKCore
public import SimulatedGateways
import Transports

/// PAYMILL, the HoneyStore's backend and its app.
public struct HoneyStoreSetup: Sendable {
    /// The gateway.
    public var gateway = SimulatedPAYMILLGateway.Configuration()
    /// The backend; its private key is that of the gateway.
    public var backend: HoneyStoreBackend.Configuration
    /// The app; its public key is that of the gateway.
    public var app: HoneyStoreApp.Configuration
    /// Whether a user is logged in when the run begins.
    public var hasUser = true
    /// What the merchant's server answers to webhooks, in order, the last one for ever.
    ///
    /// 0 is no answer; empty has no webhooks.
    public var webhookStatuses: [Int] = []
    /// The webhooks that are sent; empty sends those of transactions and refunds.
    public var webhookEvents: [String] = []

    /// Creates a store with a careful backend.
    public init() {
        backend = HoneyStoreBackend.Configuration(privateKey: gateway.privateKey)
        app = HoneyStoreApp.Configuration(publicKey: gateway.publicKey)
    }
}

/// PAYMILL, the HoneyStore's backend and its app, and what travels between them.
///
/// A class with one owner, the rig: so a rig that has none stays as small as it was.
final class HoneyStoreDesk {
    /// Between whom a request travels.
    enum Route: Hashable {
        /// From the app to the bridge; the number is the app's.
        case bridge(Int)
        /// From the app to the backend; the number is the app's.
        case backend(Int)
        /// From the app that charges by the SDK alone to PAYMILL; the number is that app's.
        case sdk(Int)
        /// From the backend to PAYMILL; the number is the backend's.
        case gateway(Int)
    }

    /// A request on its way, at its goal, or on its way back; those that are over are forgotten.
    struct Exchange {
        let number: Int
        let route: Route
        /// Which launch of the app it is of.
        let launch: Int
        let kind: Symbol
        /// The request; empty once it arrived.
        var request: HTTPRequest?
        /// How it ends; `nil` until that is decided, and for ever in silence.
        var outcome: HTTPOutcome?
        /// The number that PAYMILL gave it.
        var gatewayNumber: Int?
        /// What becomes of the backend's answer.
        var fault: GatewayFault?
    }

    let setup: HoneyStoreSetup
    let plant: Plant?
    var gateway: SimulatedPAYMILLGateway
    var backend: HoneyStoreBackend
    var app: HoneyStoreApp
    /// The part of the app that charges by the SDK alone.
    var mill: VoucherMillApp
    var exchanges: [Exchange] = []
    var exchangeCount = 0
    var launch = 1
    var orderCount = 0
    /// The order that was approved last, and that for which money was held last.
    var lastApproved: String?
    var lastHeld: (orderID: String, amount: Amount)?
    /// Faults of the merchant's server that have not fired yet.
    var serverFaults: [GatewayFault] = []
    var serverRequestCount = 0
    /// The backend's request that ended last, and the number that PAYMILL gave it.
    var doneNumbers: (post: Int, number: Int?)?
    /// The number that PAYMILL gave the request of the SDK that was sent last.
    var millNumber: Int?
    private var webhookCount = 0
    /// How many webhooks were sent, each counted once however often it was tried.
    var sentWebhookCount = 0
    var deadline: DeskTimer?
    var millDeadline: DeskTimer?
    var backendDeadline: DeskTimer?
    var calendar: DeskTimer?

    init(_ setup: HoneyStoreSetup, plant: Plant?) {
        self.setup = setup
        self.plant = plant
        gateway = SimulatedPAYMILLGateway(setup.gateway)
        backend = HoneyStoreBackend(setup.backend)
        app = Self.makeApp(setup, plant)
        mill = Self.makeMill(setup, VoucherMillApp.Saved())
        if !setup.webhookStatuses.isEmpty {
            var types = setup.webhookEvents
            if types.isEmpty {
                types = [
                    "transaction.created", "transaction.succeeded", "transaction.failed",
                    "refund.succeeded",
                ]
            }
            ask(.createWebhook(url: "https://merchant.example/webhooks", eventTypes: types))
        }
        if setup.hasUser {
            app.session = makeUser("ada", "ada@store.example")
        }
        gateway.forgetRequests()
    }

    /// Loses what the app had in memory; its session is saved, and what it sent goes on its way.
    func loseApp() {
        launch += 1
        let session = app.session
        app = Self.makeApp(setup, plant)
        app.session = session
        mill = Self.makeMill(setup, mill.saved)
    }

    /// What the merchant's server answers to the next webhook; 0 is no answer.
    func webhookStatus() -> Int {
        guard let last = setup.webhookStatuses.indices.last else { return 200 }
        defer { webhookCount += 1 }
        return setup.webhookStatuses[min(webhookCount, last)]
    }

    /// The id of a card that another user keeps; it is made when it is asked for first.
    func foreignPayment() -> String? {
        if let payment = foreign { return payment }
        var calls = gateway
        let card = PAYMILLCard(
            unmaskedNumber: PAYMILLTestCards.numbers[0],
            expiryMonth: "12",
            expiryYear: "2025",
            unmaskedCode: "123",
            holder: "Eve Else"
        )
        foreign = calls.keepCard(card, email: "eve@store.example", at: .zero)
        gateway = calls
        return foreign
    }
    private var foreign: String?

    func index(of exchange: Int) -> Int? { exchanges.firstIndex { $0.number == exchange } }

    /// Makes a user before the run begins, and returns the session.
    private func makeUser(_ name: String, _ email: String) -> String {
        let request = HoneyStoreRequest.signUp(username: name, password: "honey", email: email)
        let http = HTTPRequest(
            method: request.method,
            path: request.path,
            contentType: HoneyStoreRequest.contentType,
            body: request.body
        )
        backend.take(http, call: 0, at: .zero)
        while let action = backend.nextAction() {
            switch action {
            case .post(let post, _, let request):
                let reply = gateway.receive(request, at: .zero)
                guard case .answer(let response, _) = reply.wire else { continue }
                backend.outcome(.answered(response), post: post, at: .zero)
            case .answer, .answered, .unanswered, .finished: break
            }
        }
        return backend.session(of: name) ?? ""
    }

    /// Asks the gateway something before the run begins.
    private func ask(_ operation: PAYMILLRequest.Operation) {
        let request = PAYMILLRequest(operation)
        let key = PAYMILLPrivateKey.authorization(setup.gateway.privateKey)
        _ = gateway.receive(
            HTTPRequest(
                method: request.method,
                path: request.path,
                contentType: FormEncoder.contentType,
                fields: [HTTPField("Authorization", key)],
                body: request.body
            ),
            at: .zero
        )
    }

    private static func makeMill(
        _ setup: HoneyStoreSetup,
        _ saved: VoucherMillApp.Saved
    ) -> VoucherMillApp {
        VoucherMillApp(
            publicKey: setup.app.publicKey,
            testMode: setup.app.testMode,
            saved: saved,
            startSecondsSince1970: setup.gateway.startSecondsSince1970
        )
    }

    private static func makeApp(_ setup: HoneyStoreSetup, _ plant: Plant?) -> HoneyStoreApp {
        var configuration = setup.app
        configuration.plant = plant
        configuration.startSecondsSince1970 = setup.gateway.startSecondsSince1970
        return HoneyStoreApp(configuration)
    }
}
