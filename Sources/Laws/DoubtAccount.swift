import Journal

/// The charge whose outcome the app does not know, and whether it has asked.
///
/// The payment client makes one payment at a time, so there is one doubt at a time.
struct DoubtAccount: Sendable {
    private struct Sale: Sendable {
        var number: AttributeValue?
        var order: AttributeValue?
    }

    /// The newest sales that reached the gateway; a doubt follows its sale at once.
    private var sales: [Sale] = []
    private var doubt: Sale?
    private var isAskedFor = false

    private static let keptSaleCount = 16

    /// Adopts a request that reached the gateway; returns whether it charges again in doubt.
    mutating func request(_ record: Record, in journal: Journal) -> Bool {
        let order = journal.value(.orderID, of: record)
        switch journal.value(.kind, of: record) {
        case .symbol(.sale):
            if sales.count == Self.keptSaleCount { sales.removeFirst() }
            sales.append(Sale(number: journal.value(.number, of: record), order: order))
            return doubt.map { $0.order == order } ?? false
        case .symbol(.query):
            isAskedFor = true
            return false
        default:
            return false
        }
    }

    /// Adopts a request that reached the merchant's server: a look-up there is one, whatever becomes
    /// of it behind the server.
    mutating func ask(_ record: Record, in journal: Journal) {
        if journal.value(.kind, of: record) == .symbol(.query) { isAskedFor = true }
    }

    /// Adopts a request that ended without a usable answer.
    mutating func lose(_ record: Record, in journal: Journal) {
        switch journal.value(.kind, of: record) {
        case .symbol(.sale):
            // A connection that was refused carried nothing.
            if journal.value(.reason, of: record) == .symbol(.refused) { return }
            let number = journal.value(.number, of: record)
            doubt = sales.last { $0.number == number } ?? Sale(number: number, order: nil)
            isAskedFor = false
        case .symbol(.query):
            isAskedFor = true
        default:
            break
        }
    }

    /// Adopts the end of a charge; returns whether it ended in a doubt that was not asked about.
    mutating func finish(_ record: Record, in journal: Journal) -> Bool {
        guard let doubt else { return false }
        let order = journal.value(.orderID, of: record)
        if let doubted = doubt.order, let order, doubted != order { return false }
        defer { self.doubt = nil }
        return !isAskedFor
    }

    /// Forgets everything: the app that was in doubt is gone.
    mutating func forget() {
        doubt = nil
        isAskedFor = false
    }
}
