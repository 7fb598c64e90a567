import CardData
import GatewayProtocols
import JSON
import SimulatedGateways

/// Records of PAYMILL as `serve gateway` tells them; runs do not ask it over HTTP.
extension PAYMILLRecord: ToldRecord {
    var json: JSONValue {
        func number(_ number: Int) -> (String, JSONValue) { ("number", .integer(Int64(number))) }
        func token(_ number: Int?) -> (String, JSONValue) {
            ("token", number.map { .integer(Int64($0)) } ?? .null)
        }
        switch self {
        case .requestReceived(let request):
            return Self.record(
                "requestReceived",
                number(request.number),
                ("kind", .string(request.kind.rawValue)),
                ("amount", request.amount.map { .string($0.description) } ?? .null),
                ("description", .string(SafeText(scrubbing: request.description).description)),
                token(request.token)
            )
        case .faultFired(let count, let kind, let fault):
            var answer = fault.answer.words
            if case .decline = fault.answer { answer = "decline \(fault.paymillCode.rawValue)" }
            return Self.record(
                "faultFired",
                number(count),
                ("kind", .string(kind.rawValue)),
                ("answer", .string(answer)),
                (
                    "when",
                    .string(fault.phase == .afterBooking ? "after booking" : "before booking")
                )
            )
        case .tokenCreated(let count, let made):
            return Self.record("tokenCreated", number(count), token(made))
        case .tokenRefused(let count, let error):
            return Self.record(
                "tokenRefused",
                number(count),
                ("error", .string(error.rawValue))
            )
        case .tokenUsed(let count, let used):
            return Self.record("tokenUsed", number(count), token(used))
        case .tokenRejected(let count, let rejected, let reason):
            return Self.record(
                "tokenRejected",
                number(count),
                token(rejected),
                ("reason", .string(reason.rawValue))
            )
        case .booked(let count, let booking): return Self.record("booked", count, booking)
        case .captured(let count, let booking): return Self.record("captured", count, booking)
        case .canceled(let count, let booking): return Self.record("canceled", count, booking)
        case .expired(let booking): return Self.record("expired", nil, booking)
        case .consumed(let count, let booking): return Self.record("consumed", count, booking)
        case .refunded(let count, let booking): return Self.record("refunded", count, booking)
        }
    }

    private static func record(_ name: String, _ members: (String, JSONValue)...) -> JSONValue {
        let all = [("record", JSONValue.string(name))] + members
        return .object(all.map { JSONMember($0.0, $0.1) })
    }

    private static func record(_ name: String, _ number: Int?, _ booking: Booking) -> JSONValue {
        record(
            name,
            ("number", number.map { .integer(Int64($0)) } ?? .null),
            ("isHeld", .bool(booking.isHeld)),
            ("amount", .string(booking.amount.description)),
            ("transactionId", .string(booking.transactionID)),
            ("description", .string(SafeText(scrubbing: booking.description).description)),
            ("code", .integer(Int64(booking.code.rawValue)))
        )
    }
}

extension PAYMILLBooks.Token {
    /// The brand of its card, or that it is of a bank account.
    fileprivate var brand: String {
        instrument.card.map { $0.brand?.rawValue ?? "unknown" } ?? "debit"
    }
}

extension PAYMILLBooks {
    /// The books as a test sees them: tokens by their numbers, of cards what PAYMILL shows.
    var stateJSON: JSONValue {
        .members(
            ("tokens", .array(tokens.enumerated().map { Self.json($1, number: $0 + 1) })),
            ("payments", .array(payments.map { $0.payment.json(.v2) })),
            ("clients", .array(clients.map { $0.json(.v2) })),
            ("transactions", .array(transactions.map { $0.transaction.json(.v2) })),
            ("preauthorizations", .array(preauthorizations.map { $0.json(.v2) })),
            ("refunds", .array(refunds.map { $0.json(.v2) })),
            ("webhooks", .array(webhooks.map { $0.json(.v2) })),
            ("devices", .array(installations.map { .string($0.device.id) })),
            (
                "notConsumed",
                .array(
                    transactions.filter { $0.isConsumed == false }
                        .map { .string($0.transaction.id) }
                )
            )
        )
    }

    private static func json(_ token: Token, number: Int) -> JSONValue {
        let page: JSONValue =
            switch token.issuerPage {
            case nil: .null
            case .isOpen?: .string("open")
            case .confirmed?: .string("confirmed")
            case .cancelled?: .string("cancelled")
            }
        return .members(
            ("token", .integer(Int64(number))),
            ("isUsed", .bool(token.isUsed)),
            ("issuerPage", page),
            ("brand", .string(token.brand)),
            ("amount", token.amount.map { .string($0.description) } ?? .null),
            ("currency", .string(token.currency))
        )
    }
}
