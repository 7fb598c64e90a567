import EventLoops
import Kernel
import Rig
import Transports

/// A real reader behind a live transport, in real time, with the operator's hands.
final class LiveProbeLine: ProbeLine {
    private var transport: any LiveTransport
    private let hands: (any Operator)?
    private let interruption: Interruption
    private let handTimeout: VirtualDuration
    private let readerName: String
    private let poller: Poller
    private let start = MonotonicClock.now
    private var pending: [TransportEvent] = []
    private(set) var isAttached = false
    private var isAsking = false

    /// Opens the line.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    init(
        _ transport: any LiveTransport,
        readerName: String,
        hands: (any Operator)?,
        handTimeout: VirtualDuration,
        interruption: Interruption
    ) throws(KernelError) {
        self.transport = transport
        self.readerName = readerName
        self.hands = hands
        self.handTimeout = handTimeout
        self.interruption = interruption
        poller = try Poller()
        try poller.add(transport.wakeDescriptor, token: 0)
        if let descriptor = interruption.descriptor { try poller.add(descriptor, token: 1) }
        if let descriptor = hands?.wakeDescriptor { try poller.add(descriptor, token: 2) }
        self.transport.open(at: .zero)
        self.transport.grant(credits: 64)
    }

    var now: VirtualInstant { .zero + .nanoseconds(MonotonicClock.now - start) }

    /// What to do about a reader that does not come.
    var absence: String { transport.absence }

    func send(_ unit: TransportUnit) {
        if isAttached { transport.send(unit, at: now) }
    }

    func next(until limit: VirtualInstant) throws(ProbeStop) -> TransportEvent? {
        while true {
            if !pending.isEmpty { return note(pending.removeFirst()) }
            if let event = try take() { return note(event) }
            guard now < limit else { return nil }
            try wait(until: limit)
        }
    }

    func act(_ act: HandAct, words: String) throws(ProbeStop) {
        guard let hands else {
            throw .lost(
                "'\(words)' needs a hand at \(readerName), and there is none: run it on a terminal, "
                    + "or give --operator or --assume-operator"
            )
        }
        hands.begin(
            HandRequest(act, readerName: readerName, words: words, timeLimit: handTimeout)
        )
        defer { hands.cancel() }
        var limit = end()
        while true {
            switch hands.poll() {
            case nil: break
            case .done: return
            case .again: limit = end()
            case .skipped(let reason): throw .skipped(reason)
            case .aborted(let reason): throw .lost(reason)
            }
            if let event = try take() {
                switch (act, event) {
                case (.plugIn, .attached), (.unplug, .detached), (.swipe, .received):
                    hands.readerShowedAct()
                default: break
                }
                pending.append(event)
                continue
            }
            guard now < limit else { throw .lost("the hand did not act in its time at '\(words)'") }
            try wait(until: limit)
        }
    }

    func close() { transport.close(at: .zero) }

    private func take() throws(ProbeStop) -> TransportEvent? {
        guard let event = transport.nextEvent(at: .zero) else { return nil }
        switch event {
        case .received: transport.grant(credits: 1)
        case .unusable(let problem): throw .lost(problem.description)
        case .attached, .detached, .featureFinished: break
        }
        return event
    }

    private func note(_ event: TransportEvent) -> TransportEvent {
        switch event {
        case .attached: isAttached = true
        case .detached: isAttached = false
        case .received, .featureFinished, .unusable: break
        }
        return event
    }

    private func wait(until limit: VirtualInstant) throws(ProbeStop) {
        if interruption.hasCome { throw .interrupted }
        let (moment, overflow) = start.addingReportingOverflow((limit - .zero).nanoseconds)
        do throws(KernelError) {
            try poller.wait(untilMonotonicNanoseconds: overflow ? .max : moment) { _ in }
        } catch {
            throw .lost("\(error)")
        }
        if interruption.hasCome { throw .interrupted }
    }

    private func end() -> VirtualInstant { now + handTimeout }
}
