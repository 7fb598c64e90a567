import Journal
import YAML

extension ScenarioReading {
    /// Reads `call: close` or `call: { setDelegate: other }`.
    mutating func call(_ node: YAMLNode) -> CallPlan? {
        switch node.content {
        case .sequence:
            complain(at: node.mark, "expected a method, found a list")
            return nil
        case .scalar(let scalar):
            guard let method = method(scalar.text, at: node.mark) else { return nil }
            if method.argument != nil {
                complain(
                    at: node.mark,
                    "expected `\(method.spelling)` with an argument, found it alone",
                    hint: "write `call: { \(method.spelling): … }`"
                )
                return nil
            }
            return CallPlan(method)
        case .mapping(let entries):
            guard let entry = entries.first else {
                complain(at: node.mark, "expected a method, found an empty map")
                return nil
            }
            for other in entries.dropFirst() {
                complain(
                    at: other.keyMark,
                    "expected one method behind `call`, found \(Words.quoted(other.key.text)) too",
                    hint: "write another `- call: …`"
                )
            }
            return call(entry)
        }
    }

    private mutating func call(_ entry: YAMLEntry) -> CallPlan? {
        guard let method = method(entry.key.text, at: entry.keyMark) else { return nil }
        if method.argument == .reader {
            return reader(entry.value).map { CallPlan(method, .reader($0)) }
        }
        guard case .symbol(let symbols) = method.argument else {
            complain(
                at: entry.value.mark,
                "expected `\(method.spelling)` without an argument, found "
                    + Words.found(entry.value),
                hint: "write `call: \(method.spelling)`"
            )
            return nil
        }
        let known = symbols.map { (Vocabulary.spelling(of: $0), $0) }
        return word(entry.value, "the argument of `\(method.spelling)`", among: known)
            .map { CallPlan(method, .symbol($0)) }
    }

    private mutating func method(_ text: String, at mark: YAMLMark) -> MethodName? {
        let built = MethodName.allCases.filter(\.isBuilt)
        if let method = built.first(where: { $0.spelling == text }) { return method }
        complainUnknown(
            text,
            at: mark,
            expected: "a method of the SDK",
            known: built.map(\.spelling),
            later: Grammar.laterMethods
        )
        return nil
    }

    /// Reads `set`; no reader of this version has anything to turn.
    mutating func set(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "what is turned") else { return nil }
        guard let fields = fields(argument, Grammar.setting) else { return nil }
        if !Grammar.setting.later.contains(where: { fields.entry($0) != nil }) {
            complain(at: argument.mark, "expected what is turned behind `set`, found nothing")
        }
        return nil
    }
}
