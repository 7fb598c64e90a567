public import EventLoops
public import Transports

/// Notifications that a service owes to merchants' servers, and tries again until they are taken.
///
/// One attempt at a time for each notification; the oldest goes first. A server that answers with
/// 200 to 299 has taken it; after the last attempt it is given up. Who owns the queue sends what
/// ``nextAttempt(at:)`` returns and tells how it ended.
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
        /// What is sent.
        public var request: HTTPRequest
    }

    private struct Waiting: Hashable {
        var attempt: Attempt
        /// When it may go; `nil` while it is on its way.
        var due: VirtualInstant?
    }

    /// The pauses before the second and each further attempt; empty tries once.
    public var pauses: [VirtualDuration]
    /// The most notifications that wait; the oldest is given up for a new one.
    public var capacity: Int
    private var waiting: [Waiting] = []
    /// How many were added.
    private(set) var count = 0
    /// How many were given up.
    public private(set) var lostCount = 0

    /// Creates an empty queue.
    public init(pauses: [VirtualDuration], capacity: Int = 1_024) {
        self.pauses = pauses
        self.capacity = max(1, capacity)
    }

    /// Adds a notification.
    public mutating func add(
        _ event: String,
        url: String,
        request: HTTPRequest,
        at now: VirtualInstant
    ) {
        if waiting.count >= capacity {
            waiting.removeFirst()
            lostCount += 1
        }
        count += 1
        let attempt = Attempt(number: count, attempt: 1, url: url, event: event, request: request)
        waiting.append(Waiting(attempt: attempt, due: now))
    }

    /// When the next attempt is due; `nil` when none waits.
    public var nextDue: VirtualInstant? { waiting.compactMap(\.due).min() }

    /// Returns the next attempt that is due, which is then on its way.
    public mutating func nextAttempt(at now: VirtualInstant) -> Attempt? {
        let index = waiting.firstIndex { $0.due.map { $0 <= now } ?? false }
        guard let index else { return nil }
        waiting[index].due = nil
        return waiting[index].attempt
    }

    /// Tells how an attempt ended.
    ///
    /// - Parameters:
    ///   - number: The notification's number.
    ///   - status: What the server answered; `nil` when it did not.
    ///   - now: The present moment.
    public mutating func ended(_ number: Int, status: Int?, at now: VirtualInstant) {
        guard let index = waiting.firstIndex(where: { $0.attempt.number == number }) else { return }
        if let status, (200...299).contains(status) {
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
    mutating func keep(_ attempt: Attempt, due: VirtualInstant) {
        waiting.append(Waiting(attempt: attempt, due: due))
    }
}
