import CardData
import Journal
import YAML

// What scenarios say of Inner Fence's terminal app and of card scanners.
extension ScenarioReading {
    /// Reads `open url: 10.99`, `open url: { amount, … }`, `open url: last answer` or
    /// `open url: com-your-app://…`.
    mutating func openURL(_ shape: StepShape) -> TerminalAct? {
        requireTerminal(for: shape.word.rawValue, at: shape.mark)
        guard let argument = argument(of: shape, "an amount, a request or a URL") else {
            return nil
        }
        if case .scalar = argument.content {
            guard let text = text(argument, "an amount or a URL") else { return nil }
            if text == Grammar.lastAnswer { return .lastAnswer }
            if Amount(text) != nil {
                var plan = TerminalChargePlan()
                plan.fields = [.init("amount", text)]
                return .charge(plan)
            }
            guard text.utf8.contains(UInt8(ascii: ":")) else {
                complain(
                    at: argument.mark,
                    "expected an amount or a URL, found \(Words.found(argument))",
                    hint: "write `10.99`, `{ amount: 10.99, order: A1 }`, `last answer` or a URL "
                        + "such as `com-your-app://action/`"
                )
                return nil
            }
            return .url(text)
        }
        return fields(argument, Grammar.openURL).map { .charge(terminalCharge($0)) }
    }

    private mutating func terminalCharge(_ fields: Fields) -> TerminalChargePlan {
        var plan = TerminalChargePlan()
        for row in Grammar.chargeFields {
            guard let node = fields[row.name] else { continue }
            if case .flag = row.shape {
                if flag(node) == true { plan.fields.append(.init(row.name, "1")) }
            } else if let value = text(node, "a value of `\(row.name)`") {
                plan.fields.append(.init(row.name, value))
            }
        }
        plan.orderID = fields["order"].flatMap { text($0, "an order id") }
        if let node = fields["returnURL"], let url = text(node, "a URL, or none") {
            plan.returnURL = url == "none" ? "" : url
        }
        if let node = fields["extra"] { plan.extraParameters = namedTexts(node, "`extra`") }
        plan.isSure = fields["sure"].flatMap { flag($0) } ?? false
        return plan
    }

    /// Reads `press: done` and `press: cancel` of the terminal app.
    mutating func pressAtTerminal(_ argument: YAMLNode) -> StepAction? {
        word(argument, "a key of the terminal app", among: [("done", true), ("cancel", true)])
            .map { (_: Bool) in .terminal(.leave) }
    }

    /// Reads `scan`, `scan: visa`, `scan: cancelled` or `scan: { card, … }`.
    mutating func scan(_ shape: StepShape) -> ScanPlan? {
        requireGateway(shape)
        guard let argument = shape.argument else { return ScanPlan(card: Self.defaultCard) }
        let cards = TestCard.names.map { ($0, $0) }
        if case .scalar(let scalar) = argument.content {
            if scalar.text == ScanPlan.Result.cancelled.rawValue {
                var plan = ScanPlan(card: Self.defaultCard)
                plan.result = .cancelled
                return plan
            }
            return word(argument, "the name of a card, or cancelled", among: cards)
                .map { ScanPlan(card: $0) }
        }
        guard let fields = fields(argument, Grammar.scan) else { return nil }
        let card = fields["card"].map { word($0, "the name of a card", among: cards) }
        guard let card = card ?? Self.defaultCard else { return nil }
        var plan = ScanPlan(card: card)
        plan.result = fields["result"].flatMap { one($0, "how the screen is left") } ?? .scanned
        plan.expiry = fields["expiry"].flatMap { one($0, "what there is of the date") } ?? .whole
        plan.securityCode = fields["cvv"].flatMap {
            word($0, "`right` or `wrong`", among: [("right", .right), ("wrong", .wrong)])
        }
        plan.staleCard = fields["delivers"].flatMap { word($0, "the name of a card", among: cards) }
        return plan
    }

    /// Reads `terminal` of `rig`.
    mutating func terminal(_ node: YAMLNode) {
        requireTerminal(for: "terminal", at: node.mark)
        guard let fields = fields(node, Grammar.terminal) else { return }
        terminal.isInstalled = fields["installed"].flatMap { flag($0) } ?? true
        terminal.isDeclared = fields["declared"].flatMap { flag($0) } ?? true
        if let node = fields["taxRate"] { terminal.taxRate = taxRate(node) }
        terminal.taxesWithoutRate = fields["taxesWithoutRate"].flatMap { flag($0) } ?? false
        terminal.tip = fields["tip"].flatMap { amount($0) }
        terminal.enteredAmount = fields["enteredAmount"].flatMap { amount($0) }
        terminal.currency = fields["currency"].flatMap { text($0, "a currency") } ?? "USD"
        if let node = fields["answers"] {
            terminal.answers = items(node).compactMap { one($0, "an answer of the gateway") }
        }
        terminal.hasTransactionIDs = fields["transactionIds"].flatMap { flag($0) } ?? true
        terminal.cardNames = fields["cardNames"].flatMap { one($0, "names of cards") } ?? .readme
        terminal.mailsReceipts = fields["receipts"].flatMap { flag($0) } ?? true
        if let node = fields["raw"] { terminal.rawValues = rawValues(node) }
        if let node = fields["callbacks"] {
            terminal.callbacks = items(node).compactMap { one($0, "what becomes of an answer") }
        }
    }

    private mutating func rawValues(_ node: YAMLNode) -> [TerminalChargePlan.Field] {
        if case .mapping(let entries) = node.content {
            for entry in entries where !Grammar.rawFields.contains(entry.key.text) {
                complainUnknown(
                    entry.key.text,
                    at: entry.keyMark,
                    expected: "a field of an answer",
                    known: Grammar.rawFields
                )
            }
        }
        return namedTexts(node, "`raw`")
    }

    private mutating func taxRate(_ node: YAMLNode) -> String? {
        guard let rate = text(node, "a tax rate such as 8.5") else { return nil }
        let parts = rate.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        let isRate =
            (1...2).contains(parts.count) && (1...2).contains(parts[0].count)
            && parts.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy(\.isDigit) }
        guard isRate else {
            complain(
                at: node.mark,
                "expected a tax rate such as 8.5, found \(Words.quoted(rate))",
                hint: "0 to 99.999 percent, with at most three decimals"
            )
            return nil
        }
        return rate
    }

    /// Reads a map of names that the file chooses; an empty text is allowed.
    private mutating func namedTexts(
        _ node: YAMLNode,
        _ subject: String
    ) -> [TerminalChargePlan.Field] {
        guard case .mapping(let entries) = node.content else {
            complain(
                at: node.mark,
                "expected \(subject) as a map of names and values, found \(Words.found(node))"
            )
            return []
        }
        return entries.compactMap { entry in
            guard case .scalar(let scalar) = entry.value.content else {
                complain(
                    at: entry.value.mark,
                    "expected a value of '\(entry.key.text)', found \(Words.found(entry.value))"
                )
                return nil
            }
            return TerminalChargePlan.Field(entry.key.text, scalar.text)
        }
    }

    private mutating func one<Word: CaseIterable & RawRepresentable<String>>(
        _ node: YAMLNode,
        _ expected: String
    ) -> Word? {
        word(node, expected, among: Word.allCases.map { ($0.rawValue, $0) })
    }

    private mutating func requireTerminal(for word: String, at mark: YAMLMark) {
        guard isRigKnown, gateway != .innerfence else { return }
        complain(
            at: mark,
            "expected `gateway: innerfence` in `rig` for `\(word)`, found "
                + (gateway.map { "`gateway: \($0.rawValue)`" } ?? "no gateway")
        )
    }
}
