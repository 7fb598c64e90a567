public import CardData
public import Journal

extension Scenario {
    /// The cards that its steps use, each with the first place that does.
    public var usedCards: [(name: String, location: SourceLocation)] {
        var found: [(name: String, location: SourceLocation)] = []
        func visit(_ steps: [Step]) {
            for step in steps {
                let name: String? =
                    switch step.action {
                    case .swipe(let plan): plan.card
                    case .insert(let plan), .tap(let plan): plan.card
                    default: nil
                    }
                if let name, !found.contains(where: { $0.name == name }) {
                    found.append((name, step.location))
                }
                visit(step.action.innerSteps)
            }
        }
        visit(steps)
        for reference in cardReferences where !found.contains(where: { $0.name == reference.card })
        {
            found.append((reference.card, reference.location))
        }
        return found
    }

    /// Returns the scenario with values in the place of ``cardReferences``.
    ///
    /// - Parameter look: Returns a card's field, or `nil` to leave the reference as it is.
    /// - Returns: The scenario; the same one when it has no references.
    public func namingCards(_ look: (CardReference) -> SafeText?) -> Scenario {
        guard !cardReferences.isEmpty else { return self }
        var scenario = self
        scenario.steps = steps.map { $0.mappingPatterns { $0.namingCards(look) } }
        scenario.never = never.map { $0.namingCards(look) }
        scenario.counts = counts.map { $0.mappingPattern { $0.namingCards(look) } }
        return scenario
    }
}

extension RecordPattern {
    fileprivate func namingCards(_ look: (CardReference) -> SafeText?) -> RecordPattern {
        var pattern = self
        for index in attributes.indices {
            guard let reference = attributes[index].reference, let value = look(reference) else {
                continue
            }
            pattern.attributes[index].value = .text(value)
        }
        return pattern
    }
}

extension CountPattern {
    fileprivate func mappingPattern(_ body: (RecordPattern) -> RecordPattern) -> CountPattern {
        var count = self
        count.pattern = body(pattern)
        return count
    }
}

extension Step {
    fileprivate func mappingPatterns(_ body: (RecordPattern) -> RecordPattern) -> Step {
        func mapped(_ steps: [Step]) -> [Step] { steps.map { $0.mappingPatterns(body) } }
        var step = self
        switch action {
        case .expect(let patterns, let within, let notBefore):
            step.action = .expect(patterns.map(body), within: within, notBefore: notBefore)
        case .await(let pattern, let within, let notBefore):
            step.action = .await(body(pattern), within: within, notBefore: notBefore)
        case .expectAny(let branches, let within, let notBefore):
            step.action = .expectAny(
                branches.map { $0.map(body) },
                within: within,
                notBefore: notBefore
            )
        case .unordered(let patterns, let within, let notBefore):
            step.action = .unordered(patterns.map(body), within: within, notBefore: notBefore)
        case .until(let pattern, let within, let notBefore):
            step.action = .until(body(pattern), within: within, notBefore: notBefore)
        case .never(let patterns):
            step.action = .never(patterns.map(body))
        case .count(let counts):
            step.action = .count(counts.map { $0.mappingPattern(body) })
        case .on(var plan):
            plan.pattern = body(plan.pattern)
            plan.steps = mapped(plan.steps)
            step.action = .on(plan)
        case .block(let steps): step.action = .block(mapped(steps))
        case .repeat(var plan):
            plan.until = plan.until.map(body)
            plan.steps = mapped(plan.steps)
            step.action = .repeat(plan)
        case .race(let within, let steps): step.action = .race(within: within, mapped(steps))
        case .anyTime(let steps): step.action = .anyTime(mapped(steps))
        case .sometime(let within, let steps):
            step.action = .sometime(within: within, mapped(steps))
        default: break
        }
        return step
    }
}
