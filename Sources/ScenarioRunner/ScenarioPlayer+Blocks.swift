import Journal
import Laws
import Rig
import ScenarioLanguage

// Blocks and what is armed in them.
extension ScenarioPlayer {
    /// The most steps of a run, so that repeats inside repeats end.
    static let maximumStepCount = 1_000_000

    /// Opens a block; what `count` asks of it begins to be counted.
    mutating func open(_ steps: [Int], owner: Int?) {
        var counts = owner == nil ? prepared.scenario.counts : []
        for index in steps {
            if case .count(let patterns) = prepared.flat[index].step.action { counts += patterns }
        }
        let frame = BlockFrame(steps: steps, owner: owner, tally: CountTally(counts))
        frames.append(frame)
        isTallying = isTallying || !counts.isEmpty || awaitsUntil(frame)
    }

    /// Goes to the next step of the innermost block, or ends the block; false when the scenario's
    /// own steps are through.
    mutating func goOn() -> Bool {
        guard let frame = frames.last else { return false }
        if frame.position < frame.steps.count {
            stepCount += 1
            guard stepCount <= Self.maximumStepCount else {
                failures.append(
                    RunFailure(
                        .bound,
                        at: currentLocation,
                        "the run took \(Self.maximumStepCount) steps and was not over"
                    )
                )
                stop(.finished)
                return true
            }
            frames[frames.count - 1].position += 1
            takeTurn(frame.steps[frame.position])
            return true
        }
        guard frame.owner != nil else { return false }
        endRound(frame)
        return true
    }

    /// Holds the counts of the scenario's own block against what came in the run.
    mutating func concludeCounts() {
        if let frame = frames.first { conclude(frame) }
    }

    private mutating func endRound(_ frame: BlockFrame) {
        conclude(frame)
        disarm(frame)
        guard let owner = frame.owner, !isOver else { return }
        currentStep = owner
        guard case .repeat(let plan) = prepared.flat[owner].step.action else {
            frames.removeLast()
            return
        }
        let limit = plan.times ?? RepeatPlan.longestUntil
        if plan.until != nil, frame.hasMetUntil {
            frames.removeLast()
        } else if frame.round < limit {
            frames[frames.count - 1].round += 1
            frames[frames.count - 1].position = 0
            frames[frames.count - 1].tally = CountTally(frame.tally.counts)
        } else if let until = plan.until {
            let text = RecordText(readerNames: rig.readerNames)
            failures.append(
                RunFailure(
                    .check,
                    at: until.location,
                    "expected \(text.pattern(until)) in at most \(limit) rounds, but it did not "
                        + "come"
                )
            )
            stop(.finished)
        } else {
            frames.removeLast()
        }
    }

    private mutating func conclude(_ frame: BlockFrame) {
        let broken = frame.tally.failures(readerNames: rig.readerNames)
        for failure in broken {
            failures.append(RunFailure(.check, at: failure.location, failure.description))
        }
        if !broken.isEmpty { stop(.finished) }
    }

    /// Ends what `never` and `on` armed in a block.
    private mutating func disarm(_ frame: BlockFrame) {
        expectations.endScope(frames.count)
        guard !reactions.isEmpty else { return }
        reactions.removeAll { $0.depth >= frames.count }
        updatePauses()
    }

    /// Lets the rig stop inside the callbacks that reactions wait for, and in no others.
    mutating func updatePauses() {
        var names: [RecordName] = []
        for reaction in reactions where !names.contains(reaction.pattern.name) {
            names.append(reaction.pattern.name)
        }
        rig.pausesAtEvents = names
    }

    private func awaitsUntil(_ frame: BlockFrame) -> Bool {
        guard let owner = frame.owner,
            case .repeat(let plan) = prepared.flat[owner].step.action
        else { return false }
        return plan.until != nil
    }

    // MARK: What records cause

    /// Counts a record for the open blocks.
    mutating func tally(_ record: Record) {
        for index in frames.indices {
            frames[index].tally.observe(record, in: rig.journal)
            guard let owner = frames[index].owner, !frames[index].hasMetUntil,
                case .repeat(let plan) = prepared.flat[owner].step.action,
                let until = plan.until, until.matches(record, in: rig.journal)
            else { continue }
            frames[index].hasMetUntil = true
        }
    }

    /// Whether an open block counts a record or repeats until it.
    func isNamedByBlock(_ record: Record) -> Bool {
        frames.contains { frame in
            if frame.tally.counts.contains(where: { $0.pattern.matches(record, in: rig.journal) }) {
                return true
            }
            guard let owner = frame.owner,
                case .repeat(let plan) = prepared.flat[owner].step.action, let until = plan.until
            else { return false }
            return until.matches(record, in: rig.journal)
        }
    }

    /// Notes the acts of the reactions whose record this is.
    mutating func react(to record: Record) {
        for index in reactions.indices
        where reactions[index].remainingCount > 0
            && reactions[index].pattern.matches(record, in: rig.journal)
        {
            reactions[index].remainingCount -= 1
            let step = reactions[index].step
            if !firedReactions.contains(step) { firedReactions.append(step) }
            pendingActs += prepared.flat[step].branches
        }
    }

    /// Does what was noted, in order; what comes of it can cause more.
    mutating func actOnReactions() {
        guard !pendingActs.isEmpty else { return }
        let before = rig.journal.step
        let act = pendingActs.removeFirst()
        actCount += 1
        guard actCount <= Self.maximumStepCount else {
            failures.append(
                RunFailure(
                    .bound,
                    at: prepared.flat[act].step.location,
                    "the run acted \(Self.maximumStepCount) times and was not over"
                )
            )
            stop(.finished)
            return
        }
        perform(act)
        rig.journal.step = before
    }
}
