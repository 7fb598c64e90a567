import CardData
import Journal
import YAML

/// Reads bench files.
public enum BenchParser {
    /// Reads a file of at most ``Bench/maximumByteCount`` bytes.
    ///
    /// All mistakes are reported in the order of the file. There is a bench exactly when there are
    /// none. No bytes make it trap.
    ///
    /// - Parameters:
    ///   - file: The path to show; it is not opened.
    ///   - bytes: What the file holds.
    /// - Returns: The bench, or `nil` and the mistakes.
    public static func parse(
        file: String,
        bytes: [UInt8]
    ) -> (bench: Bench?, diagnostics: [Diagnostic]) {
        let isTooLong = bytes.count > Bench.maximumByteCount
        var reading = ScenarioReading(file: file, bytes: isTooLong ? [] : bytes)
        guard !isTooLong else {
            reading.complain(
                at: YAMLMark(line: 1, column: 1),
                "expected a bench file of at most \(Bench.maximumByteCount) bytes, found more"
            )
            return (nil, reading.diagnostics)
        }
        do throws(YAMLError) {
            let document = try YAMLDocument(parsing: bytes)
            for duplicate in document.duplicateKeys {
                reading.complain(
                    at: duplicate.mark,
                    "expected each key once, found '\(duplicate.key)' again",
                    hint: "it stands first at \(duplicate.first.line):\(duplicate.first.column)"
                )
            }
            let bench = reading.bench(document.root)
            let diagnostics = reading.sortedDiagnostics()
            return (diagnostics.isEmpty ? bench : nil, diagnostics)
        } catch {
            reading.complain(at: error.mark, error.message)
            return (nil, reading.sortedDiagnostics())
        }
    }
}

extension ScenarioReading {
    fileprivate mutating func bench(_ root: YAMLNode) -> Bench? {
        guard let fields = fields(root, Grammar.bench) else { return nil }
        var bench = Bench(file: file)
        bench.name = fields["bench"].flatMap { safeText($0, "bench") }?.description
        for entry in named(fields["readers"], "a reader's name") {
            if let reader = benchReader(entry) { bench.readers.append(reader) }
        }
        for entry in named(fields["cards"], "a card's name") {
            if let card = benchCard(entry) { bench.cards.append(card) }
        }
        if let node = fields["keys"], let keys = benchKeys(node) { bench.keys = keys }
        return bench
    }

    /// Returns the entries of a map from names to something.
    private mutating func named(_ node: YAMLNode?, _ expected: String) -> [YAMLEntry] {
        guard let node else { return [] }
        guard case .mapping(let entries) = node.content, !entries.isEmpty else {
            complain(
                at: node.mark,
                "expected a map that begins with \(expected), found \(Words.found(node))"
            )
            return []
        }
        return entries
    }

    private mutating func benchReader(_ entry: YAMLEntry) -> BenchReader? {
        if !Self.isName(entry.key.text) {
            complain(
                at: entry.keyMark,
                "expected a reader's name, found \(Words.quoted(entry.key.text))",
                hint: "a name has letters, digits, - and _, and begins with a letter"
            )
        }
        guard let fields = fields(entry.value, Grammar.benchReader) else { return nil }
        let kinds = Grammar.benchReaderKinds.map { ($0.rawValue, $0) }
        let kind = fields["kind"].flatMap { word($0, "a kind of reader", among: kinds) }
        let address = fields["address"].flatMap { node -> (String, SourceLocation)? in
            guard let text = text(node, "an address such as usb:0801:0011") else { return nil }
            return (text, SourceLocation(node.mark))
        }
        let port = fields["uhubctl"].flatMap { hubPort($0) }
        guard let kind, let address else { return nil }
        return BenchReader(
            name: entry.key.text,
            kind: kind,
            address: address.0,
            addressLocation: address.1,
            port: port
        )
    }

    private mutating func hubPort(_ node: YAMLNode) -> HubPort? {
        guard let fields = fields(node, Grammar.hubPort) else { return nil }
        let expected = "a hub as `uhubctl` lists it, such as 1-1 or 2-1.4"
        let hub = fields["hub"].flatMap { node -> String? in
            guard let text = text(node, expected) else { return nil }
            let isHub =
                text.utf8.count <= 32 && text.utf8.first.map { (0x30...0x39).contains($0) } == true
                && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }
            if !isHub {
                complain(at: node.mark, "expected \(expected), found \(Words.quoted(text))")
            }
            return isHub ? text : nil
        }
        let port = fields["port"].flatMap { integer($0, "a port, 1 to 255", in: 1...255) }
        guard let hub, let port else { return nil }
        return HubPort(hub: hub, port: Int(port))
    }

    private mutating func benchCard(_ entry: YAMLEntry) -> BenchCard? {
        let name = YAMLNode(.scalar(entry.key), at: entry.keyMark)
        let known = TestCard.names.map { ($0, $0) }
        let card = word(name, "the name by which scenarios call a card", among: known)
        guard let fields = fields(entry.value, Grammar.benchCard) else { return nil }
        var values: [BenchCard.Field] = []
        for field in CardField.allCases {
            guard let node = fields[field.rawValue], let value = safeText(node, field.rawValue)
            else { continue }
            values.append(BenchCard.Field(field, value))
        }
        let note = fields["note"].flatMap { safeText($0, "note") }
        guard let card else { return nil }
        return BenchCard(name: card, fields: values, note: note?.description ?? "")
    }

    private mutating func benchKeys(_ node: YAMLNode) -> BenchKeys? {
        guard let fields = fields(node, Grammar.benchKeys) else { return nil }
        switch (fields["undecryptable"], fields["baseDerivationKey"]) {
        case (let policy?, nil):
            return word(policy, "`accept`", among: [("accept", BenchKeys.accept)])
        case (nil, let key?):
            let expected = "the name of an environment variable such as CARDRIG_BENCH_BDK"
            guard let variable = text(key, expected) else { return nil }
            let isName =
                variable.utf8.count <= 64
                && variable.utf8.allSatisfy {
                    (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
                } && variable.utf8.first.map { $0 > 0x39 } == true
            guard isName else {
                // What stands there may be a key itself, and is not shown.
                complain(
                    at: key.mark,
                    "expected \(expected), found something else",
                    hint: "a key stands in no file: export it, and name the variable here"
                )
                return nil
            }
            return .environment(variable: variable, location: SourceLocation(key.mark))
        case (let policy?, .some):
            complain(
                at: policy.mark,
                "expected one of `undecryptable` and `baseDerivationKey` in `keys`, found both"
            )
            return nil
        case (nil, nil):
            complain(
                at: node.mark,
                "expected `undecryptable: accept` or `baseDerivationKey` in `keys`, found neither"
            )
            return nil
        }
    }
}
