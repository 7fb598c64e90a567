public import EventLoops
import Journal
import Laws
public import Rig
import ScenarioLanguage

/// Plays one scenario on one rig: begins the steps, follows the records, and says what held.
///
/// It decides only; time is moved by a driver (``play(_:)`` in virtual time, ``LiveDriver`` on the
/// wall clock), which asks ``proceed()`` after every event.
public struct ScenarioPlayer {
    /// What the player waits for before its next step.
    enum Wait {
        /// Nothing: the next step can begin.
        case nothing
        /// A check, until its limit if it has one.
        case check(deadline: Int?)
        /// Time to pass.
        case time(token: Int)
        /// Until nothing is pending, at most until the limit's token comes.
        case settle(deadline: Int, isEnd: Bool)
        /// The branches of a race.
        case race([(token: Int, step: Int)])
        /// Its turn: acts that come at moments of their own may come before the step.
        case turn(token: Int, step: Int)
        /// A hand at a real reader.
        case hand(HandAct, deadline: Int)
        /// A real reader that a hand pulled out, until the host lost it.
        case detach(reader: Int, deadline: Int)
        /// Until a real reader that a hand plugged in is seen.
        case attach(reader: Int, deadline: Int)
    }

    /// What the driver has to do next.
    public enum Progress: Hashable, Sendable {
        /// Take the next event, or wait for one.
        case waiting
        /// Nothing more: the run is over.
        case finished
    }

    let prepared: PreparedScenario
    /// The world that is played with.
    public var rig: Rig
    var laws: LawBook
    var expectations: Expectations
    var failures: [RunFailure] = []
    var takenBranches: [(step: Int, branch: Int)] = []
    var firedReactions: [Int] = []
    var end = RunEnd.finished
    var isOver = false

    var wait = Wait.nothing
    /// The open blocks, the scenario's own first.
    var frames: [BlockFrame] = []
    /// Whether some block counts records or waits for one.
    var isTallying = false
    /// What `on` armed.
    var reactions: [Reaction] = []
    /// What reactions are about to do, by the flat indices of the steps.
    var pendingActs: [Int] = []
    /// The acts that come at moments of their own and have not come yet.
    var openActs: [(token: Int, step: Int)] = []
    /// Whether the limit of what is waited for stands still, since only open acts can come.
    var isLimitLifted = false
    var stepCount = 0
    var actCount = 0
    var currentStep: Int?
    var nextToken = 0
    var seenCount = 0
    var hasEnded = false
    /// Whether a check waits for its time limit though nothing is pending.
    var isPatient = false
    /// The limit of the check that waits.
    var limit = VirtualDuration.zero
    /// The earliest moment at which the check that waits may be met.
    var earliest = VirtualInstant.zero
    var hasEarliest = false
    /// The shortest that the check that waits may take.
    var shortest = VirtualDuration.zero
    /// Whether no check has waited since a hand was asked to act.
    var isFirstSinceHand = false
    /// Whether the limits of the check that waits begin again when the reader shows the hand's act.
    var countsFromHandSign = false
    /// Whether the rig was lost because of a hand.
    var isLostByHand = false
    let handTimeout: VirtualDuration
    let attachTimeout: VirtualDuration

    /// The longest that a check without `within`, or a `settle`, waits.
    static let longestWait = VirtualDuration.seconds(60)
    /// How long a real reader must be silent to count as settled.
    static let quietPeriod = VirtualDuration.milliseconds(400)

    /// How long a real reader may take to be seen after the hand said that it plugged it in: the
    /// kernel takes a second or two to enumerate a device, and a slow hub some more.
    public static let longestAttach = VirtualDuration.seconds(10)

    /// Creates a player at the beginning of a scenario.
    ///
    /// - Parameters:
    ///   - prepared: The scenario.
    ///   - rig: The world that its `rig:` asks for.
    ///   - handTimeout: How long a hand at a real reader may take; 60 s by default.
    ///   - attachTimeout: How long a reader may take to be seen after a hand plugged it in.
    public init(
        _ prepared: PreparedScenario,
        rig: Rig,
        handTimeout: VirtualDuration = .seconds(60),
        attachTimeout: VirtualDuration = longestAttach
    ) {
        self.prepared = prepared
        self.handTimeout = handTimeout
        self.attachTimeout = attachTimeout
        laws = LawBook(
            lawsOff: prepared.scenario.lawsOff,
            readerCount: rig.readerCount,
            isLive: rig.isLive,
            readerKinds: prepared.scenario.rig.readers.map(\.kind.rawValue),
            attachedAtStart: prepared.scenario.rig.readers.map(\.isAttachedAtStart),
            audio: AudioSettings(prepared.scenario.rig)
        )
        expectations = Expectations(
            readerNames: rig.readerNames,
            never: prepared.scenario.never,
            countsDialogues: prepared.scenario.rig.app.prompts == .ask
        )
        // Last, so that it is moved: it is large.
        self.rig = rig
    }

    /// Starts the world.
    public mutating func start() {
        open(prepared.order, owner: nil)
        rig.start()
    }

    /// Goes as far as possible without time passing.
    public mutating func proceed() -> Progress {
        while !isOver {
            follow()
            if isOver { break }
            if let problem = rig.problem {
                stop(.lost(problem))
                break
            }
            if rig.isRedundant {
                stop(.interrupted)
                break
            }
            if rig.isExhausted, let exhaustion = rig.exhaustion {
                failures.append(
                    RunFailure(.bound, at: currentLocation, exhaustion, sequence: nil)
                )
                stop(.finished)
                break
            }
            guard canGoOn() else {
                if isOver { break }
                return .waiting
            }
            wait = .nothing
            if goOn() { continue }
            if !hasEnded {
                hasEnded = true
                beginSettle(within: Self.longestWait, isEnd: true)
            } else {
                finish()
            }
        }
        return .finished
    }

    /// Ends the run early; what was recorded is kept.
    public mutating func interrupt() { stop(.interrupted) }

    /// Takes an event that the rig handed back, one of the scenario's own.
    public mutating func scriptEvent(_ token: Int) {
        if let index = openActs.firstIndex(where: { $0.token == token }) {
            comes(openActs.remove(at: index).step)
            return
        }
        switch wait {
        case .nothing:
            break
        case .check(let deadline):
            if token == deadline { giveUp(.timeLimit(limit)) }
        case .time(let awaited):
            if token == awaited { wait = .nothing }
        case .settle(let deadline, let isEnd):
            if token == deadline {
                failures.append(
                    RunFailure(
                        isEnd ? .bound : .check,
                        at: currentLocation,
                        "expected that nothing is pending within the limit, still pending: "
                            + rig.pendingSummary
                    )
                )
                stop(.finished)
            }
        case .race(var branches):
            guard let index = branches.firstIndex(where: { $0.token == token }) else { return }
            let step = branches.remove(at: index).step
            wait = .race(branches)
            perform(step)
        case .turn(let awaited, let step):
            if token == awaited {
                wait = .nothing
                begin(step)
            }
        case .hand(_, let deadline):
            if token == deadline {
                loseByHand("the hand did not act within \(handTimeout.text)")
            }
        case .detach(let reader, let deadline):
            if token == deadline {
                stop(
                    .lost(
                        "\(attachTimeout.text) after the hand pulled it out, "
                            + "\(rig.readerNames[reader]) is still there: was another one pulled out?"
                    )
                )
            }
        case .attach(let reader, let deadline):
            if token == deadline {
                stop(.lost(rig.absence(of: reader, after: attachTimeout)))
            }
        }
    }

    /// Tells that nothing more can come by itself: nothing is pending on the timeline.
    public mutating func nothingPending() {
        switch wait {
        case .check: giveUp(.nothingPending)
        case .nothing, .time, .settle, .race, .turn, .hand, .attach, .detach: break
        }
    }

    /// The result; call it once, when ``proceed()`` said that the run is over.
    public mutating func result() -> RunResult {
        concludeLaws()
        if rig.choices.keepsTrace { rig.closeFootprint() }
        var result = RunResult(
            end: end,
            failures: failures,
            journal: rig.journal,
            wireTap: rig.wireTap,
            ledger: ledgerFacts,
            eventCount: rig.eventCount,
            duration: rig.now - .zero,
            choices: rig.choices,
            trace: rig.trace,
            takenBranches: takenBranches,
            firedReactions: firedReactions
        )
        result.isLostByHand = isLostByHand
        return result
    }

    var currentLocation: SourceLocation? {
        currentStep.map { prepared.flat[$0].step.location }
    }

    mutating func stop(_ end: RunEnd) {
        if case .hand = wait { rig.cancelOperatorAct() }
        self.end = end
        isOver = true
    }
}
