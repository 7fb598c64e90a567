import EventLoops
import Testing
import Transports

@Suite("Loopback transport")
struct LoopbackTransportTests {
    private static func unit(_ byte: UInt8) -> TransportUnit {
        TransportUnit(.report(id: 0), [byte])
    }

    private static func window(_ earliest: Int64, _ latest: Int64) -> TimeWindow {
        TimeWindow(
            earliest: VirtualInstant(nanoseconds: earliest),
            latest: VirtualInstant(nanoseconds: latest)
        )
    }

    private static func instant(_ nanoseconds: Int64) -> VirtualInstant {
        VirtualInstant(nanoseconds: nanoseconds)
    }

    /// A loopback whose host was told of the reader at time 0.
    private static func attached(credits: Int) -> LoopbackTransport {
        var transport = LoopbackTransport()
        transport.open(at: .zero)
        transport.grant(credits: credits)
        transport.attachReader(Attachment(maximumPacketByteCount: 8), at: .zero)
        #expect(
            transport.nextEvent(at: .zero) == .attached(Attachment(maximumPacketByteCount: 8))
        )
        return transport
    }

    @Test func aUnitIsNotThereBeforeItsWindowBegins() {
        var transport = Self.attached(credits: 1)
        transport.readerSend(Self.unit(1), in: Self.window(10, 20))
        #expect(transport.nextDue == Self.window(10, 20))
        #expect(transport.nextEvent(at: Self.instant(9)) == nil)
        #expect(transport.nextEvent(at: Self.instant(10)) == .received(Self.unit(1)))
        #expect(transport.nextDue == nil)
    }

    @Test func overlappingWindowsKeepTheOrderSent() {
        var transport = Self.attached(credits: 3)
        transport.readerSend(Self.unit(1), in: Self.window(10, 20))
        transport.readerSend(Self.unit(2), in: Self.window(5, 12))
        transport.readerSend(Self.unit(3), in: Self.window(0, 3))
        #expect(transport.nextEvent(at: Self.instant(9)) == nil)
        #expect(transport.nextEvent(at: Self.instant(11)) == .received(Self.unit(1)))
        #expect(transport.nextDue == Self.window(10, 12))
        #expect(transport.nextEvent(at: Self.instant(11)) == .received(Self.unit(2)))
        #expect(transport.nextDue == Self.window(10, 10))
        #expect(transport.nextEvent(at: Self.instant(11)) == .received(Self.unit(3)))
    }

    @Test func nothingIsDueWhileTheHeadLacksACredit() {
        var transport = Self.attached(credits: 0)
        transport.readerSend(Self.unit(1), in: Self.window(1, 1))
        #expect(transport.nextDue == nil)
        transport.grant(credits: 1)
        #expect(transport.nextDue == Self.window(1, 1))
    }

    /// Units come at 10, 20 and 30, each with a window of 5.
    @Test(arguments: [(9, 0), (10, 0), (14, 0), (15, 1), (29, 2), (35, 3)] as [(Int64, Int)])
    func aDetachLosesUnitsWhoseWindowIsNotOver(time: Int64, arriving: Int) {
        var transport = Self.attached(credits: 8)
        for number in 1...3 as ClosedRange<Int64> {
            transport.readerSend(
                Self.unit(UInt8(number)),
                in: Self.window(number * 10, number * 10 + 5)
            )
        }
        transport.detachReader(.left, at: Self.instant(time))
        var received = 0
        while case .received = transport.nextEvent(at: Self.instant(time)) { received += 1 }
        #expect(received == arriving)
        #expect(transport.nextDue == nil)
    }

    @Test func aLostUnitTakesWhatWasSentAfterItAlong() {
        var transport = Self.attached(credits: 8)
        transport.readerSend(Self.unit(1), in: Self.window(5, 50))
        transport.readerSend(Self.unit(2), in: Self.window(6, 6))
        transport.detachReader(.left, at: Self.instant(10))
        #expect(transport.nextEvent(at: Self.instant(10)) == .detached(.left))
    }

    @Test func aFeatureAnswerComesInItsTurnWithoutACredit() {
        var transport = Self.attached(credits: 1)
        transport.send(TransportUnit(.featureGet(id: 0, byteCount: 24), []), at: .zero)
        #expect(transport.nextUnitForReader(at: .zero)?.kind == .featureGet(id: 0, byteCount: 24))
        transport.readerSend(Self.unit(1), in: Self.window(2, 2))
        transport.readerFinishFeature(.stalled, in: Self.window(1, 1))
        #expect(transport.nextEvent(at: Self.instant(2)) == .received(Self.unit(1)))
        #expect(transport.nextEvent(at: Self.instant(2)) == .featureFinished(.stalled))
    }

    @Test func unitsOfOneBufferAreNotCopied() {
        var transport = Self.attached(credits: 2)
        let buffer: [UInt8] = [1, 2, 3, 4]
        transport.readerSend(TransportUnit(.bytes, buffer[0..<2]), in: Self.window(0, 0))
        transport.readerSend(TransportUnit(.bytes, buffer[2..<4]), in: Self.window(0, 0))
        #expect(transport.nextEvent(at: .zero) == .received(TransportUnit(.bytes, buffer[0..<2])))
        guard case .received(let unit) = transport.nextEvent(at: .zero) else {
            Issue.record("no second unit")
            return
        }
        #expect(unit.payload.startIndex == 2)
    }

    @Test func whatTheReaderHadNotTakenIsGoneAtADetach() {
        var transport = Self.attached(credits: 1)
        transport.send(Self.unit(1), at: .zero)
        transport.detachReader(.left, at: .zero)
        transport.attachReader(Attachment(), at: .zero)
        #expect(transport.nextUnitForReader(at: .zero) == nil)
    }

    @Test func aReaderThatFloodsADeafHostEndsTheSession() {
        var transport = Self.attached(credits: 0)
        for _ in 0...LoopbackTransport.receiveBound {
            transport.readerSend(Self.unit(0), in: Self.window(0, 0))
        }
        #expect(!transport.isReaderInSession)
        #expect(transport.nextEvent(at: .zero) == .detached(.overflow))
    }

    @Test func aLongQueueKeepsItsOrderWhileItIsFilledAndEmptied() {
        var transport = Self.attached(credits: .max)
        var sent: UInt8 = 0
        var seen: UInt8 = 0
        for round in 0..<500 {
            for _ in 0..<(round % 2 == 0 ? 7 : 2) {
                transport.readerSend(Self.unit(sent), in: Self.window(0, 0))
                sent &+= 1
            }
            for _ in 0..<4 {
                guard let event = transport.nextEvent(at: .zero) else { break }
                #expect(event == .received(Self.unit(seen)))
                seen &+= 1
            }
        }
        while let event = transport.nextEvent(at: .zero) {
            #expect(event == .received(Self.unit(seen)))
            seen &+= 1
        }
        #expect(seen == sent)
    }
}
