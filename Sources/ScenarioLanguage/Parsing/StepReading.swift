import CardData
import EventLoops
import Journal
import YAML

/// The words that begin a step.
enum StepWord: String, CaseIterable {
    case plugIn = "plug in"
    case unplug
    case swipe
    case charge
    case void
    case gateway
    case expect
    case await
    case expectAny = "expect-any"
    case never
    case race
    case wait
    case settle

    /// Words of later versions.
    static let later = [
        "answer", "any time", "background", "buy", "call", "capture", "count", "do", "enter card",
        "expect-state", "fault points", "foreground", "insert", "keys", "kill app", "launch app",
        "link", "log in", "not before", "on", "open url", "press", "refund", "remove card",
        "repeat", "scan", "set", "sign", "sign up", "sometime within", "tap", "unordered", "until",
    ]

    static let spellings = allCases.map(\.rawValue)

    /// Whether the step waits for records and can have `within` beside its word.
    var hasTimeLimit: Bool {
        switch self {
        case .expect, .await, .expectAny: true
        case .plugIn, .unplug, .swipe, .charge, .void, .gateway, .never, .race, .wait, .settle:
            false
        }
    }

    /// Whether somebody acts, so that the step can stand in a race.
    var isAct: Bool {
        switch self {
        case .plugIn, .unplug, .swipe, .charge, .void, .gateway: true
        case .expect, .await, .expectAny, .never, .race, .wait, .settle: false
        }
    }
}

/// A step's word with what stands behind it.
struct StepShape {
    var word: StepWord
    /// Where the step begins.
    var mark: YAMLMark
    /// What stands behind the colon; `nil` for a word alone.
    var argument: YAMLNode?
    /// The value of a `within` beside the word.
    var within: YAMLNode?
}

extension ScenarioReading {
    /// Reads a list of steps.
    mutating func stepList(_ node: YAMLNode) -> [Step] {
        guard case .sequence(let nodes) = node.content, !nodes.isEmpty else {
            let found: String
            if case .sequence = node.content {
                found = "an empty list"
            } else {
                found = Words.found(node)
            }
            complain(
                at: node.mark,
                "expected a list of steps, found \(found)",
                hint: "begin each step with `- `, such as `- plug in`"
            )
            return []
        }
        return nodes.compactMap { step($0) }
    }

    private mutating func step(_ node: YAMLNode) -> Step? {
        guard let shape = shape(node), let action = action(shape) else { return nil }
        return step(action, node)
    }

    private func step(_ action: StepAction, _ node: YAMLNode) -> Step {
        let words = SafeText(scrubbing: Words.oneLine(node)).description
        return Step(action, location: SourceLocation(node.mark), words: words)
    }

    /// Finds the one word of a step.
    private mutating func shape(_ node: YAMLNode) -> StepShape? {
        switch node.content {
        case .sequence:
            complain(at: node.mark, "expected a step, found a list")
            return nil
        case .scalar(let scalar):
            guard let word = stepWord(scalar.text, at: node.mark) else { return nil }
            return StepShape(word: word, mark: node.mark)
        case .mapping(let entries):
            let others = entries.filter { $0.key.text != "within" }
            guard let first = others.first else {
                complain(
                    at: node.mark,
                    "expected a step, found \(entries.isEmpty ? "an empty map" : "'within'")"
                )
                return nil
            }
            guard let word = stepWord(first.key.text, at: first.keyMark) else { return nil }
            for other in others.dropFirst() { complainSecondWord(other, after: first) }
            let within = entries.first { $0.key.text == "within" }
            if let within, !word.hasTimeLimit {
                complain(
                    at: within.keyMark,
                    "expected no `within` beside `\(word.rawValue)`, found one",
                    hint: word == .race || word == .settle
                        ? "indent it: `\(word.rawValue): { within: … }`"
                        : "only expect, await and expect-any have it"
                )
            }
            guard others.count == 1 else { return nil }
            return StepShape(
                word: word,
                mark: node.mark,
                argument: first.value,
                within: within?.value
            )
        }
    }

    private mutating func complainSecondWord(_ entry: YAMLEntry, after first: YAMLEntry) {
        let isStep = StepWord(rawValue: entry.key.text) != nil
        complain(
            at: entry.keyMark,
            "expected one step in an item of the list, found \(Words.quoted(entry.key.text)) too",
            hint: isStep
                ? "begin it with `- ` as a step of its own"
                : "indent it deeper than `\(first.key.text)` if it belongs to it"
        )
    }

    private mutating func stepWord(_ text: String, at mark: YAMLMark) -> StepWord? {
        if let word = StepWord(rawValue: text) { return word }
        let beginning = StepWord.spellings.first { spelling in
            text.hasPrefix(spelling + " ") || text.hasPrefix(spelling + ":")
        }
        guard let beginning else {
            complainUnknown(
                text,
                at: mark,
                expected: "a step",
                known: StepWord.spellings,
                later: StepWord.later
            )
            return nil
        }
        complain(
            at: mark,
            "expected a step, found \(Words.quoted(text))",
            hint: "write `\(beginning): …`, with a colon and a blank after it"
        )
        return nil
    }

    private mutating func action(_ shape: StepShape) -> StepAction? {
        switch shape.word {
        case .plugIn: readerIndex(shape).map { .plugIn(reader: $0) }
        case .unplug: readerIndex(shape).map { .unplug(reader: $0) }
        case .swipe: swipe(shape).map { .swipe($0) }
        case .charge: charge(shape).map { .charge($0) }
        case .void: void(shape)
        case .gateway: gatewayFault(shape).map { .gateway($0) }
        case .expect, .await, .expectAny: check(shape)
        case .never: argument(of: shape, "a record's name").map { .never(patterns($0)) }
        case .race: race(shape)
        case .wait:
            argument(of: shape, "a length of time").flatMap { duration($0) }.map { .wait($0) }
        case .settle: settle(shape)
        }
    }

    /// Returns what stands behind the step's word, or reports that nothing does.
    mutating func argument(of shape: StepShape, _ expected: String) -> YAMLNode? {
        if let argument = shape.argument { return argument }
        complain(
            at: shape.mark,
            "expected \(expected) behind `\(shape.word.rawValue)`, found nothing",
            hint: "write `\(shape.word.rawValue): …`"
        )
        return nil
    }

    private mutating func readerIndex(_ shape: StepShape) -> Int? {
        guard let argument = shape.argument else { return 0 }
        return reader(argument)
    }

    private mutating func settle(_ shape: StepShape) -> StepAction? {
        guard let argument = shape.argument else { return .settle(within: nil) }
        guard let fields = fields(argument, of: "`settle`", known: ["within"]) else { return nil }
        return required("within", in: fields).flatMap { duration($0) }.map { .settle(within: $0) }
    }

    private mutating func race(_ shape: StepShape) -> StepAction? {
        guard let argument = argument(of: shape, "a map of within and of"),
            let fields = fields(argument, of: "`race`", known: ["within", "of"])
        else { return nil }
        let within = required("within", in: fields).flatMap { duration($0) }
        guard let list = required("of", in: fields) else { return nil }
        guard case .sequence(let nodes) = list.content, nodes.count >= 2 else {
            complain(
                at: list.mark,
                "expected a list of at least two steps that race, found "
                    + (Self.itemCount(list) == nil
                        ? Words.found(list) : "\(Self.itemCount(list) ?? 0)")
            )
            return nil
        }
        var steps: [Step] = []
        for node in nodes {
            guard let shape = self.shape(node) else { continue }
            guard shape.word.isAct else {
                complain(
                    at: node.mark,
                    "expected a step in which somebody acts, found `\(shape.word.rawValue)`",
                    hint: "what must come of a race is checked after it"
                )
                continue
            }
            if let action = action(shape) { steps.append(step(action, node)) }
        }
        return within.map { .race(within: $0, steps) }
    }

    private static func itemCount(_ node: YAMLNode) -> Int? {
        guard case .sequence(let nodes) = node.content else { return nil }
        return nodes.count
    }
}
