import EventLoops
import Kernel
import LiveTransports
import TransportConformance
import Transports

/// A transport over a stream that a test can bound the kernel's part of.
protocol TestedStream: LiveTransport {}
extension TCPTransport: TestedStream {}
extension SerialTransport: TestedStream {}
extension RFC2217Transport: TestedStream {}

/// The far side of a stream: a served reader, played by the test.
final class FarSide {
    private static let clientTokens: UInt64 = 1

    let server: StreamServer
    private let poller: Poller
    private(set) var events: [StreamServer.Event] = []
    private(set) var received: [UInt8] = []

    init(_ place: StreamServer.Place) throws {
        poller = try Poller()
        server = StreamServer(place, poller: poller, firstToken: Self.clientTokens)
    }

    /// Takes what happens until nothing does for so long.
    func work(nanoseconds: Int64) {
        while true {
            var ready: [Readiness] = []
            let limit = MonotonicClock.now + nanoseconds
            _ = try? poller.wait(untilMonotonicNanoseconds: limit) { ready.append($0) }
            for readiness in ready { server.note(readiness) }
            while let event = server.nextEvent() {
                if case .received(let bytes) = event {
                    received += bytes
                } else {
                    events.append(event)
                }
                if event == .finishedSending { server.letGo(.hungUp) }
            }
            if ready.isEmpty { return }
        }
    }

    /// Takes what the host sent.
    func takeReceived() -> [UInt8] {
        defer { received = [] }
        return received
    }
}

/// A transport over TCP or a pty, and the served reader at its other end, for the conformance suite.
struct StreamHarness<Subject: TestedStream>: TransportHarness {
    static var abilities: TransportAbilities { [.showsReaderUnits, .overflows] }

    var transport: Subject
    let far: FarSide
    /// What came while the hand waited.
    private var pending: [TransportEvent] = []
    private let poller: Poller
    /// What stands between the transport and the far side, if anything does.
    private let between: Ser2net?

    /// How long a harness listens for what must not come: more than two looks for a reader.
    private static var quiet: Int64 { 350_000_000 }

    init(_ transport: Subject, _ far: FarSide, through between: Ser2net? = nil) throws {
        self.transport = transport
        self.between = between
        self.far = far
        poller = try Poller()
        try poller.add(transport.wakeDescriptor, token: 0)
    }

    var now: VirtualInstant { .zero }

    mutating func attachReader() { try? far.server.plugIn() }

    mutating func detachReader() {
        far.work(nanoseconds: 5_000_000)
        // A pty whose near side is closed loses what was not read.
        while let event = transport.nextEvent(at: now) { pending.append(event) }
        far.server.unplug()
    }

    mutating func deliver(_ payload: [UInt8]) {
        guard far.server.isPluggedIn else { return }
        far.work(nanoseconds: 2_000_000)
        let limit = MonotonicClock.now + 500_000_000
        while !far.server.hasClient, MonotonicClock.now < limit {
            while let event = transport.nextEvent(at: now) { pending.append(event) }
            far.work(nanoseconds: 2_000_000)
        }
        far.server.send(payload[...])
        // Another process has to pass it on.
        far.work(nanoseconds: between == nil ? 2_000_000 : 60_000_000)
    }

    func unitForReader(_ payload: [UInt8]) -> TransportUnit {
        TransportUnit(.bytes, payload[...])
    }

    mutating func takeReaderUnits() -> [[UInt8]] {
        far.work(nanoseconds: 50_000_000)
        return [far.takeReceived()]
    }

    mutating func nextEvent() -> TransportEvent? {
        if !pending.isEmpty { return pending.removeFirst() }
        return next(within: Self.quiet)
    }

    /// Returns the next event, or `nil` when none comes in the time.
    mutating func next(within nanoseconds: Int64) -> TransportEvent? {
        let limit = MonotonicClock.now + nanoseconds
        while true {
            if let event = transport.nextEvent(at: now) { return event }
            guard MonotonicClock.now < limit else { return nil }
            _ = try? poller.wait(untilMonotonicNanoseconds: limit) { _ in }
        }
    }
}

extension StreamHarness<TCPTransport> {
    /// A reader on a port of its own, which does not listen yet.
    static func tcp() throws -> StreamHarness {
        let far = try FarSide(.tcp(try loopback(port: 0)))
        far.server.setBufferSizes(4_096)
        try far.server.plugIn()
        far.server.unplug()
        let transport = try TCPTransport(try TCPSelector(parsing: "tcp:" + far.server.address))
        transport.setBufferSizes(4_096)
        return try StreamHarness(transport, far)
    }
}

extension StreamHarness<SerialTransport> {
    /// A reader on a pty under a link of its own, which is not there yet.
    static func pty(_ name: String) throws -> StreamHarness {
        let link = "/tmp/cardrig-\(ProcessEnvironment.processID)-\(name)"
        let far = try FarSide(.pty(link: link))
        let transport = try SerialTransport(try SerialSelector(parsing: "serial:" + link))
        return try StreamHarness(transport, far)
    }
}

extension StreamHarness {
    /// A pty under a link of its own, which is not there yet, behind the real ser2net.
    private static func line(
        _ accepter: Ser2net.Accepter,
        _ name: String
    ) throws -> (far: FarSide, between: Ser2net) {
        let link = "/tmp/cardrig-\(ProcessEnvironment.processID)-\(name)-\(accepter)"
        let far = try FarSide(.pty(link: link))
        return (far, try Ser2net(accepter, line: link))
    }
}

extension StreamHarness<RFC2217Transport> {
    /// A reader on a pty behind ser2net, over RFC 2217.
    static func rfc2217(_ name: String) throws -> StreamHarness {
        let (far, between) = try line(.rfc2217, name)
        let selector = try RFC2217Selector(parsing: "rfc2217:" + between.address)
        return try StreamHarness(try RFC2217Transport(selector), far, through: between)
    }
}

extension StreamHarness<TCPTransport> {
    /// A reader on a pty behind ser2net, whose port carries the bytes as they are.
    static func rawSerial(_ name: String) throws -> StreamHarness {
        let (far, between) = try line(.raw, name)
        let transport = try TCPTransport(try TCPSelector(parsing: "tcp:" + between.address))
        return try StreamHarness(transport, far, through: between)
    }
}

/// An address of this machine.
func loopback(port: UInt16) throws -> SocketAddress {
    guard let address = SocketAddress.inDigits(host: "127.0.0.1", port: port).first else {
        throw KernelTrouble()
    }
    return address
}

struct KernelTrouble: Error {}
