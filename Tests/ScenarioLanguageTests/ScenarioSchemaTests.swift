import Kernel
import ScenarioLanguage
import Testing
import YAML

/// A public validator: Python's `jsonschema`.
private enum Validator {
    static let absence = "python3 with jsonschema is not installed"

    static let isPresent: Bool = {
        let deadline = MonotonicClock.now + 30_000_000_000
        do {
            var child = try ChildProcess(["python3", "-c", "import jsonschema"])
            return try child.wait(untilMonotonicNanoseconds: deadline) == .exited(0)
        } catch {
            return false
        }
    }()

    /// Prints the names of documents on which schema and parser do not agree.
    static let script = """
        import json, sys
        from jsonschema import Draft202012Validator as Validator
        data = json.load(open(sys.argv[1], encoding="utf-8"))
        Validator.check_schema(data["schema"])
        validator = Validator(data["schema"])
        wrong = []
        for case in data["cases"]:
            errors = list(validator.iter_errors(case["document"]))
            if (not errors) != case["isRight"]:
                wrong.append(case["name"] + ": " + (errors[0].message[:300] if errors else "accepted"))
        open(sys.argv[2], "w", encoding="utf-8").write("\\n".join(wrong))
        """

    struct Case {
        var name: String
        var document: YAMLNode
        var isRight: Bool
    }

    static func disagreements(
        _ cases: [Case],
        with schema: String = ScenarioSchema.json()
    ) throws -> [String] {
        var json = Array("{\"schema\":".utf8) + Array(schema.utf8)
        json += Array(",\"cases\":[".utf8)
        for (index, item) in cases.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += Array("{\"name\":".utf8)
            NodeJSON.quote(item.name, to: &json)
            json += Array(",\"isRight\":\(item.isRight),\"document\":".utf8)
            NodeJSON.write(item.document, to: &json)
            json.append(UInt8(ascii: "}"))
        }
        json += Array("]}".utf8)
        let base = "/tmp/cardrig-schema-\(MonotonicClock.now)"
        defer {
            FileBytes.remove(path: base + ".json")
            FileBytes.remove(path: base + ".txt")
        }
        try FileBytes.write(json, to: base + ".json")
        var child = try ChildProcess(["python3", "-c", script, base + ".json", base + ".txt"])
        let deadline = MonotonicClock.now + 60_000_000_000
        let status = try child.wait(untilMonotonicNanoseconds: deadline)
        try #require(status == .exited(0))
        let text = try FileBytes.read(path: base + ".txt", limit: 1 << 20)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

@Suite("Scenario schema")
struct ScenarioSchemaTests {
    private static let root = String(
        #filePath.dropLast("Tests/ScenarioLanguageTests/ScenarioSchemaTests.swift".count)
    )

    /// Mistakes that depend on more than the structure: values, and what stands elsewhere.
    static let beyondStructure = [
        "phase-without-a-command", "command-and-frame", "phase-against-to",
        "corrupt-a-whole-command", "command-of-an-idynamo", "fault-to-an-idynamo",
        "load-wifi-without-a-miura", "webhook-events-of-agentcash",
        "tokens-of-nmi", "tokens-without-a-gateway", "store-key-elsewhere",
        "nmi-key-at-the-store", "store-step-elsewhere", "nmi-step-at-the-store",
        "amount-with-three-decimals", "card-number-in-clear", "count-that-cannot-be",
        "decline-after-booking", "decline-code-out-of-range", "duplicate-key",
        "fault-that-the-reader-does-not-have", "address-that-the-reader-does-not-have",
        "kind-twice-in-a-list-of-readers", "level-that-cannot-be", "matrix-name-unknown",
        "matrix-rows-of-other-names",
        "matrix-name-unused", "matrix-too-large", "matrix-value-wrong", "no-effect", "no-gateway",
        "not-before-after-within", "on-a-record-without-callback", "unknown-reader",
        "byte-beyond-the-block", "clock-that-does-not-exist", "two-limits",
        "fault-point-without-a-gateway", "split-without-a-byte", "text-of-a-map",
        "answer-that-nobody-asked-for", "autodetect-with-one-reader", "battery-without-an-ips",
        "call-without-its-reader", "headphones-without-a-jack", "host-without-a-jack",
        "option-of-the-other-reader", "option-of-an-audio-reader", "piece-and-block",
        "attached-two-at-one-jack", "set-what-is-not-there", "shuttle-twice",
        "thing-that-does-not-fit",
        "type-without-its-reader",
        "auth-on-agentcash", "currency-on-nmi",
        "insert-at-no-reader", "keys-too-many", "keys-without-a-miura",
        "link-kind-without-a-miura", "miura-option-on-an-idynamo", "mode-without-agentcash",
        "order-on-agentcash", "payment-option-without-agentcash", "sign-without-agentcash",
        "tap-without-a-miura",
        "opening-of-an-idynamo", "opening-with-an-address", "opening-in-the-rig-of-an-idynamo",
        "fault-without-address",
        "fault-kind-of-nmi-on-agentcash", "fault-kind-of-agentcash-on-nmi",
        "merchant-server-on-agentcash",
    ]

    @Test func theTextIsTheSameEachTime() {
        #expect(ScenarioSchema.json() == ScenarioSchema.json())
        #expect(
            ScenarioSchema.json(isIndented: false).utf8.count < ScenarioSchema.json().utf8.count
        )
    }

    @Test(.enabled(if: Validator.isPresent, "\(Validator.absence)"))
    func aPublicValidatorAcceptsEveryScenario() throws {
        let paths = try Paths.files(under: Self.root + "Scenarios", withSuffix: ".yaml")
        let cases = try paths.map { path in
            let bytes = try FileBytes.read(path: path, limit: 1 << 20)
            return Validator.Case(
                name: String(path.dropFirst(Self.root.count)),
                document: try YAMLDocument(parsing: bytes).root,
                isRight: true
            )
        }
        #expect(cases.count >= 40)
        let disagreements = try Validator.disagreements(cases)
        #expect(disagreements == [])
    }

    @Test(.enabled(if: Validator.isPresent, "\(Validator.absence)"))
    func theValidatorRefusesWhatTheParserRefusesOfTheStructure() throws {
        var cases: [Validator.Case] = []
        for mistake in DiagnosticVectorsTests.mistakes + LanguageMistakes.all {
            guard let document = try? YAMLDocument(parsing: mistake.bytes) else { continue }
            let isRight = Self.beyondStructure.contains(mistake.name)
            cases.append(
                Validator.Case(name: mistake.name, document: document.root, isRight: isRight)
            )
        }
        #expect(cases.count >= 60)
        let disagreements = try Validator.disagreements(cases)
        #expect(disagreements == [])
    }

    @Test(.enabled(if: Validator.isPresent, "\(Validator.absence)"))
    func theValidatorAndTheParserAgreeOnBenches() throws {
        let example = try FileBytes.read(path: Self.root + "Examples/bench.yaml", limit: 1 << 16)
        let reader = "readers: { a: { kind: miura, address: x } }\n"
        let texts = [
            String(decoding: example, as: UTF8.self), reader, "cards: { visa: { masked: '1' } }",
            "readers: { a: { kind: shuttle, address: x } }", "readers: { a: { kind: miura } }",
            "readers: { a: { kind: miura, address: x, uhubctl: { hub: x, port: 2 } } }",
            "readers: { a: { kind: miura, address: x, uhubctl: { hub: 1-1, port: 2 } } }",
            reader + "keys: { undecryptable: refuse }", reader + "keys: {}",
            reader + "keys: { undecryptable: accept, baseDerivationKey: A }",
            reader + "keys: { baseDerivationKey: A_1 }", reader + "keys: { baseDerivationKey: a }",
            reader + "cards: { visa: { maked: '1' } }",
        ]
        let cases = try texts.map { text in
            let bytes = Array(text.utf8)
            return Validator.Case(
                name: text,
                document: try YAMLDocument(parsing: bytes).root,
                isRight: BenchParser.parse(file: "b", bytes: bytes).bench != nil
            )
        }
        #expect(cases.count { $0.isRight } == 4)
        #expect(try Validator.disagreements(cases, with: BenchSchema.json()) == [])
    }
}
