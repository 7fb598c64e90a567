import EventLoops
import Testing
import Transports

@Suite("Replay transport")
struct ReplayTransportTests {
    private static let start = VirtualInstant(nanoseconds: 5_000)

    private static func report(_ byte: UInt8) -> TransportUnit {
        TransportUnit(.report(id: 0), [byte])
    }

    private static func event(_ offset: Int64, _ content: TimedEvent.Content) -> TimedEvent {
        TimedEvent(offset: .nanoseconds(offset), content)
    }

    /// Plays to the end and returns what came and when, counted from the open.
    private static func play(
        _ transport: inout ReplayTransport,
        from start: VirtualInstant = start
    ) -> [(offset: Int64, event: TransportEvent)] {
        var now = start
        var seen: [(offset: Int64, event: TransportEvent)] = []
        while let due = transport.nextDue {
            now = max(now, due.earliest)
            guard let event = transport.nextEvent(at: now) else { break }
            seen.append(((now - Self.start).nanoseconds, event))
        }
        return seen
    }

    private static func opened(_ capture: [TimedEvent], credits: Int = 100) -> ReplayTransport {
        var transport = ReplayTransport(
            capture,
            attachment: Attachment(maximumPacketByteCount: 64)
        )
        transport.open(at: start)
        transport.grant(credits: credits)
        return transport
    }

    @Test func unitsComeAtTheirOffsetsFromTheOpen() {
        var transport = Self.opened([
            Self.event(10, .attached(Attachment(vendorID: 0x0801))),
            Self.event(30, .fromReader(Self.report(1))),
            Self.event(70, .fromReader(Self.report(2))),
            Self.event(90, .detached(.left)),
        ])
        let seen = Self.play(&transport)
        #expect(seen.map(\.offset) == [10, 30, 70, 90])
        #expect(
            seen.map(\.event) == [
                .attached(Attachment(vendorID: 0x0801)), .received(Self.report(1)),
                .received(Self.report(2)), .detached(.left),
            ]
        )
    }

    @Test func theEndDetachesAReaderThatIsStillThere() {
        var transport = Self.opened([Self.event(40, .fromReader(Self.report(1)))])
        let seen = Self.play(&transport)
        #expect(seen.map(\.offset) == [40, 40, 40])
        #expect(
            seen.map(\.event) == [
                .attached(Attachment(maximumPacketByteCount: 64)), .received(Self.report(1)),
                .detached(.endOfCapture),
            ]
        )
        #expect(transport.nextEvent(at: .distantFuture) == nil)
    }

    @Test func anEmptyCaptureIsSilent() {
        var transport = Self.opened([])
        #expect(transport.nextDue == nil)
        #expect(transport.nextEvent(at: .distantFuture) == nil)
    }

    @Test func offsetsThatGoBackKeepTheOrderOfTheCapture() {
        var transport = Self.opened([
            Self.event(50, .fromReader(Self.report(1))),
            Self.event(20, .fromReader(Self.report(2))),
        ])
        let units = Self.play(&transport).filter { $0.event != .detached(.endOfCapture) }
        #expect(units.map(\.offset) == [50, 50, 50])
        #expect(units.last?.event == .received(Self.report(2)))
    }

    @Test func unitsWithoutACreditAreLostWhenTheReaderGoes() {
        var transport = Self.opened(
            [
                Self.event(1, .fromReader(Self.report(1))),
                Self.event(2, .fromReader(Self.report(2))),
                Self.event(9, .detached(.left)),
                Self.event(20, .attached(Attachment())),
                Self.event(21, .featureFinished(.set)),
            ],
            credits: 1
        )
        let seen = Self.play(&transport)
        #expect(seen.map(\.offset) == [1, 1, 9, 20, 21, 21])
        #expect(seen[2].event == .detached(.left))
        #expect(seen[4].event == .featureFinished(.set))
    }

    @Test func theHostsUnitsAreComparedInTheirTurn() {
        let get = TransportUnit(.featureGet(id: 0, byteCount: 24), [])
        let set = TransportUnit(.featureSet(id: 0), [1, 2])
        var transport = Self.opened([
            Self.event(0, .attached(Attachment())), Self.event(5, .toReader(set)),
            Self.event(6, .toReader(get)), Self.event(7, .toReader(set)),
        ])
        transport.send(set, at: Self.start)
        #expect(transport.matchCount == 0)
        #expect(transport.nextEvent(at: Self.start) == .attached(Attachment()))
        transport.send(set, at: Self.start)
        transport.send(set, at: Self.start)
        #expect(transport.matchCount == 1)
        #expect(transport.mismatchCount == 1)
        #expect(transport.unsentCount == 1)
        transport.send(set, at: Self.start)
        transport.send(set, at: Self.start)
        #expect(transport.matchCount == 2)
        #expect(transport.mismatchCount == 2)
        #expect(transport.unsentCount == 0)
    }

    @Test func aCaptureOfTheReaderAloneTakesAnyUnitOfTheHost() {
        var transport = Self.opened([Self.event(0, .attached(Attachment()))])
        #expect(transport.nextEvent(at: Self.start) == .attached(Attachment()))
        transport.send(Self.report(1), at: Self.start)
        #expect(transport.mismatchCount == 0)
    }

    @Test func whatCameWhileTheHostWasClosedIsLost() {
        var transport = Self.opened([
            Self.event(0, .attached(Attachment())), Self.event(10, .fromReader(Self.report(1))),
            Self.event(30, .fromReader(Self.report(2))),
        ])
        #expect(transport.nextEvent(at: Self.start) == .attached(Attachment()))
        transport.close(at: Self.start)
        #expect(transport.nextEvent(at: Self.start) == .detached(.closed))
        let later = Self.start + .nanoseconds(20)
        transport.open(at: later)
        transport.grant(credits: 8)
        let seen = Self.play(&transport, from: later)
        #expect(seen.map(\.offset) == [20, 30, 30])
        #expect(seen[1].event == .received(Self.report(2)))
    }
}
