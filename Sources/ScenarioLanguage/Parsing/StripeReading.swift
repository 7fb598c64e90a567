import Journal
import YAML

// How a card goes past a reader's head, in physical values.
extension ScenarioReading {
    /// Reads the quality of a swipe: a word, or a map of physical values.
    mutating func quality(_ node: YAMLNode, into swipe: inout SwipePlan) -> Bool {
        if case .scalar = node.content {
            let known = Grammar.qualities
            guard let quality = word(node, "the quality of a swipe", among: known) else {
                return false
            }
            swipe.quality = quality
            return true
        }
        guard let fields = fields(node, Grammar.stripe) else { return false }
        swipe.quality = .physical
        swipe.stripe = stripe(fields)
        return true
    }

    private mutating func stripe(_ fields: Fields) -> StripePlan {
        var plan = StripePlan()
        if let node = fields["speed"] { plan.speed = speed(node) ?? plan.speed }
        if let node = fields["to"] { plan.endSpeed = speed(node) }
        if let node = fields["jolt"],
            let percent = integer(node, "a speed of 10 to 1000 percent", in: 10...1_000)
        {
            plan.joltPercent = Int(percent)
        }
        if let node = fields["direction"] {
            let known = [("forward", false), ("backward", true)]
            plan.isBackward = word(node, "`forward` or `backward`", among: known) ?? false
        }
        if let node = fields["noise"] { plan.noisePercent = percent(node) ?? 0 }
        if let node = fields["jitter"] { plan.jitterPercent = percent(node) ?? 0 }
        if let node = fields["strength"] { plan.strengthPercent = percent(node) ?? 100 }
        if let node = fields["clip"] { plan.clipPercent = percent(node) }
        if let node = fields["holes"] { plan.holes = items(node).compactMap { hole($0) } }
        if let node = fields["seed"],
            let seed = integer(node, "a number from 0 on", in: 0...Int64.max)
        {
            plan.seed = UInt64(seed)
        }
        return plan
    }

    private mutating func speed(_ node: YAMLNode) -> Int? {
        integer(node, "a speed of 1 to 400 inches a second", in: 1...400).map { Int($0) }
    }

    private mutating func hole(_ node: YAMLNode) -> StripePlan.Hole? {
        guard let fields = fields(node, Grammar.hole) else { return nil }
        let track = fields["track"].flatMap { integer($0, "a track, 1 to 3", in: 1...3) }
        guard let start = fields["at"].flatMap({ millimetres($0) }),
            let length = fields["length"].flatMap({ millimetres($0) })
        else { return nil }
        return StripePlan.Hole(
            track: track.map { Int($0) },
            startMillimetres: start,
            lengthMillimetres: length
        )
    }

    /// Reads a length such as `12mm`; a card has 86.
    private mutating func millimetres(_ node: YAMLNode) -> Int? {
        let expected = "a length of 0mm to 99mm"
        guard let word = text(node, expected) else { return nil }
        let digits = word.utf8.dropLast(2)
        guard word.hasSuffix("mm"), (1...2).contains(digits.count),
            digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let value = Int(String(decoding: Array(digits), as: UTF8.self))
        else {
            complain(
                at: node.mark,
                "expected \(expected), found \(Words.quoted(word))",
                hint: "write whole millimetres from the card's front edge, such as `12mm`"
            )
            return nil
        }
        return value
    }
}
