import CardData
import EventLoops

extension MPIHost {
    /// Gives an answer to the command that it belongs to.
    mutating func take(_ response: MiuraResponse, from node: MiuraNode, at now: VirtualInstant) {
        switch lanes[node.index].phase {
        case .probing:
            guard case .fits(let answer) = MPIMatching(response, to: .resetDevice(.soft)),
                case .software(let software) = answer
            else {
                act(.unmatched(node, response, while: nil))
                return
            }
            lanes[node.index].understandsExtendedAPDU = software.understandsExtendedAPDU
            lanes[node.index].phase =
                lanes[node.index].resumedInitial.map { .initialising(next: $0) } ?? .ready
            lanes[node.index].resumedInitial = nil
            pump(node, at: now)
        case .restarting: act(.unmatched(node, response, while: nil))
        case .awaitingGreeting, .initialising, .ready: match(response, from: node, at: now)
        }
    }

    private mutating func match(
        _ response: MiuraResponse,
        from node: MiuraNode,
        at now: VirtualInstant
    ) {
        if let abort = lanes[node.index].aborts.first, MPIMatching.isOfAbort(response) {
            lanes[node.index].aborts.removeFirst()
            act(.answered(abort.ticket, .done))
            // The command may have been answered before: then this ended the wait for CONTINUE.
            if lanes[node.index].current == nil { abortWasAnswered(node, at: now) }
            pump(node, at: now)
            return
        }
        guard let current = lanes[node.index].current else {
            leftOver(response, from: node, at: now)
            return
        }
        switch MPIMatching(response, to: current.command) {
        case .foreign:
            act(.unmatched(node, response, while: current.ticket))
            if MPIMatching.endsTransaction(response) { transactionIsOver(node) }
        case .malformed(let error):
            finish(current, node)
            if !lanes[node.index].isCurrentInitial {
                act(.failed(current.ticket, .answerMalformed(error)))
            }
            lanes[node.index].isCurrentInitial = false
        case .fits(let answer):
            finish(current, node)
            remember(answer, to: current.command, from: node, at: now)
            if lanes[node.index].isCurrentInitial {
                lanes[node.index].initialAnswers.append(answer)
                lanes[node.index].isCurrentInitial = false
            } else {
                act(.answered(current.ticket, answer))
            }
        }
        pump(node, at: now)
    }

    private mutating func finish(_ current: MPILane.Outstanding, _ node: MiuraNode) {
        lanes[node.index].current = nil
    }

    /// An answer when no command waits: the additional E5, or what a shift left behind.
    private mutating func leftOver(
        _ response: MiuraResponse,
        from node: MiuraNode,
        at now: VirtualInstant
    ) {
        act(.unmatched(node, response, while: nil))
        transactionIsOver(node)
        pump(node, at: now)
    }

    private mutating func transactionIsOver(_ node: MiuraNode) {
        lanes[node.index].awaitsContinue = false
        lanes[node.index].extraAnswerUntil = nil
    }

    private mutating func abortWasAnswered(_ node: MiuraNode, at now: VirtualInstant) {
        guard lanes[node.index].awaitsContinue else { return }
        lanes[node.index].awaitsContinue = false
        lanes[node.index].extraAnswerUntil = now + options.limits.extraAnswer
    }

    /// Keeps what an answer says of the reader's state.
    private mutating func remember(
        _ answer: MiuraAnswer,
        to command: MiuraCommand,
        from node: MiuraNode,
        at now: VirtualInstant
    ) {
        switch (command, answer) {
        case (_, .software(let software)):
            lanes[node.index].understandsExtendedAPDU = software.understandsExtendedAPDU
        case (.abort, _): abortWasAnswered(node, at: now)
        case (_, .transaction(let outcome)):
            lanes[node.index].awaitsContinue = outcome.waitsForContinue
            if case .startTransaction = command { lanes[node.index].isChipRead = true }
            if case .startContactless = command { lanes[node.index].isChipRead = false }
            if lanes[node.index].wasCardPulled, outcome.tag == .transactionDeclined {
                lanes[node.index].extraAnswerUntil = now + options.limits.extraAnswer
            }
            lanes[node.index].wasCardPulled = false
        case (.continueTransaction, _), (.startTransaction, _), (.startContactless, _):
            lanes[node.index].wasCardPulled = false
        default: break
        }
    }

    // MARK: Unsolicited messages

    /// Passes on what the reader said on its own, and draws the conclusions.
    mutating func take(_ event: MiuraEvent, from node: MiuraNode, at now: VirtualInstant) {
        act(.event(node, event))
        switch event {
        case .readerStatus(let status): take(status.code, from: node, at: now)
        case .cardStatus(let report):
            if !lanes[node.index].cardStatuses.isEmpty {
                let outstanding = lanes[node.index].cardStatuses.removeFirst()
                act(.answered(outstanding.ticket, .cardStatus(report)))
            }
            if !report.status.contains(.present) { cardIsGone(node, at: now) }
        case .keyPressed, .barCode, .printer, .usbSerialData, .battery, .touched, .wifi, .usb,
            .pairingRequest, .other:
            break
        }
    }

    private mutating func take(
        _ code: MiuraReaderStatus.Code,
        from node: MiuraNode,
        at now: VirtualInstant
    ) {
        switch code {
        case .poweredOn:
            let isGreeting =
                node == .reader && options.expectsGreeting && !lanes[node.index].hasGreeted
                && !lanes[node.index].wasAnswered
            lanes[node.index].hasGreeted = true
            guard isGreeting else {
                restarted(node, at: now)
                return
            }
            if case .awaitingGreeting = lanes[node.index].phase { initialise(node, at: now) }
        case .poweringOff, .rebooting, .restarting:
            failAll(node, .readerRestarted)
            lanes[node.index].phase = .restarting(until: now + options.limits.restart)
        default: break
        }
    }

    /// The reader declines by itself when the card leaves while it waits for CONTINUE.
    private mutating func cardIsGone(_ node: MiuraNode, at now: VirtualInstant) {
        guard lanes[node.index].isChipRead else { return }
        if lanes[node.index].awaitsContinue {
            lanes[node.index].extraAnswerUntil = now + options.limits.extraAnswer
        } else if case .continueTransaction = lanes[node.index].current?.command {
            lanes[node.index].wasCardPulled = true
        }
    }
}
