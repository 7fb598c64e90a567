/// Mistakes in what the language knows of payment readers, AgentCASH and card payments.
enum PaymentMistakes {
    typealias Mistake = DiagnosticVectorsTests.Mistake

    private static func rig(_ name: String, _ rig: String, steps: String = "[settle]") -> Mistake {
        Mistake(name, "scenario: a\nrig: \(rig)\nsteps: \(steps)\n")
    }

    /// A file with a miura and AgentCASH in which only a step is wrong.
    private static func till(_ name: String, _ step: String) -> Mistake {
        rig(name, "{ reader: miura, gateway: agentcash }", steps: "\n  - \(step)")
    }

    private static func nmi(_ name: String, _ step: String) -> Mistake {
        rig(name, "{ reader: idynamo, gateway: nmi }", steps: "\n  - \(step)")
    }

    static let all: [Mistake] = [
        till("keys-with-letters", "keys: 12a4 enter"),
        till("keys-in-a-map-with-letters", "keys: { keys: \"98x7 enter\", pause: 1s }"),
        till("keys-too-many", "keys: \(String(repeating: "7 ", count: 200))enter"),
        till("keys-missing", "keys"),
        till("press-of-a-digit", "press: 5"),
        till("sign-unknown-result", "sign: { result: maybe }"),
        till("sign-without-result", "sign: { image: none }"),
        till("insert-unknown-card", "insert: emv-viza"),
        till("insert-at-no-reader", "insert: { card: emv-visa-pin, reader: left }"),
        till("order-on-agentcash", "charge: { amount: 15.00, order: A-1 }"),
        till("charge-two-amounts", "charge: { amount: 15.00, amountText: \"15\" }"),
        till("charge-without-amount", "charge: { currency: GBP }"),
        till("fault-kind-of-nmi-on-agentcash", "gateway: { answer: timeout, kind: void }"),
        nmi("fault-kind-of-agentcash-on-nmi", "gateway: { answer: timeout, kind: reverse }"),
        till("merchant-server-on-agentcash", "merchant server: { answer: timeout }"),
        till("auth-on-agentcash", "auth: { amount: 15.00 }"),
        till("command-unknown", "link: { drop, at: { command: START TRANSACTIONS } }"),
        till("phase-unknown", "link: { cut, at: { command: ABORT, phase: done } }"),
        till("phase-without-a-command", "link: { cut, at: { frame: 3, phase: sent } }"),
        till("command-and-frame", "link: { cut, at: { command: ABORT, frame: 3 } }"),
        till("phase-against-to", "link: { cut, to: host, at: { command: ABORT, phase: sent } }"),
        till("corrupt-a-whole-command", "link: { corrupt: 1, at: { command: ABORT } }"),
        till("roam-without-a-time", "roam"),
        nmi("command-of-an-idynamo", "link: { cut, at: { command: ABORT } }"),
        nmi("fault-to-an-idynamo", "link: { cut, to: reader, at: { block: 1 } }"),
        nmi("load-wifi-without-a-miura", "load wifi"),
        rig(
            "webhook-events-of-agentcash",
            "{ reader: miura, gateway: { kind: agentcash, webhooks: { answers: [500], "
                + "events: [a] } } }"
        ),
        rig(
            "tokens-of-nmi",
            "{ reader: idynamo, gateway: nmi }",
            steps: "[settle]\noutcome: { tokens: 1 }"
        ),
        rig(
            "tokens-without-a-gateway",
            "{ reader: idynamo }",
            steps: "[settle]\noutcome: { tokens: 0 }"
        ),
        nmi("tap-without-a-miura", "tap: contactless-visa"),
        nmi("keys-without-a-miura", "keys: 1234 enter"),
        nmi("sign-without-agentcash", "sign: successful"),
        nmi("currency-on-nmi", "charge: { amount: 15.00, currency: GBP }"),
        rig("mode-without-agentcash", "{ reader: idynamo, gateway: nmi, mode: test }"),
        rig("mode-unknown", "{ reader: miura, gateway: agentcash, mode: live }"),
        rig(
            "link-kind-without-a-miura",
            "{ reader: idynamo, gateway: nmi, link: { kind: tcp } }"
        ),
        rig("miura-option-on-an-idynamo", "{ reader: { kind: idynamo, pinBypass: true } }"),
        rig(
            "payment-option-without-agentcash",
            "{ reader: idynamo, gateway: nmi, sdk: { signatureTimeout: 10s } }"
        ),
    ]

    /// Rows of keys and where they stand, right and wrong; none of their digits may be shown.
    static let secretKeys = [
        "keys: 9182 enter", "keys: 9182 entr", "keys: { keys: 9182 enter, pause: 1 }",
        "keys: { keys: 9182 enter, pauze: 1s }", "keys: { kez: 9182 enter }", "keys: [9182, enter]",
        "keys: { keys: 9182 enter, reader: left }", "kezs: 9182 enter", "press: 9182",
        "keys: \"9182 enter", "keys:9182 enter",
    ]
}
