import CardCrypto
import CardData
import EventLoops
import GatewayProtocols

extension SimulatedNMIGateway {
    private static let stateWord = "cardrig-nmi-state"
    private static let stateVersion = "1"

    /// Returns all that the gateway keeps, as text in lines, for ``init(restoring:_:)``.
    ///
    /// Moments are those of the calendar, so that a later run may begin at another time. Numbers of
    /// cards and accounts are sealed under the merchant's security key; security codes are never
    /// kept. Faults that wait are left out: they belong to a test and not to a gateway. The last
    /// line is a code over all others.
    /// - Complexity: O(*n*), where *n* is the number of transactions and customers.
    public func snapshot() -> [UInt8] {
        var writer = NMIStateWriter(configuration)
        var head = StateLine(Self.stateWord)
        head.add("version", Self.stateVersion)
        head.add("merchant", Self.merchantMark(configuration))
        writer.write(head)
        var counters = StateLine("counters")
        counters.add("sent", sentCount)
        counters.add("requests", requestCount)
        counters.add("reference", nextReferenceNumber)
        counters.add("first", ledger.firstTransactionID.number)
        counters.add("batch", nextBatchNumber)
        counters.add("customer", vault.nextNumber)
        counters.add("subscription", recurring.nextNumber)
        counters.add("webhook", webhooks.count + 1)
        counters.add("given-up", webhooks.lostCount)
        if nextCutOff != .distantFuture { counters.add("cut-off", writer.calendar(nextCutOff)) }
        writer.write(counters)
        for (name, limiter) in [("account", limiter), ("system", systemLimiter)] {
            var line = StateLine("rate")
            line.add("of", name)
            line.add("end", limiter.windowEnd.map(writer.calendar))
            line.add("count", limiter.count)
            line.add("failures", limiter.failureCount)
            writer.write(line)
        }
        for entry in ledger.entries { writer.write(entry) }
        for customer in vault.customers { writer.write(customer) }
        for plan in recurring.plans { writer.write(plan) }
        for subscription in recurring.subscriptions { writer.write(subscription) }
        for (event, due) in webhooks.kept { writer.write(event, due) }
        var end = StateLine("end")
        end.add(
            "code",
            MessageSignature.hexadecimal(
                of: writer.bytes,
                key: Array(configuration.securityKey.utf8)
            )
        )
        writer.write(end)
        return writer.bytes
    }

    /// Takes up a state that ``snapshot()`` returned.
    ///
    /// - Parameters:
    ///   - state: The text.
    ///   - configuration: What is set now; the security key must be the one of then.
    /// - Throws: ``GatewayStateError`` with the line at fault; nothing is taken from a state that
    ///   was cut or changed.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public init(
        restoring state: [UInt8],
        _ configuration: Configuration = Configuration()
    ) throws(GatewayStateError) {
        self.init(configuration)
        let lines = try Self.checkedLines(state, configuration)
        var reader = NMIStateReader(configuration)
        for (index, bytes) in lines.enumerated() {
            let number = index + 2
            guard let line = StateLine(bytes), read(line, &reader) else {
                throw GatewayStateError(code: .malformedLine, line: number)
            }
            guard reader.entries.count <= configuration.maximumTransactionCount else {
                throw GatewayStateError(code: .tooManyTransactions, line: number)
            }
        }
        guard reader.hasCounters else {
            throw GatewayStateError(code: .malformedLine, line: 2)
        }
        var ledger = GatewayLedger(firstTransactionID: reader.firstTransactionID)
        for entry in reader.entries { ledger.book(entry) }
        self.ledger = ledger
        vault = CustomerVault(customers: reader.customers, nextNumber: reader.nextCustomerNumber)
        recurring.plans = reader.plans
        recurring.subscriptions = reader.subscriptions
    }

    private static func merchantMark(_ configuration: Configuration) -> String {
        let key = Array(configuration.securityKey.utf8)
        let code = MessageSignature.hexadecimal(of: Array(stateWord.utf8), key: key)
        return String(code.prefix(16))
    }

    /// The lines between the first and the last, which are checked.
    private static func checkedLines(
        _ state: [UInt8],
        _ configuration: Configuration
    ) throws(GatewayStateError) -> [ArraySlice<UInt8>] {
        var lines = state.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let first = lines.first.flatMap({ StateLine($0) }), first.word == stateWord else {
            throw GatewayStateError(code: .notAState, line: 1)
        }
        guard first.text("version") == stateVersion else {
            throw GatewayStateError(code: .unknownVersion, line: 1)
        }
        guard first.text("merchant") == merchantMark(configuration) else {
            throw GatewayStateError(code: .otherMerchant, line: 1)
        }
        // The last line feed leaves an empty piece.
        guard lines.removeLast().isEmpty, let last = lines.last, let end = StateLine(last),
            end.word == "end"
        else { throw GatewayStateError(code: .incomplete, line: lines.count) }
        let code = MessageSignature.hexadecimal(
            of: Array(state[..<last.startIndex]),
            key: Array(configuration.securityKey.utf8)
        )
        guard end.text("code") == code else { throw GatewayStateError(code: .changed, line: 0) }
        return Array(lines.dropFirst().dropLast())
    }

    /// Takes up one line; returns whether it could be read.
    private mutating func read(_ line: StateLine, _ reader: inout NMIStateReader) -> Bool {
        switch line.word {
        case "counters":
            guard let sent: Int = line.number("sent"), let requests: Int = line.number("requests"),
                let reference: UInt64 = line.number("reference"),
                let batch: Int = line.number("batch"),
                let subscription: UInt64 = line.number("subscription"),
                let webhook: Int = line.number("webhook"), reader.readCounters(line)
            else { return false }
            sentCount = sent
            requestCount = requests
            nextReferenceNumber = reference
            nextBatchNumber = batch
            recurring.nextNumber = subscription
            let lost: Int = line.number("given-up") ?? 0
            guard webhook > 0, lost >= 0 else { return false }
            webhooks.resume(after: webhook - 1, lostCount: lost)
            if let cutOff: Int64 = line.number("cut-off"), configuration.cutOffSecondsOfDay != nil {
                nextCutOff = reader.instant(cutOff)
            }
            return true
        case "rate":
            let restored = RateLimiter(
                windowEnd: line.number("end").map(reader.instant),
                count: line.number("count") ?? 0,
                failureCount: line.number("failures") ?? 0
            )
            if line.text("of") == "system" { systemLimiter = restored } else { limiter = restored }
            return true
        case "transaction": return reader.readEntry(line)
        case "action": return reader.readAction(line)
        case "customer": return reader.readCustomer(line)
        case "plan": return reader.readPlan(line)
        case "subscription": return reader.readSubscription(line)
        case "event": return readEvent(line, reader)
        default: return false
        }
    }

    private mutating func readEvent(_ line: StateLine, _ reader: NMIStateReader) -> Bool {
        guard let number: Int = line.number("number"), let attempts: Int = line.number("attempts"),
            (0...webhooks.pauses.count + 1).contains(attempts)
        else { return false }
        let due: Int64? = line.number("due")
        // The number of attempts that began; what was on its way is tried again.
        let attempt = WebhookQueue.Attempt(
            number: number,
            attempt: attempts + 1,
            url: configuration.webhookURL ?? "",
            event: line.text("type"),
            contentType: "application/json",
            body: Array(line.text("body").utf8)
        )
        return webhooks.keep(attempt, due: due.map(reader.instant))
    }
}
