public import EventLoops
import ReaderProtocols

extension PaymentProvider {
    // MARK: - Inputs of the reader

    /// Records that the reader's transport is open.
    public mutating func readerOpened(at now: VirtualInstant) {
        guard reader?.value.isOpen == false else { return }
        reader?.value.opened(isSessionPlayed: settings.value.isSessionPlayed, at: now)
        payment?.value.readerOpened(at: now)
        settle(at: now)
    }

    /// Records that there is no such reader, or that it cannot be opened.
    public mutating func readerNotFound(at now: VirtualInstant) {
        guard reader?.value.isOpen == false else { return }
        reader = nil
        payment?.value.readerNotFound(&outbox)
        settle(at: now)
    }

    /// Reads bytes from the reader, in whatever pieces they arrive.
    public mutating func readerReceived(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) {
        guard isReaderOpen else { return }
        reader?.value.session.receive(bytes, at: now)
        settle(at: now)
    }

    /// Records that the reader's transport was lost.
    public mutating func readerLost(at now: VirtualInstant) {
        guard let isOpen = reader?.value.isOpen else { return }
        reader = nil
        if isOpen {
            payment?.value.readerLost(&outbox, at: now)
        } else {
            payment?.value.readerNotFound(&outbox)
        }
        settle(at: now)
    }

    // MARK: - The session

    /// Takes what the session with the reader reports.
    mutating func readerReported(_ report: PaymentReaderReport, at now: VirtualInstant) {
        payment?.value.readerReported(report, &outbox, at: now)
        settle(at: now)
    }

    /// Takes the next order, where a test plays the session.
    mutating func nextReaderOrder() -> PaymentReaderOrder? {
        guard payment?.value.readerOrders.isEmpty == false else { return nil }
        return payment?.value.readerOrders.removeFirst()
    }

    /// Whether there is a reader, and its transport is open.
    private var isReaderOpen: Bool {
        guard let reader else { return false }
        return reader.value.isOpen
    }

    mutating func advanceReader(to now: VirtualInstant) {
        if let deadline = reader?.value.removalDeadline, deadline <= now { return closeReader() }
        if isReaderOpen { reader?.value.session.advance(to: now) }
    }

    /// Hands orders and reports on until both sides have nothing more to say.
    mutating func driveReader(at now: VirtualInstant) {
        openReaderIfWanted(at: now)
        guard !settings.value.isSessionPlayed else { return }
        while true {
            if let order = nextReaderOrder() {
                guard isReaderOpen else { continue }
                let text = payment.map { "\($0.value.order.amount) \($0.value.order.currency)" }
                let report = reader?.value.carryOut(
                    order,
                    text ?? "",
                    settings.value,
                    at: now
                )
                if let report { payment?.value.readerReported(report, &outbox, at: now) }
            } else if let step = reader?.value.session.nextStep() {
                take(step, at: now)
            } else {
                return
            }
        }
    }

    private mutating func take(_ step: MiuraStep, at now: VirtualInstant) {
        switch step {
        case .write(let bytes): outbox.add(.write(bytes))
        case .dropLink:
            closeReader()
            payment?.value.readerLost(&outbox, at: now)
        case .irregular(.damaged(let damage)):
            outbox.add(
                .readerDamaged(damage.reason, dropsLink: configuration.dropsLinkOnDamage)
            )
        case .readerReady, .progress, .applicationChoice, .authorisationRequired, .finished,
            .battery, .irregular:
            guard let report = PaymentReaderReport(step) else { return }
            payment?.value.readerReported(report, &outbox, at: now)
        }
    }

    private mutating func openReaderIfWanted(at now: VirtualInstant) {
        guard payment?.value.awaitsReader == true, let wanted = payment?.value.order.cardReader
        else { return }
        payment?.value.awaitsReader = false
        if isReaderOpen, reader?.value.name == wanted {
            reader?.value.removalDeadline = nil
            payment?.value.readerOpened(at: now)
        } else {
            closeReader()
            reader = Boxed(PaymentReader(wanted, settings.value.session))
            outbox.add(.openReader(wanted))
        }
    }

    /// Closes the reader when no payment needs it and no card is in it.
    mutating func letReaderGo(at now: VirtualInstant) {
        guard payment == nil, reader != nil else { return }
        guard isReaderOpen, reader?.value.session.isUsedCardPresent == true else {
            return closeReader()
        }
        if reader?.value.removalDeadline == nil {
            reader?.value.removalDeadline = now + settings.value.removalTimeout
        }
    }

    private mutating func closeReader() {
        guard reader != nil else { return }
        reader = nil
        outbox.add(.closeReader)
    }
}
