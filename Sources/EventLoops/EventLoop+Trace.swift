/// What the explorer is told of a run.
extension EventLoop {
    @usableFromInline
    func alternative(_ slot: Int) -> Alternative {
        Alternative(
            key: slots[slot].key,
            chain: slots[slot].chain,
            footprint: Footprint()
        )
    }

    /// Adds the event in a slot to the trace.
    @usableFromInline
    mutating func keep(_ slot: Int, from earliest: Int64, wasChosen: Bool) {
        let event = alternative(slot)
        if !wasChosen { choices.comes(alone: event) }
        let cause = Int(slots[slot].cause)
        current = Int32(truncatingIfNeeded: trace.count)
        trace.append(
            TracedEvent(
                event: event,
                window: window(of: slot, from: earliest),
                cause: cause < 0 ? nil : cause,
                choice: wasChosen ? choices.taken.count - 1 : nil
            )
        )
    }

    /// Adds an event that is taken back to the trace.
    @usableFromInline
    mutating func keepCanceled(_ slot: Int, from earliest: Int64) {
        let cause = Int(slots[slot].cause)
        trace.append(
            TracedEvent(
                event: alternative(slot),
                window: window(of: slot, from: earliest),
                cause: cause < 0 ? nil : cause,
                isCanceled: true
            )
        )
    }

    private func window(of slot: Int, from earliest: Int64) -> TimeWindow {
        TimeWindow(
            earliest: VirtualInstant(nanoseconds: earliest),
            latest: VirtualInstant(nanoseconds: slots[slot].latest)
        )
    }

    /// Tells what the event taken last touched, for the trace; call it before the next is taken.
    public mutating func touched(_ footprint: Footprint) {
        guard current >= 0 else { return }
        var footprint = footprint
        if changesTime { footprint.changes |= Footprint.time }
        for index in Int(current)..<trace.count { trace[index].event.footprint = footprint }
        choices.touched(trace[Int(current)].event)
    }
}
