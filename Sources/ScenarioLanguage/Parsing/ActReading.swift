import CardData
import EventLoops
import Journal
import YAML

extension ScenarioReading {
    static let defaultCard = "visa"

    /// Reads `swipe`, `swipe: visa` or `swipe: { card, quality, reader }`; the card is a Visa, the
    /// quality good and the reader the first one where the step does not say.
    mutating func swipe(_ shape: StepShape) -> SwipePlan? {
        lastCard = Self.defaultCard
        guard let argument = shape.argument else {
            return SwipePlan(reader: 0, card: Self.defaultCard)
        }
        if case .scalar = argument.content {
            return card(argument).map { SwipePlan(reader: 0, card: $0) }
        }
        guard let fields = fields(argument, Grammar.swipe) else { return nil }
        let card = fields["card"].map { self.card($0) } ?? Self.defaultCard
        let reader = fields["reader"].map { self.reader($0) } ?? 0
        guard let card, let reader else { return nil }
        var swipe = SwipePlan(reader: reader, card: card)
        if let node = fields["quality"], !quality(node, into: &swipe) { return nil }
        return swipe
    }

    private mutating func card(_ node: YAMLNode) -> String? {
        let card = word(node, "the name of a card", among: TestCard.names.map { ($0, $0) })
        if let card { lastCard = card }
        return card
    }

    /// Reads `enter card`, `enter card: visa` or `enter card: { card, cvv, encrypted }`.
    mutating func enterCard(_ shape: StepShape) -> EnteredCardPlan? {
        requireGateway(shape)
        guard let argument = shape.argument else { return EnteredCardPlan(card: Self.defaultCard) }
        if case .scalar = argument.content {
            return card(argument).map { EnteredCardPlan(card: $0) }
        }
        guard let fields = fields(argument, Grammar.enterCard) else { return nil }
        let card = fields["card"].map { self.card($0) } ?? Self.defaultCard
        let code = fields["cvv"].map {
            word($0, "`right` or `wrong`", among: [("right", true), ("wrong", false)])
        }
        let isEncrypted = fields["encrypted"].map {
            word($0, "`yes` or `no`", among: [("yes", true), ("no", false)])
        }
        for name in Grammar.storeCardKeys.map(\.name) where isRigKnown && gateway != .paymill {
            guard let entry = fields.entry(name) else { continue }
            complain(
                at: entry.keyMark,
                "expected `gateway: paymill` in `rig` for `\(name)`, found another gateway"
            )
        }
        guard let card else { return nil }
        var plan = EnteredCardPlan(
            card: card,
            securityCode: code.flatMap { $0 }.map { $0 ? .right : .wrong },
            isEncrypted: (isEncrypted ?? true) ?? true
        )
        plan.expires = fields["expires"].flatMap { expiry($0) }
        plan.hasWrongNumber =
            fields["number"].flatMap {
                word($0, "`right` or `wrong`", among: [("wrong", true), ("right", false)])
            } ?? false
        return plan
    }

    /// Reads a month and a year as somebody may type them.
    private mutating func expiry(_ node: YAMLNode) -> String? {
        guard let text = text(node, "a month and a year such as 05/2020") else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isExpiry =
            parts.count == 2 && (1...2).contains(parts[0].utf8.count)
            && (1...4).contains(parts[1].utf8.count)
            && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard isExpiry else {
            complain(
                at: node.mark,
                "expected a month and a year such as 05/2020, found \(Words.quoted(text))"
            )
            return nil
        }
        return text
    }

    /// Reads `capture` or `capture: 10.99`.
    mutating func capture(_ shape: StepShape) -> StepAction? {
        requireGateway(shape)
        guard let argument = shape.argument else { return .capture(nil) }
        guard let amount = amount(argument) else { return nil }
        return .capture(amount)
    }

    /// Reads `refund`, `refund: 10.99` or `refund: { amount, order }`.
    mutating func refund(_ shape: StepShape) -> RefundPlan? {
        requireGateway(shape)
        guard let argument = shape.argument else { return RefundPlan() }
        if case .scalar = argument.content {
            return amount(argument).map { RefundPlan(amount: $0) }
        }
        guard let fields = fields(argument, Grammar.refundStep) else { return nil }
        return RefundPlan(
            amount: fields["amount"].flatMap { self.amount($0) },
            orderID: fields["order"].flatMap { text($0, "an order id") },
            isCheck: checkWord(fields)
        )
    }

    /// Reads `charge: 10.99` or `charge: { amount, order }`, and `auth` alike.
    mutating func charge(_ shape: StepShape, _ table: MapTable) -> ChargePlan? {
        requireGateway(shape)
        guard let argument = argument(of: shape, "an amount") else { return nil }
        if case .scalar = argument.content, gateway != .agentcash {
            return amount(argument).map { ChargePlan(amount: $0) }
        }
        if case .scalar = argument.content {
            let mark = shape.mark
            let entry = Fields(subject: "`charge`", mark: mark, only: "amount", argument)
            return charge(entry, at: mark)
        }
        let plan = fields(argument, table).flatMap { charge($0, at: argument.mark) }
        if shape.word == .auth, plan?.payer == .sdk {
            complain(
                at: argument.mark,
                "expected a payer of the store for `auth`, found `with: sdk`",
                hint: "PAYMILL leaves an app's description of held money out, so it is never found"
            )
        }
        return plan
    }

    /// Reads a step whose word stands alone.
    mutating func alone(
        _ shape: StepShape,
        _ action: StepAction,
        hint: String? = nil
    ) -> StepAction? {
        guard let argument = shape.argument else { return action }
        complain(
            at: argument.mark,
            "expected nothing behind `\(shape.word.rawValue)`, found \(Words.found(argument))",
            hint: hint
        )
        return nil
    }

    mutating func requireGateway(_ shape: StepShape) {
        guard isRigKnown, gateway == nil else { return requireNMI(shape) }
        complain(
            at: shape.mark,
            "expected a gateway in `rig` for `\(shape.word.rawValue)`, found none",
            hint: "add `gateway: nmi` to `rig`"
        )
    }
}

extension ScenarioReading {
    /// Reports a step that the rig's gateway does not have.
    private mutating func requireNMI(_ shape: StepShape) {
        if isRigKnown, gateway == .innerfence, shape.word != .enterCard, shape.word != .scan {
            complain(
                at: shape.mark,
                "expected a step that Inner Fence has, found `\(shape.word.rawValue)`",
                hint: "its terminal app charges: write `open url: 10.99`"
            )
        }
        if isRigKnown, gateway == .paymill, shape.word.isOfNMIOnly {
            complain(
                at: shape.mark,
                "expected a step that PAYMILL has, found `\(shape.word.rawValue)`",
                hint: "only NMI has it"
            )
        }
        guard isRigKnown, gateway == .agentcash else { return }
        let hint: String
        switch shape.word {
        case .auth: hint = "write `charge: { amount, capture: false }`"
        case .void: hint = "an authorisation that was not captured is given up by `refund`"
        case .enterCard: hint = "AgentCASH takes cards at its reader only"
        case .scan: hint = "AgentCASH takes cards at its reader only"
        case .enterCheck, .credit, .validate, .offline, .update, .vault, .addPlan, .subscribe,
            .unsubscribe, .merchantServer:
            hint = "only NMI has it"
        default: return
        }
        complain(
            at: shape.mark,
            "expected a step that AgentCASH has, found `\(shape.word.rawValue)`",
            hint: hint
        )
    }

    /// Reads `gateway`, a fault of the gateway.
    ///
    ///     - gateway: { answer: timeout, request: 2, when: after booking }
    ///
    /// | key | says |
    /// | --- | --- |
    /// | `answer` | `decline 202`, `error 300`, `timeout`, `http 500`, `garbage`, `reset`, `slow 3s`, |
    /// | | `http 500 approved`, `other order`, `refused` |
    /// | `request` | the request's number, counted from 1 in the run; without it the next that fits |
    /// | `kind` | what is asked: `sale`, `void`, `query` and more at NMI, `authorise`, `confirm`, |
    /// | | `reverse`, `capture`, `refund`, `query` at AgentCASH; without it any |
    /// | `when` | `before booking` (default) or `after booking` |
    ///
    /// `decline`, `error`, `http` and `slow` without a number mean 200, 300, 500 and 3s.
    mutating func gatewayFault(_ shape: StepShape) -> GatewayFaultPlan? {
        if shape.word == .gateway { requireGateway(shape) }
        guard let argument = argument(of: shape, "an answer") else { return nil }
        guard let fields = fields(argument, Grammar.gateway) else { return nil }
        let answer = fields["answer"].flatMap { self.answer($0) }
        let request = fields["request"].flatMap {
            integer($0, "the number of a request, counted from 1", in: 1...1_000_000)
        }
        let kind = fields["kind"].flatMap {
            word($0, "a kind of request", among: Grammar.requestKinds)
        }
        if let kind, let node = fields["kind"] { complainUnasked(kind, node) }
        let isAfterBooking = fields["when"].flatMap {
            word($0, "a moment", among: [("before booking", false), ("after booking", true)])
        }
        guard let answer else { return nil }
        // At the merchant's server it says whether the gateway was asked before.
        if isAfterBooking == true, shape.word == .gateway, let node = fields["when"] {
            complainUnbookable(answer, kind, node)
        }
        return GatewayFaultPlan(
            request: request.map(Int.init),
            kind: kind,
            isAfterBooking: isAfterBooking ?? false,
            answer: answer
        )
    }

    /// Reports a kind of request that the rig's gateway is never asked: its fault would never fire.
    private mutating func complainUnasked(_ kind: Symbol, _ node: YAMLNode) {
        guard isRigKnown, let gateway else { return }
        let known: [Symbol]
        switch gateway {
        case .agentcash: known = [.authorise, .confirm, .reverse, .capture, .refund, .query]
        case .nmi:
            known = [
                .sale, .void, .query, .auth, .capture, .refund, .credit, .validate, .offline,
                .update, .vault, .recurring,
            ]
        case .paymill, .innerfence: return
        }
        guard !known.contains(kind) else { return }
        let names = Grammar.requestKinds.filter { known.contains($0.value) }.map(\.spelling)
        let spelling = Grammar.requestKinds.first { $0.value == kind }?.spelling ?? ""
        complain(
            at: node.mark,
            "expected a kind of request that \(gateway == .nmi ? "NMI" : "AgentCASH") is asked, found '\(spelling)'",
            hint: "there is " + names.joined(separator: ", ")
        )
    }

    private mutating func complainUnbookable(
        _ answer: GatewayAnswerPlan,
        _ kind: Symbol?,
        _ node: YAMLNode
    ) {
        let reason: String?
        switch answer {
        case .decline, .error: reason = "a gateway that declines books nothing"
        case .refused: reason = "a request that is never received books nothing"
        case .timeout, .reset, .garbage, .http, .httpApproval, .otherOrder, .slow:
            reason = kind == .query ? "a look-up books nothing" : nil
        }
        guard let reason else { return }
        complain(
            at: node.mark,
            "expected `before booking` for this answer, found 'after booking'",
            hint: reason
        )
    }

    private mutating func answer(_ node: YAMLNode) -> GatewayAnswerPlan? {
        guard let text = text(node, "an answer of the gateway") else { return nil }
        var parts = text.split(separator: " ").map(String.init)
        if parts == ["other", "order"] { return .otherOrder }
        let isApproval = parts.count == 3 && parts[0] == "http" && parts[2] == "approved"
        if isApproval { parts.removeLast() }
        guard parts.count <= 2, let name = parts.first, Grammar.answers.contains(name) else {
            complainUnknown(
                parts.first ?? text,
                at: node.mark,
                expected: "an answer of the gateway",
                known: Grammar.answers
            )
            return nil
        }
        let number =
            parts.count == 2
            ? YAMLNode(.scalar(YAMLScalar(parts[1], isPlain: true)), at: node.mark) : nil
        switch name {
        case "decline":
            if gateway == .paymill {
                let codes: ClosedRange<Int64> = 40_000...51_200
                return code(number, 50_102, "a code of 40000 to 51200 behind `decline`", codes)
                    .map { .decline(code: $0) }
            }
            return code(number, 200, "a code of 200 to 264 behind `decline`", 200...264)
                .map { .decline(code: $0) }
        case "error":
            return code(number, 300, "a code of 300 to 461 behind `error`", 300...461)
                .map { .error(code: $0) }
        case "http" where isApproval:
            return code(
                number,
                500,
                "a status of 500 to 599 between `http` and `approved`",
                500...599
            )
            .map { .httpApproval(status: $0) }
        case "http":
            return code(number, 500, "a status of 300 to 599 behind `http`", 300...599)
                .map { .http(status: $0) }
        case "slow":
            guard let number else { return .slow(.seconds(3)) }
            return duration(number).map { .slow($0) }
        default: break
        }
        if let number {
            complain(
                at: number.mark,
                "expected nothing behind `\(name)`, found \(Words.found(number))"
            )
            return nil
        }
        switch name {
        case "timeout": return .timeout
        case "garbage": return .garbage
        case "refused": return .refused
        default: return .reset
        }
    }

    private mutating func code(
        _ node: YAMLNode?,
        _ standard: Int,
        _ expected: String,
        _ range: ClosedRange<Int64>
    ) -> Int? {
        guard let node else { return standard }
        return integer(node, expected, in: range).map(Int.init)
    }
}

extension StepWord {
    /// Whether no gateway but NMI has the step.
    fileprivate var isOfNMIOnly: Bool {
        switch self {
        case .enterCheck, .credit, .validate, .offline, .update, .vault, .addPlan, .subscribe,
            .unsubscribe:
            true
        default: false
        }
    }
}
