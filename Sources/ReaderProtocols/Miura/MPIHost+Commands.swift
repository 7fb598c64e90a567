import EventLoops

extension MPIHost {
    /// Writes what may be written: the set-up, and then the queue.
    mutating func pump(_ node: MiuraNode, at now: VirtualInstant) {
        while isAttached, lanes[node.index].isFree {
            switch lanes[node.index].phase {
            case .awaitingGreeting, .probing, .restarting: return
            case .initialising(let next):
                let commands = initialisation(of: node)
                guard next < commands.count else {
                    lanes[node.index].phase = .ready
                    act(.initialised(node, lanes[node.index].initialAnswers))
                    lanes[node.index].initialAnswers = []
                    continue
                }
                lanes[node.index].phase = .initialising(next: next + 1)
                let entry = MPILane.Entry(
                    ticket: makeTicket(),
                    command: commands[next],
                    rawBytes: []
                )
                start(entry, isInitial: true, to: node, at: now)
            case .ready:
                guard !lanes[node.index].queue.isEmpty else { return }
                start(lanes[node.index].queue.removeFirst(), isInitial: false, to: node, at: now)
            }
        }
    }

    private func initialisation(of node: MiuraNode) -> [MiuraCommand] {
        switch node {
        case .reader: options.initialisation
        case .hub: options.hubInitialisation
        }
    }

    /// Begins the set-up of a node.
    mutating func initialise(_ node: MiuraNode, at now: VirtualInstant) {
        lanes[node.index].phase = .initialising(next: 0)
        lanes[node.index].initialAnswers = []
        lanes[node.index].resumedInitial = nil
        lanes[node.index].missedInitial = nil
        pump(node, at: now)
    }

    /// Writes a command and waits for its answer; CARD STATUS does not hold up those behind it.
    private mutating func start(
        _ entry: MPILane.Entry,
        isInitial: Bool,
        to node: MiuraNode,
        at now: VirtualInstant
    ) {
        let apdu = entry.command.apdu
        guard isSendable(entry, apdu, to: node) else {
            if !isInitial { act(.failed(entry.ticket, .notEncodable)) }
            return
        }
        let outstanding = write(entry, apdu, to: node, at: now)
        if case .cardStatus = entry.command {
            // What the set-up asks for is answered as an event only.
            if !isInitial { lanes[node.index].cardStatuses.append(outstanding) }
            return
        }
        lanes[node.index].current = outstanding
        lanes[node.index].isCurrentInitial = isInitial
        if case .continueTransaction = entry.command { lanes[node.index].awaitsContinue = false }
    }

    private func isSendable(
        _ entry: MPILane.Entry,
        _ apdu: MiuraAPDU,
        to node: MiuraNode
    ) -> Bool {
        var rawByteCount = 0
        if case .streamBinary(let stream) = entry.command { rawByteCount = stream.byteCount }
        guard entry.command.isEncodable(as: apdu), entry.rawBytes.count == rawByteCount else {
            return false
        }
        return lanes[node.index].understandsExtendedAPDU || !apdu.needsExtendedForm
    }

    mutating func write(
        _ entry: MPILane.Entry,
        _ apdu: MiuraAPDU,
        to node: MiuraNode,
        at now: VirtualInstant
    ) -> MPILane.Outstanding {
        let message = MiuraMessage(node: node, payload: apdu.bytes)
        act(.write(entry.rawBytes.isEmpty ? message.bytes : message.bytes + entry.rawBytes))
        return MPILane.Outstanding(
            ticket: entry.ticket,
            command: entry.command,
            deadline: options.limits.limit(for: entry.command).map { now + $0 }
        )
    }

    // MARK: Failures

    /// All commands of a node fail, written or not.
    mutating func failAll(_ node: MiuraNode, _ failure: MPIFailure) {
        failOutstanding(node, failure)
        for entry in lanes[node.index].queue { act(.failed(entry.ticket, failure)) }
        lanes[node.index].queue = []
    }

    private mutating func failOutstanding(_ node: MiuraNode, _ failure: MPIFailure) {
        let lane = lanes[node.index]
        for outstanding in lane.outstanding
        where !(lane.isCurrentInitial && outstanding == lane.current) {
            act(.failed(outstanding.ticket, failure))
        }
        lanes[node.index].forgetOutstanding()
    }

    /// What was written fails, and the reader's serial number is asked for.
    ///
    /// Its answer shows where the stream of answers stands. A set-up goes on behind that, first with what had no answer.
    mutating func probe(_ node: MiuraNode, _ failure: MPIFailure, at now: VirtualInstant) {
        failOutstanding(node, failure)
        if case .initialising(let next) = lanes[node.index].phase, next > 0 {
            let isMissedAgain = lanes[node.index].missedInitial == next - 1
            lanes[node.index].resumedInitial = isMissedAgain ? next : next - 1
            lanes[node.index].missedInitial = next - 1
        }
        lanes[node.index].phase = .probing(until: now + options.limits.probe)
        act(.probing(node))
        act(.write(MiuraCommand.resetDevice(.soft).message(to: node).bytes))
    }

    /// The reader starts anew: its session is over, and the set-up follows.
    mutating func restarted(_ node: MiuraNode, at now: VirtualInstant) {
        failAll(node, .readerRestarted)
        forgetChains(of: node)
        act(.readerRestarted(node))
        initialise(node, at: now)
    }

    // MARK: Time

    mutating func advance(_ node: MiuraNode, to now: VirtualInstant) {
        switch lanes[node.index].phase {
        case .awaitingGreeting(let until) where until <= now: initialise(node, at: now)
        case .probing(let until) where until <= now, .restarting(let until) where until <= now:
            drop(.silent(node), at: now)
        case .awaitingGreeting, .probing, .restarting, .initialising, .ready: break
        }
        guard isAttached else { return }
        while let first = lanes[node.index].cardStatuses.first, isOver(first, at: now) {
            lanes[node.index].cardStatuses.removeFirst()
            act(.failed(first.ticket, .timedOut))
        }
        if let until = lanes[node.index].extraAnswerUntil, until <= now {
            lanes[node.index].extraAnswerUntil = nil
            pump(node, at: now)
        }
        if let current = lanes[node.index].current, isOver(current, at: now) {
            if case .resetDevice = current.command {
                // Nothing else would show more of whether the reader is there.
                drop(.silent(node), at: now)
            } else {
                probe(node, .timedOut, at: now)
            }
        } else if lanes[node.index].aborts.contains(where: { isOver($0, at: now) }) {
            probe(node, .timedOut, at: now)
        }
    }

    private func isOver(_ outstanding: MPILane.Outstanding, at now: VirtualInstant) -> Bool {
        outstanding.deadline.map { $0 <= now } ?? false
    }
}
