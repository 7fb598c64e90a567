public import EventLoops
public import GatewayProtocols

/// What the simulated AgentCASH service has booked, in the order of booking.
public struct AgentCASHLedger: Hashable, Sendable {
    /// One transaction, and what the service knows of it beside what it shows.
    public struct Entry: Hashable, Sendable {
        /// The transaction as it is shown.
        public internal(set) var transaction: AgentCASHTransaction
        /// Whether it is captured as soon as it is confirmed.
        public internal(set) var capturesAtOnce: Bool
        /// Where its events are sent; empty for nowhere.
        public internal(set) var webhookURL: String
        /// When it was authorised.
        public internal(set) var instant: VirtualInstant
        /// The signature image; empty without one.
        public internal(set) var signature: [UInt8] = []
    }

    /// The entries, oldest first; their numbers follow one another.
    public private(set) var entries: [Entry] = []
    private let firstID: UInt64
    /// The first entry that may still be open; those before it are not, so that a long run does
    /// not look at all of them again and again.
    private var firstOpen = 0

    init(firstID: UInt64) { self.firstID = firstID }

    /// The number of the next entry.
    var nextID: UInt64 { firstID &+ UInt64(entries.count) }

    /// The entry with a number, or `nil`.
    ///
    /// - Complexity: O(1).
    public func entry(_ id: UInt64) -> Entry? { index(of: id).map { entries[$0] } }

    mutating func book(_ entry: Entry) { entries.append(entry) }

    mutating func change(_ id: UInt64, _ change: (inout Entry) -> Void) {
        guard let index = index(of: id) else { return }
        change(&entries[index])
    }

    /// The oldest authorisation that is neither captured nor let go, or `nil`.
    ///
    /// - Complexity: O(1) over a run, amortised.
    mutating func oldestOpen() -> Entry? {
        while firstOpen < entries.count {
            if entries[firstOpen].transaction.state == .authorised { return entries[firstOpen] }
            firstOpen += 1
        }
        return nil
    }

    private func index(of id: UInt64) -> Int? {
        guard id >= firstID, id - firstID < UInt64(entries.count) else { return nil }
        return Int(id - firstID)
    }
}
