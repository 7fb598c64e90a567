import CardData
import Journal

/// A merchant's own books of card payments, from nothing but what the app is told.
///
/// A payment's external id is its number. Where an answer was lost the app asks with
/// `payments(externalID:)`, as the SDK document says an app should.
struct MerchantBooks {
    /// What the app knows of one payment.
    private struct Known {
        var id: String?
        var captured: Int64 = 0
        var refunded: Int64 = 0
        /// Whether an answer is due or was lost.
        var isInDoubt = true
    }

    private var payments: [Known] = []
    /// The payment that is asked about, while a question is.
    private var asked: Int?
    /// Whether the payment that was asked for last has ended for the app.
    private(set) var isLastOver = false
    private var lastResult: Symbol?

    var paymentCount: Int { payments.count }

    /// Whether the last payment was approved, so that it can be captured or paid back.
    var isLastApproved: Bool { lastResult == .approved && payments.last?.id != nil }

    /// What was captured less what was paid back, in minor units.
    var told: Int64 { payments.reduce(0) { $0 + $1.captured - $1.refunded } }

    /// The external ids of the payments of which something is not known.
    var doubts: [String] {
        payments.indices.filter { payments[$0].isInDoubt }.map { "\($0)" }
    }

    /// Opens a payment and returns its external id.
    mutating func openPayment() -> String {
        payments.append(Known())
        isLastOver = false
        lastResult = nil
        return "\(payments.count - 1)"
    }

    /// Something is asked for about the last payment.
    mutating func asksAboutLast() {
        asked = payments.count - 1
        payments[payments.count - 1].isInDoubt = true
    }

    /// The payment with that external id is asked about.
    mutating func asks(about externalID: String) { asked = Int(externalID) }

    /// Nothing is asked about any more.
    mutating func isAnswered() { asked = nil }

    mutating func note(_ record: Record, in journal: Journal) {
        guard !payments.isEmpty else { return }
        switch record.name {
        case .completed: noteCompletion(record, journal)
        case .openPaymentSettled: noteMoney(record, journal)
        case .appKilled: isLastOver = true
        default: break
        }
    }

    private mutating func noteCompletion(_ record: Record, _ journal: Journal) {
        isLastOver = true
        guard case .symbol(let result) = journal.value(.result, of: record) else { return }
        lastResult = result
        let index = asked ?? payments.count - 1
        if case .text(let id) = journal.value(.transactionID, of: record) {
            payments[index].id = id.description
        }
        noteMoney(record, journal)
        let isQuestion = journal.value(.kind, of: record) == .symbol(.payments)
        payments[index].isInDoubt = result == .unknown || (isQuestion && result != .approved)
    }

    private mutating func noteMoney(_ record: Record, _ journal: Journal) {
        guard case .text(let id) = journal.value(.transactionID, of: record),
            let index = payments.lastIndex(where: { $0.id == id.description }),
            case .amount(let captured) = journal.value(.capturedAmount, of: record),
            case .amount(let refunded) = journal.value(.refundedAmount, of: record)
        else { return }
        payments[index].captured = captured.minorUnits
        payments[index].refunded = refunded.minorUnits
    }
}
