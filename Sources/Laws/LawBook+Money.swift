import CardData
import Journal

// The laws of money and of card data.
extension LawBook {
    mutating func book(_ record: Record, in journal: Journal) {
        let noun: String
        switch journal.value(.type, of: record) {
        case nil, .symbol(.sale), .symbol(.auth): noun = "charge"
        case .symbol(.refund): noun = "refund"
        case .symbol(.credit): noun = "credit"
        case .symbol(.offline): noun = "payment"
        default: return
        }
        if journal.value(.state, of: record) == .symbol(.failed) { return }
        // What a plan charges by the calendar was asked for by no request.
        if journal.value(.number, of: record) == .integer(0) { return }
        readOrder(of: record, in: journal)
        let order = orders.book(scratch)
        guard order.saleCount > order.requestCount else { return }
        let name: String
        if case .text(let id) = journal.value(.orderID, of: record) {
            name = "order " + RecordText(readerNames: []).value(.text(id))
        } else {
            name = "an order without id"
        }
        report(
            .chargedAtMostOnce,
            at: record,
            reader: nil,
            """
            a \(noun) that is asked for is booked at most once, but \(name) was asked for \
            \(Self.times(order.requestCount)) and booked \(Self.times(order.saleCount))
            """
        )
    }

    private static func times(_ count: Int32) -> String { count == 1 ? "once" : "\(count) times" }

    mutating func readOrder(of record: Record, in journal: Journal) {
        scratch.removeAll(keepingCapacity: true)
        if case .text(let id) = journal.value(.orderID, of: record) { id.append(to: &scratch) }
    }

    mutating func scan(_ record: Record, in journal: Journal) {
        for attribute in journal.attributes(of: record) {
            guard case .text(let text) = attribute.value else { continue }
            scratch.removeAll(keepingCapacity: true)
            text.append(to: &scratch)
            guard CardDataScan.hasClearCardNumber(scratch) else { continue }
            report(
                .noClearCardData,
                at: record,
                reader: nil,
                """
                a card number is shown by its first six and last four digits, but \
                \(attribute.name) of \(record.name) shows more
                """
            )
        }
    }
}
