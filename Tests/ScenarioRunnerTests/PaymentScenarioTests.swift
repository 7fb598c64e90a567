import EventLoops
import Journal
import Rig
import ScenarioLanguage
import ScenarioRunner
import Testing

@Suite("Card payments in scenarios")
struct PaymentScenarioTests {
    private func failures(_ text: String) throws -> [String] {
        try ScenarioFolder.play(text: text, RigOptions()).failures.map(\.explanation)
    }

    @Test func chipAndPINIsCharged() throws {
        let found = try failures(
            """
            scenario: Chip and PIN
            rig: { reader: miura, gateway: agentcash }
            steps:
              - charge: { amount: 15.00, currency: GBP, capture: true }
              - await: { progressChanged: { state: waitingForCard } }
              - insert: { card: emv-visa-pin }
              - await: { progressChanged: { state: pinEntry } }
              - keys: "1234 enter"
              - await: { completed: { result: approved, state: captured, verification: offlinePIN } }
              - remove card
            outcome:
              charges: [{ type: sale, state: captured, amount: 15.00 }]
            """
        )
        #expect(found == [])
    }

    @Test func aSignatureThatIsCancelledLeavesNothingCharged() throws {
        let found = try failures(
            """
            scenario: A Miura card that wants a signature, and the customer walks away
            rig: { reader: miura, gateway: agentcash, mode: test, link: { kind: tcp } }
            steps:
              - charge: { amount: 15.00, currency: GBP, capture: true }
              - insert: { card: emv-visa-signature }
              - await: { userActionRequired: { action: collectSignature }, within: 10s }
              - sign: { result: cancelled }
              - await: { completed: { result: cancelled } }
            outcome:
              charges: [{ state: reversed, amount: 15.00 }]
            """
        )
        #expect(found == [])
    }
}
