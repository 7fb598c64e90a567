import EventLoops
import TransportConformance
import Transports

/// The loopback, a hand at its reader's side; time is moved by asking for events.
struct LoopbackHarness: SimulatedTransportHarness {
    static let abilities = TransportAbilities.all
    var transport = LoopbackTransport()
    var now = VirtualInstant.zero

    mutating func attachReader() { transport.attachReader(Attachment(), at: now) }

    mutating func detachReader() { transport.detachReader(.left, at: now) }

    mutating func deliver(_ payload: [UInt8]) {
        transport.readerSend(
            TransportUnit(.report(id: 0), payload[...]),
            in: TimeWindow(at: now)
        )
    }

    func unitForReader(_ payload: [UInt8]) -> TransportUnit {
        TransportUnit(.featureSet(id: 0), payload[...])
    }

    mutating func takeReaderUnits() -> [[UInt8]] {
        var units: [[UInt8]] = []
        while let unit = transport.nextUnitForReader(at: now) { units.append(Array(unit.payload)) }
        return units
    }
}

/// A fault injector around the loopback: with nothing to do, with a fault that never comes, or
/// with a delay so long as the hand at the reader's side waits before it pulls the reader out.
struct InjectedHarness: SimulatedTransportHarness {
    enum Link: CaseIterable {
        case untouched, waiting, delayed
    }

    static let abilities = TransportAbilities.all
    var transport: FaultInjector<LoopbackTransport>
    var now = VirtualInstant.zero
    let link: Link

    init(_ link: Link) {
        self.link = link
        transport = FaultInjector(around: LoopbackTransport())
        switch link {
        case .untouched: break
        case .waiting: transport.inject(LinkFault(.drop, at: .unit(1_000_000)))
        case .delayed:
            transport.setTiming(LinkTiming(delay: .milliseconds(2), jitter: .milliseconds(3)))
        }
    }

    mutating func attachReader() { transport.base.attachReader(Attachment(), at: now) }

    mutating func detachReader() {
        if link == .delayed {
            pending += drain(until: now + .milliseconds(6))
        }
        transport.base.detachReader(.left, at: now)
    }

    mutating func deliver(_ payload: [UInt8]) {
        transport.base.readerSend(
            TransportUnit(.report(id: 0), payload[...]),
            in: TimeWindow(at: now)
        )
    }

    func unitForReader(_ payload: [UInt8]) -> TransportUnit {
        TransportUnit(.featureSet(id: 0), payload[...])
    }

    mutating func takeReaderUnits() -> [[UInt8]] {
        var units: [[UInt8]] = []
        while let unit = transport.base.nextUnitForReader(at: now) {
            units.append(Array(unit.payload))
        }
        return units
    }

    mutating func nextEvent() -> TransportEvent? {
        pending.isEmpty ? nextDueEvent() : pending.removeFirst()
    }

    /// What came while the hand waited.
    private var pending: [TransportEvent] = []

    private mutating func drain(until end: VirtualInstant) -> [TransportEvent] {
        var events: [TransportEvent] = []
        while let due = transport.nextDue, due.earliest <= end {
            now = max(now, due.earliest)
            while let event = transport.nextEvent(at: now) { events.append(event) }
        }
        now = max(now, end)
        return events
    }
}

/// A replay of a capture that is being written while it plays.
struct ReplayHarness: SimulatedTransportHarness {
    static let abilities: TransportAbilities = .keepsBorders
    var transport = ReplayTransport()
    var now = VirtualInstant.zero
    private var isAttached = false
    /// What came up to the moment at which the hand pulled the reader out.
    private var pending: [TransportEvent] = []

    mutating func attachReader() {
        transport.append(TimedEvent(offset: now - .zero, .attached(Attachment())))
        isAttached = true
    }

    mutating func detachReader() {
        transport.append(TimedEvent(offset: now - .zero, .detached(.left)))
        isAttached = false
        while let event = transport.nextEvent(at: now) { pending.append(event) }
    }

    mutating func deliver(_ payload: [UInt8]) {
        guard isAttached else { return }
        let unit = TransportUnit(.report(id: 0), payload[...])
        transport.append(TimedEvent(offset: now - .zero, .fromReader(unit)))
    }

    func unitForReader(_ payload: [UInt8]) -> TransportUnit {
        TransportUnit(.featureSet(id: 0), payload[...])
    }

    mutating func takeReaderUnits() -> [[UInt8]] { [] }

    mutating func nextEvent() -> TransportEvent? {
        pending.isEmpty ? nextDueEvent() : pending.removeFirst()
    }
}
