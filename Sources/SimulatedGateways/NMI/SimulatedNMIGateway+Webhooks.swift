public import EventLoops
import GatewayProtocols
import Transports

extension SimulatedNMIGateway {
    /// The header field that says who sent an event.
    public static let signatureFieldName = "Webhook-Signature"

    /// An empty queue that tries again for about three days; only the status 200 ends an event.
    ///
    /// The pauses: 15 s, 3 times 60 s, 5, 15 and 30 min, 10 times 1 h, 2 times 12 h, 24 h.
    ///
    /// Source: Webhooks manual, "Retries".
    static let webhooks = WebhookQueue(
        pauses: [15, 60, 60, 60, 300, 900, 1_800].map { .seconds($0) }
            + Array(repeating: .seconds(3_600), count: 10)
            + [43_200, 43_200, 86_400].map { .seconds($0) },
        takenStatuses: 200...200
    )

    /// The next event to post, if one is due, with its signature; call again until it returns
    /// `nil`.
    ///
    /// Tell with ``webhookEnded(_:status:at:)`` how each post ended; until then the event waits.
    public mutating func nextWebhook(at now: VirtualInstant) -> WebhookQueue.Attempt? {
        guard configuration.webhookURL != nil, var attempt = webhooks.nextAttempt(at: now) else {
            return nil
        }
        let seed = configuration.webhookSeed &+ UInt64(attempt.number) << 8
        var random = SplitMix64(seed: seed &+ UInt64(attempt.attempt))
        let signature = NMIWebhookSignature(
            signing: attempt.request.body,
            nonce: Self.hexadecimal(random.next()),
            key: configuration.webhookSigningKey
        )
        attempt.request.fields = [HTTPField(Self.signatureFieldName, signature.header)]
        return attempt
    }

    /// When the next event is due to be posted, or `nil` while none is.
    public var nextWebhookInstant: VirtualInstant? {
        configuration.webhookURL == nil ? nil : webhooks.nextDue
    }

    /// Notes how a post ended: with the status of its response, or `nil` without a response.
    public mutating func webhookEnded(_ number: Int, status: Int?, at now: VirtualInstant) {
        webhooks.ended(number, status: status, at: now)
    }

    /// How many events were given up, because nobody took them in about three days or because more
    /// than 1,000 waited.
    public var givenUpWebhookCount: Int { webhooks.lostCount }

    /// How many events wait to be taken.
    public var waitingWebhookCount: Int { webhooks.waitingCount }

    /// Sixteen lower-case hexadecimal digits.
    static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
