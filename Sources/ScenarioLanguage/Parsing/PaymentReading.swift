import CardData
import EventLoops
import Journal
import YAML

// What scenarios say of payment readers, of AgentCASH and of card payments.
extension ScenarioReading {
    private static let defaultChipCard = "emv-visa-pin"

    /// Returns the first payment reader of the rig, or reports that there is none.
    private mutating func paymentReader(for word: String, at mark: YAMLMark) -> Int? {
        guard isRigKnown else { return 0 }
        if let index = readers.firstIndex(where: { $0.kind == .miura }) { return index }
        complain(
            at: mark,
            "expected a payment reader in `rig` for `\(word)`, found none",
            hint: "there is miura"
        )
        return nil
    }

    /// Reads the name of a payment reader.
    private mutating func paymentReader(_ node: YAMLNode) -> Int? {
        guard let index = reader(node) else { return nil }
        guard isRigKnown, readers[index].kind != .miura else { return index }
        complain(
            at: node.mark,
            "expected a payment reader, found \(readers[index].kind.withArticle)",
            hint: "there is miura"
        )
        return nil
    }

    /// Reads `insert`, `insert: emv-visa-pin` or `insert: { card, reader }`.
    mutating func cardAct(_ shape: StepShape) -> CardActPlan? {
        guard var index = paymentReader(for: shape.word.rawValue, at: shape.mark) else {
            return nil
        }
        guard let argument = shape.argument else {
            return CardActPlan(reader: index, card: Self.defaultChipCard)
        }
        let known = TestCard.names.map { ($0, $0) }
        if case .scalar = argument.content {
            return word(argument, "the name of a card", among: known)
                .map { CardActPlan(reader: index, card: $0) }
        }
        guard let fields = fields(argument, Grammar.cardAct) else { return nil }
        if let node = fields["reader"] {
            guard let named = paymentReader(node) else { return nil }
            index = named
        }
        let card = fields["card"].map { word($0, "the name of a card", among: known) }
        return (card ?? Self.defaultChipCard).map { CardActPlan(reader: index, card: $0) }
    }

    /// Reads the reader behind `remove card`, `switch off`, `switch on` and `reboot`.
    mutating func handAct(_ shape: StepShape, _ act: (Int) -> StepAction) -> StepAction? {
        guard let index = paymentReader(for: shape.word.rawValue, at: shape.mark) else {
            return nil
        }
        guard let argument = shape.argument else { return act(index) }
        return paymentReader(argument).map(act)
    }

    /// Reads `load wifi`, `load wifi: TEXT` or `load wifi: { text, reader }`.
    mutating func loadWiFi(_ shape: StepShape) -> ReaderCarePlan? {
        guard var index = paymentReader(for: shape.word.rawValue, at: shape.mark) else {
            return nil
        }
        guard let argument = shape.argument else {
            return ReaderCarePlan(reader: index, .loadWiFi(text: nil))
        }
        let expected = "the text of a wifi.cfg"
        guard case .mapping = argument.content else {
            return text(argument, expected).map {
                ReaderCarePlan(reader: index, .loadWiFi(text: $0))
            }
        }
        guard let fields = fields(argument, Grammar.loadWiFi) else { return nil }
        if let node = fields["reader"] {
            guard let named = paymentReader(node) else { return nil }
            index = named
        }
        let text = fields["text"].flatMap { self.text($0, expected) }
        return ReaderCarePlan(reader: index, .loadWiFi(text: text))
    }

    /// Reads `roam: 3s` or `roam: { for, reader }`.
    mutating func roam(_ shape: StepShape) -> ReaderCarePlan? {
        guard var index = paymentReader(for: shape.word.rawValue, at: shape.mark),
            let argument = argument(of: shape, "how long it is away")
        else { return nil }
        guard case .mapping = argument.content else {
            return duration(argument).map { ReaderCarePlan(reader: index, .roam($0)) }
        }
        guard let fields = fields(argument, Grammar.roam) else { return nil }
        if let node = fields["reader"] {
            guard let named = paymentReader(node) else { return nil }
            index = named
        }
        return fields["for"].flatMap { duration($0) }
            .map { ReaderCarePlan(reader: index, .roam($0)) }
    }

    /// Reads `keys: 1234 enter` or `keys: { keys, pause, reader }`.
    mutating func keys(_ shape: StepShape) -> StepAction? {
        guard var index = paymentReader(for: "keys", at: shape.mark),
            let argument = argument(of: shape, "keys")
        else { return nil }
        guard case .mapping = argument.content else {
            return keys(argument).map { .keys(KeysPlan(reader: index, keys: $0)) }
        }
        guard let fields = fields(argument, Grammar.keys) else { return nil }
        if let node = fields["reader"] {
            guard let named = paymentReader(node) else { return nil }
            index = named
        }
        let pause = fields["pause"].map { duration($0) } ?? .zero
        guard let pause, let keys = fields["keys"].flatMap({ self.keys($0) }) else { return nil }
        return .keys(KeysPlan(reader: index, keys: keys, pause: pause))
    }

    /// Reads keys; what is wrong is not shown, since it may be a PIN.
    private mutating func keys(_ node: YAMLNode) -> [KeysPlan.Key]? {
        if case .scalar(let scalar) = node.content, let keys = KeysPlan.keys(scalar.text) {
            return keys
        }
        complain(
            at: node.mark,
            "expected digits and the keys enter, clear and cancel, at most "
                + "\(KeysPlan.maximumCount), found something else",
            hint: "write `keys: 1234 enter`"
        )
        return nil
    }

    /// Reads `press: cancel` or `press: { key, reader }`.
    mutating func press(_ shape: StepShape) -> StepAction? {
        if isRigKnown, gateway == .innerfence, let argument = shape.argument {
            return pressAtTerminal(argument)
        }
        guard var index = paymentReader(for: "press", at: shape.mark),
            let argument = argument(of: shape, "a key")
        else { return nil }
        let known: [(String, KeysPlan.Key)] = [
            ("enter", .enter), ("clear", .clear), ("cancel", .cancel),
        ]
        guard case .mapping = argument.content else {
            return key(argument, known).map { .keys(KeysPlan(reader: index, keys: [$0])) }
        }
        guard let fields = fields(argument, Grammar.press) else { return nil }
        if let node = fields["reader"] {
            guard let named = paymentReader(node) else { return nil }
            index = named
        }
        return fields["key"].flatMap { key($0, known) }
            .map { .keys(KeysPlan(reader: index, keys: [$0])) }
    }

    /// Reads one key; what has digits in it is not shown, since it may be a PIN.
    private mutating func key(
        _ node: YAMLNode,
        _ known: [(String, KeysPlan.Key)]
    ) -> KeysPlan.Key? {
        if case .scalar(let scalar) = node.content, scalar.text.utf8.contains(where: \.isDigit) {
            complain(
                at: node.mark,
                "expected a key of the reader, found something else",
                hint: "there is enter, clear and cancel; write `keys: 1234 enter` for digits"
            )
            return nil
        }
        return word(node, "a key of the reader", among: known)
    }

    /// Reads `sign: successful` or `sign: { result, image }`.
    mutating func sign(_ shape: StepShape) -> StepAction? {
        requireAgentCASH(for: "sign", at: shape.mark)
        guard let argument = argument(of: shape, "what came of the signature") else { return nil }
        let expected = "what came of the signature"
        guard case .mapping = argument.content else {
            return word(argument, expected, among: Grammar.signatureResults)
                .map { .sign(SignPlan(result: $0, hasImage: $0 != .cancelled)) }
        }
        guard let fields = fields(argument, Grammar.sign),
            let result = fields["result"].flatMap({
                word($0, expected, among: Grammar.signatureResults)
            })
        else { return nil }
        let hasNone = fields["image"].map { word($0, "`none`", among: [("none", true)]) } != nil
        return .sign(SignPlan(result: result, hasImage: !hasNone && result != .cancelled))
    }

    /// Reports a step that only AgentCASH's SDK has.
    mutating func requireAgentCASH(for word: String, at mark: YAMLMark) {
        guard isRigKnown, gateway != .agentcash else { return }
        complain(
            at: mark,
            "expected `gateway: agentcash` in `rig` for `\(word)`, found "
                + (gateway.map { "`gateway: \($0.rawValue)`" } ?? "no gateway")
        )
    }

    /// Reads a charge: by AgentCASH's SDK, which takes the card by itself, or of the card that was
    /// swiped last.
    mutating func charge(_ fields: Fields, at mark: YAMLMark) -> ChargePlan? {
        if fields.entry("amount") != nil, let other = fields.entry("amountText") {
            complain(at: other.keyMark, "expected either `amount` or `amountText`, found both")
        } else if fields.entry("amount") == nil, fields.entry("amountText") == nil {
            complain(at: mark, "expected the key `amount` in `charge`, found none")
            return nil
        }
        let isAgentCASH = gateway == .agentcash
        for name in Grammar.paymentKeys.map(\.name) {
            guard let entry = fields.entry(name), !isAgentCASH else { continue }
            requireAgentCASH(for: name, at: entry.keyMark)
        }
        let amount = fields["amount"].map { self.amount($0) } ?? Amount(minorUnits: 0)
        guard let amount else { return nil }
        guard isAgentCASH else {
            let order = fields["order"].flatMap { text($0, "an order id") }
            for name in Grammar.merchantKeys.map(\.name) where gateway == .paymill {
                guard let entry = fields.entry(name) else { continue }
                complain(
                    at: entry.keyMark,
                    "expected `gateway: nmi` in `rig` for `\(name)`, found `gateway: paymill`"
                )
            }
            var plan = ChargePlan(amount: amount, orderID: order)
            plan.details = merchantDetails(fields)
            plan.payer = payer(fields)
            return plan
        }
        for name in Grammar.merchantKeys.map(\.name) {
            guard let entry = fields.entry(name) else { continue }
            complain(
                at: entry.keyMark,
                "expected `gateway: nmi` in `rig` for `\(name)`, found `gateway: agentcash`"
            )
        }
        if let entry = fields.entry("order") {
            complain(
                at: entry.keyMark,
                "expected `externalId` for AgentCASH, found `order`",
                hint: "only NMI has order ids"
            )
        }
        return payment(fields, at: mark).map { ChargePlan(amount: amount, payment: $0) }
    }

    private mutating func payment(_ fields: Fields, at mark: YAMLMark) -> PaymentPlan? {
        var plan = PaymentPlan()
        plan.amountText = fields["amountText"].flatMap { safeText($0, "amountText") }?.description
        if let node = fields["currency"] {
            plan.currency = safeText(node, "currency")?.description ?? ""
        }
        plan.isCaptured = fields["capture"].flatMap { flag($0) } ?? true
        let count = fields["installments"].flatMap {
            integer($0, "a number of instalments, 0 to 1000", in: 0...1_000)
        }
        plan.installmentCount = Int(count ?? 1)
        if let node = fields["externalId"] {
            plan.externalID = safeText(node, "externalId")?.description ?? ""
        }
        if let node = fields["webhook"] {
            plan.webhookURL = safeText(node, "webhook")?.description ?? ""
        }
        plan.readerAddress =
            fields["readerAddress"]
            .flatMap { safeText($0, "readerAddress") }?.description
        if let node = fields["reader"] {
            guard let index = paymentReader(node) else { return nil }
            plan.reader = index
        } else {
            guard let index = paymentReader(for: "charge", at: mark) else { return nil }
            plan.reader = index
        }
        return plan
    }
}

extension ScenarioReading {
    /// Reads the keys of a reader that are about a Miura.
    mutating func miura(_ fields: Fields) -> MiuraPlan {
        var plan = MiuraPlan()
        if let node = fields["model"] {
            let known = MiuraPlan.Model.allCases.map { ($0.rawValue, $0) }
            plan.model = word(node, "a model", among: known) ?? .m010
        }
        plan.cancelKey = fields["cancelKey"].flatMap {
            let known = MiuraPlan.CancelKey.allCases.map { ($0.rawValue, $0) }
            return word($0, "what Cancel does", among: known)
        }
        plan.hasKeys =
            fields["keys"].flatMap {
                word($0, "loaded or none", among: [("loaded", true), ("none", false)])
            } ?? true
        plan.allowsPINBypass = fields["pinBypass"].flatMap { flag($0) } ?? false
        plan.answersAbortLast = fields["answersAbortLast"].flatMap { flag($0) } ?? false
        plan.hasWiFi =
            fields["wifi"].flatMap {
                word($0, "valid or none", among: [("valid", true), ("none", false)])
            } ?? true
        return plan
    }

    /// Reads the keys of `sdk` that are about card payments.
    mutating func paymentSDK(_ fields: Fields) {
        for name in Grammar.paymentSDKKeys.map(\.name) {
            guard let entry = fields.entry(name) else { continue }
            requireAgentCASH(for: name, at: entry.keyMark)
        }
        sdk.payments.declineIsError = fields["declineIsError"].flatMap { flag($0) } ?? false
        sdk.payments.lostReaderCompletes =
            fields["lostReader"].flatMap {
                let known = [("completes", true), ("gives up", false)]
                return word($0, "what becomes of the payment", among: known)
            } ?? true
        sdk.payments.damageDropsLink = fields["damagedFrame"].flatMap {
            word($0, "drop link or resync", among: [("drop link", true), ("resync", false)])
        }
        sdk.payments.allowsPINBypass = fields["pinBypass"].flatMap { flag($0) } ?? false
        sdk.payments.signatureTimeout = fields["signatureTimeout"].flatMap { duration($0) }
        sdk.payments.cardTimeout = fields["cardTimeout"].flatMap { duration($0) }
        sdk.payments.username = fields["username"].flatMap { safeText($0, "username") }?.description
        sdk.payments.hasWrongPassword =
            fields["password"].flatMap {
                word($0, "right or wrong", among: [("right", false), ("wrong", true)])
            } ?? false
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
}
