public import EventLoops

extension PaymentProvider {
    // MARK: - Inputs of the reader

    /// Records that the reader's transport is open.
    public mutating func readerOpened(at now: VirtualInstant) {
        payment?.readerOpened(at: now)
        settle(at: now)
    }

    /// Records that there is no such reader, or that it cannot be opened.
    public mutating func readerNotFound(at now: VirtualInstant) {
        payment?.readerNotFound(&outbox)
        settle(at: now)
    }

    /// Reads bytes from the reader, in whatever pieces they arrive.
    public mutating func readerReceived(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) {
        settle(at: now)
    }

    /// Records that the reader's transport was lost.
    public mutating func readerLost(at now: VirtualInstant) {
        payment?.readerLost(&outbox, at: now)
        settle(at: now)
    }

    /// Takes what the session with the reader reports.
    package mutating func readerReported(_ report: PaymentReaderReport, at now: VirtualInstant) {
        payment?.readerReported(report, &outbox, at: now)
        settle(at: now)
    }

    /// Takes the next order for the session with the reader, where that is not the provider's own.
    package mutating func nextReaderOrder() -> PaymentReaderOrder? {
        guard let payment, !payment.readerOrders.isEmpty else { return nil }
        return self.payment?.readerOrders.removeFirst()
    }

    // MARK: - The session

    var readerDeadline: VirtualInstant? { nil }

    mutating func advanceReader(to now: VirtualInstant) {}

    mutating func driveReader(at now: VirtualInstant) {}

    mutating func readerClosed(at now: VirtualInstant) {}
}
