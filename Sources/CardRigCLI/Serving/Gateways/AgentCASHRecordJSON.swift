import CardData
import GatewayProtocols
import JSON
import SimulatedGateways

/// Records of the AgentCASH service between two programs.
extension AgentCASHRecord: AdminRecord {
    var json: JSONValue {
        switch self {
        case .requestReceived(let number, let kind, let subject):
            var members: [JSONMember] = [
                .init("record", .string("requestReceived")),
                .init("number", .integer(Int64(number))), .init("kind", .string(kind.rawValue)),
                .init("externalId", .string(subject.externalID)),
            ]
            if let amount = subject.amount {
                members.append(.init("amount", .string(amount.description)))
            }
            if let reference = subject.reference {
                members.append(.init("reference", .string(reference)))
            }
            if let id = subject.transactionID {
                members.append(.init("transactionId", .string(String(id))))
            }
            return .object(members)
        case .faultFired(let number, let kind, let fault):
            return .members(
                ("record", .string("faultFired")),
                ("number", .integer(Int64(number))),
                ("kind", .string(kind.rawValue)),
                ("answer", .string(fault.answer.words)),
                (
                    "when",
                    .string(fault.phase == .afterBooking ? "after booking" : "before booking")
                )
            )
        case .booked(let number, let transaction, let capturesAtOnce):
            return .members(
                ("record", .string("booked")),
                ("number", .integer(Int64(number))),
                ("transaction", transaction.json),
                ("capturesAtOnce", .bool(capturesAtOnce))
            )
        case .changed(let number, let transaction, let state, let amount):
            return .members(
                ("record", .string("changed")),
                ("number", number.map { .integer(Int64($0)) } ?? .null),
                ("transaction", transaction.json),
                ("to", .string(state.rawValue)),
                ("amount", .string(amount.description))
            )
        }
    }

    init?(_ json: JSONValue) {
        let number = json["number"]?.integer.map { Int($0) }
        let kind = json["kind"]?.text.flatMap { AgentCASHRequestKind(rawValue: $0) }
        let amount = json["amount"]?.text.flatMap { Amount($0) }
        let transaction = json["transaction"].flatMap { AgentCASHTransaction($0) }
        switch json["record"]?.text {
        case "requestReceived":
            guard let number, let kind else { return nil }
            let subject = AgentCASHSubject(
                amount: amount,
                externalID: json["externalId"]?.text ?? "",
                reference: json["reference"]?.text,
                transactionID: json["transactionId"]?.text.flatMap { UInt64($0) }
            )
            self = .requestReceived(number: number, kind: kind, subject)
        case "faultFired":
            guard let number, let kind, let text = json["answer"]?.text,
                let when = json["when"]?.text,
                let fault = try? GatewayFault(answer: text, when: when)
            else { return nil }
            self = .faultFired(number: number, kind: kind, fault)
        case "booked":
            guard let number, let transaction, let capturesAtOnce = json["capturesAtOnce"]?.bool
            else { return nil }
            self = .booked(number: number, transaction, capturesAtOnce: capturesAtOnce)
        case "changed":
            guard let transaction, let amount,
                let state = json["to"]?.text
                    .flatMap({ AgentCASHTransaction.State(rawValue: $0) })
            else { return nil }
            self = .changed(number: number, transaction, to: state, amount: amount)
        default: return nil
        }
    }
}
