import CardData
import EventLoops
import Journal
import ScenarioLanguage
import Testing

@Suite("Matrix")
struct MatrixTests {
    private func parse(_ text: String) -> ParsedFile {
        ScenarioParser.parse(file: "a.yaml", bytes: Array(text.utf8))
    }

    private let rest = "rig: { reader: idynamo, gateway: nmi }\n"

    @Test func theLastNameChangesFastest() {
        let parsed = parse(
            "scenario: Charged\nmatrix: { card: [visa, amex], amount: [1, 2.50] }\n" + rest
                + "steps: [swipe: <card>, charge: <amount>]\n"
        )
        #expect(parsed.diagnostics == [])
        #expect(
            parsed.scenarios.map(\.name) == [
                "Charged [card: visa, amount: 1]", "Charged [card: visa, amount: 2.50]",
                "Charged [card: amex, amount: 1]", "Charged [card: amex, amount: 2.50]",
            ]
        )
        #expect(parsed.scenarios[2].cell.map(\.value) == ["amex", "1"])
        #expect(parsed.scenarios[2].steps[0].words == "swipe: amex")
    }

    @Test func rowsAreTakenAsTheyStand() {
        let parsed = parse(
            """
            scenario: An answer
            matrix:
              - { answer: decline 202, events: [deviceConnected] }
              - { answer: timeout, events: [deviceConnected, misuse] }
            \(rest)steps:
              - gateway: { answer: <answer> }
              - expect: <events>
            """
        )
        #expect(parsed.diagnostics == [])
        #expect(parsed.scenarios.count == 2)
        guard case .expect(let patterns, _, _) = parsed.scenarios.last?.steps.last?.action else {
            Issue.record("no expect")
            return
        }
        #expect(patterns.map(\.name) == [.deviceConnected, .misuse])
        #expect(patterns.map(\.location.line) == [8, 8])
    }

    @Test func textIsPutIntoText() {
        let parsed = parse(
            "scenario: With <n> ms\nmatrix: { n: [5, 7] }\n" + rest + "steps: [wait: <n>ms]\n"
        )
        #expect(parsed.scenarios.map(\.name) == ["With 5 ms [n: 5]", "With 7 ms [n: 7]"])
        #expect(
            parsed.scenarios.map(\.steps[0].action) == [
                .wait(.milliseconds(5)), .wait(.milliseconds(7)),
            ]
        )
    }

    @Test func withoutAMatrixAnglesAreText() {
        let parsed = parse("scenario: A <card> is <b>\n" + rest + "steps: [plug in]\n")
        #expect(parsed.scenarios.map(\.name) == ["A <card> is <b>"])
    }

    @Test func aMistakeOfOneCellNamesTheCell() {
        let parsed = parse(
            "scenario: a\nmatrix: { card: [visa, viza] }\n" + rest + "steps: [swipe: <card>]\n"
        )
        #expect(parsed.scenarios.isEmpty)
        #expect(parsed.diagnostics.count == 1)
        #expect(
            parsed.diagnostics.first?.hint?.description
                == "did you mean `visa`?; in the cell [card: viza]"
        )
    }

    @Test func aMistakeOfEveryCellIsReportedOnce() {
        let parsed = parse(
            "scenario: a\nmatrix: { card: [visa, amex] }\n" + rest
                + "steps: [swipe: <card>, fly]\n"
        )
        #expect(parsed.diagnostics.count == 1)
        #expect(
            parsed.diagnostics.first?.hint == nil
                || parsed.diagnostics.first?.hint?.description.contains("cell") == false
        )
    }

    @Test func cellsThatComeToTooMuchAreRefused() {
        let value = String(repeating: "x", count: 10_000)
        let text =
            "scenario: a\nmatrix: { big: [\(value)], n: ["
            + (1...1_000).map(String.init).joined(separator: ", ") + "] }\n" + rest
            + "steps: [charge: { amount: 1, order: <n><big> }]\n"
        let clock = ContinuousClock()
        var parsed = parse("")
        let duration = clock.measure { parsed = parse(text) }
        #expect(parsed.scenarios.isEmpty)
        #expect(parsed.diagnostics.count == 1)
        #expect(duration < .seconds(5))
    }
}
