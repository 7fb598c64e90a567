import CardData
import EventLoops
import GatewayProtocols
import SDKCore
import SimulatedGateways
import Testing
import Transports

@Suite("The NMI client behind the merchant's server")
struct NMIRouteTests {
    static let key = SimulatedNMIGateway.Configuration().securityKey
    static let id = NMITransactionID(10_000_000_001)!
    static let card = NMICardData.magneSafe(PaymentWorld.swipe)

    private static func client() -> NMIClient {
        var configuration = NMIClient.Configuration(securityKey: key)
        configuration.route = .merchantServer
        return NMIClient(configuration)
    }

    /// The only request that a client sends for what it is asked.
    private static func sent(_ ask: (inout NMIClient) -> Void) -> HTTPRequest? {
        var client = client()
        ask(&client)
        guard case .send(_, _, let request, _)? = client.nextAction() else { return nil }
        return request
    }

    private static let asks: [(name: String, ask: @Sendable (inout NMIClient) -> Void)] = [
        ("sale", { $0.charge(PaymentWorld.request(700, "o1"), at: .zero) }),
        ("auth", { $0.authorize(PaymentWorld.request(700, "o1"), at: .zero) }),
        ("credit", { $0.credit(PaymentWorld.request(700, "o1"), at: .zero) }),
        ("validate", { $0.validate(PaymentWorld.request(700, "o1"), at: .zero) }),
        ("capture", { $0.capture(id, amount: Amount(minorUnits: 700), at: .zero) }),
        ("refund", { $0.refund(RefundRequest(transactionID: id, orderID: "r1"), at: .zero) }),
        ("void", { $0.void(id, reason: .userCancel, at: .zero) }),
        ("update", { $0.update(id, NMIDetails([(.city, "Ulm")]), at: .zero) }),
        ("vault", { $0.change(NMIVaultRequest(.add, card: card), at: .zero) }),
        ("recurring", { $0.change(NMIRegisterClientTests.subscription, at: .zero) }),
    ]

    @Test(arguments: asks.map(\.name))
    func everyKindIsPassedOnAsTheClientWouldAskTheGatewayItself(name: String) throws {
        let ask = try #require(Self.asks.first { $0.name == name }).ask
        let request = try #require(Self.sent(ask))
        #expect(request.path == MerchantServer.path)
        #expect(!String(decoding: request.body, as: UTF8.self).contains("security_key"))
        let server = MerchantServer(credentials: .securityKey(Self.key))
        guard case .post(let post) = server.take(request) else {
            return #expect(Bool(false), "the server refused it")
        }
        var own = NMIClient(NMIClient.Configuration(securityKey: Self.key))
        ask(&own)
        guard case .send(_, _, let direct, _)? = own.nextAction() else { return }
        #expect(post.path == direct.path)
        #expect(
            try NMIRequest(decoding: post.body, path: post.path)
                == NMIRequest(decoding: direct.body, path: direct.path)
        )
    }

    @Test func whatShowsACardOrAnAccountIsNotSent() {
        let check = NMICheck(
            name: "Roe",
            routingNumber: Array("490000018".utf8),
            unmaskedAccount: Array("24413815".utf8)
        )
        let keyed = NMIKeyedCard(unmaskedNumber: [0x34], expiration: Array("1225".utf8))
        for card in [NMICardData.check(check), .keyed(keyed)] {
            var client = Self.client()
            let request = ChargeRequest(
                amount: Amount(minorUnits: 700),
                orderID: "o1",
                card: card
            )
            client.charge(request, at: .zero)
            guard case .chargeFinished(1, _, _, .error(nil, _))? = client.nextAction() else {
                #expect(Bool(false), "something was sent")
                continue
            }
        }
    }

    @Test func aVoidInDoubtIsLookedUpByItsTransactionThroughTheServer() throws {
        var client = Self.client()
        client.void(Self.id, at: .zero)
        guard case .send(let exchange, .void, _, _)? = client.nextAction() else {
            return #expect(Bool(false), "no void")
        }
        client.outcome(.reset, exchange: exchange, at: .zero)
        _ = client.nextAction()
        guard case .send(_, .query, let request, _)? = client.nextAction() else {
            return #expect(Bool(false), "no look-up")
        }
        #expect(request.path == MerchantServer.lookUpPath)
        let server = MerchantServer(credentials: .securityKey(Self.key))
        guard case .post(let post) = server.take(request) else {
            return #expect(Bool(false), "the server refused it")
        }
        #expect(
            try NMIRequest(decoding: post.body, path: post.path).operation
                == .query(.transactionID(Self.id))
        )
    }
}
