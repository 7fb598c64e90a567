import EventLoops
import Transports

/// An iDynamo-like delivery in three units through a disturbed link, played to its end.
struct DisturbedSession {
    /// The units that the reader sends, at 100, 200 and 300 ns.
    static let units: [[UInt8]] = [[1, 2, 3, 4], [5, 6, 7], [8, 9, 10, 11, 12]]
    static let allBytes = units.flatMap { $0 }

    var transport: FaultInjector<LoopbackTransport>
    var now = VirtualInstant.zero
    /// What the host received and when.
    var received: [(time: Int64, bytes: [UInt8])] = []
    var detaches: [DetachReason] = []
    var attachCount = 0

    /// The units' bytes, without the times.
    var payloads: [[UInt8]] { received.map(\.bytes) }
    var times: [Int64] { received.map(\.time) }

    init(
        _ faults: [LinkFault] = [],
        timing: LinkTiming = LinkTiming(),
        credits: Int = 1_000
    ) {
        transport = FaultInjector(around: LoopbackTransport(), faults: faults, timing: timing)
        transport.open(at: now)
        transport.grant(credits: credits)
        attach()
    }

    mutating func attach() { transport.base.attachReader(Attachment(), at: now) }

    /// Sends the three units, the first 100 ns from now.
    mutating func sendUnits(_ kind: TransportUnit.Kind = .report(id: 0)) {
        for (index, unit) in Self.units.enumerated() {
            let due = now + .nanoseconds(Int64(100 * (index + 1)))
            transport.base.readerSend(TransportUnit(kind, unit[...]), in: TimeWindow(at: due))
        }
    }

    /// Plays until nothing more comes, or up to a moment.
    mutating func play(until end: VirtualInstant = .distantFuture) {
        while let due = transport.nextDue, due.earliest <= end {
            now = max(now, due.earliest)
            let stepCount = takeEvents()
            if stepCount == 0, let next = transport.nextDue, next.earliest <= now { return }
        }
        if end != .distantFuture { now = max(now, end) }
    }

    private mutating func takeEvents() -> Int {
        var count = 0
        while let event = transport.nextEvent(at: now) {
            count += 1
            switch event {
            case .attached: attachCount += 1
            case .received(let unit): received.append((now.nanoseconds, Array(unit.payload)))
            case .detached(let reason): detaches.append(reason)
            case .featureFinished, .unusable: break
            }
        }
        return count
    }

    /// Plays the three units through faults.
    static func played(
        _ faults: [LinkFault],
        timing: LinkTiming = LinkTiming(),
        kind: TransportUnit.Kind = .report(id: 0)
    ) -> Self {
        var session = Self(faults, timing: timing)
        session.sendUnits(kind)
        session.play()
        return session
    }
}
