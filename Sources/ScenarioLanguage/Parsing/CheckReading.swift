import EventLoops
import Journal
import YAML

extension ScenarioReading {
    /// Reads `expect`, `await` or `expect-any` with its time limit.
    ///
    /// The limit stands beside the word (`- expect: […]`, then `within: 2s` at the same depth) or,
    /// where one record is named, beside its name (`expect: { didSwipeCard: {…}, within: 2s }`).
    mutating func check(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "a record's name") else { return nil }
        if shape.word == .expectAny {
            let sequences = self.sequences(argument)
            return .expectAny(sequences, within: shape.within.flatMap { duration($0) })
        }
        var inner: YAMLNode?
        let patterns = self.patterns(argument, within: &inner)
        if let inner, shape.within != nil {
            complain(at: inner.mark, "expected one `within`, found a second one")
        }
        let within = (inner ?? shape.within).flatMap { duration($0) }
        guard shape.word == .await else { return .expect(patterns, within: within) }
        guard patterns.count <= 1 else {
            complain(
                at: argument.mark,
                "expected one record behind `await`, found a list of \(patterns.count)",
                hint: "write one `await` for the first and `expect` for what follows"
            )
            return nil
        }
        return patterns.first.map { .await($0, within: within) }
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
