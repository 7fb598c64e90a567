public import EventLoops

/// What the host sends, on its way to the reader through a link with faults.
@usableFromInline
struct HostLine: Sendable {
    /// Something that comes to the reader's end of the link.
    struct Passing: Sendable {
        /// The unit, or the end of the link where there is none.
        var unit: TransportUnit?
        var due: VirtualInstant
    }

    /// Whether a fault waits for something that the host sends.
    @usableFromInline var isAimed = false
    @usableFromInline var metUnitCount = 0
    @usableFromInline var metByteCount = 0
    private(set) var passing: [Passing] = []
    /// The fault by which the last unit waits for another, and that unit's number.
    private var waitingMerge: (fault: LinkFault, unitNumber: Int)?

    init() {}

    /// Whether nothing is on its way.
    @usableFromInline var isEmpty: Bool { passing.isEmpty }

    /// When the first of what is on its way arrives.
    @usableFromInline var nextDue: VirtualInstant? { passing.first?.due }

    /// Puts a unit on its way, or joins it with the one that waits for it; returns the fault that
    /// joined them.
    mutating func append(
        _ unit: TransportUnit,
        due: VirtualInstant,
        at now: VirtualInstant
    ) -> (fault: LinkFault, unitNumber: Int)? {
        if let merge = waitingMerge, let last = passing.last, let waiting = last.unit,
            waiting.kind == unit.kind, last.due >= now
        {
            waitingMerge = nil
            passing[passing.count - 1].unit?.payload += unit.payload
            passing[passing.count - 1].due = now
            return merge
        }
        waitingMerge = nil
        passing.append(Passing(unit: unit, due: max(due, passing.last?.due ?? due)))
        return nil
    }

    /// Ends the link behind what is on its way.
    mutating func cut(due: VirtualInstant) {
        waitingMerge = nil
        passing.append(Passing(unit: nil, due: max(due, passing.last?.due ?? due)))
    }

    /// Makes the last unit wait for the next one.
    mutating func hold(
        for duration: VirtualDuration,
        _ fault: LinkFault,
        at now: VirtualInstant
    ) {
        guard let last = passing.last else { return }
        waitingMerge = (fault, metUnitCount)
        passing[passing.count - 1].due = last.due + duration
    }

    /// Takes what has arrived by now.
    mutating func next(at now: VirtualInstant) -> Passing? {
        guard let first = passing.first, first.due <= now else { return nil }
        passing.removeFirst()
        if passing.isEmpty { waitingMerge = nil }
        return first
    }

    /// Loses what is on its way.
    mutating func removeAll() {
        passing = []
        waitingMerge = nil
    }
}

extension FaultInjector {
    /// Sends a unit of the host through the faults that wait for it.
    @usableFromInline
    mutating func sendDisturbed(_ unit: TransportUnit, at now: VirtualInstant) {
        let count = unit.payload.count
        let (met, fired) = MetFaults.meeting(
            waitingFaults,
            .toReader,
            unitNumber: hostLine.metUnitCount,
            firstByte: hostLine.metByteCount - count + 1,
            byteCount: count
        )
        for fault in fired { fire(fault, unitNumber: hostLine.metUnitCount, at: now) }
        takeAim()
        if met.isLost && met.cutOffset == nil { return }
        var due = now + met.delay
        let end = min(count, met.cutOffset ?? count)
        var parts: [(range: Range<Int>, due: VirtualInstant)] = []
        if !met.isLost {
            var lower = 0
            for split in met.splits {
                parts.append((lower..<split.offset, due))
                lower = split.offset
                due = due + split.gap
            }
            if lower < end || met.cutOffset == nil { parts.append((lower..<end, due)) }
        }
        let isWhole = met.cutOffset == nil
        for round in 0..<(met.isRepeated && isWhole ? 2 : 1) {
            for (range, partDue) in parts {
                let part = TransportUnit(unit.kind, met.bytes(unit.payload, range))
                let merge = hostLine.append(part, due: round == 0 ? partDue : due, at: now)
                if let merge { fire(merge.fault, unitNumber: merge.unitNumber, at: now) }
            }
        }
        if !isWhole {
            hostLine.cut(due: due)
        } else if let merge = met.merge {
            hostLine.hold(for: merge.within, merge.fault, at: now)
        }
        takeAim()
        passHostUnits(at: now)
    }

    /// Gives the transport below what the host sent and the link has held until now; the owner of a
    /// simulated reader looks for it there.
    public mutating func passHostUnits(at now: VirtualInstant) {
        while let passing = hostLine.next(at: now) {
            if let unit = passing.unit {
                base.send(unit, at: now)
                continue
            }
            hostLine.removeAll()
            append(.detached(.cut), in: TimeWindow(at: now))
            isLinkDown = true
        }
    }
}
