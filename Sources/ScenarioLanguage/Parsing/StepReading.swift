import CardData
import EventLoops
import Journal
import YAML

/// A step's word with what stands behind and beside it.
struct StepShape {
    var word: StepWord
    /// Where the step begins.
    var mark: YAMLMark
    /// What stands behind the colon; `nil` for a word alone.
    var argument: YAMLNode?
    /// What stands beside the word, such as `within`.
    var siblings: [YAMLEntry] = []

    /// The value of a key beside the word, or `nil`.
    func sibling(_ name: String) -> YAMLNode? { siblings.first { $0.key.text == name }?.value }
}

extension ScenarioReading {
    /// Reads a list of steps; with `actsOnly` of steps in which somebody acts.
    mutating func stepList(_ node: YAMLNode, actsOnly: Bool = false) -> [Step] {
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
        return nodes.compactMap { step($0, actsOnly: actsOnly) }
    }

    /// Reads one step; with `actsOnly` one in which somebody acts.
    mutating func step(_ node: YAMLNode, actsOnly: Bool) -> Step? {
        guard let shape = shape(node) else { return nil }
        if actsOnly, !shape.word.isAct {
            complain(
                at: node.mark,
                "expected a step in which somebody acts, found `\(shape.word.rawValue)`",
                hint: "what must come of it is checked outside"
            )
            return nil
        }
        guard let action = action(shape) else { return nil }
        let words: String
        switch action {
        case .block, .repeat, .on: words = shape.word.rawValue
        case .keys(let plan): words = "\(shape.word.rawValue): \(plan.masked)"
        default: words = SafeText(scrubbing: Words.oneLine(node)).description
        }
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
            return shape(entries, node)
        }
    }

    private static let timeLimitNames = Grammar.timeLimits.map(\.name)

    private mutating func shape(_ entries: [YAMLEntry], _ node: YAMLNode) -> StepShape? {
        let place =
            entries.firstIndex { $0.key.text == StepWord.on.rawValue }
            ?? entries.firstIndex { !Self.timeLimitNames.contains($0.key.text) }
        guard let place else {
            complain(
                at: node.mark,
                "expected a step, found "
                    + (entries.first.map { "'\($0.key.text)'" } ?? "an empty map")
            )
            return nil
        }
        let first = entries[place]
        guard let word = stepWord(first.key.text, at: first.keyMark) else { return nil }
        let rows = Grammar.siblings(of: word)
        var shape = StepShape(word: word, mark: node.mark, argument: first.value)
        var isAlone = true
        for (index, entry) in entries.enumerated() where index != place {
            let name = entry.key.text
            if rows.contains(where: { $0.name == name }) {
                shape.siblings.append(entry)
            } else if Self.timeLimitNames.contains(name) {
                complain(
                    at: entry.keyMark,
                    "expected no `\(name)` beside `\(word.rawValue)`, found one",
                    hint: name == "within" && (word == .race || word == .settle)
                        ? "indent it: `\(word.rawValue): { within: … }`"
                        : "only expect, await, expect-any, unordered and until have it"
                )
            } else {
                complainSecondWord(entry, after: first)
                isAlone = false
            }
        }
        for row in rows where row.isRequired && shape.sibling(row.name) == nil {
            complain(
                at: node.mark,
                "expected `\(row.name)` beside `\(word.rawValue)`, found none"
            )
        }
        return isAlone ? shape : nil
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

    private mutating func stepWord(_ whole: String, at mark: YAMLMark) -> StepWord? {
        if let word = StepWord(rawValue: whole) { return word }
        let text = Words.withoutKeys(whole)
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
        guard hasReaders(for: shape) else { return nil }
        return switch shape.word {
        case .plugIn: plugIn(shape)
        case .unplug: unplug(shape)
        case .answer: answer(shape)
        case .phoneCall: phoneCall(shape)
        case .swipe: swipe(shape).map { .swipe($0) }
        case .enterCard: enterCard(shape).map { .enterCard($0) }
        case .charge: charge(shape, Grammar.chargeStep).map { .charge($0) }
        case .auth: charge(shape, Grammar.merchantPayment(.auth)).map { .authorize($0) }
        case .capture: capture(shape)
        case .refund: refund(shape).map { .refund($0) }
        case .insert: cardAct(shape).map { .insert($0) }
        case .tap: cardAct(shape).map { .tap($0) }
        case .removeCard: handAct(shape) { .removeCard(reader: $0) }
        case .keys: keys(shape)
        case .press: press(shape)
        case .switchOff: handAct(shape) { .power(reader: $0, .off) }
        case .switchOn: handAct(shape) { .power(reader: $0, .on) }
        case .reboot: handAct(shape) { .power(reader: $0, .reboot) }
        case .loadWiFi: loadWiFi(shape).map { .care($0) }
        case .roam: roam(shape).map { .care($0) }
        case .void: void(shape)
        case .sign: sign(shape)
        case .call: argument(of: shape, "a method").flatMap { call($0) }.map { .call($0) }
        case .set: set(shape)
        case .background: alone(shape, .app(.background))
        case .foreground: alone(shape, .app(.foreground))
        case .killApp: alone(shape, .app(.kill))
        case .launchApp: alone(shape, .app(.launch))
        case .link: argument(of: shape, "a fault").flatMap { linkFault($0) }.map { .link($0) }
        case .gateway: gatewayFault(shape).map { .gateway($0) }
        case .expect, .await, .expectAny, .unordered, .until: check(shape)
        case .never: argument(of: shape, "a record's name").map { .never(patterns($0)) }
        case .count: argument(of: shape, "how many records").map { .count(counts($0)) }
        case .expectState: state(shape).map { .expectState($0) }
        case .on: reaction(shape)
        case .block: argument(of: shape, "a list of steps").map { .block(stepList($0)) }
        case .repeat: repetition(shape)
        case .race: race(shape)
        case .anyTime: anyTime(shape)
        case .sometime: sometime(shape)
        case .faultPoints: faultPoints(shape)
        case .wait:
            argument(of: shape, "a length of time").flatMap { duration($0) }.map { .wait($0) }
        case .settle: settle(shape)
        case .enterCheck, .credit, .validate, .offline, .update, .vault, .addPlan, .subscribe,
            .unsubscribe, .merchantServer:
            merchantAct(shape).map { .merchant($0) }
        case .openURL: openURL(shape).map { .terminal($0) }
        case .scan: scan(shape).map { .scan($0) }
        case .signUp, .logIn, .saveUser, .enterAccount, .makeToken, .buy, .list:
            storeAct(shape).map { .store($0) }
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
}
