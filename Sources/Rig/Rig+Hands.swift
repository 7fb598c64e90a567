public import EventLoops
import Journal
import Transports

// Hands at real readers: an operator is asked, and the reader may show what was done.
extension Rig {
    /// Whether an act at that reader needs an operator.
    public func needsOperator(_ reader: Int) -> Bool { stations[reader].isLive }

    /// Whether there is somebody who does what only hands can do.
    public var hasOperator: Bool { hands != nil }

    /// Whether an act is done already: the reader to plug in is there, and no hand put it there.
    public func isDone(_ act: HandAct) -> Bool {
        guard case .plugIn(let reader) = act else { return false }
        return stations[reader].isPluggedIn && !stations[reader].wasTouchedByHand
    }

    /// Asks the operator for an act.
    ///
    /// Returns whether it was begun; an act that is done already (the reader to plug in is there)
    /// is not.
    public mutating func beginOperatorAct(_ request: HandRequest) -> Bool {
        let reader = request.act.reader
        stations[reader].step = journal.step
        handSign = nil
        if isDone(request.act) {
            noteOperatorAct(request.act)
            return false
        }
        stations[reader].wasTouchedByHand = true
        handSign = HandSign(act: request.act)
        hands?.begin(request)
        return true
    }

    /// Returns the operator's answer to the act that was begun, or `nil`.
    public mutating func pollOperator() -> OperatorAnswer? { hands?.poll() }

    /// Tells the operator that nobody waits for its answer any more.
    public mutating func cancelOperatorAct() { hands?.cancel() }

    /// When the reader first showed what the hand that was asked last did: it came or left, or the
    /// first byte of a swipe arrived; `nil` before that, and for what a reader does not show.
    public var handShownAt: VirtualInstant? { handSign?.shownAt }

    /// Whether the reader will show what the hand that was asked last did, and has not yet.
    public var awaitsHandSign: Bool {
        guard let handSign, handSign.shownAt == nil else { return false }
        return isShown(handSign.act)
    }

    /// Writes down what the operator did, unless the reader showed it before.
    public mutating func concludeOperatorAct(_ act: HandAct) {
        guard handSign?.isNoted != true else { return }
        handSign?.isNoted = true
        noteOperatorAct(act)
    }

    /// Whether a reader shows an act by itself; payment readers talk all the time.
    private func isShown(_ act: HandAct) -> Bool {
        guard !stations[act.reader].isPaymentReader, stations[act.reader].isOpen else {
            return false
        }
        switch act {
        case .plugIn, .unplug, .swipe: return true
        case .insert, .tap, .removeCard, .press, .switchOff, .switchOn, .reboot, .setBattery,
            .obstruct:
            return false
        }
    }

    /// Notes that an event is what the hand did, before anybody is told of the event.
    mutating func noteHandSign(_ event: TransportEvent, from reader: Int) {
        guard let sign = handSign, sign.shownAt == nil, sign.act.reader == reader,
            isShown(sign.act)
        else { return }
        switch (sign.act, event) {
        case (.plugIn, .attached), (.unplug, .detached), (.swipe, .received):
            handSign = HandSign(act: sign.act, shownAt: now, isNoted: true)
            if !sign.isNoted { noteOperatorAct(sign.act) }
            hands?.readerShowedAct()
        default: break
        }
    }

    /// Writes down what the operator did.
    mutating func noteOperatorAct(_ act: HandAct) {
        let isPaymentReader = stations[act.reader].isPaymentReader
        switch act {
        case .plugIn(let reader):
            if isPaymentReader { stations[reader].isPluggedIn = true }
            journal.write(.pluggedIn, at: now, Attribute(.reader, .reader(reader)))
            if let fault = stations[reader].takeOpeningFault() {
                stations[reader].isObstructed = true
                noteOpeningFault(fault, reader)
            }
        case .obstruct(let reader, let fault):
            stations[reader].nextOpening = fault
        case .unplug(let reader):
            if isPaymentReader { stations[reader].isPluggedIn = false }
            journal.write(.unplugged, at: now, Attribute(.reader, .reader(reader)))
        case .swipe(let reader, let name, let quality):
            noteSwipe(reader, name, quality)
        case .insert, .tap, .removeCard, .press, .switchOff, .switchOn, .reboot, .setBattery:
            noteAtPaymentReader(act)
        }
        lastActivity = now
    }
}
