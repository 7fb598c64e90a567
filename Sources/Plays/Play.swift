package import EventLoops
package import Journal
package import Laws
package import Rig

/// A play without a scenario: everybody in a world acts at random, as a seed says, and the laws
/// judge.
///
/// A play says what happens, ``act()``, and what it learns from the records, ``note(_:)``. That
/// time passes between the acts, and that the laws see each record once, is the same for all plays
/// and stands here. The same seed gives the same play.
package protocol Play {
    /// The world, its laws and the seed's numbers.
    var stage: Stage { get set }

    /// Does what comes before the first act, in a world that was started; by default nothing.
    mutating func begin()

    /// Does one thing, drawn from the seed's numbers.
    mutating func act()

    /// Does one thing from inside a callback of the app; by default nothing.
    mutating func actInCallback()

    /// Whether the next act comes before the next event; by default never.
    mutating func isInAHurry() -> Bool

    /// Takes note of a record; the laws have seen it already. By default nothing.
    mutating func note(_ record: Record)

    /// What did not hold of what no law knows, in plain words; by default nothing.
    var complaints: [String] { get }
}

extension Play {
    package mutating func begin() {}

    package mutating func actInCallback() {}

    package mutating func isInAHurry() -> Bool { false }

    package mutating func note(_ record: Record) {}

    package var complaints: [String] { [] }
}

extension Play {
    /// The world.
    package var rig: Rig {
        _read { yield stage.rig }
        _modify { yield &stage.rig }
    }

    /// The numbers of the seed.
    package var random: SplitMix64 {
        _read { yield stage.random }
        _modify { yield &stage.random }
    }

    /// What the laws found.
    package var violations: [LawViolation] { stage.laws.violations }

    /// Plays from the start to the end: so many acts, and after each fewer events than the bound.
    mutating func perform(actCount: Int, eventBound: Int) {
        rig.start()
        begin()
        for _ in 0..<actCount {
            act()
            pass(random.index(below: eventBound))
        }
        finish()
    }

    /// Lets what is under way end, and asks the laws for what only the end shows.
    mutating func finish() {
        rig.pausesAtEvents = []
        settle()
        stage.judgeTheEnd()
    }

    // MARK: Time

    /// Takes at most so many events.
    mutating func pass(_ eventCount: Int) {
        observe()
        for _ in 0..<eventCount {
            if isInAHurry() { break }
            if rig.callback != nil, random.next(below: 3) == 0 { actInCallback() }
            if rig.advance() == .nothing { break }
            observe()
        }
    }

    /// Lets time pass, whatever is pending.
    mutating func wait(_ duration: VirtualDuration) {
        rig.setScriptTimer(1, at: rig.now + duration)
        while true {
            switch rig.advance() {
            case .script, .nothing: return
            case .handled: observe()
            }
        }
    }

    /// Takes events until nobody waits for one, and at most so many.
    mutating func settle(eventBound: Int = 10_000) {
        observe()
        var count = 0
        while !rig.isQuiet, rig.advance() != .nothing, count < eventBound {
            observe()
            count += 1
        }
    }

    /// Shows the records that were written since to the laws and to the play.
    mutating func observe() {
        while stage.seenCount < rig.journal.count {
            if let record = rig.journal.record(stage.seenCount) {
                stage.judge(record)
                note(record)
            }
            stage.seenCount += 1
        }
    }
}
