import CardData
import Journal
import Kernel
import Testing

@testable import ScenarioLanguage

@Suite("Bench files")
struct BenchParserTests {
    private static let text = """
        bench: The desk
        readers:
          swiper: { kind: dynamag, address: "usb:0801:0011", uhubctl: { hub: 1-1.4, port: 2 } }
          terminal: { kind: miura, address: "tcp:192.168.1.20:6543" }
        cards:
          visa: { masked: "4761730000000119", expires: "1228", holder: A B, note: the blue one }
        keys: { baseDerivationKey: CARDRIG_BENCH_BDK }
        """

    private func complaints(_ text: String) -> [String] {
        BenchParser.parse(file: "b.yaml", bytes: Array(text.utf8)).diagnostics.map {
            "\($0.location.line):\($0.location.column): \($0.message)"
                + ($0.hint.map { " (\($0))" } ?? "")
        }
    }

    @Test func aBenchSaysWhatLiesOnTheDesk() throws {
        let parsed = BenchParser.parse(file: "b.yaml", bytes: Array(Self.text.utf8))
        #expect(parsed.diagnostics.isEmpty)
        let bench = try #require(parsed.bench)
        #expect(bench.name == "The desk")
        #expect(bench.readers.map(\.name) == ["swiper", "terminal"])
        #expect(bench.reader(named: "swiper")?.port == HubPort(hub: "1-1.4", port: 2))
        #expect(bench.reader(named: "terminal")?.kind == .miura)
        let visa = try #require(bench.card(named: "visa"))
        #expect(visa.value(of: .masked)?.description == "4761730000000119")
        #expect(visa.value(of: .holder)?.description == "A B")
        #expect(visa.note == "the blue one")
        #expect(
            bench.keys
                == .environment(
                    variable: "CARDRIG_BENCH_BDK",
                    location: SourceLocation(line: 7, column: 28)
                )
        )
    }

    @Test func theExampleIsABench() throws {
        let bytes = try FileBytes.read(path: "Examples/bench.yaml", limit: 1 << 16)
        let parsed = BenchParser.parse(file: "Examples/bench.yaml", bytes: bytes)
        #expect(parsed.diagnostics.map(\.description) == [])
        #expect(parsed.bench?.keys == .accept)
    }

    @Test(arguments: [
        ("cards: {}\n", "1:1: expected the key `readers` in a bench, found none"),
        ("readers: {}\n", "1:10: expected a map that begins with a reader's name"),
        ("readers: [a]\n", "1:10: expected a map that begins with a reader's name, found a list"),
        (
            "readers: { a: { kind: dynamac, address: x } }",
            "1:23: expected a kind of reader, found 'dynamac' (did you mean `dynamag`?)"
        ),
        (
            "readers: { a: { kind: shuttle, address: x } }",
            "1:23: expected a kind of reader, found 'shuttle'"
        ),
        ("readers: { a: { kind: miura } }", "1:15: expected the key `address`"),
        ("readers: { 1a: { kind: miura, address: x } }", "1:12: expected a reader's name"),
        (
            "readers: { a: { kind: miura, adress: x } }",
            "1:30: expected a key of a reader of the bench, found 'adress' (did you mean `address`?)"
        ),
        (
            "readers: { a: { kind: miura, address: x, uhubctl: { hub: '; rm -rf /', port: 2 } } }",
            "1:58: expected a hub as `uhubctl` lists it"
        ),
        (
            "readers: { a: { kind: miura, address: x, uhubctl: { hub: 1-1, port: 0 } } }",
            "1:69: expected a port, 1 to 255, found '0'"
        ),
        (
            "readers: { a: { kind: miura, address: x } }\ncards: { vista: { masked: '1' } }",
            "2:10: expected the name by which scenarios call a card, found 'vista'"
        ),
        (
            "readers: { a: { kind: miura, address: x } }\nkeys: { undecryptable: refuse }",
            "2:24: expected `accept`, found 'refuse'"
        ),
        (
            "readers: { a: { kind: miura, address: x } }\nkeys: {}",
            "2:7: expected `undecryptable: accept` or `baseDerivationKey`"
        ),
        (
            "readers: { a: { kind: miura, address: x } }\n"
                + "keys: { undecryptable: accept, baseDerivationKey: A }",
            "2:24: expected one of `undecryptable` and `baseDerivationKey` in `keys`, found both"
        ),
        ("", "1:1: expected a document, found an empty file"),
        ("readers: &a { }", "expected a value, found an anchor"),
    ])
    func aMistakeIsNamedWithItsPlace(text: String, complaint: String) {
        let complaints = complaints(text)
        #expect(complaints.contains { $0.contains(complaint) }, "\(complaints)")
    }

    @Test func aKeyInTheFileIsRefusedAndNotShown() {
        let digits = "00112233445566778899AABBCCDDEEFF"
        let text =
            "readers: { a: { kind: miura, address: x } }\nkeys: { baseDerivationKey: \(digits) }"
        let parsed = BenchParser.parse(file: "b.yaml", bytes: Array(text.utf8))
        #expect(parsed.bench == nil)
        #expect(complaints(text).first?.contains("a key stands in no file") == true)
        #expect(complaints(text).first?.contains("0011223") == false)
    }

    @Test func bytesOfAnyKindGiveABenchOrDiagnosticsAndNeverATrap() {
        var state: UInt64 = 7
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<400 {
            var bytes = Array(Self.text.utf8)
            for _ in 0..<1 + draw(6) { bytes[draw(bytes.count)] = UInt8(draw(256)) }
            let parsed = BenchParser.parse(file: "b", bytes: Array(bytes.prefix(draw(600))))
            #expect((parsed.bench == nil) == !parsed.diagnostics.isEmpty)
        }
        #expect(
            BenchParser.parse(file: "b", bytes: [UInt8](repeating: 0x61, count: 100_000))
                .diagnostics.count == 1
        )
    }

    private func parse(_ check: String, reader: String = "idynamo") -> ParsedFile {
        ScenarioParser.parse(
            file: "s.yaml",
            bytes: Array(
                """
                scenario: A card
                rig: { reader: \(reader) }
                steps:
                  - plug in
                  - expect: { didSwipeCard: { maskedCardNumber: $visa.masked } }
                  - swipe: amex
                  - expect: { didSwipeCard: { \(check) } }
                """.utf8
            )
        )
    }

    @Test func aCheckNamesTheCardThatTheStepsAboveUsedLast() throws {
        let scenario = try #require(parse("expirationDate: $card.expires").scenario)
        #expect(scenario.cardReferences.map(\.card) == ["visa", "amex"])
        #expect(scenario.cardReferences.map(\.field) == [.masked, .expires])
        #expect(scenario.usedCards.map(\.name) == ["amex", "visa"])
        let named = scenario.namingCards { SafeText(scrubbing: "\($0.card) \($0.field.rawValue)") }
        guard case .expect(let patterns, _, _) = named.steps[3].action else {
            Issue.record("no expect")
            return
        }
        #expect(patterns[0].attributes[0].value == .text(SafeText("amex expires")))
    }

    @Test(arguments: [
        ("maskedCardNumber: $card", "expected a card's field such as $card.masked, found '$card'"),
        ("maskedCardNumber: $card.mask", "found 'mask'"),
        ("maskedCardNumber: $vista.masked", "expected `card` or the name of a card behind `$`"),
        ("maskedCardNumber: $card.masked.x", "expected a card's field"),
    ])
    func aWrongReferenceIsNamed(check: String, complaint: String) {
        let messages = parse(check).diagnostics.map(\.message.description)
        #expect(messages.contains { $0.contains(complaint) }, "\(messages)")
    }

    @Test func aReaderThatMasksItsOwnWayTakesNoReferences() {
        let messages = parse("maskedCardNumber: $card.masked", reader: "shuttle").diagnostics
        #expect(
            messages.contains {
                $0.message.description.contains("expected a MagTek reader in `rig`")
            }
        )
    }
}
