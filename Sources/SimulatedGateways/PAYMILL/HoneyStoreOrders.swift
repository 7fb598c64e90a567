import GatewayProtocols

/// The purchases that the backend was asked for, so that look-ups tell equal ones apart.
struct HoneyStoreOrders: Hashable {
    /// How a purchase ended.
    enum Outcome: Hashable {
        /// It is at work.
        case open
        /// The gateway has this transaction of it, whatever its code.
        case booked(String)
        /// The gateway has none.
        case notBooked
        /// Nobody knows.
        case unknown
    }

    private struct Entry: Hashable {
        var user: Int
        var order: HoneyStoreOrder
        var outcome: Outcome
    }

    /// How many are kept; older ones are forgotten.
    private static let bound = 1_024

    private var entries: [Entry] = []

    /// Notes that a purchase is at work.
    mutating func begin(_ order: HoneyStoreOrder, user: Int) {
        if entries.count >= Self.bound { entries.removeFirst() }
        entries.append(Entry(user: user, order: order, outcome: .open))
    }

    /// Notes how a purchase ended that is at work: of equal ones the oldest.
    mutating func end(_ order: HoneyStoreOrder, user: Int, _ outcome: Outcome) {
        let index = entries.firstIndex {
            $0.user == user && $0.order == order && $0.outcome == .open
        }
        if let index { entries[index].outcome = outcome }
    }

    /// Notes that a purchase booked nothing, if it is at work still.
    mutating func endOpen(_ order: HoneyStoreOrder, user: Int) {
        end(order, user: user, .notBooked)
    }

    /// The newest purchase with a reference, and how it ended; `nil` when there is none.
    func purchase(with reference: String, user: Int) -> (HoneyStoreOrder, Outcome)? {
        entries.last { $0.user == user && $0.order.reference == reference }
            .map { ($0.order, $0.outcome) }
    }

    /// Whether a transaction is known to be a purchase's.
    func isBooked(_ id: String) -> Bool { entries.contains { $0.outcome == .booked(id) } }

    /// How many others of the same kind may have made a transaction that is found.
    func rivalCount(of order: HoneyStoreOrder, user: Int) -> Int {
        let rivals = entries.filter { entry in
            entry.user == user && entry.order.description == order.description
                && entry.order.amount == order.amount && entry.order.currency == order.currency
                && (entry.outcome == .open || entry.outcome == .unknown)
        }
        // One of those at work is this one.
        return max(rivals.count - 1, 0)
    }
}
