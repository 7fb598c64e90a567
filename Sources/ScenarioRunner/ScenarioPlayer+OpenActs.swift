import EventLoops
import Journal
import Rig
import ScenarioLanguage

// Acts that come at moments of their own (`any time`, `sometime within`), while the steps go on.
extension ScenarioPlayer {
    /// Begins a step, or, while acts are open, posts its turn: they may come before it.
    ///
    /// A check needs no turn: it does nothing, and sees what comes.
    mutating func takeTurn(_ index: Int) {
        guard !openActs.isEmpty, prepared.flat[index].step.action.isOrderedWithActs else {
            begin(index)
            return
        }
        let token = makeToken()
        rig.schedule(token, in: TimeWindow(at: rig.now), step: index)
        wait = .turn(token: token, step: index)
    }

    /// Opens the acts of a step.
    mutating func openBranches(of index: Int) -> [(token: Int, step: Int)] {
        let acts = prepared.flat[index].branches.map { (token: makeToken(), step: $0) }
        openActs += acts
        return acts
    }

    /// Does an open act whose moment has come.
    mutating func comes(_ step: Int) {
        if isLimitLifted {
            isLimitLifted = false
            switch wait {
            case .check: wait = .check(deadline: startTimer(limit))
            case .settle(_, let isEnd): beginSettle(within: Self.longestWait, isEnd: isEnd)
            case .nothing, .time, .race, .turn, .hand, .attach, .detach: break
            }
        }
        perform(step)
    }

    /// Takes the time limit away: nothing can come but open acts, and they come within as long as a
    /// check waits.
    mutating func liftLimit() {
        guard !isLimitLifted else { return }
        isLimitLifted = true
        rig.cancelScriptTimer()
        rig.closeMoments(within: Self.longestWait)
    }
}

extension StepAction {
    /// Whether it matters if an act comes before or after it.
    fileprivate var isOrderedWithActs: Bool {
        switch self {
        case .plugIn, .plugInObject, .unplug, .unplugJack, .swipe, .answer, .set, .phoneCall,
            .charge, .enterCard, .authorize, .capture, .refund, .void, .merchant, .store,
            .terminal, .scan, .call, .app,
            .link, .gateway,
            .expectState, .faultPoints, .insert, .tap, .removeCard, .keys, .power, .care, .sign:
            true
        case .expect, .await, .expectAny, .unordered, .until, .never, .count, .on, .block, .repeat,
            .race, .anyTime, .sometime, .wait, .settle:
            false
        }
    }
}
