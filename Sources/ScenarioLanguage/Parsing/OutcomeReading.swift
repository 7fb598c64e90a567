import CardData
import Journal
import YAML

extension ScenarioReading {
    /// Reads `outcome`.
    mutating func outcome(_ node: YAMLNode) -> OutcomePlan? {
        guard let fields = fields(node, Grammar.outcome) else { return nil }
        let requestCount = fields["requests"].flatMap {
            integer($0, "how many requests the gateway received", in: 0...1_000_000)
        }
        let webhookCount = fields["webhooks"].flatMap {
            integer($0, "how many webhooks the gateway sent", in: 0...1_000_000)
        }
        let tokenCount = fields["tokens"].flatMap {
            integer($0, "how many tokens were used", in: 0...1_000_000)
        }
        if let tokens = fields.entry("tokens"), isRigKnown, gateway != .paymill {
            complain(
                at: tokens.keyMark,
                "expected `gateway: paymill` in `rig` for `tokens`, found "
                    + (gateway.map { "`gateway: \($0.rawValue)`" } ?? "no gateway"),
                hint: "leave `tokens` out: no other gateway has any"
            )
        }
        return OutcomePlan(
            charges: fields["charges"].map { charges($0) },
            requestCount: requestCount.map(Int.init),
            webhookCount: webhookCount.map(Int.init),
            tokenCount: tokenCount.map(Int.init),
            location: SourceLocation(node.mark)
        )
    }

    private mutating func charges(_ node: YAMLNode) -> [ChargePattern] {
        switch node.content {
        case .scalar(let scalar) where scalar.text == "none": return []
        case .sequence(let nodes) where nodes.isEmpty:
            complain(
                at: node.mark,
                "expected charges or `none`, found an empty list",
                hint: "write `charges: none`"
            )
        case .sequence(let nodes):
            if isRigKnown, gateway == nil {
                complain(
                    at: node.mark,
                    "expected a gateway in `rig` for these charges, found none",
                    hint: "add `gateway: nmi` to `rig`"
                )
            }
            var charges: [ChargePattern] = []
            for node in nodes {
                if let charge = charge(node) { charges.append(charge) }
            }
            return charges
        case .scalar, .mapping:
            complain(
                at: node.mark,
                "expected a list of charges or `none`, found \(Words.found(node))",
                hint: "begin each charge with `- `, or put the map into brackets"
            )
        }
        return []
    }

    private mutating func charge(_ node: YAMLNode) -> ChargePattern? {
        guard let fields = fields(node, Grammar.charge) else { return nil }
        return ChargePattern(
            type: fields["type"].flatMap { bookedWord($0, .type) },
            amount: fields["amount"].flatMap { amount($0) },
            state: fields["state"].flatMap { bookedWord($0, .state) },
            location: SourceLocation(node.mark)
        )
    }

    /// Reads a word that the attribute of a `booked` record can hold.
    private mutating func bookedWord(_ node: YAMLNode, _ name: AttributeName) -> Symbol? {
        word(
            node,
            "the \(Vocabulary.spelling(of: name)) of a charge",
            among: Grammar.bookedSymbols(name).map { (Vocabulary.spelling(of: $0), $0) }
        )
    }
}
