import EventLoops
import Journal
import Laws
import Testing

extension RecordStream {
    mutating func delegate(_ delegate: Symbol) {
        write(.delegateSet, [Attribute(.delegate, .symbol(delegate))])
    }

    mutating func launched(_ delegate: Symbol = .app) {
        write(.appLaunched, [Attribute(.delegate, .symbol(delegate))])
    }

    mutating func pluggedIn(reader: Int = 0) {
        write(.pluggedIn, [Attribute(.reader, .reader(reader))])
    }

    mutating func attachedOnly(reader: Int = 0) {
        write(.readerAttached, [Attribute(.reader, .reader(reader))])
    }

    /// Lets time pass: each record comes a millisecond after the one before.
    mutating func pass(milliseconds: Int) {
        for _ in 0..<milliseconds { write(.voidRequested) }
    }
}

@Suite("quiet-after-end")
struct QuietAfterEndTests {
    @Test func anEventAfterCloseIsReported() {
        var stream = RecordStream()
        stream.attach()
        stream.write(.controllerClosed)
        #expect(stream.broken == [])
        stream.unready(.disconnected)
        #expect(stream.broken == [.quietAfterEnd])
        #expect(
            stream.laws.violations.first?.explanation
                == """
                nothing arrives after the controller was closed, but deviceBecameUnreadyForSwipe \
                did
                """
        )
    }

    @Test func anEventWithoutADelegateIsReported() {
        var stream = RecordStream()
        stream.attach()
        stream.delegate(.none)
        stream.arrived(1)
        stream.card()
        #expect(stream.broken == [.quietAfterEnd])
    }

    @Test func anEventOfAKilledAppIsReported() {
        var stream = RecordStream()
        stream.attach()
        stream.write(.appKilled)
        stream.connected()
        #expect(stream.broken == [.quietAfterEnd])
    }

    @Test func aDelegateSetAfterCloseHearsNothing() {
        var stream = RecordStream()
        stream.write(.controllerClosed)
        stream.delegate(.other)
        stream.connected()
        #expect(stream.broken == [.quietAfterEnd])
    }

    @Test func anotherDelegateAndAnotherAppHearAgain() {
        var stream = RecordStream()
        stream.attach()
        stream.delegate(.none)
        stream.delegate(.other)
        stream.arrived(1)
        stream.card()
        stream.write(.appKilled)
        stream.launched()
        stream.connected()
        stream.activated()
        stream.ready()
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func aSwipeThatNobodyListensToIsNotOwed() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.delegate(.none)
        stream.arrived(2)
        stream.delegate(.app)
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func aLossThatCloseInterruptsIsNotMissed() {
        var stream = RecordStream()
        stream.attach()
        stream.transportLost()
        stream.unready(.disconnected)
        stream.write(.controllerClosed)
        stream.end()
        #expect(stream.laws.violations == [])
    }
}

@Suite("settles")
struct SettlesTests {
    @Test func aReaderThatIsNeverAnnouncedIsReportedInTime() {
        var stream = RecordStream()
        stream.attachedOnly()
        stream.pass(milliseconds: 6_000)
        #expect(stream.broken == [])
        stream.pass(milliseconds: 1)
        #expect(stream.broken == [.settles])
        #expect(
            stream.laws.violations.first?.explanation
                == """
                a reader is ready again or in a final state when the last fault is over, but in \
                its time it was attached and the app not told
                """
        )
        stream.end()
        #expect(stream.broken == [.settles])
    }

    @Test func aReaderThatStaysHalfTheWayIsReportedAtTheEnd() {
        var stream = RecordStream()
        stream.attachedOnly()
        stream.connected()
        stream.activated()
        stream.end()
        #expect(stream.broken == [.settles])
    }

    @Test func aLossThatIsNotToldIsReported() {
        var stream = RecordStream()
        stream.attach()
        stream.transportLost()
        stream.pass(milliseconds: 1_001)
        #expect(stream.broken == [.settles])
    }

    @Test func aReaderThatDoesNotComeBackAfterAFaultIsReported() {
        var stream = RecordStream()
        stream.attach()
        stream.pass(milliseconds: 7_000)
        stream.unready(.swipeDone)
        stream.write(
            .linkFault,
            [Attribute(.reader, .reader(0)), Attribute(.fault, .symbol(.drop))]
        )
        stream.pass(milliseconds: 1_001)
        #expect(stream.broken == [.settles])
    }

    @Test func eachNewFaultBeginsANewWait() {
        var stream = RecordStream()
        for _ in 0..<4 {
            stream.attachedOnly()
            stream.pass(milliseconds: 900)
            stream.transportLost()
            stream.pass(milliseconds: 900)
        }
        #expect(stream.broken == [])
    }

    @Test func aRefusedReaderAndAMissedOneHaveSettled() {
        var stream = RecordStream()
        stream.attachedOnly()
        stream.connected()
        stream.activated(.failure)
        stream.end()
        #expect(stream.laws.violations == [])

        var missed = RecordStream()
        missed.launched(.none)
        missed.attachedOnly()
        missed.delegate(.app)
        missed.pass(milliseconds: 7_000)
        missed.end()
        #expect(missed.laws.violations == [])
    }

    @Test func aReaderThatIsPluggedInLaterIsNotMissed() {
        var stream = RecordStream()
        stream.launched(.none)
        stream.pluggedIn()
        stream.attachedOnly()
        stream.delegate(.app)
        stream.end()
        #expect(stream.broken == [.settles])
    }

    @Test func aReaderThatComesAgainIsNotMissedAgain() {
        var stream = RecordStream(attachedAtStart: [true])
        stream.launched(.none)
        stream.attachedOnly()
        stream.delegate(.app)
        stream.transportLost()
        stream.attach()
        stream.end()
        #expect(stream.laws.violations == [])

        stream.transportLost()
        stream.unwind()
        stream.attachedOnly()
        stream.end()
        #expect(stream.broken == [.settles])
    }

    @Test func aHandThatPlugsInWhatIsThereChangesNothing() {
        var stream = RecordStream(attachedAtStart: [true])
        stream.launched(.none)
        stream.pluggedIn()
        stream.attachedOnly()
        stream.delegate(.app)
        stream.pass(milliseconds: 7_000)
        stream.end()
        #expect(stream.laws.violations == [])

        stream.write(.unplugged, [Attribute(.reader, .reader(0))])
        stream.transportLost()
        stream.pluggedIn()
        stream.attachedOnly()
        stream.end()
        #expect(stream.broken == [.settles])
    }

    @Test func nobodyIsToldInTheBackground() {
        var stream = RecordStream()
        stream.attach()
        stream.write(.appSentToBackground)
        stream.transportLost()
        stream.pass(milliseconds: 2_000)
        #expect(stream.broken == [])
        stream.write(.appBroughtToForeground)
        stream.end()
        #expect(stream.broken == [.settles])
    }

    @Test func theBoundsCoverEachReaderAndEachFault() {
        let pairs = SettlingBound.all.map { "\($0.reader) \($0.disturbance)" }
        #expect(Set(pairs).count == pairs.count)
        // What a jack has none of the others have: a power tone and an autodetection.
        // A payment reader is found, lost and disturbed.
        #expect(pairs.count == 5 * (SettlingBound.Disturbance.allCases.count - 2) + 3 + 3)
        #expect(SettlingBound.all.allSatisfy { $0.bound > .zero && !$0.source.isEmpty })
    }
}
