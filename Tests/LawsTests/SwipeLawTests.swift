import Journal
import Laws
import Testing

@Suite("one-callback-per-swipe")
struct SwipeLawTests {
    @Test(arguments: [Symbol.magnesafe, .none])
    func aWholeSwipeWithOneCallbackIsFine(card: Symbol) {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.card(card)
        stream.arrived(2)
        stream.card(card)
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func aWholeSwipeWithoutCallbackIsReportedAtTheEnd() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(4)
        stream.end()
        #expect(stream.broken == [.oneCallbackPerSwipe])
        #expect(stream.laws.violations.first?.sequence == nil)
        #expect(stream.laws.violations.first?.explanation.contains("swipe 4 had none") == true)
    }

    @Test func aWholeSwipeWithoutCallbackIsReportedWhereItsPeriodEnds() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.transportLost()
        stream.unwind()
        stream.end()
        #expect(stream.broken == [.oneCallbackPerSwipe])
        #expect(stream.laws.violations.first?.sequence == stream.journal.count - 2)
    }

    @Test func theNextReadyEndsThePeriod() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.unready(.refreshing)
        stream.ready()
        #expect(stream.broken == [.oneCallbackPerSwipe])
    }

    @Test func aCallbackBetweenTheLossAndUnreadyCounts() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.transportLost()
        stream.card()
        stream.unwind()
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func aSecondCallbackIsReported() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.card()
        stream.card()
        #expect(stream.broken == [.oneCallbackPerSwipe])
        #expect(stream.laws.violations.first?.sequence == stream.journal.count - 1)
    }

    @Test func aRecordDeliveredTwiceIsOneSwipe() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.card()
        stream.arrived(1)
        stream.end()
        #expect(stream.laws.violations == [])
        stream.card()
        #expect(stream.broken == [.oneCallbackPerSwipe])
    }

    @Test func anOldRecordDeliveredAgainChangesNothingForANewerDamagedOne() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.card()
        stream.arrived(2, isWhole: false)
        stream.arrived(1)
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func twoSwipesOnTheirWayGiveTwoCallbacks() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1)
        stream.arrived(2)
        stream.card()
        stream.end()
        #expect(stream.broken == [.oneCallbackPerSwipe])
    }

    @Test(arguments: 0...2)
    func aDamagedSwipeGivesAtMostOneCallback(callbackCount: Int) {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1, isWhole: false)
        for _ in 0..<callbackCount { stream.card(.none) }
        stream.end()
        #expect(stream.broken == (callbackCount == 2 ? [.oneCallbackPerSwipe] : []))
    }

    @Test func aDamagedSwipeThatArrivesWholeTheSecondTimeOwesACallback() {
        var stream = RecordStream()
        stream.attach()
        stream.arrived(1, isWhole: false)
        stream.arrived(1)
        stream.end()
        #expect(stream.broken == [.oneCallbackPerSwipe])
    }

    @Test func whatWasCutOffNeverReachesALaterSession() {
        var stream = RecordStream()
        stream.attach()
        stream.transportLost()
        stream.arrived(1, isWhole: false)
        stream.unwind()
        stream.attach()
        stream.card(.none)
        #expect(stream.broken == [.oneCallbackPerSwipe])
    }

    @Test func aSwipeThatLosesBytesBeforeTheAppIsToldOfItsReaderMayGiveACallback() {
        var stream = RecordStream()
        stream.write(.readerAttached, [Attribute(.reader, .reader(0))])
        stream.arrived(1, isWhole: false)
        stream.connected()
        stream.activated()
        stream.ready()
        stream.card(.none)
        stream.end()
        #expect(stream.broken == [])
        stream.card(.none)
        #expect(stream.broken == [.oneCallbackPerSwipe])
    }

    @Test func aWholeSwipeBeforeTheAppIsToldOfItsReaderGivesNone() {
        var stream = RecordStream()
        stream.write(.readerAttached, [Attribute(.reader, .reader(0))])
        stream.arrived(1)
        stream.connected()
        stream.activated()
        stream.ready()
        stream.card()
        #expect(stream.broken == [.oneCallbackPerSwipe])
    }

    @Test func aSwipeThatArrivesWhenNobodyIsReadyOwesNothing() {
        var stream = RecordStream()
        stream.arrived(1)
        stream.attach()
        stream.transportLost()
        stream.arrived(2)
        stream.unwind()
        stream.end()
        #expect(stream.laws.violations == [])
    }

    @Test func aCallbackWithoutAnySwipeIsReported() {
        var stream = RecordStream()
        stream.attach()
        stream.card(.none)
        #expect(stream.broken == [.oneCallbackPerSwipe])
    }

    @Test func swipesAreCountedForEachReader() {
        var stream = RecordStream(readerNames: ["left", "right"])
        stream.attach(reader: 0)
        stream.attach(reader: 1)
        stream.arrived(1, reader: 0)
        stream.card(reader: 1)
        stream.end()
        #expect(stream.laws.violations.map(\.reader) == [1, 0])
    }

    @Test(arguments: 0...2)
    func aRealReaderGivesAtMostOneCallbackForAHand(callbackCount: Int) {
        var stream = RecordStream(isLive: true)
        stream.attach()
        stream.write(
            .cardSwiped,
            [Attribute(.reader, .reader(0)), Attribute(.swipe, .integer(1))]
        )
        for _ in 0..<callbackCount { stream.card() }
        stream.end()
        #expect(stream.broken == (callbackCount == 2 ? [.oneCallbackPerSwipe] : []))
    }

    @Test func aSimulatedHandAllowsNothingUntilItsSwipeArrives() {
        var stream = RecordStream()
        stream.attach()
        stream.write(
            .cardSwiped,
            [Attribute(.reader, .reader(0)), Attribute(.swipe, .integer(1))]
        )
        stream.card()
        #expect(stream.broken == [.oneCallbackPerSwipe])
    }
}
