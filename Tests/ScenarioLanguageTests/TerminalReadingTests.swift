import CardData
import Journal
import ScenarioLanguage
import Testing

@Suite("Scenarios of the terminal app")
struct TerminalReadingTests {
    private static func parse(_ rig: String, _ step: String) -> ParsedFile {
        let text = "scenario: A\nrig: \(rig)\nsteps:\n  - \(step)\n"
        return ScenarioParser.parse(file: "a.yaml", bytes: Array(text.utf8))
    }

    private static func action(_ step: String) -> StepAction? {
        parse("{ gateway: innerfence }", step).scenarios.first?.steps.first?.action
    }

    @Test func openURLTakesAnAmountARequestAURLOrTheLastAnswer() {
        guard case .terminal(.charge(let short)) = Self.action("open url: 10.99") else {
            Issue.record("an amount is no charge")
            return
        }
        #expect(short.amount == Amount(minorUnits: 1_099))
        let step = "open url: { amount: 1.00, order: A, fm: true, sure: true, returnURL: none }"
        guard case .terminal(.charge(let long)) = Self.action(step) else {
            Issue.record("a request is no charge")
            return
        }
        #expect(long.orderID == "A")
        #expect(long.returnURL.isEmpty)
        #expect(long.isSure)
        #expect(long.fields == [.init("amount", "1.00"), .init("fm", "1")])
        #expect(Self.action("open url: last answer") == .terminal(.lastAnswer))
        #expect(Self.action("open url: 'app://x?a=b'") == .terminal(.url("app://x?a=b")))
        #expect(Self.action("press: done") == .terminal(.leave))
        #expect(Self.action("press: cancel") == .terminal(.leave))
    }

    @Test(arguments: [
        ("{ gateway: innerfence }", "open url: hello", "expected an amount or a URL"),
        ("{ gateway: innerfence }", "open url", "expected an amount, a request or a URL behind"),
        ("{ gateway: innerfence }", "open url: { tip: 1.00 }", "expected a key of `open url`"),
        ("{ gateway: innerfence }", "open url: { extra: [a] }", "expected `extra` as a map"),
        ("{ gateway: innerfence }", "press: enter", "expected a key of the terminal app"),
        ("{ gateway: innerfence }", "charge: 10.99", "expected a step that Inner Fence has"),
        ("{ gateway: innerfence }", "plug in", "expected a reader in `rig` for `plug in`"),
        ("{ gateway: innerfence }", "swipe", "expected a reader in `rig` for `swipe`"),
        ("{ gateway: innerfence }", "expect-state: { isConnected: true }", "expected a reader"),
        ("{ gateway: nmi }", "open url: 10.99", "expected `gateway: innerfence` in `rig`"),
        ("{ gateway: nmi }", "swipe", "expected a reader in `rig` for `swipe`"),
        ("{ reader: idynamo }", "scan: visa", "expected a gateway in `rig` for `scan`"),
        ("{ gateway: agentcash }", "settle", "expected a reader in `rig`"),
        ("{ gateway: nmi, terminal: {} }", "settle", "expected `gateway: innerfence`"),
        (
            "{ gateway: innerfence, terminal: { taxRate: 100 } }", "settle",
            "expected a tax rate such as 8.5"
        ),
        (
            "{ gateway: innerfence, terminal: { raw: { amounts: x } } }", "settle",
            "expected a field of an answer"
        ),
        (
            "{ gateway: innerfence, terminal: { callbacks: [never] } }", "settle",
            "expected what becomes of an answer"
        ),
        (
            "{ gateway: innerfence, sdk: { chargeClass: '2013' } }", "settle",
            "expected a published class"
        ),
    ])
    func whatIsWrongIsSaidAtItsPlace(_ rig: String, _ step: String, _ message: String) {
        let diagnostics = Self.parse(rig, step).diagnostics
        #expect(diagnostics.count == 1)
        #expect(diagnostics.first?.message.description.hasPrefix(message) == true, "\(diagnostics)")
    }

    @Test func aScanHasAResultADateAndACode() {
        let step = "scan: { card: amex, result: manual, expiry: cut, cvv: wrong, delivers: visa }"
        let parsed = Self.parse("{ gateway: nmi }", step)
        guard case .scan(let plan) = parsed.scenarios.first?.steps.first?.action else {
            Issue.record("no scan: \(parsed.diagnostics)")
            return
        }
        #expect(plan.card == "amex")
        #expect(plan.result == .manual)
        #expect(plan.expiry == .cut)
        #expect(plan.securityCode == .wrong)
        #expect(plan.staleCard == "visa")
        #expect(Self.action("scan: cancelled").map { "\($0)".contains("cancelled") } == true)
    }

    @Test func aRigWithoutReadersRunsInProcessOnly() {
        let scenario = Self.parse("{ gateway: innerfence }", "open url: 10.99").scenarios.first
        #expect(scenario?.levels == [.sim])
    }
}
