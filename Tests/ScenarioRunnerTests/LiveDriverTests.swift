import CardCrypto
import CardData
import EventLoops
import Journal
import Kernel
import Rig
import ScenarioLanguage
import ScenarioRunner
import SimulatedReaders
import Testing
import Transports

/// A live transport whose reader is moved by the test's hand: a Dynamag in packets of 64.
private final class DeskTransport: LiveTransport {
    private var loopback = LoopbackTransport()
    private let wakeUp: WakeUp
    private(set) var isClosed = false

    init() throws { wakeUp = try WakeUp() }

    var wakeDescriptor: Int32 { wakeUp.descriptor }
    var nextDue: TimeWindow? { nil }
    var absence: String { "nothing is on the desk; look under it" }

    func open(at now: VirtualInstant) { loopback.open(at: now) }
    func grant(credits: Int) { loopback.grant(credits: credits) }
    func send(_ unit: TransportUnit, at now: VirtualInstant) { loopback.send(unit, at: now) }

    func close(at now: VirtualInstant) {
        isClosed = true
        loopback.close(at: now)
    }

    func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        wakeUp.clear()
        return loopback.nextEvent(at: now)
    }

    func move(_ body: (inout LoopbackTransport) -> Void) {
        body(&loopback)
        wakeUp.signal()
    }
}

/// A hand that acts at once, or not at all.
private final class DeskHand: Operator {
    enum Mood {
        case willing, unwilling, absent
        /// It says that it acted, and did not.
        case lying
    }

    private let desk: DeskTransport
    private let mood: Mood
    private var reader: SimulatedMagneSafeReader
    private let cache = CryptoCache()
    private(set) var words: [String] = []
    private(set) var isCanceled = false

    init(_ desk: DeskTransport, _ mood: Mood = .willing) {
        self.desk = desk
        self.mood = mood
        reader = SimulatedMagneSafeReader(
            MagneSafeReaderConfiguration(.dynamag(packetByteCount: 64))
        )
    }

    var wakeDescriptor: Int32? { nil }

    func begin(_ request: HandRequest) {
        words.append(request.words)
        guard mood == .willing else { return }
        switch request.act {
        case .plugIn:
            desk.move { $0.attachReader(reader.configuration.attachment, at: .zero) }
        case .unplug:
            desk.move { $0.detachReader(.left, at: .zero) }
        case .swipe(_, let name, _):
            guard let card = TestCard.named(name) else { return }
            let sent = reader.swipe(card: card, quality: .good, cache: cache)
            desk.move { loopback in
                for transmission in sent {
                    loopback.readerSend(transmission.unit, in: TimeWindow(at: .zero))
                }
            }
        case .insert, .tap, .removeCard, .press, .switchOff, .switchOn, .reboot, .setBattery,
            .obstruct:
            break
        }
    }

    func cancel() { isCanceled = true }

    func poll() -> OperatorAnswer? {
        switch mood {
        case .willing, .lying: .done
        case .unwilling: .aborted("the shop is closed")
        case .absent: nil
        }
    }
}

@Suite("Live driver")
struct LiveDriverTests {
    private static let text = """
        scenario: A hand at a reader
        rig: { reader: dynamag, gateway: nmi }
        steps:
          - plug in
          - expect: [deviceConnected, deviceActivationFinished, deviceBecameReadyForSwipe]
          - swipe: { card: visa }
          - expect: { didSwipeCard: { maskedCardNumber: "4111000010001111" } }
          - charge: { amount: 10.99 }
          - expect: { chargeFinished: { result: approved } }
          - unplug
          - expect: [deviceBecameUnreadyForSwipe, deviceDeactivated, deviceDisconnected]
        outcome: { charges: [{ amount: 10.99 }] }
        """

    private func play(
        _ mood: DeskHand.Mood?,
        handTimeout: VirtualDuration = .seconds(60),
        isInterrupted: () -> Bool = { false }
    ) throws -> (result: RunResult, desk: DeskTransport, hand: DeskHand?) {
        let parsed = ScenarioParser.parse(file: "text", bytes: Array(Self.text.utf8))
        let scenario = try #require(parsed.scenario)
        let desk = try DeskTransport()
        let hand = mood.map { DeskHand(desk, $0) }
        let rig = Rig(
            RigConfiguration(scenario.rig, options: RigOptions(live: desk)),
            cache: CryptoCache(),
            hands: hand
        )
        let result = try LiveDriver().play(
            PreparedScenario(scenario),
            on: rig,
            handTimeout: handTimeout,
            attachTimeout: .milliseconds(40),
            interruptDescriptor: nil,
            isInterrupted: isInterrupted
        )
        return (result, desk, hand)
    }

    @Test(.timeLimit(.minutes(1)))
    func aScenarioPlaysOnTheWallClockAsInVirtualTime() throws {
        let (live, desk, hand) = try play(.willing)
        #expect(live.end == .finished)
        #expect(live.failures.map(\.explanation) == [])
        #expect(desk.isClosed)
        #expect(hand?.words == ["plug in", "swipe: { card: visa }", "unplug"])
        let simulated = try ScenarioFolder.play(text: Self.text)
        func events(_ result: RunResult) -> [RecordName] {
            result.journal.readable.filter { $0.source == .sdk }.map(\.name)
        }
        #expect(events(live) == events(simulated) && events(live).count == 7)
    }

    @Test(.timeLimit(.minutes(1)))
    func aRunOnTheWallClockMeasuresItsTimersAndItsEvents() throws {
        let timing = try #require(try play(.willing).result.timing)
        // The run ends with a silence that a timer measures; swipes came in at least one turn.
        #expect(timing.timers.count >= 1 && timing.events.count >= 1)
        #expect(timing.events.largest > .zero && timing.events.largest < .seconds(60))
        #expect(try ScenarioFolder.play(text: Self.text).timing == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func aHandThatGivesUpLosesTheRig() throws {
        let (result, desk, _) = try play(.unwilling)
        #expect(result.end == .lost("text:4: the shop is closed"))
        #expect(desk.isClosed)
    }

    @Test(.timeLimit(.minutes(1)))
    func aHandThatDoesNotActLosesTheRigAfterItsTime() throws {
        let (result, _, hand) = try play(.absent, handTimeout: .milliseconds(30))
        #expect(hand?.isCanceled == true)
        #expect(result.end == .lost("text:4: the hand did not act within 30 ms"))
        #expect(result.duration >= .milliseconds(30))
    }

    @Test(.timeLimit(.minutes(1)))
    func aReaderThatIsNotSeenAfterTheHandPluggedItInLosesTheRig() throws {
        let (result, desk, hand) = try play(.lying)
        let reason =
            "40 ms after the hand plugged it in: nothing is on the desk; look under it"
        #expect(result.end == .lost(reason))
        #expect(result.failures.isEmpty && desk.isClosed)
        #expect(result.duration >= .milliseconds(40))
        #expect(hand?.isCanceled == false, "it had answered")
        #expect(ScenarioPlayer.longestAttach == .seconds(10))
    }

    @Test(.timeLimit(.minutes(1)))
    func aRigWithoutAHandIsLostAtTheFirstStepThatNeedsOne() throws {
        let (result, desk, _) = try play(nil)
        guard case .lost(let reason) = result.end else {
            Issue.record("expected that the rig is lost")
            return
        }
        #expect(reason.contains("'plug in'"))
        #expect(desk.isClosed)
    }

    @Test(.timeLimit(.minutes(1)))
    func anInterruptionEndsTheRunAndClosesTheReader() throws {
        let (result, desk, _) = try play(.absent) { true }
        #expect(result.end == .interrupted)
        #expect(!result.hasPassed && desk.isClosed)
    }
}
