import EventLoops
import Testing

/// What is posted before the first event is taken, and what an event posts when it is taken.
struct OrderCase: Sendable, CustomTestStringConvertible {
    struct Event: Sendable {
        var letter: Character
        var earliest: Int64
        var latest: Int64
        var chain: UInt32 = 0
        /// The event whose taking posts this one; `nil` at the start.
        var cause: Character?
    }

    let name: String
    let events: [Event]
    /// The number of orders, counted by hand.
    let orderCount: Int

    var testDescription: String { name }

    /// Every order that the windows and chains allow, found without the loop: an event may precede
    /// another unless that one's window is over before its own begins, unless it is later in the
    /// same chain, and unless the other is its cause.
    var allowedOrders: Set<String> {
        var orders: Set<String> = []
        func extend(_ taken: [Event], _ left: [Event]) {
            if left.isEmpty { orders.insert(String(taken.map(\.letter))) }
            for index in left.indices {
                let event = left[index]
                let isAllowed = left.indices.allSatisfy { other in
                    other == index
                        || (left[other].latest >= event.earliest
                            && (event.chain == 0 || left[other].chain != event.chain
                                || index < other)
                            && left[other].letter != event.cause)
                }
                guard isAllowed else { continue }
                var rest = left
                rest.remove(at: index)
                extend(taken + [event], rest)
            }
        }
        extend([], events)
        return orders
    }

    func play(_ choices: ChoiceSource) -> (order: String, choices: ChoiceSource) {
        var loop = EventLoop<Character>(componentCount: 4, choices: choices)
        func post(_ event: Event) {
            let window = TimeWindow(
                earliest: .seconds(event.earliest),
                latest: .seconds(event.latest)
            )
            loop.post(event.letter, to: .of(UInt16(event.chain)), in: window, chain: event.chain)
        }
        for event in events where event.cause == nil { post(event) }
        var order = ""
        while let letter = loop.next() {
            order.append(letter)
            for event in events where event.cause == letter { post(event) }
        }
        return (order, loop.choices)
    }
}

@Suite("Choice source")
struct ChoiceSourceTests {
    static let cases: [OrderCase] = [
        OrderCase(
            name: "one event",
            events: [.init(letter: "a", earliest: 0, latest: 9)],
            orderCount: 1
        ),
        OrderCase(
            name: "three at once",
            events: [
                .init(letter: "a", earliest: 1, latest: 1),
                .init(letter: "b", earliest: 1, latest: 1),
                .init(letter: "c", earliest: 1, latest: 1),
            ],
            orderCount: 6
        ),
        OrderCase(
            name: "five at once",
            events: "abcde".map { .init(letter: $0, earliest: 0, latest: 0) },
            orderCount: 120
        ),
        OrderCase(
            name: "two at once, and two later at once",
            events: [
                .init(letter: "a", earliest: 1, latest: 1),
                .init(letter: "c", earliest: 2, latest: 2),
                .init(letter: "b", earliest: 1, latest: 1),
                .init(letter: "d", earliest: 2, latest: 2),
            ],
            orderCount: 4
        ),
        OrderCase(
            name: "windows that do not meet",
            events: [
                .init(letter: "b", earliest: 5, latest: 8),
                .init(letter: "a", earliest: 0, latest: 4),
            ],
            orderCount: 1
        ),
        OrderCase(
            name: "windows that meet in a moment",
            events: [
                .init(letter: "a", earliest: 0, latest: 5),
                .init(letter: "b", earliest: 5, latest: 8),
            ],
            orderCount: 2
        ),
        OrderCase(
            name: "a row of overlapping windows, the first and last apart",
            events: [
                .init(letter: "a", earliest: 0, latest: 10),
                .init(letter: "b", earliest: 5, latest: 15),
                .init(letter: "c", earliest: 12, latest: 20),
            ],
            orderCount: 3
        ),
        OrderCase(
            name: "a window over three moments",
            events: [
                .init(letter: "w", earliest: 0, latest: 3),
                .init(letter: "a", earliest: 1, latest: 1),
                .init(letter: "b", earliest: 2, latest: 2),
                .init(letter: "c", earliest: 3, latest: 3),
            ],
            orderCount: 4
        ),
        OrderCase(
            name: "two chains of two",
            events: [
                .init(letter: "a", earliest: 0, latest: 0, chain: 1),
                .init(letter: "x", earliest: 0, latest: 0, chain: 2),
                .init(letter: "b", earliest: 0, latest: 0, chain: 1),
                .init(letter: "y", earliest: 0, latest: 0, chain: 2),
            ],
            orderCount: 6
        ),
        OrderCase(
            name: "a chain of three and a chain of two in windows",
            events: [
                .init(letter: "a", earliest: 0, latest: 9, chain: 1),
                .init(letter: "b", earliest: 0, latest: 9, chain: 1),
                .init(letter: "c", earliest: 0, latest: 9, chain: 1),
                .init(letter: "x", earliest: 0, latest: 9, chain: 2),
                .init(letter: "y", earliest: 0, latest: 9, chain: 2),
            ],
            orderCount: 10
        ),
        OrderCase(
            name: "a chain of moments under a window",
            events: [
                .init(letter: "w", earliest: 0, latest: 2),
                .init(letter: "a", earliest: 0, latest: 0, chain: 1),
                .init(letter: "b", earliest: 2, latest: 2, chain: 1),
                .init(letter: "c", earliest: 4, latest: 4, chain: 1),
            ],
            orderCount: 3
        ),
        OrderCase(
            name: "an event that causes another at once",
            events: [
                .init(letter: "a", earliest: 0, latest: 0),
                .init(letter: "b", earliest: 0, latest: 0),
                .init(letter: "c", earliest: 0, latest: 0, cause: "a"),
            ],
            orderCount: 3
        ),
    ]

    @Test(arguments: cases)
    func enumerationPlaysEachOrderExactlyOnce(_ orders: OrderCase) {
        var seen: [String] = []
        var prefix: [Int]? = []
        while let choices = prefix, seen.count < 1_000 {
            let played = orders.play(.enumerating(choices))
            seen.append(played.order)
            prefix = played.choices.nextPrefix
        }
        #expect(seen.count == orders.orderCount)
        #expect(Set(seen) == orders.allowedOrders)
        #expect(Set(seen).count == seen.count)
    }

    @Test(arguments: cases)
    func theEmptyScheduleIsTheNaturalRun(_ orders: OrderCase) {
        #expect(orders.play(.recorded([])).order == orders.play(.natural).order)
    }

    @Test(arguments: cases)
    func aRecordedScheduleBringsItsOrderBack(_ orders: OrderCase) {
        var prefix: [Int]? = []
        while let choices = prefix {
            let played = orders.play(.enumerating(choices))
            let schedule = played.choices.taken.map(\.index)
            let again = orders.play(.recorded(schedule))
            #expect(again.order == played.order)
            #expect(again.choices.taken == played.choices.taken)
            #expect(again.choices.firstMisfit == nil)
            prefix = played.choices.nextPrefix
        }
    }

    @Test(arguments: cases)
    func everySeedKeepsToWindowsAndChains(_ orders: OrderCase) {
        let allowed = orders.allowedOrders
        for seed in 0..<50 as Range<UInt64> {
            #expect(allowed.contains(orders.play(.seeded(seed)).order))
        }
    }

    @Test func seedsReachEveryOrderOfSimultaneousEvents() {
        let orders = Self.cases[1]
        var seen: Set<String> = []
        for seed in 0..<200 as Range<UInt64> { seen.insert(orders.play(.seeded(seed)).order) }
        #expect(seen == orders.allowedOrders)
    }

    @Test func aSeedGivesTheSameOrderAgain() {
        let orders = Self.cases[2]
        #expect(orders.play(.seeded(11)).order == orders.play(.seeded(11)).order)
    }

    /// The order of two pairs, with any number of unrelated pairs before the first.
    private func pairs(seed: UInt64, unrelatedCount: Int) -> String {
        var loop = EventLoop<Character>(componentCount: 8, choices: .seeded(seed))
        for moment in 0..<unrelatedCount {
            loop.post("x", to: .of(1), at: .seconds(Int64(moment)))
            loop.post("y", to: .of(2), at: .seconds(Int64(moment)))
        }
        let pairs: [(Character, Character, Int64)] = [("a", "b", 100), ("c", "d", 200)]
        for (first, second, moment) in pairs {
            loop.post(first, to: .of(3), at: .seconds(moment))
            loop.post(second, to: .of(4), at: .seconds(moment))
        }
        let window = TimeWindow(earliest: .seconds(300), latest: .seconds(400))
        loop.post("w", to: .of(5), in: window)
        let order = loop.drain().filter { "abcdw".contains($0) }
        return order + " \(loop.now.nanoseconds)"
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func aSeedDecidesAlikeWhateverElseWasChosenBefore(seed: UInt64) {
        let alone = pairs(seed: seed, unrelatedCount: 0)
        #expect(pairs(seed: seed, unrelatedCount: 1) == alone)
        #expect(pairs(seed: seed, unrelatedCount: 7) == alone)
    }

    @Test func seedsDecideDifferently() {
        let orders = (0..<20 as Range<UInt64>).map { pairs(seed: $0, unrelatedCount: 0) }
        #expect(Set(orders).count == 20)
        #expect(Set(orders.map { $0.prefix(4) }).count == 4)
    }

    @Test(arguments: [([0, 2], 1), ([-1], 0), ([0, 1, 5], nil), ([3, 9], 0)])
    func theFirstIndexThatFitsNoAlternativeIsNamed(schedule: [Int], misfit: Int?) {
        let played = Self.cases[1].play(.recorded(schedule))
        #expect(played.choices.firstMisfit == misfit)
        #expect(played.choices.taken.map(\.count) == [3, 2])
        #expect(played.order.count == 3)
    }

    @Test func nothingIsAskedWhereThereIsNothingToChoose() {
        #expect(Self.cases[4].play(.recorded([])).choices.taken.isEmpty)
        #expect(Self.cases[4].play(.recorded([])).choices.nextPrefix == nil)
    }

    @Test func aSiteTellsWhatTheChoiceIsAbout() {
        let taken = Self.cases[1].play(.recorded([1])).choices.taken
        let natural = EventKey(site: .of(0), ordinal: 0)
        #expect(taken.map(\.site.kind) == [.order, .order])
        #expect(taken.map(\.site.key) == [natural, natural])
        #expect(taken.map(\.site.ordinal) == [0, 1])
        #expect(taken.map(\.index) == [1, 0])
    }
}
