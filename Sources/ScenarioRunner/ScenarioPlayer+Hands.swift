import EventLoops
import Journal
import Laws
import Rig
import ScenarioLanguage

// Hands at real readers, and the time limits that begin with what they do.
extension ScenarioPlayer {
    /// Does what a hand does: at once at a simulated reader, else by asking the operator.
    mutating func hand(_ act: HandAct, _ step: Step) {
        guard rig.needsOperator(act.reader) else {
            rig.act(act)
            return
        }
        let request = HandRequest(
            act,
            readerName: rig.readerNames[act.reader],
            words: step.words,
            file: prepared.scenario.file,
            location: step.location,
            timeLimit: handTimeout
        )
        guard rig.hasOperator || rig.isDone(act) else {
            loseByHand(
                "the step '\(step.words)' needs a hand at \(request.readerName), and there is none: "
                    + "run it on a terminal, or give --operator or --assume-operator"
            )
            return
        }
        if rig.beginOperatorAct(request) {
            wait = .hand(act, deadline: startTimer(handTimeout))
        }
        isFirstSinceHand = true
    }

    /// Whether the hand that was asked has acted, and the reader came or left as it should.
    mutating func hasActed(_ act: HandAct) -> Bool {
        switch rig.pollOperator() {
        case nil:
            return false
        case .again:
            wait = .hand(act, deadline: startTimer(handTimeout))
            return false
        case .done:
            rig.cancelScriptTimer()
            rig.concludeOperatorAct(act)
            wait = .nothing
            if case .unplug(let reader) = act, rig.listens(to: reader), rig.isAttached(reader) {
                wait = .detach(reader: reader, deadline: startTimer(attachTimeout))
                return false
            }
            if case .plugIn(let reader) = act, rig.listens(to: reader), !rig.isAttached(reader) {
                wait = .attach(reader: reader, deadline: startTimer(attachTimeout))
                return false
            }
            follow()
            return !isOver
        case .skipped(let reason):
            stop(.skipped(reason, at: currentLocation))
            return false
        case .aborted(let reason):
            loseByHand(reason)
            return false
        }
    }

    /// Loses the rig because of a hand; the step's line is named.
    mutating func loseByHand(_ reason: String) {
        isLostByHand = true
        let line = currentLocation.map { ":\($0.line)" } ?? ""
        stop(.lost("\(prepared.scenario.file)\(line): \(reason)"))
    }

    /// Begins the time limits of a check: from the step before it, or from what the reader showed
    /// of the hand's act in that step.
    mutating func waitForCheck(within: VirtualDuration?, notBefore: VirtualDuration?) {
        let start = isFirstSinceHand ? rig.handShownAt ?? rig.now : rig.now
        countsFromHandSign = isFirstSinceHand && rig.awaitsHandSign
        isFirstSinceHand = false
        shortest = notBefore ?? .zero
        earliest = start + shortest
        hasEarliest = notBefore != nil
        isPatient = within != nil || rig.isRealTime
        limit = within ?? Self.longestWait
        wait = .check(deadline: startTimer(limit, from: start))
    }

    /// Begins the limits of the check that waits anew when the reader shows only now what the hand
    /// did.
    mutating func countFromHandSign() {
        guard countsFromHandSign, let start = rig.handShownAt else { return }
        countsFromHandSign = false
        earliest = start + shortest
        wait = .check(deadline: startTimer(limit, from: start))
    }
}
