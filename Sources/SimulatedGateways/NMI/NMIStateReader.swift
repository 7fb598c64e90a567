import CardCrypto
import CardData
import EventLoops
import GatewayProtocols

/// Collects what the lines of a saved state say.
struct NMIStateReader {
    private(set) var entries: [LedgerEntry] = []
    private(set) var customers: [StoredCustomer] = []
    private(set) var plans: [NMIPlan] = []
    private(set) var subscriptions: [Subscription] = []
    private(set) var firstTransactionID = NMITransactionID.one
    private(set) var nextCustomerNumber: UInt64 = 0
    private(set) var hasCounters = false

    private let seal: TextSeal
    private let startNanoseconds: Int64

    init(_ configuration: SimulatedNMIGateway.Configuration) {
        seal = TextSeal(secret: configuration.securityKey)
        startNanoseconds = configuration.startSecondsSince1970 &* 1_000_000_000
    }

    /// The moment of the run that nanoseconds since 1970 stand for.
    func instant(_ calendar: Int64) -> VirtualInstant {
        VirtualInstant(nanoseconds: calendar &- startNanoseconds)
    }

    mutating func readCounters(_ line: StateLine) -> Bool {
        guard !hasCounters, let first: UInt64 = line.number("first"),
            let id = NMITransactionID(first), let customer: UInt64 = line.number("customer")
        else { return false }
        firstTransactionID = id
        nextCustomerNumber = customer
        hasCounters = true
        return true
    }

    mutating func readEntry(_ line: StateLine) -> Bool {
        guard hasCounters,
            let id = NMITransactionID(firstTransactionID.number &+ UInt64(entries.count)),
            let type = LedgerEntry.TransactionType(rawValue: line.text("type")),
            let amount: Int64 = line.number("amount"),
            let state = LedgerState(rawValue: line.text("state")), let card = card(line)
        else { return false }
        var entry = LedgerEntry(
            transactionID: id,
            type: type,
            amount: Amount(minorUnits: amount),
            state: state,
            orderID: line.text("order")
        )
        entry.adopt(card)
        entry.authCode = line.text("auth")
        entry.avsResponse = line.text("avs")
        entry.cvvResponse = line.text("cvv")
        entry.capturedAmount = line.number("captured").map { Amount(minorUnits: $0) }
        entry.refundedAmount = Amount(minorUnits: line.number("refunded") ?? 0)
        entry.originalID = line.number("original").flatMap { NMITransactionID($0) }
        entry.source = line.text("source")
        entry.subscriptionID = line.text("subscription")
        entry.partialPaymentID = line.text("partial")
        entry.requestedAmount = line.number("requested").map { Amount(minorUnits: $0) }
        guard let details = details(line) else { return false }
        entry.details = details
        entries.append(entry)
        return true
    }

    /// Reads an action of the transaction before it.
    mutating func readAction(_ line: StateLine) -> Bool {
        guard !entries.isEmpty, let amount: Int64 = line.number("amount"),
            let instant: Int64 = line.number("at"), let number: Int = line.number("code"),
            let code = NMIResponseCode(rawValue: number)
        else { return false }
        var action = LedgerAction(
            type: NMIAction.ActionType(name: line.text("type")),
            amount: Amount(minorUnits: amount),
            instant: self.instant(instant),
            responseCode: code,
            voidReason: NMIVoidReason(rawValue: line.text("reason"))
        )
        action.batchNumber = line.number("batch") ?? 0
        entries[entries.count - 1].actions.append(action)
        return true
    }

    mutating func readCustomer(_ line: StateLine) -> Bool {
        guard customers.count < CustomerVault.maximumCustomerCount, !line.text("id").isEmpty,
            let card = card(line), let details = details(line)
        else { return false }
        customers.append(StoredCustomer(id: line.text("id"), card: card, details: details))
        return true
    }

    mutating func readPlan(_ line: StateLine) -> Bool {
        guard plans.count < RecurringBook.maximumCount, let plan = plan(line) else { return false }
        plans.append(plan)
        return true
    }

    mutating func readSubscription(_ line: StateLine) -> Bool {
        guard subscriptions.count < RecurringBook.maximumCount, !line.text("id").isEmpty,
            let plan = plan(line), let card = card(line), let details = details(line)
        else { return false }
        var subscription = Subscription(
            id: line.text("id"),
            plan: plan,
            card: card,
            orderID: line.text("order"),
            details: details,
            nextDay: line.number("next")
        )
        subscription.attemptedCount = line.number("attempted") ?? 0
        subscription.completedCount = line.number("completed") ?? 0
        subscriptions.append(subscription)
        return true
    }

    func card(_ line: StateLine) -> PayingCard? {
        var card = PayingCard()
        card.entryMode = line.text("mode")
        card.customerID = line.text("customer")
        if !line.text("expires").isEmpty {
            guard let date = ExpirationDate(line.text("expires")) else { return nil }
            card.expirationDate = date
        }
        if !line.text("pan").isEmpty {
            guard let pan = seal.open(line.text("pan")).flatMap({ PAN($0) }) else { return nil }
            card.pan = pan
        }
        if !line.text("check").isEmpty {
            guard let check = seal.open(line.text("check")).flatMap(Self.check) else { return nil }
            card.check = check
        }
        return card
    }

    private static func check(_ bytes: [UInt8]) -> NMICheck? {
        let parts = bytes.split(separator: 0x0A, maxSplits: 5, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 6, let holder = NMICheck.HolderType(rawValue: parts[2]),
            let account = NMICheck.AccountType(rawValue: parts[3]),
            let entryClass = NMICheck.StandardEntryClass(rawValue: parts[4])
        else { return nil }
        return NMICheck(
            name: parts[5],
            routingNumber: Array(parts[0].utf8),
            unmaskedAccount: Array(parts[1].utf8),
            holderType: holder,
            accountType: account,
            standardEntryClass: entryClass
        )
    }

    private func details(_ line: StateLine) -> NMIDetails? {
        var details = NMIDetails()
        for (name, value) in line.fields(after: "d.") {
            guard let detail = NMIDetail(rawValue: name) else { return nil }
            details[detail] = value
        }
        return details
    }

    private func plan(_ line: StateLine) -> NMIPlan? {
        guard let amount: Int64 = line.number("plan-amount"),
            let count: Int = line.number("payments"),
            count >= 0
        else { return nil }
        let schedule: NMIPlan.Schedule
        if let days: Int = line.number("days") {
            guard (1...3_660).contains(days) else { return nil }
            schedule = .days(days)
        } else if let months: Int = line.number("months"), let day: Int = line.number("day") {
            guard (1...24).contains(months), (1...31).contains(day) else { return nil }
            schedule = .months(months, day: day)
        } else {
            return nil
        }
        return NMIPlan(
            id: line.text("plan"),
            name: line.text("name"),
            amount: Amount(minorUnits: amount),
            paymentCount: count,
            schedule: schedule
        )
    }
}
