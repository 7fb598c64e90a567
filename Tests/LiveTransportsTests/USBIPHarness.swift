import EventLoops
import Kernel
import LiveTransports
import TransportConformance
import Transports

/// The transport over USB/IP and a server with a reader, for the conformance suite.
///
/// Packets have 64 bytes, so that each of the suite's units is a short packet and so a transfer of
/// its own.
struct USBIPHarness: TransportHarness {
    static let abilities = TransportAbilities.all
    /// How long a harness listens for what must not come: more than two looks for a reader.
    private static let quiet: Int64 = 350_000_000

    var transport: USBIPTransport
    let desk: USBIPServerTests.Desk
    /// What came while the hand waited.
    private var pending: [TransportEvent] = []
    private let poller: Poller

    init() throws {
        let model = USBIPServerTests.model(packetByteCount: 64, isKeyboard: true)
        desk = try USBIPServerTests.Desk(isPluggedIn: false, model)
        transport = try USBIPTransport(
            try USBIPSelector(parsing: "usbip:\(desk.server.address)")
        )
        poller = try Poller()
        try poller.add(transport.wakeDescriptor, token: 0)
    }

    var now: VirtualInstant { .zero }

    mutating func attachReader() { desk.plugIn() }

    mutating func detachReader() {
        settle(nanoseconds: 50_000_000) { false }
        desk.server.unplug()
    }

    mutating func deliver(_ payload: [UInt8]) {
        guard desk.server.isPluggedIn else { return }
        let desk = desk
        settle(nanoseconds: 500_000_000) { desk.port != nil }
        desk.send(payload)
    }

    func unitForReader(_ payload: [UInt8]) -> TransportUnit {
        TransportUnit(.report(id: 0), payload[...])
    }

    mutating func takeReaderUnits() -> [[UInt8]] {
        settle(nanoseconds: 100_000_000) { false }
        defer { desk.reports = [] }
        return desk.reports
    }

    mutating func nextEvent() -> TransportEvent? {
        if pending.isEmpty {
            settle(nanoseconds: Self.quiet, untilSomethingCame: true) { false }
        }
        return pending.isEmpty ? nil : pending.removeFirst()
    }

    /// Works on both sides until it is enough, or the time is over.
    private mutating func settle(
        nanoseconds: Int64,
        untilSomethingCame: Bool = false,
        _ isEnough: () -> Bool
    ) {
        let limit = MonotonicClock.now + nanoseconds
        while MonotonicClock.now < limit {
            try? desk.work()
            while let event = transport.nextEvent(at: now) {
                pending.append(event)
                if untilSomethingCame { return }
            }
            if isEnough() { return }
            _ = try? poller.wait(untilMonotonicNanoseconds: MonotonicClock.now + 1_000_000) { _ in }
        }
    }
}
