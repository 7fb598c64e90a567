import CardData
import EventLoops
import GatewayProtocols
import JSON
import SimulatedGateways

/// Records of a gateway between two programs: what `serve gateway` tells, and what a run against it
/// writes into its journal.
extension GatewayRecord {
    var json: JSONValue {
        var members: [JSONMember] = []
        func add(_ name: String, _ text: String) {
            if !text.isEmpty { members.append(JSONMember(name, .string(text))) }
        }
        func begin(_ name: String, _ number: Int?) {
            add("record", name)
            if let number { members.append(JSONMember("number", .integer(Int64(number)))) }
        }
        func change(
            _ name: String,
            _ number: Int?,
            _ id: NMITransactionID,
            _ amount: Amount,
            _ orderID: String
        ) {
            begin(name, number)
            add("transactionId", id.description)
            add("amount", amount.description)
            add("orderId", orderID)
        }
        switch self {
        case .requestReceived(let number, let kind, let amount, let orderID):
            begin("requestReceived", number)
            add("kind", kind.rawValue)
            add("amount", amount?.description ?? "")
            add("orderId", orderID)
        case .faultFired(let number, let kind, let fault):
            begin("faultFired", number)
            add("kind", kind.rawValue)
            add("answer", fault.answer.words)
            add("when", fault.phase == .afterBooking ? "after booking" : "before booking")
        case .booked(let number, let id, let type, let amount, let orderID, let state):
            change("booked", number, id, amount, orderID)
            add("type", type.rawValue)
            add("state", state.rawValue)
        case .voided(let number, let id, let amount, let orderID):
            change("voided", number, id, amount, orderID)
        case .captured(let number, let id, let amount, let orderID):
            change("captured", number, id, amount, orderID)
        case .settled(let id, let amount, let orderID):
            change("settled", nil, id, amount, orderID)
        }
        return .object(members)
    }

    /// Reads a record, or returns `nil` for what is none.
    init?(_ json: JSONValue) {
        let number = Int(json["number"]?.integer ?? 0)
        let orderID = json["orderId"]?.text ?? ""
        let amount = json["amount"]?.text.flatMap { Amount($0) }
        let id = json["transactionId"]?.text.flatMap { UInt64($0) }
            .flatMap { NMITransactionID($0) }
        let kind = json["kind"]?.text.flatMap { GatewayRequestKind(rawValue: $0) }
        switch json["record"]?.text {
        case "requestReceived":
            guard let kind else { return nil }
            self = .requestReceived(number: number, kind: kind, amount: amount, orderID: orderID)
        case "faultFired":
            guard let kind, let text = json["answer"]?.text, let when = json["when"]?.text,
                let fault = try? GatewayFault(answer: text, when: when)
            else { return nil }
            self = .faultFired(number: number, kind: kind, fault)
        case "booked":
            guard let id, let amount,
                let type = json["type"]?.text
                    .flatMap({ LedgerEntry.TransactionType(rawValue: $0) }),
                let state = json["state"]?.text.flatMap({ LedgerState(rawValue: $0) })
            else { return nil }
            self = .booked(
                number: number,
                transactionID: id,
                type: type,
                amount: amount,
                orderID: orderID,
                state: state
            )
        case "voided":
            guard let id, let amount else { return nil }
            self = .voided(number: number, transactionID: id, amount: amount, orderID: orderID)
        case "captured":
            guard let id, let amount else { return nil }
            self = .captured(number: number, transactionID: id, amount: amount, orderID: orderID)
        case "settled":
            guard let id, let amount else { return nil }
            self = .settled(transactionID: id, amount: amount, orderID: orderID)
        default: return nil
        }
    }
}

extension GatewayFault {
    /// Reads a fault in the words of ``Answer/words``.
    init(answer: String, when: String) throws(AdminRefusal) {
        let json = JSONValue.members(("answer", .string(answer)), ("when", .string(when)))
        guard case .gateway(_, let fault) = try ArmedFault(json, served: [.nmi]).kind else {
            throw AdminRefusal("'\(answer)' is no answer of a gateway")
        }
        self = fault
    }
}

extension GatewayFault.Answer {
    /// The answer in the words of scenarios.
    var words: String {
        switch self {
        case .decline(let code): "decline \(code.rawValue)"
        case .error(let code): "error \(code.rawValue)"
        case .timeout: "timeout"
        case .reset: "reset"
        case .httpStatus(let status): "http \(status)"
        case .httpApproval(let status): "http \(status) approved"
        case .garbage: "garbage"
        case .otherOrder: "other order"
        case .refused: "refused"
        case .slow(let delay): "slow \(delay.nanoseconds)ns"
        }
    }
}
