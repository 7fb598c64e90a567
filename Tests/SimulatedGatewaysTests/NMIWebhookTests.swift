import CardData
import EventLoops
import GatewayProtocols
import JSON
import SimulatedGateways
import Testing
import Transports

extension WebhookQueue.Attempt {
    /// The value of the header field that signs it.
    var signature: String? { request.field("webhook-signature") }
}

@Suite("Webhooks of the gateway")
struct NMIWebhookTests {
    static let signingKey = SimulatedNMIGateway.Configuration().webhookSigningKey

    static func gateway(_ events: [String] = []) -> SimulatedNMIGateway {
        var configuration = SimulatedNMIGateway.Configuration()
        configuration.webhookURL = "https://merchant.example/hook"
        configuration.webhookEvents = events
        return SimulatedNMIGateway(configuration)
    }

    static func types(_ gateway: inout SimulatedNMIGateway) throws -> [String] {
        var types: [String] = []
        while let post = gateway.nextWebhook(at: .zero) {
            let event = try NMIWebhookEvent(decoding: post.request.body)
            #expect(event.type == post.event)
            types.append(event.type)
            gateway.webhookEnded(post.number, status: 200, at: .zero)
        }
        return types
    }

    @Test func everyChangeOfATransactionIsTold() throws {
        var gateway = Self.gateway()
        let id = SimulatedNMIGatewayTests.id1
        for request in [
            pay(.auth, 500), followUp(.capture, id, 400), pay(.sale, 50), pay(.sale, 700, "v"),
            followUp(.void, NMITransactionID(10_000_000_003)!), followUp(.refund, id),
            pay(.validate, 0), pay(.credit, 200),
        ] {
            _ = gateway.receive(request, at: .zero, cache: cache)
        }
        gateway.settle(at: .zero)
        #expect(
            try Self.types(&gateway) == [
                "transaction.auth.success", "transaction.capture.success",
                "transaction.sale.failure", "transaction.sale.success",
                "transaction.void.success", "transaction.refund.success",
                "transaction.validate.success", "transaction.credit.success",
                "settlement.batch.complete",
            ]
        )
        #expect(gateway.waitingWebhookCount == 0)
        #expect(gateway.givenUpWebhookCount == 0)
    }

    @Test func anEventHasTheFieldsOfTheManualAndMasksTheCard() throws {
        var gateway = Self.gateway()
        _ = gateway.receive(pay(.sale, 1_099, "o-1", nil, cvv: "999"), at: .zero, cache: cache)
        let due = gateway.nextWebhook(at: .zero)
        let post = try #require(due)
        #expect(post.url == "https://merchant.example/hook")
        #expect(post.attempt == 1)
        let signature = try #require(NMIWebhookSignature(header: post.signature ?? ""))
        #expect(signature.isValid(for: post.request.body, key: Self.signingKey))
        let body = try NMIWebhookEvent(decoding: post.request.body).body
        #expect(body["transaction_id"]?.text == "10000000001")
        #expect(body["condition"]?.text == "pendingsettlement")
        #expect(body["order_id"]?.text == "o-1")
        #expect(body["requested_amount"]?.text == "10.99")
        #expect(body["card"]?["cc_number"]?.text == "411111******1111")
        #expect(body["card"]?["entry_mode"]?.text == "3")
        #expect(body["card"]?["csc_response"]?.text == "M")
        #expect(body["action"]?["action_type"]?.text == "sale")
        #expect(body["action"]?["success"]?.text == "1")
        #expect(body["action"]?["source"]?.text == "swipe")
        #expect(body["action"]?["date"]?.text == "20240603090000")
        #expect(body["phone"] == nil)
    }

    @Test func withoutAnAddressNothingIsKeptAndAListChoosesEvents() throws {
        var silent = SimulatedNMIGateway()
        _ = silent.receive(sale(500, "o"), at: .zero, cache: cache)
        #expect(silent.nextWebhook(at: .zero) == nil)
        #expect(silent.waitingWebhookCount == 0)
        var gateway = Self.gateway(["transaction.sale.failure"])
        _ = gateway.receive(sale(500, "o"), at: .zero, cache: cache)
        _ = gateway.receive(sale(50, "o"), at: .zero, cache: cache)
        #expect(try Self.types(&gateway) == ["transaction.sale.failure"])
    }

    @Test func aPostThatFailsIsTriedTwentyTimesMoreByTheSchedule() throws {
        var gateway = Self.gateway()
        _ = gateway.receive(sale(500, "o"), at: .zero, cache: cache)
        var now = VirtualInstant.zero
        var seconds: [Int64] = []
        var bodies: Set<[UInt8]> = []
        var signatures: Set<String> = []
        while let post = gateway.nextWebhook(at: now) {
            #expect(gateway.nextWebhook(at: now) == nil)
            bodies.insert(post.request.body)
            signatures.insert(post.signature ?? "")
            gateway.webhookEnded(post.number, status: seconds.count % 2 == 0 ? nil : 503, at: now)
            guard let next = gateway.nextWebhookInstant else { break }
            seconds.append((next - now).nanoseconds / 1_000_000_000)
            let early = VirtualInstant(nanoseconds: next.nanoseconds - 1)
            #expect(gateway.nextWebhook(at: early) == nil)
            now = next
        }
        #expect(
            seconds == [15, 60, 60, 60, 300, 900, 1_800]
                + Array(repeating: 3_600, count: 10) + [43_200, 43_200, 86_400]
        )
        #expect(bodies.count == 1)
        #expect(signatures.count == 21)
        #expect(gateway.waitingWebhookCount == 0)
        #expect(gateway.givenUpWebhookCount == 1)
    }

    @Test func onlyTheStatus200EndsAnEventAndALateEndChangesNothing() throws {
        var gateway = Self.gateway()
        _ = gateway.receive(sale(500, "o"), at: .zero, cache: cache)
        let due = gateway.nextWebhook(at: .zero)
        let post = try #require(due)
        gateway.webhookEnded(post.number, status: 201, at: .zero)
        #expect(gateway.waitingWebhookCount == 1)
        gateway.webhookEnded(post.number, status: 200, at: .zero)
        #expect(gateway.waitingWebhookCount == 1)
        let again = VirtualInstant(nanoseconds: 15_000_000_000)
        #expect(gateway.nextWebhook(at: again)?.attempt == 2)
        gateway.webhookEnded(post.number, status: 200, at: again)
        #expect(gateway.waitingWebhookCount == 0)
    }

    @Test func eventsThatNobodyTakesAreBounded() throws {
        var gateway = Self.gateway()
        for _ in 0..<1_003 { _ = gateway.receive(sale(500, "o"), at: .zero, cache: cache) }
        #expect(gateway.waitingWebhookCount == 1_000)
        #expect(gateway.givenUpWebhookCount == 3)
    }
}
