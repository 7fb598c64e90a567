import CardData
import EventLoops
import GatewayProtocols
import JSON
import Transports

extension SimulatedAgentCASHGateway {
    private static let stateWord = "cardrig-agentcash-state 1"

    /// Returns all that the service keeps, as text in lines of JSON, for ``init(restoring:_:)``.
    ///
    /// It holds what the service shows of its transactions, signatures, and what webhooks wait;
    /// never a card's data. Moments are nanoseconds since 1970. Faults that wait are left out: they
    /// belong to a test and not to a service.
    /// - Complexity: O(*n*), where *n* is the number of transactions.
    public func snapshot() -> [UInt8] {
        var bytes = Array("\(Self.stateWord)\n".utf8)
        func write(_ json: JSONValue) {
            bytes += json.encoded
            bytes.append(0x0A)
        }
        write(
            .members(
                ("sent", .integer(Int64(sentCount))),
                ("requests", .integer(Int64(requestCount))),
                ("first", .string(String(configuration.firstTransactionID))),
                ("lost", .integer(Int64(webhooks.lostCount))),
                ("webhook", .integer(Int64(webhooks.count)))
            )
        )
        for entry in ledger.entries {
            write(
                .members(
                    ("transaction", entry.transaction.json),
                    ("capturesAtOnce", .bool(entry.capturesAtOnce)),
                    ("webhookURL", .string(entry.webhookURL)),
                    ("at", .integer(calendar(entry.instant))),
                    ("signature", .string(Base64.text(of: entry.signature)))
                )
            )
        }
        for (attempt, due) in webhooks.kept {
            write(
                .members(
                    ("event", .string(attempt.event)),
                    ("number", .integer(Int64(attempt.number))),
                    ("attempt", .integer(Int64(attempt.attempt))),
                    ("url", .string(attempt.url)),
                    ("body", .string(Base64.text(of: attempt.request.body))),
                    ("due", due.map { .integer(calendar($0)) } ?? .null)
                )
            )
        }
        write(.members(("end", .integer(Int64(ledger.entries.count)))))
        return bytes
    }

    /// Takes up a state that ``snapshot()`` returned.
    ///
    /// - Throws: ``GatewayStateError`` with the line at fault.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public init(
        restoring state: [UInt8],
        _ configuration: Configuration = Configuration()
    ) throws(GatewayStateError) {
        self.init(configuration)
        var lines = state.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.first.map({ String(decoding: $0, as: UTF8.self) }) == Self.stateWord else {
            throw GatewayStateError(code: .notAState, line: 1)
        }
        guard lines.removeLast().isEmpty, lines.count >= 3 else {
            throw GatewayStateError(code: .incomplete, line: lines.count)
        }
        for (index, line) in lines.enumerated().dropFirst() {
            guard let json = try? JSONValue(reading: Array(line)), read(json, isFirst: index == 1)
            else { throw GatewayStateError(code: .malformedLine, line: index + 1) }
            let isEnd = json["end"] != nil
            guard isEnd == (index == lines.count - 1) else {
                throw GatewayStateError(code: .incomplete, line: index + 1)
            }
        }
    }

    private func calendar(_ instant: VirtualInstant) -> Int64 {
        configuration.startSecondsSince1970 &* 1_000_000_000 &+ instant.nanoseconds
    }

    private func instant(_ json: JSONValue?) -> VirtualInstant? {
        json?.integer.map {
            VirtualInstant(
                nanoseconds: $0 &- configuration.startSecondsSince1970 &* 1_000_000_000
            )
        }
    }

    private mutating func read(_ json: JSONValue, isFirst: Bool) -> Bool {
        if isFirst {
            guard let sent = json["sent"]?.integer, let requests = json["requests"]?.integer,
                let first = json["first"]?.text.flatMap({ UInt64($0) }),
                first == configuration.firstTransactionID, let lost = json["lost"]?.integer,
                let webhook = json["webhook"]?.integer
            else { return false }
            sentCount = Int(sent)
            requestCount = Int(requests)
            webhooks.resume(after: Int(webhook), lostCount: Int(lost))
            return true
        }
        if let count = json["end"] { return count.integer == Int64(ledger.entries.count) }
        if let shown = json["transaction"] { return readEntry(shown, json) }
        guard let event = json["event"]?.text, let number = json["number"]?.integer,
            let attempt = json["attempt"]?.integer, let url = json["url"]?.text,
            let body = json["body"]?.text.flatMap({ Base64.decode($0.utf8) })
        else { return false }
        return webhooks.keep(
            WebhookQueue.Attempt(
                number: Int(number),
                attempt: Int(attempt),
                url: url,
                event: event,
                contentType: AgentCASHRequest.contentType,
                body: body
            ),
            due: instant(json["due"])
        )
    }

    private mutating func readEntry(_ shown: JSONValue, _ json: JSONValue) -> Bool {
        guard let transaction = AgentCASHTransaction(shown), transaction.id == ledger.nextID,
            let capturesAtOnce = json["capturesAtOnce"]?.bool,
            let url = json["webhookURL"]?.text, let instant = instant(json["at"]),
            let signature = json["signature"]?.text.flatMap({ Base64.decode($0.utf8) })
        else { return false }
        var entry = AgentCASHLedger.Entry(
            transaction: transaction,
            capturesAtOnce: capturesAtOnce,
            webhookURL: url,
            instant: instant
        )
        entry.signature = signature
        ledger.book(entry)
        return true
    }
}
