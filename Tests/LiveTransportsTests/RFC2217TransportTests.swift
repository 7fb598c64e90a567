import EventLoops
import Kernel
import LiveTransports
import Testing
import Transports

/// Servers that are none, and servers that stop to be one. Each is let go with its reason, and the
/// next connection is an ordinary one.
@Suite("RFC 2217 transport")
struct RFC2217TransportTests {
    /// A server that the test plays byte by byte.
    private struct Rig {
        let far: FarSide
        let transport: RFC2217Transport
        private let poller: Poller

        init() throws {
            far = try FarSide(.tcp(try loopback(port: 0)))
            try far.server.plugIn()
            transport = try RFC2217Transport(
                try RFC2217Selector(parsing: "rfc2217:" + far.server.address)
            )
            poller = try Poller()
            try poller.add(transport.wakeDescriptor, token: 0)
            transport.grant(credits: 1_000)
            transport.open(at: .zero)
            _ = try next(within: 100_000_000) { far.server.hasClient ? true : nil }
        }

        /// Works on both sides until there is something, or the time is over.
        func next<Value>(
            within nanoseconds: Int64 = 5_000_000_000,
            _ look: () -> Value?
        ) throws -> Value? {
            let limit = MonotonicClock.now + nanoseconds
            while MonotonicClock.now < limit {
                far.work(nanoseconds: 1_000_000)
                if let value = look() { return value }
                let soon = MonotonicClock.now + 5_000_000
                try poller.wait(untilMonotonicNanoseconds: soon) { _ in }
            }
            return nil
        }

        func event(within nanoseconds: Int64 = 5_000_000_000) throws -> TransportEvent? {
            try next(within: nanoseconds) { transport.nextEvent(at: .zero) }
        }

        /// Agrees to everything, as a server does.
        func agree() throws {
            _ = try next(within: 50_000_000) { transport.nextEvent(at: .zero) }
            far.server.send(Self.agreement[...])
            #expect(try event() == .attached(Attachment()))
        }

        static let agreement: [UInt8] = [
            0xFF, 0xFD, 0x2C, 0xFF, 0xFD, 0x00, 0xFF, 0xFB, 0x00,
            0xFF, 0xFA, 0x2C, 0x65, 0x00, 0x01, 0xC2, 0x00, 0xFF, 0xF0,
            0xFF, 0xFA, 0x2C, 0x66, 0x08, 0xFF, 0xF0, 0xFF, 0xFA, 0x2C, 0x67, 0x01, 0xFF, 0xF0,
            0xFF, 0xFA, 0x2C, 0x68, 0x01, 0xFF, 0xF0,
        ]
    }

    private static func problem(_ event: TransportEvent?) -> String? {
        guard case .unusable(let problem) = event else { return nil }
        return problem.description
    }

    @Test(arguments: [
        ([UInt8]([0xFF, 0xFE, 0x2C]), "it refuses COM-PORT control"),
        ([0xFF, 0xFA, 0x2C] + [UInt8](repeating: 7, count: 60_000), "more than 512 bytes"),
        ([UInt8](repeating: 0x41, count: 70_000), "bytes before the line was set up"),
        (
            Array(repeatElement([0xFF, 0xFB, 0x18, 0xFF, 0xFC, 0x18], count: 300).joined()),
            "it negotiates telnet options without end"
        ),
    ])
    func aServerThatIsNoneIsLetGoWithItsReason(bytes: [UInt8], reason: String) throws {
        let rig = try Rig()
        rig.far.server.send(bytes[...])
        let problem = try #require(Self.problem(try rig.event()))
        #expect(problem.contains(reason) && problem.contains(rig.far.server.address))
        rig.transport.close(at: .zero)
        rig.transport.open(at: .zero)
        rig.transport.grant(credits: 1)
        try rig.agree()
    }

    @Test func aServerThatBreaksTheProtocolLaterIsCutAndNamed() throws {
        let rig = try Rig()
        try rig.agree()
        rig.far.server.send([0x41, 0xFF, 0xFF, 0x42][...])
        #expect(try rig.event() == .received(TransportUnit(.bytes, [0x41, 0xFF, 0x42][...])))
        rig.far.server.send(([0xFF, 0xFA] + [UInt8](repeating: 1, count: 2_000))[...])
        #expect(try rig.event() == .detached(.cut))
        let problem = try #require(Self.problem(try rig.event()))
        #expect(problem.contains("it sent a subnegotiation of more than 512 bytes"))
        #expect(try rig.event(within: 300_000_000) == nil)
    }

    @Test func aServerThatHangsUpInsideACommandHasLeft() throws {
        let rig = try Rig()
        try rig.agree()
        rig.far.server.send([0x41, 0xFF, 0xFA, 0x2C][...])
        #expect(try rig.event() == .received(TransportUnit(.bytes, [0x41][...])))
        rig.far.server.unplug()
        #expect(try rig.event() == .detached(.left))
        try rig.far.server.plugIn()
        _ = try rig.next(within: 500_000_000) { rig.far.server.hasClient ? true : nil }
        try rig.agree()
    }

    @Test func aPortThatSaysNothingIsNamedAsNoTelnetServer() throws {
        let rig = try Rig()
        #expect(try rig.event(within: 5_500_000_000) == nil)
        let absence = rig.transport.absence
        #expect(absence.contains("it did not answer as a telnet server"))
        #expect(absence.contains("a raw port is reached by tcp:\(rig.far.server.address)"))
    }

    @Test func dataIsEscapedAndLinesAreAskedForWithoutWaiting() throws {
        let rig = try Rig()
        try rig.agree()
        rig.far.work(nanoseconds: 20_000_000)
        _ = rig.far.takeReceived()
        rig.transport.send(TransportUnit(.bytes, [0x01, 0xFF, 0x0D][...]), at: .zero)
        rig.transport.send(
            TransportUnit(.lineState(dataTerminalReady: false, requestToSend: true), []),
            at: .zero
        )
        rig.transport.send(TransportUnit(.bytes, [0x02][...]), at: .zero)
        rig.far.work(nanoseconds: 50_000_000)
        #expect(
            rig.far.takeReceived() == [
                0x01, 0xFF, 0xFF, 0x0D, 0xFF, 0xFA, 0x2C, 0x05, 0x09, 0xFF, 0xF0, 0xFF, 0xFA, 0x2C,
                0x05, 0x0B, 0xFF, 0xF0, 0x02,
            ]
        )
    }
}
