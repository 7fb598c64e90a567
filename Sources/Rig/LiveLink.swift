import EventLoops
import Transports

/// The link to a real reader as a value, so that a fault injector can stand around it.
struct LiveLink: Transport {
    private let transport: any LiveTransport

    init(_ transport: any LiveTransport) { self.transport = transport }

    // A copy of the reference, since the protocol's functions may change a value.
    mutating func open(at now: VirtualInstant) { withTransport { $0.open(at: now) } }

    mutating func grant(credits: Int) { withTransport { $0.grant(credits: credits) } }

    mutating func send(_ unit: TransportUnit, at now: VirtualInstant) {
        withTransport { $0.send(unit, at: now) }
    }

    mutating func close(at now: VirtualInstant) { withTransport { $0.close(at: now) } }

    var nextDue: TimeWindow? { transport.nextDue }

    mutating func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        withTransport { $0.nextEvent(at: now) }
    }

    private func withTransport<Result>(_ body: (inout any LiveTransport) -> Result) -> Result {
        var reference = transport
        return body(&reference)
    }
}
