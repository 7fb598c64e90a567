import GatewayProtocols

extension NMIClient {
    /// What a client keeps of the payments that are done with, so that a look-up by an order that
    /// several payments name tells them apart.
    struct Past: Hashable {
        /// How many payments are kept; older ones are forgotten.
        private static let bound = 1_024

        private struct Entry: Hashable {
            var orderID: String
            var payment: Int
            /// `nil` when nobody knows whether there is one.
            var transactionID: NMITransactionID?
        }

        private var entries: [Entry] = []

        /// Keeps the transaction that a payment of new money is known by.
        mutating func note(_ id: NMITransactionID?, of payment: Payment) {
            guard let id else { return }
            add(id, payment)
        }

        /// Keeps that nobody knows how a payment of new money ended.
        mutating func doubt(_ payment: Payment) { add(nil, payment) }

        /// The transactions of the order that are other payments'.
        func transactionIDs(of payment: Payment) -> [NMITransactionID] {
            entries.filter { isOther($0, payment) }.compactMap(\.transactionID)
        }

        /// Whether the outcome of another payment of the order is unknown.
        func doubts(_ payment: Payment) -> Bool {
            payment.makesMoney
                && entries.contains { isOther($0, payment) && $0.transactionID == nil }
        }

        private func isOther(_ entry: Entry, _ payment: Payment) -> Bool {
            entry.orderID == payment.orderID && entry.payment != payment.number
        }

        private mutating func add(_ id: NMITransactionID?, _ payment: Payment) {
            guard payment.makesMoney, !payment.orderID.isEmpty else { return }
            if entries.count >= Self.bound { entries.removeFirst() }
            entries.append(
                Entry(orderID: payment.orderID, payment: payment.number, transactionID: id)
            )
        }
    }
}
