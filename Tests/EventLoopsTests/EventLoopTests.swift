import EventLoops
import Testing

/// A loop with letters for events; the sites are given out by the tests.
typealias LetterLoop = EventLoop<Character>

extension EventSite {
    /// The first event kind of a component.
    static func of(_ component: UInt16, _ name: UInt16 = 0) -> EventSite {
        EventSite(component: component, name: name)
    }
}

extension VirtualInstant {
    static func seconds(_ count: Int64) -> VirtualInstant { .zero + .seconds(count) }
}

extension EventLoop<Character> {
    /// Takes everything and returns it in order.
    mutating func drain() -> String {
        var taken = ""
        while let letter = next() { taken.append(letter) }
        return taken
    }
}

@Suite("Event loop")
struct EventLoopTests {
    private func makeLoop(
        bounds: LetterLoop.Bounds = .init(),
        choices: ChoiceSource = .natural
    ) -> LetterLoop {
        LetterLoop(componentCount: 8, bounds: bounds, choices: choices)
    }

    // MARK: Order

    @Test func timeOrdersEventsAndTheSequenceOrdersEqualTimes() {
        var loop = makeLoop()
        for (letter, second) in zip("dabec", [3, 1, 1, 4, 2] as [Int64]) {
            loop.post(letter, to: .of(0), at: .seconds(second))
        }
        var moments: [VirtualInstant] = []
        var taken = ""
        while let letter = loop.next() {
            taken.append(letter)
            moments.append(loop.now)
        }
        #expect(taken == "abcde")
        #expect(moments == [1, 1, 2, 3, 4].map(VirtualInstant.seconds))
        #expect(loop.isEmpty && loop.takenCount == 5)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func aHeapOfAnySizeGivesTheSortedOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var loop = EventLoop<Int>(componentCount: 1)
        var expected: [(time: Int64, number: Int)] = []
        var ids: [EventLoop<Int>.EventID] = []
        for number in 0..<200 {
            let time = Int64(random.next(below: 40))
            ids.append(loop.post(number, to: .of(0), at: VirtualInstant(nanoseconds: time)))
            expected.append((time, number))
        }
        let canceled = (0..<200).filter { _ in random.next(below: 3) == 0 }
        let wasPending = canceled.map { loop.cancel(ids[$0]) }
        #expect(!wasPending.contains(false))
        expected.removeAll { canceled.contains($0.number) }
        expected.sort { ($0.time, $0.number) < ($1.time, $1.number) }
        var taken: [Int] = []
        while let number = loop.next() { taken.append(number) }
        #expect(taken == expected.map(\.number))
    }

    @Test func anEventForThePastComesNow() {
        var loop = makeLoop()
        loop.post("a", to: .of(0), at: .seconds(5))
        _ = loop.next()
        loop.post("b", to: .of(0), at: .seconds(1))
        loop.post("c", to: .of(0), in: TimeWindow(earliest: .seconds(1), latest: .seconds(2)))
        #expect(loop.nextTime == .seconds(5))
        #expect(loop.drain() == "bc")
        #expect(loop.now == .seconds(5))
    }

    @Test func aNaturalRunTakesWindowsAtTheirEarliest() {
        var loop = makeLoop()
        loop.post("b", to: .of(0), in: TimeWindow(earliest: .seconds(2), latest: .seconds(9)))
        loop.post("a", to: .of(0), in: TimeWindow(earliest: .seconds(1), latest: .seconds(30)))
        #expect(loop.next() == "a")
        #expect(loop.now == .seconds(1))
        #expect(loop.next() == "b")
        #expect(loop.now == .seconds(2))
    }

    @Test func aWindowThatIsClosedEndsSooner() {
        var loop = makeLoop(choices: .recorded([1, 1]))
        let id = loop.post("a", to: .of(0), in: TimeWindow(earliest: .zero, latest: .seconds(90)))
        loop.post("b", to: .of(1), at: .seconds(1))
        loop.post("c", to: .of(1), at: .seconds(5))
        #expect(loop.next() == "b")
        loop.closeWindow(of: id, at: .seconds(3))
        #expect(loop.next() == "a")
        #expect(loop.now == .seconds(1))
        // What has come is left alone.
        loop.closeWindow(of: id, at: .zero)
        #expect(loop.next() == "c")
        #expect(loop.next() == nil)
    }

    @Test func aWindowIsNotClosedBeforeItsBeginning() {
        var loop = makeLoop(choices: .recorded([]))
        let id = loop.post(
            "a",
            to: .of(0),
            in: TimeWindow(earliest: .seconds(4), latest: .seconds(9))
        )
        loop.post("b", to: .of(1), at: .seconds(6))
        loop.closeWindow(of: id, at: .seconds(2))
        #expect(loop.next() == "a")
        #expect(loop.now == .seconds(4))
        #expect(loop.next() == "b")
        #expect(loop.choices.taken.isEmpty)
    }

    @Test func aWindowThatEndsBeforeItBeginsIsItsBeginning() {
        let window = TimeWindow(earliest: .seconds(3), latest: .seconds(1))
        #expect(window.latest == .seconds(3))
    }

    @Test(arguments: 0...50 as ClosedRange<UInt64>)
    func aSeededRunTakesEachWindowInsideIt(seed: UInt64) {
        var loop = makeLoop(choices: .seeded(seed))
        loop.post("a", to: .of(0), in: TimeWindow(earliest: .seconds(2), latest: .seconds(3)))
        #expect(loop.next() == "a")
        #expect(loop.now >= .seconds(2) && loop.now <= .seconds(3))
    }

    @Test func theWidestWindowIsNoTrap() {
        var loop = makeLoop(choices: .seeded(7))
        loop.post("a", to: .of(0), in: TimeWindow(earliest: .zero, latest: .distantFuture))
        #expect(loop.nextTime != nil)
    }

    @Test func onlyWhatIsDueIsTakenWithoutMovingTime() {
        var loop = makeLoop()
        loop.post("a", to: .of(0), at: .seconds(1))
        loop.post("b", to: .of(0), at: .seconds(2))
        #expect(loop.nextDue() == nil)
        loop.now = .seconds(1)
        #expect(loop.nextDue() == "a")
        #expect(loop.nextDue() == nil)
        #expect(loop.now == .seconds(1))
    }

    @Test func aKeyNamesAnEventByItsSiteAndCount() {
        var loop = makeLoop()
        loop.post("a", to: .of(1), at: .seconds(3))
        loop.post("b", to: .of(2), at: .seconds(1))
        loop.post("c", to: .of(1), at: .seconds(2))
        var keys: [EventKey] = []
        while loop.next() != nil { keys.append(loop.lastKey) }
        #expect(
            keys == [
                EventKey(site: .of(2), ordinal: 0), EventKey(site: .of(1), ordinal: 1),
                EventKey(site: .of(1), ordinal: 0),
            ]
        )
    }

    // MARK: Taking back

    @Test func aCanceledEventNeverComes() {
        var loop = makeLoop()
        loop.post("a", to: .of(0), at: .seconds(1))
        let id = loop.post("b", to: .of(0), at: .seconds(2))
        loop.post("c", to: .of(0), at: .seconds(3))
        let isFirst = loop.cancel(id)
        let isAgain = loop.cancel(id)
        #expect(isFirst && !isAgain)
        #expect(loop.drain() == "ac")
    }

    @Test func aStaleHandleNeverTakesBackTheSlotsNextEvent() {
        var loop = makeLoop()
        let taken = loop.post("a", to: .of(0), at: .seconds(1))
        _ = loop.next()
        let canceled = loop.post("b", to: .of(0), at: .seconds(2))
        loop.cancel(canceled)
        loop.post("c", to: .of(0), at: .seconds(3))
        let canCancel = [taken, canceled].map { loop.cancel($0) }
        #expect(canCancel == [false, false])
        #expect(loop.drain() == "c")
    }

    @Test func aTimerHasOneLiveInstanceAName() {
        var loop = makeLoop()
        loop.setTimer("a", named: .of(0), at: .seconds(1))
        loop.setTimer("b", named: .of(0), at: .seconds(3))
        loop.setTimer("x", named: .of(0, 1), at: .seconds(2))
        #expect(loop.drain() == "xb")
    }

    @Test func stoppingATimerThatRangTakesNothingElseBack() {
        var loop = makeLoop()
        loop.setTimer("a", named: .of(0), at: .seconds(1))
        _ = loop.next()
        loop.post("b", to: .of(1), at: .seconds(2))
        loop.cancelTimer(named: .of(0))
        loop.cancelTimer(named: .of(5))
        #expect(loop.drain() == "b")
    }

    @Test func onlyForegroundEventsCountAsPending() {
        var loop = makeLoop()
        loop.post("a", to: .of(0), at: .seconds(1), isBackground: true)
        let id = loop.post("b", to: .of(0), at: .seconds(2))
        loop.setTimer("c", named: .of(1), at: .seconds(3), isBackground: true)
        loop.setTimer("d", named: .of(2), at: .seconds(4))
        #expect(loop.foregroundCount == 2)
        loop.cancel(id)
        #expect(loop.foregroundCount == 1)
        loop.setTimer("d", named: .of(2), at: .seconds(5), isBackground: true)
        #expect(loop.foregroundCount == 0)
        #expect(loop.drain() == "acd")
        #expect(loop.foregroundCount == 0)
    }

    // MARK: Bounds

    @Test func tooManyEventsEndTheRun() {
        var loop = makeLoop(bounds: .init(eventCount: 100))
        loop.post("a", to: .of(0), at: .zero)
        while loop.next() != nil { loop.post("a", to: .of(0), at: loop.now) }
        #expect(loop.exhaustion == .events)
        #expect(loop.takenCount == 100)
        #expect(loop.next() == nil && !loop.isEmpty)
    }

    @Test func aTimelineEndsWhenItIsOver() {
        var loop = makeLoop(bounds: .init(latest: .seconds(10)))
        loop.post("a", to: .of(0), at: .zero)
        while loop.next() != nil { loop.post("a", to: .of(0), at: loop.now + .seconds(1)) }
        #expect(loop.exhaustion == .time)
        #expect(loop.now == .seconds(10))
        #expect(loop.takenCount == 11)
    }

    @Test func anEventForTheDistantFutureDoesNotCome() {
        var loop = makeLoop()
        loop.post("a", to: .of(0), at: .distantFuture)
        #expect(loop.next() == nil)
        #expect(loop.exhaustion == .time)
    }

    @Test func tooManyPendingEventsEndTheRun() {
        var loop = makeLoop(bounds: .init(pendingCount: 64))
        loop.post("a", to: .of(0), at: .zero)
        var rounds = 0
        while loop.next() != nil, rounds < 1_000 {
            rounds += 1
            loop.post("a", to: .of(0), at: loop.now + .seconds(1))
            loop.post("a", to: .of(0), at: loop.now + .seconds(1))
        }
        #expect(loop.exhaustion == .pending)
        #expect(rounds == 64)
        #expect(loop.foregroundCount == 64)
    }

    @Test func anEventBeyondTheBoundHasAHandleThatTakesNothingBack() {
        var loop = makeLoop(bounds: .init(pendingCount: 1))
        loop.post("a", to: .of(0), at: .zero)
        let id = loop.post("b", to: .of(0), at: .zero)
        let isPending = loop.cancel(id)
        #expect(!isPending)
        #expect(loop.foregroundCount == 1)
    }

    @Test func theNumberOfPendingEventsHasAnUpperLimit() {
        #expect(LetterLoop.Bounds(pendingCount: .max).pendingCount < 1 << 20)
    }
}
