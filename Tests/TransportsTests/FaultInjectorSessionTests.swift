import EventLoops
import Testing
import Transports

@Suite("Fault injector: sessions, credits, delays")
struct FaultInjectorSessionTests {
    private static let units = DisturbedSession.units

    // MARK: After a cut

    @Test func afterACutNothingPassesUntilTheNextAttach() {
        var session = DisturbedSession([LinkFault(.cut, at: .unit(1))])
        session.sendUnits()
        session.play()
        session.transport.send(TransportUnit(.featureSet(id: 0), [1]), at: session.now)
        #expect(session.transport.base.nextUnitForReader(at: session.now) == nil)
        session.sendUnits()
        session.transport.base.detachReader(.left, at: session.now + .nanoseconds(1_000))
        session.play()
        #expect(session.payloads == [])
        #expect(session.detaches == [.cut])

        session.attach()
        session.sendUnits()
        session.play()
        #expect(session.attachCount == 2)
        #expect(session.payloads == Self.units)
        session.transport.send(TransportUnit(.featureSet(id: 0), [1]), at: session.now)
        #expect(session.transport.base.nextUnitForReader(at: session.now) != nil)
    }

    @Test func unitsThatACutLostDoNotCount() {
        var session = DisturbedSession([LinkFault(.cut, at: .unit(2))])
        session.sendUnits()
        session.play()
        #expect(session.transport.unitCount == 2)
        session.transport.base.detachReader(.left, at: session.now)
        session.attach()
        session.transport.inject(LinkFault(.drop, at: .unit(3)))
        session.sendUnits()
        session.play()
        #expect(session.payloads == [Self.units[0]] + Self.units[1...])
    }

    @Test func closingAfterACutReportsNoSecondDetach() {
        var session = DisturbedSession([LinkFault(.cut, at: .unit(1))])
        session.sendUnits()
        session.play()
        session.transport.close(at: session.now)
        session.play()
        #expect(session.detaches == [.cut])
        session.transport.open(at: session.now)
        session.play()
        #expect(session.attachCount == 2)
    }

    @Test func closingBeforeACutIsToldReportsTheCut() {
        var session = DisturbedSession([LinkFault(.cut, at: .unit(2))], timing: LinkTiming())
        session.transport.setTiming(LinkTiming(delay: .nanoseconds(500)))
        session.sendUnits()
        session.play(until: VirtualInstant(nanoseconds: 450))
        #expect(session.detaches == [])
        session.transport.close(at: session.now)
        session.play()
        #expect(session.detaches == [.cut])
        #expect(session.payloads == [])
    }

    @Test func aSessionThatBeganBehindATardyCutTakesNoUnitMeantForTheOldOne() {
        var session = DisturbedSession([
            LinkFault(.delay(.nanoseconds(500)), at: .unit(2)), LinkFault(.cut, at: .byte(6)),
        ])
        session.sendUnits(.bytes)
        session.play(until: VirtualInstant(nanoseconds: 350))
        session.transport.base.detachReader(.left, at: session.now)
        session.attach()
        session.play(until: session.now)
        session.transport.send(TransportUnit(.featureSet(id: 0), [1]), at: session.now)
        #expect(session.detaches == [])
        #expect(session.transport.base.nextUnitForReader(at: session.now) == nil)
        session.play()
        #expect(session.detaches == [.cut])
        #expect(session.attachCount == 2)
        #expect(session.times == [100, 700])
    }

    @Test func aDetachThatIsSeenLateStillLosesWhatWasOnItsWay() {
        var session = DisturbedSession([], timing: LinkTiming(delay: .nanoseconds(100)))
        session.sendUnits()
        session.play(until: VirtualInstant(nanoseconds: 120))
        let detach = VirtualInstant(nanoseconds: 150)
        session.transport.base.detachReader(.left, at: detach)
        let late = VirtualInstant(nanoseconds: 900)
        #expect(session.transport.nextEvent(at: late) == .detached(.left))
        #expect(session.transport.nextEvent(at: late) == nil)
    }

    // MARK: Credits

    @Test func aCutUsesNoCreditOfTheNextSession() {
        var session = DisturbedSession([LinkFault(.cut, at: .unit(1))], credits: 3)
        session.sendUnits()
        session.play()
        session.sendUnits()
        session.play()
        session.transport.base.detachReader(.left, at: session.now)
        session.attach()
        session.sendUnits()
        session.play()
        #expect(session.payloads == Self.units)
    }

    @Test func closingTakesTheCreditsOfPartsBack() {
        var session = DisturbedSession([LinkFault(.split(at: 1, gap: .zero), at: .unit(1))])
        session.play()
        session.transport.close(at: session.now)
        session.transport.open(at: session.now)
        session.transport.grant(credits: 1)
        session.play()
        session.sendUnits()
        session.play()
        #expect(session.payloads == [[1]])
    }

    @Test func aDroppedUnitUsesNoCredit() {
        var session = DisturbedSession([LinkFault(.drop, at: .unit(1))], credits: 1)
        session.sendUnits()
        session.play()
        #expect(session.payloads == [Self.units[1]])
    }

    @Test func bothPartsOfASplitUnitUseACredit() {
        var session = DisturbedSession(
            [LinkFault(.split(at: 1, gap: .zero), at: .unit(1))],
            credits: 2
        )
        session.sendUnits()
        session.play()
        #expect(session.payloads == [[1], [2, 3, 4]])
        session.transport.grant(credits: 1)
        session.play()
        #expect(session.payloads == [[1], [2, 3, 4], Self.units[1]])
    }

    @Test func twoMergedUnitsUseOneCredit() {
        var session = DisturbedSession(
            [LinkFault(.merge(within: .nanoseconds(500)), at: .unit(1))],
            credits: 2
        )
        session.sendUnits()
        session.play()
        #expect(session.payloads == [Self.units[0] + Self.units[1], Self.units[2]])
    }

    @Test func aRepeatedUnitWithoutACreditDoesNotHoldADetach() {
        var session = DisturbedSession([LinkFault(.duplicate, at: .unit(1))], credits: 1)
        session.sendUnits()
        session.play()
        session.transport.base.detachReader(.left, at: session.now)
        session.play()
        #expect(session.payloads == [Self.units[0]])
        #expect(session.detaches == [.left])
    }

    @Test func aPartWithoutACreditDoesNotHoldACut() {
        var session = DisturbedSession(
            [LinkFault(.split(at: 1, gap: .zero), at: .unit(1)), LinkFault(.cut, at: .byte(4))],
            credits: 1
        )
        session.sendUnits(.bytes)
        session.play()
        #expect(session.payloads == [[1]])
        #expect(session.detaches == [.cut])
    }

    @Test func creditsOfUnitsLostInTheLinkAreThereInTheNextSession() {
        var session = DisturbedSession(
            [],
            timing: LinkTiming(delay: .nanoseconds(1_000)),
            credits: 3
        )
        session.sendUnits()
        session.play(until: VirtualInstant(nanoseconds: 500))
        session.transport.base.detachReader(.left, at: session.now)
        session.play(until: session.now)
        #expect(session.payloads == [])
        #expect(session.detaches == [.left])
        session.attach()
        session.sendUnits()
        session.play()
        #expect(session.payloads == Self.units)
    }

    // MARK: Delay and jitter

    @Test func theDelayOfALinkShiftsEveryUnitAndNoDetach() {
        var session = DisturbedSession([], timing: LinkTiming(delay: .nanoseconds(150)))
        session.sendUnits()
        session.play(until: VirtualInstant(nanoseconds: 360))
        session.transport.base.detachReader(.left, at: session.now)
        session.play(until: session.now)
        #expect(session.times == [250, 350])
        #expect(session.detaches == [.left])
        #expect(session.transport.nextDue == nil)
    }

    @Test func aDelayKeepsTheWidthOfAWindow() {
        var session = DisturbedSession([], timing: LinkTiming(delay: .nanoseconds(100)))
        session.play(until: .zero)
        let window = TimeWindow(
            earliest: VirtualInstant(nanoseconds: 10),
            latest: VirtualInstant(nanoseconds: 30)
        )
        session.transport.base.readerSend(TransportUnit(.bytes, [1]), in: window)
        #expect(session.transport.nextDue == window)
        session.play(until: VirtualInstant(nanoseconds: 20))
        #expect(
            session.transport.nextDue
                == TimeWindow(
                    earliest: VirtualInstant(nanoseconds: 110),
                    latest: VirtualInstant(nanoseconds: 130)
                )
        )
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func jitterKeepsTheOrderAndItsBounds(seed: UInt64) {
        let timing = LinkTiming(
            delay: .nanoseconds(50),
            jitter: .nanoseconds(400),
            seed: seed
        )
        let session = DisturbedSession.played([], timing: timing)
        #expect(session.payloads == Self.units)
        for (index, time) in session.times.enumerated() {
            let sent = Int64(100 * (index + 1))
            #expect(time >= sent + 50)
            #expect(time <= 300 + 450)
        }
        let again = DisturbedSession.played([], timing: timing)
        #expect(session.times == again.times)
    }

    @Test func seedsGiveDifferentDelays() {
        let timings = (0..<20 as Range<UInt64>).map { seed in
            DisturbedSession.played(
                [],
                timing: LinkTiming(jitter: .nanoseconds(400), seed: seed)
            ).times
        }
        #expect(Set(timings).count > 15)
    }

    /// A live transport never says what is due: its events are met when the owner asks.
    @Test func aDelayCountsFromWhenALiveUnitCame() {
        var transport = FaultInjector(
            around: SilentTransport(),
            timing: LinkTiming(delay: .nanoseconds(100))
        )
        transport.open(at: .zero)
        transport.grant(credits: 8)
        transport.base.events = [
            .attached(Attachment()), .received(TransportUnit(.bytes, [1])),
            .received(TransportUnit(.bytes, [2])),
        ]
        let start = VirtualInstant(nanoseconds: 1_000)
        #expect(transport.nextEvent(at: start) == .attached(Attachment()))
        #expect(transport.nextEvent(at: start) == nil)
        #expect(transport.nextDue == TimeWindow(at: start + .nanoseconds(100)))
        let later = start + .nanoseconds(100)
        #expect(transport.nextEvent(at: later) == .received(TransportUnit(.bytes, [1])))
        #expect(transport.nextEvent(at: later) == .received(TransportUnit(.bytes, [2])))
        #expect(transport.nextEvent(at: later) == nil)
    }
}

/// A transport that has events and never says when, as a live one.
private struct SilentTransport: Transport {
    var events: [TransportEvent] = []
    var nextDue: TimeWindow? { nil }

    mutating func open(at now: VirtualInstant) {}
    mutating func grant(credits: Int) {}
    mutating func send(_ unit: TransportUnit, at now: VirtualInstant) {}
    mutating func close(at now: VirtualInstant) {}
    mutating func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        events.isEmpty ? nil : events.removeFirst()
    }
}
