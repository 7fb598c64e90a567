import EventLoops

extension MPIHost {
    /// Gives an answer to the command that it belongs to.
    mutating func take(_ response: MiuraResponse, from node: MiuraNode, at now: VirtualInstant) {
        switch self[node].phase {
        case .probing:
            guard case .fits(let answer) = MPIMatching(response, to: .resetDevice(.soft)),
                case .software(let software) = answer
            else {
                act(.unmatched(node, response, while: nil))
                return
            }
            self[node].understandsExtendedAPDU = software.understandsExtendedAPDU
            self[node].phase = .ready
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
        if let abort = self[node].aborts.first, MPIMatching.isOfAbort(response) {
            self[node].aborts.removeFirst()
            act(.answered(abort.ticket, .done))
            // The command may have been answered before: then this ended the wait for CONTINUE.
            if self[node].current == nil { abortWasAnswered(node, at: now) }
            pump(node, at: now)
            return
        }
        guard let current = self[node].current else {
            leftOver(response, from: node, at: now)
            return
        }
        switch MPIMatching(response, to: current.command) {
        case .foreign:
            act(.unmatched(node, response, while: current.ticket))
            if MPIMatching.endsTransaction(response) { transactionIsOver(node) }
        case .malformed(let error):
            finish(current, node)
            if !self[node].isCurrentInitial {
                act(.failed(current.ticket, .answerMalformed(error)))
            }
            self[node].isCurrentInitial = false
        case .fits(let answer):
            finish(current, node)
            remember(answer, to: current.command, from: node, at: now)
            if self[node].isCurrentInitial {
                self[node].initialAnswers.append(answer)
                self[node].isCurrentInitial = false
            } else {
                act(.answered(current.ticket, answer))
            }
        }
        pump(node, at: now)
    }

    private mutating func finish(_ current: MPILane.Outstanding, _ node: MiuraNode) {
        self[node].current = nil
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
        self[node].awaitsContinue = false
        self[node].extraAnswerUntil = nil
    }

    private mutating func abortWasAnswered(_ node: MiuraNode, at now: VirtualInstant) {
        guard self[node].awaitsContinue else { return }
        self[node].awaitsContinue = false
        self[node].extraAnswerUntil = now + options.limits.extraAnswer
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
            self[node].understandsExtendedAPDU = software.understandsExtendedAPDU
        case (.abort, _): abortWasAnswered(node, at: now)
        case (_, .transaction(let outcome)):
            self[node].awaitsContinue = outcome.waitsForContinue
            if case .startTransaction = command { self[node].isChipRead = true }
            if case .startContactless = command { self[node].isChipRead = false }
            if self[node].wasCardPulled, outcome.tag == .transactionDeclined {
                self[node].extraAnswerUntil = now + options.limits.extraAnswer
            }
            self[node].wasCardPulled = false
        case (.continueTransaction, _), (.startTransaction, _), (.startContactless, _):
            self[node].wasCardPulled = false
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
            if !self[node].cardStatuses.isEmpty {
                let outstanding = self[node].cardStatuses.removeFirst()
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
                node == .reader && options.expectsGreeting && !self[node].hasGreeted
                && !self[node].wasAnswered
            self[node].hasGreeted = true
            guard isGreeting else {
                restarted(node, at: now)
                return
            }
            if case .awaitingGreeting = self[node].phase { initialise(node, at: now) }
        case .poweringOff, .rebooting, .restarting:
            failAll(node, .readerRestarted)
            self[node].phase = .restarting(until: now + options.limits.restart)
        default: break
        }
    }

    /// The reader declines by itself when the card leaves while it waits for CONTINUE.
    private mutating func cardIsGone(_ node: MiuraNode, at now: VirtualInstant) {
        guard self[node].isChipRead else { return }
        if self[node].awaitsContinue {
            self[node].extraAnswerUntil = now + options.limits.extraAnswer
        } else if case .continueTransaction = self[node].current?.command {
            self[node].wasCardPulled = true
        }
    }
}
