import EventLoops
import LiveTransports
import SimulatedGateways
import Transports

/// One notification to a merchant's server.
struct WebhookDelivery {
    var gateway: ServedGateway
    var number: Int
    /// Where to: `http://HOST:PORT`, without a path.
    var server: String
    var request: HTTPRequest
}

extension ServedGateways {
    /// Begins the next attempt that is due at a gateway.
    mutating func beginWebhook(
        _ gateway: ServedGateway,
        at now: VirtualInstant
    ) -> WebhookDelivery? {
        let attempt: WebhookQueue.Attempt? =
            switch gateway {
            case .nmi: nmi?.nextWebhook(at: now)
            case .agentcash: agentcash?.webhooks.nextAttempt(at: now)
            case .paymill: paymill?.webhooks.nextAttempt(at: now)
            }
        return attempt.map {
            WebhookDelivery(
                gateway: gateway,
                number: $0.number,
                server: $0.server,
                request: $0.request
            )
        }
    }

    /// Notes how an attempt ended.
    mutating func webhookEnded(
        _ gateway: ServedGateway,
        number: Int,
        status: Int?,
        at now: VirtualInstant
    ) {
        switch gateway {
        case .nmi: nmi?.webhookEnded(number, status: status, at: now)
        case .agentcash: agentcash?.webhooks.ended(number, status: status, at: now)
        case .paymill: paymill?.webhookEnded(number, status: status, at: now)
        }
    }

    /// When the next attempt is due.
    var nextWebhookInstant: VirtualInstant? {
        [nmi?.nextWebhookInstant, agentcash?.webhooks.nextDue, paymill?.webhooks.nextDue]
            .compactMap { $0 }.min()
    }
}

/// Brings notifications to merchants' servers, a few at a time.
struct WebhookCourier {
    /// How many are on their way at once.
    static let bound = 8
    /// How long one may take.
    static let limit = VirtualDuration.seconds(15)

    let client: LiveHTTPClient
    private var underWay: [(number: Int, delivery: WebhookDelivery)] = []

    init() throws { client = try LiveHTTPClient() }

    /// Whether another may begin.
    var hasRoom: Bool { underWay.count < Self.bound }

    mutating func send(_ delivery: WebhookDelivery) {
        let number = client.send(delivery.request, to: delivery.server, within: Self.limit)
        underWay.append((number, delivery))
    }

    /// Returns a notification that ended, and with which status.
    mutating func nextEnd() -> (delivery: WebhookDelivery, status: Int?)? {
        guard let end = client.nextEnd(),
            let index = underWay.firstIndex(where: { $0.number == end.number })
        else { return nil }
        let delivery = underWay.remove(at: index).delivery
        guard case .answered(let response) = end.outcome else { return (delivery, nil) }
        return (delivery, response.status)
    }
}
