import EventLoops
import Journal
import YAML

extension ScenarioReading {
    /// Reads `settle` or `settle: { within }`.
    mutating func settle(_ shape: StepShape) -> StepAction? {
        guard let argument = shape.argument else { return .settle(within: nil) }
        guard let fields = fields(argument, Grammar.settle) else { return nil }
        return fields["within"].flatMap { duration($0) }.map { .settle(within: $0) }
    }

    /// Reads `race: { within, of }`.
    mutating func race(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "a map of within and of"),
            let fields = fields(argument, Grammar.race)
        else { return nil }
        let within = fields["within"].flatMap { duration($0) }
        guard let list = fields["of"] else { return nil }
        guard case .sequence(let nodes) = list.content, nodes.count >= 2 else {
            complain(
                at: list.mark,
                "expected a list of at least two steps that race, found "
                    + (Self.itemCount(list) == nil
                        ? Words.found(list) : "\(Self.itemCount(list) ?? 0)")
            )
            return nil
        }
        let steps = stepList(list, actsOnly: true)
        return within.map { .race(within: $0, steps) }
    }

    private static func itemCount(_ node: YAMLNode) -> Int? {
        guard case .sequence(let nodes) = node.content else { return nil }
        return nodes.count
    }

    /// Reads `any time: STEP`.
    mutating func anyTime(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "a step") else { return nil }
        let steps = openActs(argument)
        return steps.isEmpty ? nil : .anyTime(steps)
    }

    /// Reads `sometime within: { 2s: STEP }`.
    mutating func sometime(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "a length of time with a step") else { return nil }
        guard case .mapping(let entries) = argument.content, entries.count == 1 else {
            complain(
                at: argument.mark,
                "expected one length of time with its step, found \(Words.found(argument))",
                hint: "write `sometime within: { 2s: unplug }`"
            )
            return nil
        }
        let within = duration(YAMLNode(.scalar(entries[0].key), at: entries[0].keyMark))
        let steps = openActs(entries[0].value)
        guard let within, !steps.isEmpty else { return nil }
        return .sometime(within: within, steps)
    }

    private mutating func openActs(_ node: YAMLNode) -> [Step] {
        if case .sequence = node.content { return stepList(node, actsOnly: true) }
        return step(node, actsOnly: true).map { [$0] } ?? []
    }

    /// Reads `fault points: [names]`, and holds them against the rig.
    mutating func faultPoints(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "names of faults") else { return nil }
        var points: [FaultPoint] = []
        for item in items(argument) {
            let known = FaultPoint.allCases.map { ($0.rawValue, $0) }
            guard let point = word(item, "the name of a fault", among: known) else { continue }
            if point.isGateway, isRigKnown, gateway == nil {
                complain(
                    at: item.mark,
                    "expected a gateway in `rig` for '\(point.rawValue)', found none",
                    hint: "write `rig: { …, gateway: nmi }`"
                )
            }
            if !points.contains(point) { points.append(point) }
        }
        return points.isEmpty ? nil : .faultPoints(points)
    }

    /// Reads `repeat: { times, until, steps }`.
    mutating func repetition(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "a map of times or until, and steps"),
            let fields = fields(argument, Grammar.repeated)
        else { return nil }
        if fields.entry("times") == nil, fields.entry("until") == nil {
            complain(
                at: argument.mark,
                "expected `times` or `until` in `repeat`, found none",
                hint: "write `times: 3`, or `until: didSwipeCard`"
            )
        }
        let times = fields["times"].flatMap {
            integer($0, "how many rounds, 1 to 10000", in: 1...10_000)
        }
        let until = fields["until"].flatMap { onePattern($0, "`until`") }
        let steps = fields["steps"].map { stepList($0) } ?? []
        return .repeat(RepeatPlan(times: times.map(Int.init), until: until, steps: steps))
    }

    /// Reads `on: RECORD` with `do` and `times` beside it.
    mutating func reaction(_ shape: StepShape) -> StepAction? {
        let pattern = argument(of: shape, "a record's name").flatMap { onePattern($0, "`on`") }
        let times = shape.sibling("times").flatMap {
            integer($0, "how often, 1 to 10000", in: 1...10_000)
        }
        let steps = shape.sibling("do").map { stepList($0, actsOnly: true) } ?? []
        guard let pattern else { return nil }
        if !Vocabulary.isCounted(pattern.name), !Vocabulary.isDialogue(pattern.name) {
            complain(
                at: YAMLMark(line: pattern.location.line, column: pattern.location.column),
                "expected an event, a prompt or an alert behind `on`, found "
                    + "'\(Vocabulary.definition(of: pattern.name).spelling)'",
                hint: "only these have a callback to act from"
            )
        }
        return .on(ReactionPlan(pattern, times: Int(times ?? 1), steps: steps))
    }
}
