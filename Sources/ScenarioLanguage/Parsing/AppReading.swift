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
            if method.argument != .none {
                complain(
                    at: node.mark,
                    "expected `\(method.spelling)` with an argument, found it alone",
                    hint: "write `call: { \(method.spelling): … }`"
                )
                return nil
            }
            requireReader(of: method, at: node.mark)
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
        requireReader(of: method, at: entry.keyMark)
        switch method.argument {
        case .none:
            complain(
                at: entry.value.mark,
                "expected `\(method.spelling)` without an argument, found "
                    + Words.found(entry.value),
                hint: "write `call: \(method.spelling)`"
            )
            return nil
        case .value(let kind):
            return argument(entry.value, kind, of: method).map { CallPlan(method, $0) }
        case .readerType:
            return readerType(entry.value).map {
                CallPlan(method, .symbol($0.type.symbol), messageOptions: $0.options)
            }
        case .messageOptions:
            return messageOptions(entry.value).map { CallPlan(method, messageOptions: $0) }
        }
    }

    private mutating func argument(
        _ node: YAMLNode,
        _ kind: AttributeKind,
        of method: MethodName
    ) -> AttributeValue? {
        let expected = "the argument of `\(method.spelling)`"
        switch kind {
        case .reader: return reader(node).map { .reader($0) }
        case .flag: return flag(node).map { .flag($0) }
        case .duration: return duration(node).map { .duration($0) }
        case .symbol(let symbols):
            let known = symbols.map { (Vocabulary.spelling(of: $0), $0) }
            return word(node, expected, among: known).map { .symbol($0) }
        case .integer: return integer(node, expected, in: 0...Int64.max).map { .integer($0) }
        case .amount: return amount(node).map { .amount($0) }
        case .percent: return percent(node).map { .integer(Int64($0)) }
        case .text: return safeText(node, method.spelling).map { .text($0) }
        }
    }

    private mutating func method(_ text: String, at mark: YAMLMark) -> MethodName? {
        let known = MethodName.allCases.map { ($0.spelling, $0) }
        let node = YAMLNode(.scalar(YAMLScalar(text, isPlain: true)), at: mark)
        return word(node, "a method of the SDK", among: known)
    }
}
