import EventLoops

/// How often each order was asked for and booked; flat memory for a run of any length.
///
/// An order is known by a 64-bit hash of its id. At least the newest ``generationSize`` orders are
/// remembered; a booking for an order that may be older counts as asked for once.
struct OrderAccount: Sendable {
    /// How many orders a generation holds; two generations are kept.
    static let generationSize = 4_096

    /// What is known of one order.
    struct Order: Sendable {
        fileprivate var key: UInt64 = 0
        /// How often the app asked for it.
        var requestCount: Int32 = 0
        /// How many sales were booked for it.
        var saleCount: Int32 = 0
    }

    private var young = Table()
    private var old = Table()
    private var hasForgotten = false

    /// Counts a request of the app, and returns what is known of the order.
    mutating func request(_ id: [UInt8]) -> Order {
        let slot = slot(for: id)
        young.orders[slot].requestCount &+= 1
        return young.orders[slot]
    }

    /// Counts a sale that the gateway booked, and returns what is known of the order.
    mutating func book(_ id: [UInt8]) -> Order {
        let slot = slot(for: id)
        if hasForgotten && young.orders[slot].requestCount == 0 {
            young.orders[slot].requestCount = 1
        }
        young.orders[slot].saleCount &+= 1
        return young.orders[slot]
    }

    private mutating func slot(for id: [UInt8]) -> Int {
        let key = Self.key(id)
        if let slot = young.find(key) { return slot }
        if young.count == Self.generationSize {
            hasForgotten = hasForgotten || old.count > 0
            old = young
            young = Table()
        }
        var order = Order()
        if let slot = old.find(key) { order = old.orders[slot] }
        order.key = key
        return young.insert(order)
    }

    private static func key(_ id: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // Zero marks a free slot.
        return max(1, SplitMix64.mix(hash))
    }

    /// A hash table with open addressing that is at most half full; nothing is removed.
    private struct Table: Sendable {
        var orders: [Order] = []
        var count = 0

        func find(_ key: UInt64) -> Int? {
            guard count > 0 else { return nil }
            let slot = place(of: key)
            return orders[slot].key == key ? slot : nil
        }

        mutating func insert(_ order: Order) -> Int {
            if 2 * (count + 1) > orders.count { grow() }
            let slot = place(of: order.key)
            orders[slot] = order
            count += 1
            return slot
        }

        /// The slot that holds the key, or the free one where it belongs.
        private func place(of key: UInt64) -> Int {
            let mask = orders.count - 1
            var slot = Int(truncatingIfNeeded: key) & mask
            while orders[slot].key != 0 && orders[slot].key != key { slot = (slot + 1) & mask }
            return slot
        }

        private mutating func grow() {
            let before = orders
            orders = Array(repeating: Order(), count: max(8, 2 * before.count))
            for order in before where order.key != 0 { orders[place(of: order.key)] = order }
        }
    }
}
