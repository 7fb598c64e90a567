import EventLoops
import Journal
import YAML

/// The time limits of a check.
struct TimeLimits {
    var within: YAMLNode?
    var notBefore: YAMLNode?
}

extension ScenarioReading {
    /// Reads a check with its time limits.
    ///
    /// They stand beside the word (`- expect: […]`, then `within: 2s` at the same depth) or, where
    /// one record is named, beside its name (`expect: { didSwipeCard: {…}, within: 2s }`).
    mutating func check(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "a record's name") else { return nil }
        let beside = TimeLimits(
            within: shape.sibling("within"),
            notBefore: shape.sibling("not before")
        )
        if shape.word == .expectAny {
            let sequences = self.sequences(argument)
            let (within, notBefore) = limits(TimeLimits(), beside)
            return .expectAny(sequences, within: within, notBefore: notBefore)
        }
        var inner = TimeLimits()
        let patterns = self.patterns(argument, limits: &inner)
        let (within, notBefore) = limits(inner, beside)
        switch shape.word {
        case .expect:
            return .expect(patterns, within: within, notBefore: notBefore)
        case .unordered:
            guard case .sequence(let nodes) = argument.content, nodes.count >= 2 else {
                complain(
                    at: argument.mark,
                    "expected a list of at least two records behind `unordered`, found one",
                    hint: "a single record is written `expect`"
                )
                return nil
            }
            return .unordered(patterns, within: within, notBefore: notBefore)
        default:
            break
        }
        guard patterns.count <= 1 else {
            complain(
                at: argument.mark,
                "expected one record behind `\(shape.word.rawValue)`, found a list of "
                    + "\(patterns.count)",
                hint: "write one `\(shape.word.rawValue)` for the first and `expect` for what "
                    + "follows"
            )
            return nil
        }
        guard let pattern = patterns.first else { return nil }
        return shape.word == .until
            ? .until(pattern, within: within, notBefore: notBefore)
            : .await(pattern, within: within, notBefore: notBefore)
    }

    private mutating func limits(
        _ inner: TimeLimits,
        _ beside: TimeLimits
    ) -> (VirtualDuration?, VirtualDuration?) {
        if let node = inner.within, beside.within != nil {
            complain(at: node.mark, "expected one `within`, found a second one")
        }
        if let node = inner.notBefore, beside.notBefore != nil {
            complain(at: node.mark, "expected one `not before`, found a second one")
        }
        let within = (inner.within ?? beside.within).flatMap { duration($0) }
        let notBeforeNode = inner.notBefore ?? beside.notBefore
        let notBefore = notBeforeNode.flatMap { duration($0) }
        if let within, let notBefore, let notBeforeNode, within < notBefore {
            complain(
                at: notBeforeNode.mark,
                "expected `not before` to be at most `within`, found it later"
            )
        }
        return (within, notBefore)
    }

    private mutating func sequences(_ node: YAMLNode) -> [[RecordPattern]] {
        guard case .sequence(let branches) = node.content, branches.count >= 2 else {
            complain(
                at: node.mark,
                "expected a list of at least two lists of records, found \(branchCount(node))",
                hint: "what must come in any case is written `expect`"
            )
            return []
        }
        var sequences: [[RecordPattern]] = []
        for branch in branches {
            if case .sequence(let items) = branch.content, items.isEmpty {
                sequences.append([])
            } else {
                sequences.append(patterns(branch))
            }
        }
        return sequences
    }

    private func branchCount(_ node: YAMLNode) -> String {
        guard case .sequence(let branches) = node.content else { return Words.found(node) }
        return branches.isEmpty ? "an empty list" : "one"
    }
}

extension ScenarioReading {
    /// Reads `expect-state`.
    mutating func state(_ shape: StepShape) -> StatePlan? {
        guard let argument = argument(of: shape, "a map of properties"),
            let fields = fields(argument, Grammar.state)
        else { return nil }
        if !Grammar.state.atLeastOne.contains(where: { fields.entry($0) != nil }) {
            complain(
                at: argument.mark,
                "expected a property in `expect-state`, found none",
                hint: "there is \(Words.list(Grammar.state.atLeastOne))"
            )
        }
        let reader = fields["reader"].map { self.reader($0) } ?? 0
        guard let reader else { return nil }
        return StatePlan(
            reader: reader,
            isConnected: fields["isConnected"].flatMap { flag($0) },
            isActivated: fields["isActivated"].flatMap { flag($0) },
            isReadyForSwipe: fields["isReadyForSwipe"].flatMap { flag($0) },
            audioJackReaderType: fields["audioJackReaderType"].flatMap { audioJackReaderType($0) }
        )
    }

    /// Reads counts: `{ didSwipeCard: 2 }`, `{ of: …, at least: 1 }` or a list of these.
    mutating func counts(_ node: YAMLNode) -> [CountPattern] {
        items(node).flatMap { count($0) }
    }

    private mutating func count(_ node: YAMLNode) -> [CountPattern] {
        guard case .mapping(let entries) = node.content, !entries.isEmpty else {
            complain(
                at: node.mark,
                "expected how often a record comes, found \(Words.found(node))",
                hint: "write `count: { didSwipeCard: 2 }`"
            )
            return []
        }
        if entries.contains(where: { Grammar.count.names.contains($0.key.text) }) {
            return boundedCount(node).map { [$0] } ?? []
        }
        var counts: [CountPattern] = []
        for entry in entries {
            let name = YAMLNode(.scalar(entry.key), at: entry.keyMark)
            let pattern = onePattern(name, "`count`")
            let number = countNumber(entry.value)
            guard let pattern, let number else { continue }
            let location = SourceLocation(entry.keyMark)
            counts.append(
                CountPattern(pattern, minimum: number, maximum: number, location: location)
            )
        }
        return counts
    }

    private mutating func boundedCount(_ node: YAMLNode) -> CountPattern? {
        guard let fields = fields(node, Grammar.count) else { return nil }
        let pattern = fields["of"].flatMap { onePattern($0, "`of`") }
        let exact = fields["is"].flatMap { countNumber($0) }
        let atLeast = fields["at least"].flatMap { countNumber($0) }
        let atMost = fields["at most"].flatMap { countNumber($0) }
        let hasExact = fields.entry("is") != nil
        let hasBound = fields.entry("at least") != nil || fields.entry("at most") != nil
        if hasExact == hasBound {
            complain(
                at: node.mark,
                hasExact
                    ? "expected either `is` or `at least` and `at most`, found both"
                    : "expected `is`, `at least` or `at most` in `count`, found none"
            )
            return nil
        }
        if let atLeast, let atMost, atLeast > atMost {
            complain(at: node.mark, "expected `at least` to be no more than `at most`")
        }
        return pattern.map {
            CountPattern(
                $0,
                minimum: exact ?? atLeast ?? 0,
                maximum: exact ?? atMost,
                location: SourceLocation(node.mark)
            )
        }
    }

    private mutating func countNumber(_ node: YAMLNode) -> Int? {
        integer(node, "how many, 0 to 1000000", in: 0...1_000_000).map(Int.init)
    }

    /// Reads exactly one pattern.
    mutating func onePattern(_ node: YAMLNode, _ place: String) -> RecordPattern? {
        let patterns = self.patterns(node)
        guard patterns.count <= 1 else {
            complain(
                at: node.mark,
                "expected one record behind \(place), found a list of \(patterns.count)"
            )
            return nil
        }
        return patterns.first
    }
}
