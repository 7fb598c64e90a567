import CardData
import GatewayProtocols

/// What came of card payments that followed one another: what was booked, and what the app was told.
package struct PaymentSums {
    /// How many payments were asked for.
    package var paymentCount = 0
    /// How many authorisations the service granted.
    package var authorisedCount = 0
    /// How many of them were captured, refunded in part or not.
    package var capturedCount = 0
    /// How many of them were refunded whole.
    package var refundedCount = 0
    /// How many of them were released, reversed or expired.
    package var letGoCount = 0
    /// What the service captured less what it refunded, in minor units.
    package var booked: Int64 = 0
    /// The same by what the app was told.
    package var told: Int64 = 0
    /// What did not hold, in plain words.
    package var complaints: [String] = []

    /// Creates sums of nothing.
    package init() {}

    /// By how much the two sums differ, in plain words; `nil` when they agree.
    package var difference: String? {
        guard told != booked else { return nil }
        return "the app was told \(Amount(minorUnits: told)), the service booked "
            + "\(Amount(minorUnits: booked))"
    }

    /// Adds what a play came to, whose complaints get its seed; ten are kept.
    package mutating func add(_ part: PaymentSums, seed: UInt64) {
        paymentCount += part.paymentCount
        authorisedCount += part.authorisedCount
        capturedCount += part.capturedCount
        refundedCount += part.refundedCount
        letGoCount += part.letGoCount
        booked += part.booked
        told += part.told
        for complaint in part.complaints where complaints.count < 10 {
            complaints.append("seed \(seed): \(complaint)")
        }
    }

    /// Adds a transaction of the service's books.
    mutating func add(_ transaction: AgentCASHTransaction) {
        booked += transaction.capturedAmount.minorUnits - transaction.refundedAmount.minorUnits
        switch transaction.state {
        case .captured: capturedCount += 1
        case .refunded: refundedCount += 1
        case .released, .reversed, .expired: letGoCount += 1
        case .declined, .failed: return
        case .authorised:
            complaints.append("authorisation \(transaction.id) is held for ever")
        }
        authorisedCount += 1
    }
}
