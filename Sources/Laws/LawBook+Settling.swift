import EventLoops
import Journal

// The app, and whether readers settle in time.
extension LawBook {
    // MARK: The app

    mutating func adopt(_ record: Record, in journal: Journal) {
        app.adopt(record, in: journal)
        if audio.isPresent { adoptAppAtJack(record) }
        for index in readers.indices {
            switch record.name {
            case .appLaunched:
                readers[index].state = ReaderState()
                readers[index].swipes.endSession()
                readers[index].settling.launch()
                readers[index].settling.disturb(.launch, at: record.time)
            case .appKilled:
                readers[index].state = ReaderState()
                readers[index].swipes.endSession()
            case .appSentToBackground:
                break
            case .appBroughtToForeground:
                readers[index].settling.disturb(.foreground, at: record.time)
            case .delegateSet:
                if app.hasDelegate {
                    readers[index].settling.disturb(.delegate, at: record.time)
                } else {
                    readers[index].swipes.excuse()
                }
            default:
                readers[index].swipes.excuse()
            }
        }
        if record.name == .appKilled {
            doubt.forget()
            paymentDoubts.forget()
            payments.kill(at: record.time)
        }
        aim()
    }

    private mutating func adoptAppAtJack(_ record: Record) {
        switch record.name {
        case .appLaunched: audio.launch()
        case .appKilled: audio.endApp()
        case .controllerClosed: audio.endController()
        case .appSentToBackground: audio.stopListening()
        default: if !app.hasDelegate { audio.stopListening() }
        }
    }

    // MARK: Settling

    /// Finds the earliest deadline.
    mutating func aim() {
        earliestDeadline = .distantFuture
        guard !isLive, !off.contains(.settles) else { return }
        for reader in readers {
            guard let deadline = reader.settling.deadline else { continue }
            earliestDeadline = min(earliestDeadline, deadline)
        }
    }

    mutating func checkSettling(before record: Record) {
        for index in readers.indices {
            guard let deadline = readers[index].settling.deadline, record.time > deadline else {
                continue
            }
            // Nobody is told while nobody listens; whoever listens again begins a new wait.
            if app.isAwake { settle(index, at: record) }
            readers[index].settling.forget()
        }
        aim()
    }

    mutating func settle(_ index: Int, at record: Record?) {
        let unsettled: StaticString?
        if audio.owns(index) {
            unsettled = unsettledAtJack(index, by: record?.time)
        } else if readers[index].settling.isPaymentReader {
            unsettled = unsettledPayment(at: index)
        } else {
            unsettled = readers[index].settling.unsettled(readers[index].state)
        }
        guard let unsettled else { return }
        report(
            .settles,
            at: record,
            reader: index,
            """
            a reader is ready again or in a final state when the last fault is over, but in its \
            time \(unsettled)
            """
        )
    }

    /// Looks at the app's link to a payment reader, and at what its card says.
    mutating func observePaymentReader(_ record: Record, in journal: Journal) {
        guard let index = reader(of: record, in: journal) else { return }
        switch record.name {
        case .readerOpened:
            payments.reader = index
            payments.disturb()
            readers[index].settling.disturb(.attach, at: record.time)
        case .readerDetached:
            payments.doubtTheCard()
            payments.disturb()
            readers[index].settling.forget()
            readers[index].settling.disturb(.detach, at: record.time)
        case .readerClosed: payments.doubtTheCard()
        default:
            let isApproved = journal.value(.result, of: record) == .symbol(.approved)
            payments.decideCard(isApproved: isApproved)
        }
        aim()
    }

    /// Returns what is not as it must be with the payment at a reader, or `nil` when it is over or
    /// waits for a person or for the service, which have limits of their own.
    private func unsettledPayment(at index: Int) -> StaticString? {
        guard payments.reader == index, let payment = payments.atWork,
            payments.payments[payment].serial == payments.disturbed
        else { return nil }
        switch payments.payments[payment].progress {
        case .waitingForCard, .readerReady, .insertRequested, .swipeRequested,
            .otherInterfaceRequested, .seePhone, .cardRetryRequested, .selectingApplication,
            .pinEntry, .signatureRequested, .removeCard, .onlineAuthorisation, .lookingUp,
            .finalising:
            return nil
        default:
            return "the payment at it was neither over nor waiting for a person or the service"
        }
    }

    /// Returns what is not as it must be at the audio jack, or `nil` when a reader has settled.
    ///
    /// A Shuttle has settled when it is connected and nothing is under way: it waits for the
    /// app's call, for an answer of the user, or for nothing since its activation failed.
    private func unsettledAtJack(_ index: Int, by time: VirtualInstant?) -> StaticString? {
        let (settling, state) = (readers[index].settling, readers[index].state)
        if audio.isDetecting {
            let isLate = time.map { $0 > audio.detectionDeadline } ?? true
            return isLate ? "the autodetection had no result" : nil
        }
        guard settling.isAttached else {
            return state.isConnected ? "it was away and the app not told" : nil
        }
        guard index == audio.enabled, !settling.isMissed else { return nil }
        if !state.isConnected { return "it was attached and the app not told" }
        if index == audio.ips { return state.isReady ? nil : "it was not ready" }
        if audio.isPoweringUp { return "its power-up had no result" }
        if state.isActivated, !state.isReady, audio.settings.alwaysAcceptsSwipes {
            return "it was activated and not ready"
        }
        return nil
    }
}
