import YAML

/// The entries of a map whose keys are known.
struct Fields {
    /// What the map describes, for complaints.
    let subject: String
    /// Where the map begins.
    let mark: YAMLMark
    fileprivate let entries: [YAMLEntry]

    fileprivate init(subject: String, mark: YAMLMark, entries: [YAMLEntry]) {
        self.subject = subject
        self.mark = mark
        self.entries = entries
    }

    /// Makes a map of one entry, for a value that stands for it.
    init(subject: String, mark: YAMLMark, only name: String, _ value: YAMLNode) {
        self.subject = subject
        self.mark = mark
        entries = [YAMLEntry(key: YAMLScalar(name, isPlain: true), keyMark: mark, value: value)]
    }

    /// The value of a key, or `nil`.
    subscript(key: String) -> YAMLNode? { entry(key)?.value }

    /// The entry of a key, or `nil`.
    func entry(_ key: String) -> YAMLEntry? { entries.first { $0.key.text == key } }
}

extension ScenarioReading {
    /// Reads a map by its table, and reports the keys that it cannot have and those that it lacks.
    mutating func fields(_ node: YAMLNode, _ table: MapTable) -> Fields? {
        guard case .mapping(let entries) = node.content else {
            complain(
                at: node.mark,
                "expected \(table.subject) as a map of \(Words.list(table.names)), "
                    + "found \(Words.found(node))"
            )
            return nil
        }
        for entry in entries where !table.names.contains(entry.key.text) {
            complainUnknown(
                entry.key.text,
                at: entry.keyMark,
                expected: "a key of \(table.subject)",
                known: table.names,
                later: table.later
            )
        }
        let fields = Fields(subject: table.subject, mark: node.mark, entries: entries)
        for row in table.keys where row.isRequired && fields.entry(row.name) == nil {
            complain(
                at: node.mark,
                "expected the key `\(row.name)` in \(table.subject), found none"
            )
        }
        return fields
    }

    /// Reports a word that is none of those known.
    mutating func complainUnknown(
        _ word: String,
        at mark: YAMLMark,
        expected: String,
        known: [String],
        later: [String] = []
    ) {
        guard !isFull else { return }
        let hint: String?
        if later.contains(word) {
            hint = "this version does not know `\(word)` yet"
        } else if let suggestion = Suggestion.closest(to: word, among: known) {
            hint = "did you mean `\(suggestion)`?"
        } else {
            hint = known.isEmpty ? nil : "there is \(Words.list(known))"
        }
        complain(at: mark, "expected \(expected), found \(Words.quoted(word))", hint: hint)
    }

    /// Returns the items of a list, or the node itself where a single one stands for a list.
    mutating func items(_ node: YAMLNode) -> [YAMLNode] {
        guard case .sequence(let nodes) = node.content else { return [node] }
        if nodes.isEmpty {
            complain(at: node.mark, "expected at least one item, found an empty list")
        }
        return nodes
    }
}

/// Wording of complaints and steps.
enum Words {
    /// A text that may hold keys of a reader, so a PIN, with dots for their digits.
    static func withoutKeys(_ text: String) -> String {
        let isRow = ["keys", "press", "enter", "clear", "cancel"].contains { text.contains($0) }
        guard isRow else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            shown.append(("0"..."9").contains(scalar) ? "•" : scalar)
        }
        return String(shown)
    }

    private static let maximumShownCount = 40

    /// Returns words as `a`, `b` and `c` would be said.
    static func list(_ words: [String]) -> String {
        guard let last = words.last else { return "nothing" }
        guard words.count > 1 else { return last }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Returns a word in quotes, cut when it is long.
    static func quoted(_ word: String) -> String {
        guard word.unicodeScalars.count > maximumShownCount else { return "'\(word)'" }
        var start = String.UnicodeScalarView()
        start.append(contentsOf: word.unicodeScalars.prefix(maximumShownCount))
        return "'\(String(start))…'"
    }

    /// Returns what a node is, for `found …`.
    static func found(_ node: YAMLNode) -> String {
        switch node.content {
        case .scalar(let scalar): scalar.isAbsent ? "nothing" : quoted(scalar.text)
        case .sequence: "a list"
        case .mapping: "a map"
        }
    }

    /// Returns a node on one line, as it would be written in flow style.
    static func oneLine(_ node: YAMLNode, isOutermost: Bool = true) -> String {
        switch node.content {
        case .scalar(let scalar): return oneLine(scalar)
        case .sequence(let nodes):
            return "[" + nodes.map { oneLine($0, isOutermost: false) }.joined(separator: ", ") + "]"
        case .mapping(let entries):
            let inner = entries.map { entry in
                oneLine(entry.key) + ": " + oneLine(entry.value, isOutermost: false)
            }.joined(separator: ", ")
            return isOutermost ? inner : "{ \(inner) }"
        }
    }

    private static func oneLine(_ scalar: YAMLScalar) -> String {
        scalar.isPlain ? scalar.text : "\"\(scalar.text)\""
    }
}
