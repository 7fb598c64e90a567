public import EventLoops

/// A transport around another one that delays, splits, joins, drops, damages, repeats or cuts what
/// the reader sends, or what the host sends.
///
/// It stands on the host's side, so that a live transport can be disturbed like a simulated one.
/// Without faults and delays it adds nothing but a count. After a cut the reader below still
/// believes itself attached: its next attach (after a detach) begins a session again.
///
/// Faults that meet the same unit act together: damage first, then lost and repeated bytes, then
/// splits, then delay; nothing acts behind a cut. A fault addressed at a place that has passed, or
/// that never comes, does not fire and stays in ``waitingFaults``.
public struct FaultInjector<Base: Transport>: Transport {
    /// The transport below; the reader's side of a simulated one is reached through it.
    public var base: Base
    /// The faults that fired, in that order.
    public internal(set) var firedFaults: [FiredFault] = []
    /// The faults that have not fired, in the order of injection.
    public internal(set) var waitingFaults: [LinkFault] = []
    /// How many units came through the link from the reader.
    @inlinable public var unitCount: Int { metUnitCount }
    /// How many bytes came through the link from the reader.
    @inlinable public var byteCount: Int { metByteCount }
    /// How many units of the host went into the link.
    @inlinable public var hostUnitCount: Int { hostLine.metUnitCount }
    /// How many bytes of the host went into the link.
    @inlinable public var hostByteCount: Int { hostLine.metByteCount }

    @usableFromInline var metUnitCount = 0
    @usableFromInline var metByteCount = 0
    /// The unit and the byte with the lowest numbers to come that a fault waits for.
    @usableFromInline var aimedUnit = Int.max
    @usableFromInline var aimedByte = Int.max
    @usableFromInline var timing = LinkTiming()
    @usableFromInline var isTimed = false
    @usableFromInline var randomness = SplitMix64(seed: 0)
    @usableFromInline var toHost = Queue<Arrival>()
    @usableFromInline var credits = 0
    /// Whether units are lost and a detach of the base is not news, until the next attach.
    @usableFromInline var isLinkDown = false
    /// Attaches and detaches in `toHost`.
    @usableFromInline var untoldBorderCount = 0
    @usableFromInline var hostSeesReader = false
    @usableFromInline var hostLine = HostLine()
    /// The fault by which the last unit in `toHost` waits for another, and that unit's number.
    var waitingMerge: (fault: LinkFault, unitNumber: Int)?

    /// Puts a link with faults around a transport.
    public init(
        around base: Base,
        faults: [LinkFault] = [],
        timing: LinkTiming = LinkTiming()
    ) {
        self.base = base
        waitingFaults = faults
        takeAim()
        setTiming(timing)
    }

    /// Adds a fault; its address still counts from the beginning of the run.
    public mutating func inject(_ fault: LinkFault) {
        waitingFaults.append(fault)
        takeAim()
    }

    /// Changes the link's delays for what arrives from now on; random ones start from the seed.
    public mutating func setTiming(_ timing: LinkTiming) {
        self.timing = timing
        randomness = SplitMix64(seed: timing.seed)
        isTimed = !timing.isNeutral
    }

    // MARK: Transport

    /// Opens the transport below.
    public mutating func open(at now: VirtualInstant) { base.open(at: now) }

    /// Allows so many more units to be delivered, counted after the faults: both parts of a split
    /// unit need one.
    @inlinable
    public mutating func grant(credits: Int) {
        let (sum, isTooLarge) = self.credits.addingReportingOverflow(max(0, credits))
        self.credits = isTooLarge ? .max : sum
        base.grant(credits: credits)
    }

    /// Passes a unit to the reader; it is dropped while the link is cut.
    @inlinable
    public mutating func send(_ unit: TransportUnit, at now: VirtualInstant) {
        guard !isLinkDown, untoldBorderCount == 0 else { return }
        hostLine.metUnitCount += 1
        hostLine.metByteCount += unit.payload.count
        guard !hostLine.isAimed, hostLine.isEmpty else { return sendDisturbed(unit, at: now) }
        base.send(unit, at: now)
    }

    /// Closes the transport below; what the link holds is lost.
    public mutating func close(at now: VirtualInstant) {
        let pending = toHost.firstDetach
        forgetArrivals()
        if hostSeesReader, let pending {
            append(pending.event, in: TimeWindow(at: now))
            isLinkDown = true
        }
        credits = 0
        base.close(at: now)
    }

    /// When something arrives at the link or leaves it, whichever is first.
    @inlinable
    public var nextDue: TimeWindow? {
        guard !hostLine.isEmpty else { return nextDueToHost }
        let own = hostLine.nextDue.map { TimeWindow(at: $0) }
        guard let next = nextDueToHost, let own, next.earliest < own.earliest else { return own }
        return next
    }

    @usableFromInline var nextDueToHost: TimeWindow? {
        guard let own = toHost.isEmpty ? nil : ownDue else { return base.nextDue }
        guard let below = base.nextDue, below.earliest < own.earliest else { return own }
        return below
    }

    /// Returns the next event that comes out of the link, or `nil`; faults fire in here.
    @inlinable
    public mutating func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        guard toHost.isEmpty, !isTimed, !isLinkDown, credits > 0, hostLine.isEmpty else {
            return nextDisturbedEvent(at: now)
        }
        let below = waitingFaults.isEmpty ? nil : base.nextDue
        guard let event = base.nextEvent(at: now) else { return nil }
        switch event {
        case .received(let unit):
            guard metUnitCount + 1 != aimedUnit, metByteCount + unit.payload.count < aimedByte
            else {
                meet(event, in: below ?? TimeWindow(at: now), at: now)
                return nextDisturbedEvent(at: now)
            }
            metUnitCount += 1
            metByteCount += unit.payload.count
            credits -= 1
        case .attached:
            hostSeesReader = true
        case .detached:
            hostSeesReader = false
        case .featureFinished, .unusable:
            break
        }
        return event
    }

    // MARK: What comes out

    /// When the first thing leaves the link; a detach does not wait for the credits of units.
    @usableFromInline
    var ownDue: TimeWindow? {
        toHost.due(credits: credits) ?? (untoldBorderCount > 0 ? toHost.firstDetach?.window : nil)
    }

    @usableFromInline
    mutating func nextDisturbedEvent(at now: VirtualInstant) -> TransportEvent? {
        passHostUnits(at: now)
        while true {
            let below = base.nextDue
            if let own = ownDue, own.earliest <= now, own.earliest <= below?.earliest ?? now {
                return takeArrival(at: now)
            }
            guard let event = base.nextEvent(at: now) else { return takeArrival(at: now) }
            meet(event, in: below ?? TimeWindow(at: now), at: now)
        }
    }

    private mutating func takeArrival(at now: VirtualInstant) -> TransportEvent? {
        if let detach = toHost.firstDetach, detach.window.earliest <= now {
            while credits <= 0, toHost.needsCredit {
                toHost.dropFirst()
            }
        }
        guard let event = toHost.next(at: now, credits: &credits) else { return nil }
        if toHost.isEmpty { waitingMerge = nil }
        switch event {
        case .received, .featureFinished, .unusable:
            break
        case .attached:
            untoldBorderCount -= 1
            hostSeesReader = true
        case .detached:
            untoldBorderCount -= 1
            hostSeesReader = false
        }
        return event
    }

    // MARK: What goes in

    @usableFromInline
    mutating func meet(
        _ event: TransportEvent,
        in window: TimeWindow,
        at now: VirtualInstant
    ) {
        switch event {
        case .attached:
            isLinkDown = false
            hostLine.removeAll()
            append(event, in: window)
        case .detached:
            guard !isLinkDown else { return }
            hostLine.removeAll()
            let count = toHost.unitCount
            toHost.loseUnarrived(at: window.earliest, credits: credits)
            base.grant(credits: count - toHost.unitCount)
            append(event, in: window)
        case .featureFinished:
            guard !isLinkDown else { return }
            append(event, in: delayed(window))
        case .unusable:
            append(event, in: window)
        case .received(let unit):
            guard !isLinkDown else { return base.grant(credits: 1) }
            disturb(unit, in: delayed(window), at: now)
        }
    }

    private mutating func delayed(_ window: TimeWindow) -> TimeWindow {
        guard isTimed else { return window }
        var delay = timing.delay
        if timing.jitter > .zero {
            let bound = UInt64(timing.jitter.nanoseconds) + 1
            delay = delay + .nanoseconds(Int64(randomness.next(below: bound)))
        }
        return window.later(by: delay)
    }

    /// Appends an event that no later unit may be joined with.
    mutating func append(_ event: TransportEvent, in window: TimeWindow) {
        waitingMerge = nil
        switch event {
        case .attached, .detached: untoldBorderCount += 1
        case .received, .featureFinished, .unusable: break
        }
        toHost.append(event, in: window)
    }

    private mutating func forgetArrivals() {
        waitingMerge = nil
        untoldBorderCount = 0
        hostLine.removeAll()
        toHost.removeAll()
    }
}

extension FaultInjector: Sendable where Base: Sendable {}
