import CardData
public import EventLoops
import GatewayProtocols
import Journal
import Laws
import Rig
import ScenarioLanguage
import SimulatedGateways

// When a step is done, and how a run ends.
extension ScenarioPlayer {
    /// Shows the records that came to those who follow them.
    mutating func follow() {
        repeat {
            while seenCount < rig.journal.count {
                guard let record = rig.journal.record(seenCount) else {
                    seenCount += 1
                    continue
                }
                laws.observe(record, in: rig.journal)
                expectations.observe(
                    record,
                    in: rig.journal,
                    isCounted: isTallying && record.name == .misuse && isNamedByBlock(record)
                )
                seenCount += 1
                if isTallying { tally(record) }
                if !reactions.isEmpty { react(to: record) }
            }
            if !isOver { actOnReactions() }
            // Nothing more is done from inside the callback: it returns, and the next event comes.
            if !isOver, pendingActs.isEmpty, seenCount == rig.journal.count {
                rig.returnFromCallback()
            }
        } while !isOver && (seenCount < rig.journal.count || !pendingActs.isEmpty)
        guard !expectations.forbiddenFailures.isEmpty,
            let broken = expectations.forbiddenFailures.first
        else { return }
        failures.append(RunFailure(.never, broken))
        stop(.finished)
    }

    /// Whether what the player waits for has come.
    mutating func canGoOn() -> Bool {
        switch wait {
        case .nothing:
            return true
        case .check:
            if case .waiting = expectations.status, !isPatient, rig.isQuiet {
                if openActs.isEmpty { giveUp(.nothingPending) } else { liftLimit() }
            }
            switch expectations.status {
            case .waiting:
                if rig.isRealTime { countFromHandSign() }
                return false
            case .satisfied:
                if hasEarliest, isTooEarly() { return false }
                if let branch = expectations.takenBranch, let currentStep {
                    takenBranches.append((currentStep, branch))
                }
                rig.cancelScriptTimer()
                return true
            case .failed(let failure):
                failures.append(RunFailure(.check, failure))
                stop(.finished)
                return false
            }
        case .time, .turn:
            return false
        case .settle(_, let isEnd):
            guard rig.isQuiet else { return false }
            if isEnd, !openActs.isEmpty {
                liftLimit()
                return false
            }
            if rig.isRealTime, rig.now - rig.lastActivity < Self.quietPeriod { return false }
            rig.cancelScriptTimer()
            return true
        case .race(let branches):
            return branches.isEmpty
        case .hand(let act, _):
            return hasActed(act)
        case .detach(let reader, _):
            guard !rig.isAttached(reader) else { return false }
            rig.cancelScriptTimer()
            return true
        case .attach(let reader, _):
            guard rig.isAttached(reader) else { return false }
            rig.cancelScriptTimer()
            return true
        }
    }

    /// Reports a check that was met before it may be.
    private mutating func isTooEarly() -> Bool {
        guard let found = expectations.lastTaken, let record = rig.journal.record(found),
            record.time < earliest
        else { return false }
        let name = Vocabulary.definition(of: record.name).spelling
        failures.append(
            RunFailure(
                .check,
                at: currentLocation,
                "expected \(name) not before \(RecordText.time(earliest)), found it at "
                    + RecordText.time(record.time),
                sequence: found
            )
        )
        stop(.finished)
        return true
    }

    /// When the player wants to look again though nothing came in; for real readers only.
    public var wantsWakeUp: VirtualInstant? {
        guard rig.isRealTime, case .settle = wait, rig.isQuiet else { return nil }
        return rig.lastActivity + Self.quietPeriod
    }

    mutating func giveUp(_ reason: GiveUpReason) {
        expectations.giveUp(reason, in: rig.journal)
    }

    /// Ends the run: what nobody took, what the laws say at the end, and the money.
    mutating func finish() {
        if let unexpected = expectations.finish(
            allowsUnexpected: prepared.scenario.allowsUnexpectedEvents,
            in: rig.journal
        ) {
            failures.append(RunFailure(.unexpected, unexpected))
        }
        concludeCounts()
        rig.synchronizeGateways()
        if let outcome = prepared.scenario.outcome {
            let broken = OutcomeCheck.failures(
                of: outcome,
                ledger: ledgerFacts,
                requestCount: rig.requestCount,
                webhookCount: rig.sentWebhookCount,
                tokenCount: rig.usedTokenCount
            )
            for failure in broken {
                failures.append(RunFailure(.outcome, at: failure.location, failure.description))
            }
        }
        stop(.finished)
    }

    /// Adds what the laws found; called once when the run is over, however it ended.
    mutating func concludeLaws() {
        if end == .finished && failures.isEmpty { laws.finish(in: rig.journal) }
        for violation in laws.violations {
            failures.append(
                RunFailure(
                    .law(violation.law),
                    at: violation.sequence.flatMap { rig.journal.record($0)?.step }
                        .map { prepared.flat[$0].step.location },
                    violation.explanation,
                    sequence: violation.sequence
                )
            )
        }
    }
}
