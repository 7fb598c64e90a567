public import EventLoops
import ReaderProtocols

extension PaymentProvider {
    // MARK: - Inputs of the reader

    /// Records that the reader's transport is open.
    public mutating func readerOpened(at now: VirtualInstant) {
        guard reader?.isOpen == false else { return }
        reader?.opened(isSessionPlayed: configuration.isSessionPlayed, at: now)
        payment?.readerOpened(at: now)
        settle(at: now)
    }

    /// Records that there is no such reader, or that it cannot be opened.
    public mutating func readerNotFound(at now: VirtualInstant) {
        guard reader?.isOpen == false else { return }
        reader = nil
        payment?.readerNotFound(&outbox)
        settle(at: now)
    }

    /// Reads bytes from the reader, in whatever pieces they arrive.
    public mutating func readerReceived(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) {
        guard reader?.isOpen == true else { return }
        reader?.session.receive(bytes, at: now)
        settle(at: now)
    }

    /// Records that the reader's transport was lost.
    public mutating func readerLost(at now: VirtualInstant) {
        guard let reader else { return }
        self.reader = nil
        if reader.isOpen {
            payment?.readerLost(&outbox, at: now)
        } else {
            payment?.readerNotFound(&outbox)
        }
        settle(at: now)
    }

    // MARK: - The session

    /// Takes what the session with the reader reports.
    mutating func readerReported(_ report: PaymentReaderReport, at now: VirtualInstant) {
        payment?.readerReported(report, &outbox, at: now)
        settle(at: now)
    }

    /// Takes the next order, where a test plays the session.
    mutating func nextReaderOrder() -> PaymentReaderOrder? {
        guard let payment, !payment.readerOrders.isEmpty else { return nil }
        return self.payment?.readerOrders.removeFirst()
    }

    mutating func advanceReader(to now: VirtualInstant) {
        guard let reader else { return }
        if let deadline = reader.removalDeadline, deadline <= now { return closeReader() }
        if reader.isOpen { self.reader?.session.advance(to: now) }
    }

    /// Hands orders and reports on until both sides have nothing more to say.
    mutating func driveReader(at now: VirtualInstant) {
        openReaderIfWanted(at: now)
        guard !configuration.isSessionPlayed else { return }
        while true {
            if let order = nextReaderOrder() {
                guard reader?.isOpen == true, let payment else { continue }
                let text = "\(payment.order.amount) \(payment.order.currency)"
                let report = reader?.carryOut(order, text, configuration, at: now)
                if let report { self.payment?.readerReported(report, &outbox, at: now) }
            } else if let step = reader?.session.nextStep() {
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
            payment?.readerLost(&outbox, at: now)
        case .irregular(.damaged(let damage)):
            outbox.add(
                .readerDamaged(damage.reason, dropsLink: configuration.dropsLinkOnDamage)
            )
        case .readerReady, .progress, .applicationChoice, .authorisationRequired, .finished,
            .battery, .irregular:
            guard let report = PaymentReaderReport(step) else { return }
            payment?.readerReported(report, &outbox, at: now)
        }
    }

    private mutating func openReaderIfWanted(at now: VirtualInstant) {
        guard let payment, payment.awaitsReader else { return }
        self.payment?.awaitsReader = false
        if let reader, reader.isOpen, reader.name == payment.order.cardReader {
            self.reader?.removalDeadline = nil
            self.payment?.readerOpened(at: now)
        } else {
            closeReader()
            reader = PaymentReader(payment.order.cardReader, configuration.session)
            outbox.add(.openReader(payment.order.cardReader))
        }
    }

    /// Closes the reader when no payment needs it and no card is in it.
    mutating func letReaderGo(at now: VirtualInstant) {
        guard payment == nil, let reader else { return }
        guard reader.isOpen, reader.session.isUsedCardPresent else { return closeReader() }
        if reader.removalDeadline == nil {
            self.reader?.removalDeadline = now + configuration.removalTimeout
        }
    }

    private mutating func closeReader() {
        guard reader != nil else { return }
        reader = nil
        outbox.add(.closeReader)
    }
}
