import CardCrypto
import EventLoops
import Journal
import ReaderProtocols
import ScenarioLanguage
import ScenarioRunner
import Testing

@Suite("Faults of a link at a command")
struct CommandFaultTests {
    @Test func theLanguageNamesTheCommandsOfTheProtocol() {
        #expect(LinkFaultPlan.CommandPlace.names == MiuraCommandName.allCases.map(\.title))
    }

    /// What the link did to a payment, as the journal tells it, and how the payment ended.
    private func played(_ fault: String) throws -> (faults: [AttributeValue], result: Symbol?) {
        let text = """
            scenario: A payment with a fault of the link
            rig: { reader: miura, gateway: agentcash }
            steps:
              - link: \(fault)
              - charge: { amount: 15.00 }
              - insert: emv-visa-no-cvm
              - settle: { within: 300s }
            events: loose
            """
        let parsed = ScenarioParser.parse(file: "text", bytes: Array(text.utf8))
        let scenario = try #require(parsed.scenario)
        let result = ScenarioFolder.play(scenario, RigOptions(), cache: CryptoCache())
        #expect(result.failures.map(\.explanation) == [])
        let records = result.journal.readable
        let faults = records.filter { $0.name == .linkFault }
            .compactMap { result.journal.value(.fault, of: $0) }
        let end = records.first { $0.name == .completed }
            .flatMap { result.journal.value(.result, of: $0) }
        guard case .symbol(let symbol) = end else { return (faults, nil) }
        return (faults, symbol)
    }

    @Test(arguments: [
        ("{ cut, at: { command: START TRANSACTION, phase: sent } }", Symbol.cut, Symbol.failed),
        ("{ cut, at: { command: START TRANSACTION } }", .cut, .failed),
        ("{ cut, at: { command: CONTINUE TRANSACTION, phase: sent } }", .cut, .approved),
        ("{ cut, at: { command: CARD STATUS, phase: answered } }", .cut, .failed),
        ("{ drop, at: { command: GET DEVICE INFO, phase: sent } }", .drop, .approved),
        ("{ corrupt, at: { command: DISPLAY TEXT, phase: sent, byte: 4 } }", .corrupt, .approved),
        ("{ delay: 2s, at: { command: KEYBOARD STATUS } }", .delay, .approved),
        ("{ delay: 2s, to: reader, at: { frame: 3 } }", .delay, .approved),
        ("{ cut, to: reader, at: { frame: 3, byte: 2 } }", .cut, .failed),
        ("{ cut, to: reader, at: { byte: 9 } }", .cut, .failed),
    ])
    func aFaultFiresOnceWhereItIsAddressed(
        _ fault: String,
        _ action: Symbol,
        _ end: Symbol
    ) throws {
        let (faults, result) = try played(fault)
        #expect(faults == [.symbol(action)])
        #expect(result == end)
    }

    @Test func aCommandThatNeverComesDisturbsNothing() throws {
        let (faults, result) = try played("{ cut, at: { command: BUZZER, phase: sent } }")
        #expect(faults == [] && result == .approved)
    }
}
