import CardCrypto
import CardData
import EventLoops
import GatewayProtocols
import Transports

/// Writes what a gateway keeps, line by line.
struct NMIStateWriter {
    private(set) var bytes: [UInt8] = []

    private let seal: TextSeal
    private let startNanoseconds: Int64

    init(_ configuration: SimulatedNMIGateway.Configuration) {
        seal = TextSeal(secret: configuration.securityKey)
        startNanoseconds = configuration.startSecondsSince1970 &* 1_000_000_000
    }

    /// A moment in nanoseconds since 1970.
    func calendar(_ instant: VirtualInstant) -> Int64 { startNanoseconds &+ instant.nanoseconds }

    mutating func write(_ line: StateLine) { line.append(to: &bytes) }

    mutating func write(_ entry: LedgerEntry) {
        var line = StateLine("transaction")
        line.add("type", entry.type.rawValue)
        line.add("amount", entry.amount.minorUnits)
        line.add("state", entry.state.rawValue)
        line.add("order", entry.orderID)
        line.add("auth", entry.authCode)
        line.add("avs", entry.avsResponse)
        line.add("cvv", entry.cvvResponse)
        line.add("captured", entry.capturedAmount?.minorUnits)
        line.add("refunded", entry.refundedAmount.minorUnits)
        line.add("original", entry.originalID?.number)
        line.add("source", entry.source)
        line.add("subscription", entry.subscriptionID)
        line.add("partial", entry.partialPaymentID)
        line.add("requested", entry.requestedAmount?.minorUnits)
        add(
            PayingCard(
                pan: entry.pan,
                expirationDate: entry.expirationDate,
                entryMode: entry.entryMode,
                check: entry.check,
                customerID: entry.customerID
            ),
            to: &line
        )
        Self.add(entry.details, to: &line)
        write(line)
        for action in entry.actions {
            var line = StateLine("action")
            line.add("type", action.type.name)
            line.add("amount", action.amount.minorUnits)
            line.add("at", calendar(action.instant))
            line.add("code", action.responseCode.rawValue)
            line.add("reason", action.voidReason?.rawValue ?? "")
            if action.batchNumber != 0 { line.add("batch", action.batchNumber) }
            write(line)
        }
    }

    mutating func write(_ customer: StoredCustomer) {
        var line = StateLine("customer")
        line.add("id", customer.id)
        add(customer.card, to: &line)
        Self.add(customer.details, to: &line)
        write(line)
    }

    mutating func write(_ plan: NMIPlan) {
        var line = StateLine("plan")
        Self.add(plan, to: &line)
        write(line)
    }

    mutating func write(_ subscription: Subscription) {
        var line = StateLine("subscription")
        line.add("id", subscription.id)
        line.add("order", subscription.orderID)
        line.add("next", subscription.nextDay)
        line.add("attempted", subscription.attemptedCount)
        line.add("completed", subscription.completedCount)
        Self.add(subscription.plan, to: &line)
        add(subscription.card, to: &line)
        Self.add(subscription.details, to: &line)
        write(line)
    }

    /// An attempt that is on its way counts as failed: nobody will say how it ended.
    mutating func write(_ event: WebhookQueue.Attempt, _ due: VirtualInstant?) {
        var line = StateLine("event")
        line.add("number", event.number)
        line.add("type", event.event)
        line.add("body", String(decoding: event.request.body, as: UTF8.self))
        line.add("attempts", due == nil ? event.attempt : event.attempt - 1)
        line.add("due", due.map(calendar))
        write(line)
    }

    func add(_ card: PayingCard, to line: inout StateLine) {
        if let pan = card.pan { line.add("pan", seal.seal(Array(pan.unmasked.utf8))) }
        line.add("expires", card.expirationDate?.description ?? "")
        line.add("mode", card.entryMode)
        line.add("customer", card.customerID)
        guard let check = card.check else { return }
        // The name last: it may hold anything.
        let parts = [
            String(decoding: check.routingNumber, as: UTF8.self),
            String(decoding: check.unmaskedAccount, as: UTF8.self), check.holderType.rawValue,
            check.accountType.rawValue, check.standardEntryClass.rawValue, check.name,
        ]
        line.add("check", seal.seal(Array(parts.joined(separator: "\n").utf8)))
    }

    private static func add(_ details: NMIDetails, to line: inout StateLine) {
        for (name, value) in details.all { line.add("d.\(name.rawValue)", value) }
    }

    private static func add(_ plan: NMIPlan, to line: inout StateLine) {
        line.add("plan", plan.id)
        line.add("name", plan.name)
        line.add("plan-amount", plan.amount.minorUnits)
        line.add("payments", plan.paymentCount)
        switch plan.schedule {
        case .days(let count): line.add("days", count)
        case .months(let count, let day):
            line.add("months", count)
            line.add("day", day)
        }
    }
}
