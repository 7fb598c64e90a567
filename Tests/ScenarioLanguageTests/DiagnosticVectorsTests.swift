import CardData
import Journal
import ScenarioLanguage
import Testing

/// Mistakes and what is said of them.
///
/// The file is one of those that may hold a published test number in clear: it shows that a
/// diagnostic masks it.
@Suite("Diagnostics")
struct DiagnosticVectorsTests {
    /// A file that is wrong, by the name of its golden text.
    struct Mistake: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]

        init(_ name: String, _ text: String) {
            self.name = name
            bytes = Array(text.utf8)
        }

        /// A file in which only the steps are wrong.
        init(_ name: String, steps: String) {
            self.init(
                name,
                "scenario: a\nrig: { reader: idynamo, gateway: nmi }\nsteps:\n" + steps + "\n"
            )
        }

        var testDescription: String { name }
    }

    static let mistakes: [Mistake] = [
        Mistake("alias", "scenario: a\nrig: *desk\nsteps: [plug in]\n"),
        Mistake("amount-with-three-decimals", steps: "  - charge: { amount: 10.999 }"),
        Mistake("amount-with-a-comma", steps: "  - charge: { amount: \"10,99\" }"),
        Mistake("anchor", "scenario: a\nrig: &desk { reader: idynamo }\nsteps: [plug in]\n"),
        Mistake("await-of-a-list", steps: "  - await: [deviceConnected, misuse]"),
        Mistake("bracket-not-closed", steps: "  - swipe: { card: visa\n  - unplug"),
        Mistake(
            "card-number-in-clear",
            steps: "  - expect: { didSwipeCard: { maskedCardNumber: \"4111111111111111\" } }"
        ),
        Mistake("check-in-a-race", steps: "  - race: { within: 1s, of: [unplug, expect: misuse] }"),
        Mistake(
            "decline-after-booking",
            steps: "  - gateway: { answer: decline 202, when: after booking }"
        ),
        Mistake("decline-code-out-of-range", steps: "  - gateway: { answer: decline 300 }"),
        Mistake(
            "duplicate-key",
            "scenario: a\nrig: { reader: idynamo }\nsteps:\n  - plug in\nscenario: b\n"
        ),
        Mistake("duration-without-unit", steps: "  - wait: 20"),
        Mistake("duration-with-a-wrong-unit", steps: "  - wait: 20sec"),
        Mistake("empty-file", "# nothing here\n"),
        Mistake("empty-steps", "scenario: a\nrig: { reader: idynamo }\nsteps: []\n"),
        Mistake(
            "kind-twice-in-a-list-of-readers",
            "scenario: a\nrig: { readers: [idynamo, idynamo] }\nsteps: [plug in]\n"
        ),
        Mistake(
            "level-that-cannot-be",
            "scenario: a\nrig: { reader: idynamo }\nlevels: [usb]\nsteps: [swipe: visa]\n"
        ),
        Mistake("list-instead-of-a-map", "scenario: a\nrig: [idynamo]\nsteps: [plug in]\n"),
        Mistake("map-instead-of-a-list", steps: "  - expect: { deviceConnected: {}, misuse: {} }"),
        Mistake("missing-keys", "rig: { gateway: nmi }\n"),
        Mistake("no-blank-after-the-colon", steps: "  - swipe:visa"),
        Mistake(
            "no-gateway",
            "scenario: a\nrig: { reader: idynamo }\nsteps: [charge: 1]\noutcome: { charges: [{ amount: 1 }] }\n"
        ),
        Mistake("not-a-map", "- plug in\n"),
        Mistake(
            "several",
            """
            scenario: Many things are wrong
            rig: { reader: idynam, gatway: nmi }
            steps:
              - plug in: left
              - expct: deviceConnected
              - expect:
                  - deviceConected
                  - didSwipeCard: { cardNumber: 1, card: nil }
              - charge: { amount: ten }
            never: didswipecard
            evnts: loose
            """
        ),
        Mistake("step-in-the-item-of-another", steps: "  - swipe: visa\n    unplug: idynamo"),
        Mistake("step-key-not-indented", steps: "  - swipe:\n    card: visa"),
        Mistake("tab", "scenario: a\nrig:\n\treader: idynamo\nsteps: [plug in]\n"),
        Mistake("two-documents", DesignExamples.charged + "---\n" + DesignExamples.charged),
        Mistake("unknown-attribute", steps: "  - expect: { gatewayAnswered: { colour: red } }"),
        Mistake("unknown-card", steps: "  - swipe: { card: viza }"),
        Mistake("unknown-event", steps: "  - await: deviceBecameReadyForSwip"),
        Mistake("unknown-event-far-from-any", steps: "  - await: cardReaderIsHappy"),
        Mistake(
            "unknown-law",
            "scenario: a\nrig: { reader: idynamo }\nsteps: [plug in]\nlaws: { off: [nestin] }\n"
        ),
        Mistake(
            "unknown-reader",
            "scenario: a\nrig: { readers: { left: idynamo, right: dynamag } }\nsteps: [plug in: rigt]\n"
        ),
        Mistake("unknown-symbol", steps: "  - expect: { gatewayAnswered: { response: aproved } }"),
        Mistake("unknown-top-key", "scenario: a\nrig: { reader: idynamo }\nstep: [plug in]\n"),
        Mistake(
            "verdict-beyond-the-file",
            "scenario: a\nrig: { reader: idynamo }\nsteps: [plug in]\nverdict: { exit: 2, line: 9 }\n"
        ),
        Mistake("word-alone-that-needs-more", steps: "  - charge\n  - wait:"),
        Mistake("word-without-a-colon", steps: "  - expect deviceConnected"),
    ]

    private static func report(_ bytes: [UInt8]) -> String {
        let parsed = ScenarioParser.parse(file: "Scenarios/a.yaml", bytes: bytes)
        return parsed.diagnostics.map { "\($0)\n" }.joined(separator: "\n")
    }

    @Test(arguments: mistakes + LanguageMistakes.all)
    func saysWhatIsWrong(mistake: Mistake) throws {
        let report = Self.report(mistake.bytes)
        #expect(report == Self.report(mistake.bytes))
        #expect(!report.isEmpty)
        try Golden.expect(report, is: mistake.name, of: "Diagnostics")
    }

    @Test func saysWhereBytesAreNotUTF8() throws {
        let bytes = Array("scenario: a\nrig: { reader: ".utf8) + [0xFF, 0xFE] + Array(" }\n".utf8)
        try Golden.expect(Self.report(bytes), is: "invalid-utf8", of: "Diagnostics")
    }

    @Test func masksACardNumberInTheFile() {
        let report = Self.report(Array("scenario: a\nfoo: 4111111111111111\n".utf8))
        #expect(report.contains("411111******1111"))
        #expect(!report.contains("4111111111111111"))
    }

    /// Neither a diagnostic, nor its source line, nor the words of a step show what may be a PIN.
    @Test(arguments: PaymentMistakes.secretKeys)
    func keysAreNotShown(step: String) {
        for reader in ["miura", "idynamo"] {
            let text =
                "scenario: a\nrig: { reader: \(reader), gateway: agentcash }\nsteps:\n  - \(step)\n"
            let parsed = ScenarioParser.parse(file: "a.yaml", bytes: Array(text.utf8))
            let words = parsed.scenarios.flatMap(\.steps).map(\.words)
            let shown = parsed.diagnostics.map { "\($0)" } + words
            #expect(!shown.isEmpty)
            for text in shown { #expect(!text.contains("918"), "\(text)") }
        }
    }

    @Test func showsThePartOfALongLineAroundTheMistake() throws {
        let text = "scenario: \"" + String(repeating: "x", count: 500) + "\" zzz\n"
        let parsed = ScenarioParser.parse(file: "a.yaml", bytes: Array(text.utf8))
        let first = try #require(parsed.diagnostics.first)
        let line = Array(first.sourceLine.description.unicodeScalars)
        #expect(line.count <= 122)
        #expect(line.first == "…")
        #expect(line[first.caretOffset] == "z")
    }

    @Test func stopsAtAHundredMistakes() {
        let text =
            "scenario: a\nrig: { reader: idynamo }\nsteps: ["
            + String(repeating: "fly, ", count: 5_000) + "]\n"
        let parsed = ScenarioParser.parse(file: "a.yaml", bytes: Array(text.utf8))
        #expect(parsed.diagnostics.count == ScenarioParser.maximumDiagnosticCount)
    }
}
