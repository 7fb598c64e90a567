public import EventLoops
public import Transports

/// Notifications that a service owes to merchants' servers, and tries again until they are taken.
///
/// One attempt at a time for each notification; what is due longest goes first. A server that
/// answers with one of ``takenStatuses`` has taken it; after the last attempt it is given up. Who
/// drives the gateway sends what ``nextAttempt(at:)`` returns and tells how it ended.
public struct WebhookQueue: Hashable, Sendable {
    /// One notification on its way.
    public struct Attempt: Hashable, Sendable {
        /// The notification's number, from 1.
        public var number: Int
        /// Which attempt it is, from 1.
        public var attempt: Int
        /// The address to which it goes.
        public var url: String
        /// What happened, such as `transaction.captured`.
        public var event: String
        /// What is sent; a service that signs adds its header field to each attempt.
        public var request: HTTPRequest

        /// Creates an attempt whose request has the path of the address.
        init(
            number: Int,
            attempt: Int,
            url: String,
            event: String,
            contentType: String,
            body: [UInt8]
        ) {
            self.number = number
            self.attempt = attempt
            self.url = url
            self.event = event
            request = HTTPRequest(
                path: Self.divided(url).path,
                contentType: contentType,
                body: body
            )
        }

        /// The address without its path: `https://HOST:PORT`.
        public var server: String { Self.divided(url).server }

        private static func divided(_ url: String) -> (server: String, path: String) {
            let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count >= 3 else { return (url, "/") }
            let path = parts.count == 4 ? "/" + parts[3] : "/"
            return (parts[..<3].joined(separator: "/"), path)
        }
    }

    private struct Waiting: Hashable {
        var attempt: Attempt
        /// When it may go; `nil` while it is on its way.
        var due: VirtualInstant?
    }

    /// The pauses before the second and each further attempt; empty tries once.
    public let pauses: [VirtualDuration]
    /// The most notifications that wait; the oldest is given up for a new one.
    public let capacity: Int
    /// The statuses that say that a server took a notification.
    public let takenStatuses: ClosedRange<Int>
    private var waiting: [Waiting] = []
    /// How many were added.
    private(set) var count = 0
    /// How many were given up.
    public private(set) var lostCount = 0

    /// Creates an empty queue.
    public init(
        pauses: [VirtualDuration],
        capacity: Int = 1_000,
        takenStatuses: ClosedRange<Int> = 200...299
    ) {
        self.pauses = pauses
        self.capacity = max(1, capacity)
        self.takenStatuses = takenStatuses
    }

    /// Adds a notification, to be posted with a body of a media type.
    public mutating func add(
        _ event: String,
        url: String,
        contentType: String = "application/json",
        body: [UInt8],
        at now: VirtualInstant
    ) {
        if waiting.count >= capacity {
            waiting.removeFirst()
            lostCount += 1
        }
        count += 1
        let attempt = Attempt(
            number: count,
            attempt: 1,
            url: url,
            event: event,
            contentType: contentType,
            body: body
        )
        waiting.append(Waiting(attempt: attempt, due: now))
    }

    /// How many notifications nobody took yet.
    public var waitingCount: Int { waiting.count }

    /// When the next attempt is due; `nil` when none waits.
    public var nextDue: VirtualInstant? { waiting.compactMap(\.due).min() }

    /// Returns the attempt that is due longest, if any is; it is then on its way.
    public mutating func nextAttempt(at now: VirtualInstant) -> Attempt? {
        guard let due = nextDue, due <= now,
            let index = waiting.firstIndex(where: { $0.due == due })
        else { return nil }
        waiting[index].due = nil
        return waiting[index].attempt
    }

    /// Tells how an attempt that is on its way ended; of any other it changes nothing.
    ///
    /// - Parameters:
    ///   - number: The notification's number.
    ///   - status: What the server answered; `nil` when it did not.
    ///   - now: The present moment.
    public mutating func ended(_ number: Int, status: Int?, at now: VirtualInstant) {
        let index = waiting.firstIndex { $0.attempt.number == number && $0.due == nil }
        guard let index else { return }
        if let status, takenStatuses.contains(status) {
            waiting.remove(at: index)
            return
        }
        let attempt = waiting[index].attempt.attempt
        guard attempt <= pauses.count else {
            waiting.remove(at: index)
            lostCount += 1
            return
        }
        waiting[index].attempt.attempt += 1
        waiting[index].due = now + pauses[attempt - 1]
    }

    // MARK: A saved state

    /// What waits, and when it is due; `nil` while it is on its way.
    var kept: [(attempt: Attempt, due: VirtualInstant?)] { waiting.map { ($0.attempt, $0.due) } }

    /// Goes on counting where another queue stopped.
    mutating func resume(after count: Int, lostCount: Int) {
        self.count = count
        self.lostCount = lostCount
    }

    /// Takes up what another queue kept.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - due: When it may go; `nil` for one that was on its way, of which nobody will say how it
    ///     ended. It goes at once: merchants tell notifications apart by what is in them.
    /// - Returns: Whether there was room, and the numbers can be right.
    mutating func keep(_ attempt: Attempt, due: VirtualInstant?) -> Bool {
        guard waiting.count < capacity, attempt.number > 0, attempt.attempt > 0 else {
            return false
        }
        waiting.append(Waiting(attempt: attempt, due: due ?? .zero))
        return true
    }
}
