import CardData
import EventLoops
import GatewayProtocols
import JSON
import SimulatedGateways

extension ServedGateways {
    /// The most transactions and records in one answer.
    static let pageCount = 1_000

    /// The NMI gateway's transactions after so many, oldest first.
    func nmiLedger(after number: Int) throws(AdminRefusal) -> JSONValue {
        let entries = nmi?.ledger.entries ?? []
        let page = entries.dropFirst(number).prefix(Self.pageCount)
        return .members(
            ("count", .integer(Int64(entries.count))),
            ("after", .integer(Int64(min(number, entries.count)))),
            ("transactions", .array(page.map { Self.json($0, settings.epochSeconds) }))
        )
    }

    /// The AgentCASH service's transactions after so many, oldest first.
    func agentcashLedger(after number: Int) throws(AdminRefusal) -> JSONValue {
        let entries = agentcash?.ledger.entries ?? []
        let page = entries.dropFirst(number).prefix(Self.pageCount)
        return .members(
            ("count", .integer(Int64(entries.count))),
            ("after", .integer(Int64(min(number, entries.count)))),
            ("transactions", .array(page.map(\.transaction.json)))
        )
    }

    /// PAYMILL's transactions after so many, oldest first.
    func paymillLedger(after number: Int) -> JSONValue {
        let entries = paymill?.books.transactions ?? []
        let page = entries.dropFirst(number).prefix(Self.pageCount)
        return .members(
            ("count", .integer(Int64(entries.count))),
            ("after", .integer(Int64(min(number, entries.count)))),
            ("transactions", .array(page.map { $0.transaction.json(.v2) }))
        )
    }

    private static func json(_ entry: LedgerEntry, _ epoch: Int64) -> JSONValue {
        var members: [JSONMember] = [
            JSONMember("transactionId", .string(entry.transactionID.description)),
            JSONMember("type", .string(entry.type.rawValue)),
            JSONMember("amount", .string(entry.amount.description)),
            JSONMember("state", .string(entry.state.rawValue)),
            JSONMember("orderId", .string(entry.orderID)),
        ]
        if let card = entry.maskedCardNumber {
            members.append(JSONMember("maskedCardNumber", .string(card.description)))
        }
        if let captured = entry.capturedAmount {
            members.append(JSONMember("capturedAmount", .string(captured.description)))
        }
        if entry.refundedAmount.minorUnits != 0 {
            members.append(JSONMember("refundedAmount", .string(entry.refundedAmount.description)))
        }
        if let original = entry.originalID {
            members.append(JSONMember("originalId", .string(original.description)))
        }
        members.append(
            JSONMember(
                "actions",
                .array(
                    entry.actions.map { action in
                        .members(
                            ("type", .string(action.type.name)),
                            ("amount", .string(action.amount.description)),
                            ("code", .integer(Int64(action.responseCode.rawValue))),
                            (
                                "time",
                                .integer(epoch + action.instant.nanoseconds / 1_000_000_000)
                            )
                        )
                    }
                )
            )
        )
        return .object(members)
    }

    /// The records after the one with a number.
    func recordList(
        _ records: RecordHistory<some ToldRecord>,
        after number: Int
    ) -> JSONValue {
        let (first, kept) = records.records(after: number)
        let page = kept.prefix(Self.pageCount)
        return .members(
            ("count", .integer(Int64(records.count))),
            ("first", .integer(Int64(first))),
            ("records", .array(page.map(\.json)))
        )
    }
}
