import Journal
import Laws
import Testing

@Suite("nesting, flags-agree and swipe-only-while-ready")
struct ReaderLawsTests {
    @Test func attachingSwipingAndLosingAReaderKeepsEveryLaw() {
        var stream = RecordStream()
        for swipe: Int64 in 1...2 {
            stream.attach()
            stream.arrived(swipe)
            stream.card()
            stream.transportLost()
            stream.unwind()
        }
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func aFailedActivationLeavesTheReaderConnected() {
        var stream = RecordStream()
        stream.connected()
        stream.activated(.failure)
        stream.disconnected()
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func aReaderIsConnectedAgainAfterAPowerDown() {
        var stream = RecordStream()
        stream.attach()
        stream.unready(.canceled)
        stream.deactivated()
        stream.connected()
        #expect(stream.laws.violations == [])
        stream.connected()
        #expect(stream.broken == [.nesting])
    }

    @Test func aRefreshNeedsNoNewActivation() {
        var stream = RecordStream()
        stream.attach()
        stream.unready(.refreshing)
        stream.ready()
        stream.end()
        #expect(stream.laws.violations == [])
    }

    typealias Play = @Sendable (inout RecordStream) -> Void

    static let brokenNestings: [Play] = [
        { $0.activated() },
        {
            $0.connected()
            $0.ready()
        },
        {
            $0.attach()
            $0.connected()
        },
        {
            $0.attach()
            $0.activated(.failure)
            $0.ready()
        },
        {
            $0.connected()
            $0.activated()
            $0.unready(.timedOut)
        },
        {
            $0.attach()
            $0.deactivated()
        },
        {
            $0.attach()
            $0.disconnected()
        },
        { $0.disconnected() },
        {
            $0.connected()
            $0.deactivated()
        },
        {
            $0.attach()
            $0.unready(.disconnected)
            $0.ready()
        },
    ]

    @Test(arguments: brokenNestings.indices)
    func eachWayOutOfTheNestingIsReported(play: Int) {
        var stream = RecordStream(lawsOff: [.flagsAgree])
        Self.brokenNestings[play](&stream)
        #expect(stream.broken == [.nesting])
        #expect(stream.laws.violations.first?.sequence == stream.journal.count - 1)
        #expect(stream.laws.violations.first?.reader == 0)
    }

    @Test func aLossThatStopsHalfWayIsReportedAtTheEnd() {
        var stream = RecordStream()
        stream.attach()
        stream.unready(.disconnected)
        stream.deactivated()
        #expect(stream.broken == [])
        stream.end()
        #expect(stream.broken == [.nesting])
        #expect(stream.laws.violations.first?.sequence == nil)
    }

    @Test func eachReaderHasItsOwnNesting() {
        var stream = RecordStream(readerNames: ["left", "right"])
        stream.attach(reader: 1)
        stream.attach(reader: 0)
        stream.transportLost(reader: 1)
        stream.unwind(reader: 1)
        stream.end()
        #expect(stream.laws.violations == [])
        stream.ready(reader: 1)
        #expect(stream.laws.violations.map(\.reader).contains(1))
    }

    @Test func recordsOfReadersThatTheRigDoesNotHaveAreNotLookedAt() {
        var stream = RecordStream()
        stream.disconnected(reader: 7)
        stream.disconnected(reader: -1)
        #expect(stream.laws.violations == [])
    }

    @Test func aFlagWithItsOldValueIsReported() {
        var stream = RecordStream()
        stream.event(.deviceConnected, (false, false, false))
        #expect(stream.broken == [.flagsAgree])
        #expect(
            stream.laws.violations.first?.explanation
                == """
                the flags hold their new values when a callback runs, but at deviceConnected \
                isConnected was false instead of true
                """
        )
    }

    @Test func aFlagThatRunsAheadIsReported() {
        var stream = RecordStream()
        stream.event(.deviceConnected, (true, true, true))
        #expect(stream.broken == [.flagsAgree, .flagsAgree])
    }

    @Test func theFlagsAtASwipeAreComparedToo() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.card(.magnesafe, (true, true, false))
        #expect(stream.broken == [.flagsAgree])
    }

    @Test func aSwipeAfterUnreadyBelongsToThePeriodThatEnded() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.unready(.swipeDone)
        stream.card(.magnesafe, (true, true, false))
        stream.ready()
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func aSwipeBeforeTheFirstReadyIsReported() {
        var stream = RecordStream(lawsOff: [.oneCallbackPerSwipe])
        stream.connected()
        stream.activated()
        stream.card(.magnesafe, (true, true, false))
        #expect(stream.broken == [.swipeOnlyWhileReady])
    }

    @Test func aSwipeAfterDeactivatedIsReported() {
        var stream = RecordStream(lawsOff: [.oneCallbackPerSwipe])
        stream.attach()
        stream.unready(.disconnected)
        stream.deactivated()
        stream.card(.none, (true, false, false))
        stream.disconnected()
        #expect(stream.broken == [.swipeOnlyWhileReady])
    }

    @Test(arguments: LawName.allCases)
    func aLawThatIsOffReportsNothing(law: LawName) {
        var stream = RecordStream(lawsOff: [law])
        stream.event(.didSwipeCard, (true, true, true))
        stream.disconnected()
        stream.booked("A-1")
        #expect(!stream.broken.contains(law))
        #expect(!stream.broken.isEmpty)
    }

    @Test func violationsBeyondTheLimitAreOnlyCounted() {
        var stream = RecordStream()
        for _ in 0..<150 { stream.disconnected() }
        #expect(stream.laws.violations.count == LawBook.keptViolationCount)
        #expect(stream.laws.violationCount == 150)
    }
}
