public import EventLoops
import GatewayProtocols

/// One event on its way to the merchant, to be posted by whoever drives the gateway.
public struct WebhookPost: Hashable, Sendable {
    /// Its number; the driver says by it how the post ended.
    public let number: Int
    /// Where to.
    public let url: String
    /// The value of the header `Webhook-Signature`.
    public let signature: String
    /// The event's type, such as `transaction.sale.success`.
    public let eventType: String
    /// The body, of type `application/json`.
    public let body: [UInt8]
    /// Which attempt it is, from 1 to 21.
    public let attempt: Int

    /// The media type of the body.
    public static let contentType = "application/json"
}

/// The events that the merchant has not taken yet.
struct WebhookOutbox: Hashable {
    /// The greatest number of events kept; beyond it the oldest is given up.
    static let maximumEventCount = 1_000

    /// How long after a failed attempt the next one is: 15 s, 3 times 60 s, 5, 15 and 30 min, 10
    /// times 1 h, 2 times 12 h, 24 h.
    ///
    /// Source: Webhooks manual, "Retries".
    static let pauses: [VirtualDuration] =
        [15, 60, 60, 60, 300, 900, 1_800].map { .seconds($0) }
        + Array(repeating: .seconds(3_600), count: 10)
        + [43_200, 43_200, 86_400].map { .seconds($0) }

    struct Entry: Hashable {
        var number: Int
        var eventType: String
        var body: [UInt8]
        /// How many attempts began.
        var attemptCount = 0
        /// When the next one is due; `nil` while one is on its way.
        var due: VirtualInstant?
    }

    var entries: [Entry] = []
    var nextNumber = 1
    /// How many events were given up.
    var givenUpCount = 0

    mutating func add(_ eventType: String, _ body: [UInt8], at now: VirtualInstant) {
        if entries.count >= Self.maximumEventCount {
            entries.removeFirst()
            givenUpCount += 1
        }
        entries.append(Entry(number: nextNumber, eventType: eventType, body: body, due: now))
        nextNumber += 1
    }

    /// When the next attempt is due, or `nil` when there is none.
    var nextInstant: VirtualInstant? { entries.compactMap(\.due).min() }

    /// Begins the attempt that is due longest, if any is.
    mutating func begin(at now: VirtualInstant) -> Entry? {
        var found: Int?
        for (index, entry) in entries.enumerated() {
            guard let due = entry.due, due <= now else { continue }
            if let best = found.flatMap({ entries[$0].due }), best <= due { continue }
            found = index
        }
        guard let found else { return nil }
        entries[found].due = nil
        entries[found].attemptCount += 1
        return entries[found]
    }

    /// Notes how an attempt ended: only the status 200 ends the event.
    mutating func end(_ number: Int, status: Int?, at now: VirtualInstant) {
        guard let index = entries.firstIndex(where: { $0.number == number && $0.due == nil })
        else { return }
        let attemptCount = entries[index].attemptCount
        if status == 200 {
            entries.remove(at: index)
        } else if attemptCount <= Self.pauses.count {
            entries[index].due = now + Self.pauses[attemptCount - 1]
        } else {
            entries.remove(at: index)
            givenUpCount += 1
        }
    }
}

extension SimulatedNMIGateway {
    /// The next event to post, if one is due; call again until it returns `nil`.
    ///
    /// Tell with ``webhookEnded(_:status:at:)`` how each post ended; until then the event waits.
    public mutating func nextWebhook(at now: VirtualInstant) -> WebhookPost? {
        guard let url = configuration.webhookURL, let entry = outbox.begin(at: now) else {
            return nil
        }
        let seed = configuration.webhookSeed &+ UInt64(entry.number) << 8
        var random = SplitMix64(seed: seed &+ UInt64(entry.attemptCount))
        let signature = NMIWebhookSignature(
            signing: entry.body,
            nonce: Self.hexadecimal(random.next()),
            key: configuration.webhookSigningKey
        )
        return WebhookPost(
            number: entry.number,
            url: url,
            signature: signature.header,
            eventType: entry.eventType,
            body: entry.body,
            attempt: entry.attemptCount
        )
    }

    /// When the next event is due to be posted, or `nil` while none is.
    public var nextWebhookInstant: VirtualInstant? {
        configuration.webhookURL == nil ? nil : outbox.nextInstant
    }

    /// Notes how a post ended: with the status of its response, or `nil` without a response.
    public mutating func webhookEnded(_ number: Int, status: Int?, at now: VirtualInstant) {
        outbox.end(number, status: status, at: now)
    }

    /// How many events were given up, because nobody took them in about three days or because more
    /// than 1,000 waited.
    public var givenUpWebhookCount: Int { outbox.givenUpCount }

    /// How many events wait to be taken.
    public var waitingWebhookCount: Int { outbox.entries.count }

    /// Sixteen lower-case hexadecimal digits.
    static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
