import CardData
import EventLoops
import Journal
import YAML

extension ScenarioReading {
    /// Reads a name, a map of one name with its attributes, or a list of these.
    mutating func patterns(_ node: YAMLNode) -> [RecordPattern] {
        var ignored = TimeLimits()
        return patterns(node, limits: &ignored, allowsLimits: false)
    }

    /// Reads patterns of a check; `{ name: …, within: 2s }` leaves its time limit in `limits`.
    mutating func patterns(_ node: YAMLNode, limits: inout TimeLimits) -> [RecordPattern] {
        patterns(node, limits: &limits, allowsLimits: true)
    }

    private mutating func patterns(
        _ node: YAMLNode,
        limits: inout TimeLimits,
        allowsLimits: Bool
    ) -> [RecordPattern] {
        guard case .sequence = node.content else {
            return pattern(node, limits: &limits, allowsLimits: allowsLimits).map { [$0] } ?? []
        }
        var patterns: [RecordPattern] = []
        for item in items(node) {
            var ignored = TimeLimits()
            if let pattern = pattern(item, limits: &ignored, allowsLimits: false) {
                patterns.append(pattern)
            }
        }
        return patterns
    }

    private mutating func pattern(
        _ node: YAMLNode,
        limits: inout TimeLimits,
        allowsLimits: Bool
    ) -> RecordPattern? {
        switch node.content {
        case .scalar(let scalar):
            guard let definition = record(scalar.text, at: node) else { return nil }
            return RecordPattern(definition.name, [], location: SourceLocation(node.mark))
        case .sequence:
            complain(
                at: node.mark,
                "expected a record's name or a map of its attributes, found a list"
            )
            return nil
        case .mapping(let entries):
            var names: [YAMLEntry] = []
            for entry in entries {
                let isWithin = entry.key.text == "within"
                if !isWithin, entry.key.text != "not before" {
                    names.append(entry)
                } else if !allowsLimits {
                    complain(
                        at: entry.keyMark,
                        "expected a record's name, found '\(entry.key.text)'",
                        hint: "a time limit stands beside `expect`, `await` or `expect-any`"
                    )
                } else if isWithin {
                    limits.within = entry.value
                } else {
                    limits.notBefore = entry.value
                }
            }
            guard let first = names.first else {
                complain(at: node.mark, "expected a record's name, found none")
                return nil
            }
            for other in names.dropFirst() {
                complain(
                    at: other.keyMark,
                    "expected one record here, found \(Words.quoted(other.key.text)) too",
                    hint: "write a list: `- \(first.key.text): …` and `- \(other.key.text): …`"
                )
            }
            return pattern(first)
        }
    }

    private mutating func pattern(_ entry: YAMLEntry) -> RecordPattern? {
        let name = YAMLNode(.scalar(entry.key), at: entry.keyMark)
        guard let definition = record(entry.key.text, at: name) else { return nil }
        guard case .mapping(let entries) = entry.value.content else {
            complain(
                at: entry.value.mark,
                "expected the attributes of `\(definition.spelling)` as a map, "
                    + "found \(Words.found(entry.value))",
                hint: "without attributes the name alone is enough, without a colon"
            )
            return nil
        }
        var attributes: [AttributePattern] = []
        for entry in entries {
            if let attribute = attribute(entry, of: definition) { attributes.append(attribute) }
        }
        return RecordPattern(definition.name, attributes, location: SourceLocation(entry.keyMark))
    }

    private mutating func record(_ spelling: String, at node: YAMLNode) -> RecordDefinition? {
        if let definition = Vocabulary.record(spelled: spelling) { return definition }
        let known = Vocabulary.records.map(\.spelling)
        guard !spelling.isEmpty, Suggestion.closest(to: spelling, among: known) == nil else {
            complainUnknown(spelling, at: node.mark, expected: "a record's name", known: known)
            return nil
        }
        let sdk = Vocabulary.records.filter { $0.source == .sdk }.map(\.spelling)
        complain(
            at: node.mark,
            "expected a record's name, found \(Words.quoted(spelling))",
            hint: "the SDK's events are \(Words.list(sdk))"
        )
        return nil
    }

    private mutating func attribute(
        _ entry: YAMLEntry,
        of record: RecordDefinition
    ) -> AttributePattern? {
        let spelling = entry.key.text
        guard
            let definition = record.attributes.first(where: {
                Vocabulary.spelling(of: $0.name) == spelling
            })
        else {
            complainUnknown(
                spelling,
                at: entry.keyMark,
                expected: "an attribute of `\(record.spelling)`",
                known: record.attributes.map { Vocabulary.spelling(of: $0.name) }
            )
            return nil
        }
        if case .text = definition.kind, case .scalar(let scalar) = entry.value.content,
            scalar.text.hasPrefix("$")
        {
            return cardReference(entry.value, scalar.text).map {
                AttributePattern(
                    definition.name,
                    .text(SafeText(scrubbing: scalar.text)),
                    reference: $0
                )
            }
        }
        return value(entry.value, of: definition).map { AttributePattern(definition.name, $0) }
    }

    private mutating func value(
        _ node: YAMLNode,
        of definition: AttributeDefinition
    ) -> AttributeValue? {
        let name = Vocabulary.spelling(of: definition.name)
        switch definition.kind {
        case .integer:
            return integer(node, "a whole number for `\(name)`", in: 0...Int64.max)
                .map { .integer($0) }
        case .flag: return flag(node).map { .flag($0) }
        case .amount: return amount(node).map { .amount($0) }
        case .percent: return percent(node).map { .integer(Int64($0)) }
        case .duration: return duration(node).map { .duration($0) }
        case .reader: return reader(node).map { .reader($0) }
        case .text: return safeText(node, name).map { .text($0) }
        case .symbol(let symbols):
            let known = symbols.map { (Vocabulary.spelling(of: $0), $0) }
            return word(node, "a value of `\(name)`", among: known).map { .symbol($0) }
        }
    }

    mutating func safeText(_ node: YAMLNode, _ name: String) -> SafeText? {
        guard let text = text(node, "text for `\(name)`") else { return nil }
        let safe = SafeText(scrubbing: text)
        guard safe.description == text else {
            complain(
                at: node.mark,
                "expected text without card data for `\(name)`, found what could be a card number",
                hint: "write the number as the reader masks it"
            )
            return nil
        }
        return safe
    }
}
