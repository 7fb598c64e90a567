public import CardCrypto
import CardData
public import EventLoops
import GatewayProtocols
public import Journal
import SDKCore
import SimulatedGateways
import SimulatedReaders
import Transports

/// A world to test an SDK in: readers and their links, the SDK, the app's payment client and the
/// gateway, on one timeline, with one journal.
///
/// The rig wires the components and is the only one that writes records; no component knows that it
/// is tested. Whoever plays a scenario acts through ``act(_:)``, ``charge(_:orderID:)`` and the
/// like, and takes events with ``advance()`` in virtual time or ``takeDue()`` on the wall clock.
///
/// - Note: A rig is moved, not copied: its crypto cache belongs to the worker that plays it.
public struct Rig {
    /// What taking an event came to.
    public enum Advance: Hashable, Sendable {
        /// Nothing is pending, or a bound is reached.
        case nothing
        /// A component took it.
        case handled
        /// It is the scenario's own, with its number.
        case script(Int)
    }

    var loop: EventLoop<RigEvent>
    /// The records of the run.
    public var journal: Journal
    /// What went over the wires, when the run is recorded.
    public var wireTap: WireTap?
    var stations: [ReaderStation]
    /// The audio jack, when a reader of the rig is one for it.
    var jack: RigJack?
    var controller: SwipeController
    /// The app: what it is made of, and how it stands.
    var app: RigApp
    /// At which events ``advance()`` returns from inside the app's callback; none at first.
    public var pausesAtEvents: [RecordName] = []
    var payments: PaymentDesk?
    /// The payment provider and its service, when the rig has one.
    var agentcash: AgentCASHDesk?
    /// Inner Fence's terminal app and the app that charges through it, when the rig has them.
    var terminal: TerminalDesk?
    /// PAYMILL, the HoneyStore's backend and its app, when the rig has them.
    var store: HoneyStoreDesk?
    let cache: CryptoCache
    let hands: (any Operator)?
    /// What the hand was asked for last, and whether the reader showed it.
    var handSign: HandSign?
    /// Why the rig cannot go on, with the remedy; `nil` while it can.
    public internal(set) var problem: String?
    /// When something last came from a reader.
    public internal(set) var lastActivity = VirtualInstant.zero
    /// What came from real readers and was not asked for yet.
    var liveArrivals = LiveArrivals()
    /// What the event at work touched so far, for the explorer.
    var touched = Footprint()
    /// The first record of the event at work.
    private var firstRecordOfEvent = 0
    var swipeCount = 0
    /// The faults that may still come.
    var faultPoints: [FaultPoint] = []
    /// How often it was asked whether one comes.
    var faultCount: UInt32 = 0
    var sdkTimer: SDKTimer?
    /// Whether a capture plays a reader, or facts of a recorded run are taken over.
    let isReplay: Bool
    /// When each record of a recorded run was, and the step it belonged to.
    let recordedSteps: [RecordedStep]
    /// When the journal is looked at for the next fact of a recorded run.
    var foreignDue: VirtualInstant?
    /// The events that may come at any moment to the end, those that have come too.
    var openMoments: [EventLoop<RigEvent>.EventID] = []

    /// The pending event at which the SDK wants to know that time has passed.
    struct SDKTimer {
        var id: EventLoop<RigEvent>.EventID
        var instant: VirtualInstant
        /// Whether nothing but the renewal of a swipe request is due then.
        var isIdle: Bool
    }

    /// Builds a world; nothing happens before ``start()``.
    ///
    /// - Parameters:
    ///   - configuration: What is in it.
    ///   - cache: The worker's crypto cache.
    ///   - hands: Who does what only hands can do at real readers.
    public init(
        _ configuration: RigConfiguration,
        cache: CryptoCache,
        hands: (any Operator)? = nil
    ) {
        stations = configuration.readers.enumerated().map { ReaderStation($1, at: $0) }
        loop = EventLoop(
            componentCount: Int(RigComponent.firstReader) + configuration.readers.count,
            namesPerComponent: 5,
            bounds: configuration.bounds,
            choices: configuration.choices
        )
        journal = Journal(capacity: configuration.journalCapacity)
        journal.expect(configuration.foreignFacts)
        recordedSteps = configuration.recordedSteps
        isReplay =
            !configuration.foreignFacts.isEmpty || stations.contains { $0.recorded != nil }
        wireTap = configuration.isRecorded ? WireTap() : nil
        app = RigApp(configuration)
        let jack = RigJack(configuration)
        controller = app.makeController(volumePercent: jack?.world.volumePercent)
        self.jack = jack
        payments = configuration.gateway.map { gateway in
            var gateway = gateway
            // Nobody here has the keys of a real reader: its swipes are taken unopened.
            if let keys = configuration.readerKeys {
                gateway.baseDerivationKeys = keys
            } else if configuration.readers.contains(where: { $0.endpoint.isForeign }),
                !configuration.ownsRecordedCards
            {
                gateway.baseDerivationKeys = []
            }
            if !configuration.merchant.webhookStatuses.isEmpty, gateway.webhookURL == nil {
                gateway.webhookURL = "https://merchant.example/webhooks"
            }
            var desk = PaymentDesk(
                gateway,
                merchant: configuration.merchant,
                seed: configuration.choices.seed ?? 0,
                plant: configuration.plant
            )
            desk.remote = configuration.remoteGateways.nmi
            return desk
        }
        agentcash = configuration.agentcash.map { setup in
            var setup = setup
            if configuration.readers.contains(where: { $0.endpoint.isForeign }),
                !configuration.ownsRecordedCards
            {
                setup.gateway.takesUnopenedCards = true
            }
            let desk = AgentCASHDesk(setup, plant: configuration.plant, at: .zero)
            desk.remote = configuration.remoteGateways.agentcash
            return desk
        }
        terminal = configuration.terminal.map { setup in
            TerminalDesk(
                setup,
                seed: configuration.choices.seed ?? 0,
                plant: configuration.plant
            )
        }
        store = configuration.store.map { HoneyStoreDesk($0, plant: configuration.plant) }
        self.cache = cache
        self.hands = hands
        for (index, reader) in configuration.readers.enumerated() where reader.isAttachedAtStart {
            stations[index].isPluggedIn = true
        }
        if let jack {
            for reader in jack.readers { stations[reader].sdkReader = jack.reader }
        }
    }

    /// Starts the world: transports are opened, readers that are there at the start are seen.
    public mutating func start() {
        beginOutside()
        if isReplay { watchForeignFacts() }
        if app.delegateAtLaunch == nil {
            journal.write(.appLaunched, at: now, Attribute(.delegate, .symbol(.none)))
        }
        callAtLaunch()
        for reader in stations.indices {
            if stations[reader].isPaymentReader {
                stations[reader].watchReach(at: now)
                continue
            }
            if stations[reader].isPluggedIn {
                if let thing = jack?.thing(of: reader) {
                    fillJack(thing)
                } else {
                    stations[reader].plugIn(at: now)
                }
            }
            stations[reader].open(at: now)
            watchLink(reader)
        }
        // The library of an audio-jack reader is loaded with the controller.
        if jack != nil { deliverSwipeEvents() }
        pollTransports()
    }

    /// The present moment.
    public var now: VirtualInstant { loop.now }
    /// How many readers there are.
    public var readerCount: Int { stations.count }
    /// The readers' names, by their index.
    public var readerNames: [String] { stations.map(\.name) }
    /// Whether a real reader is among them.
    public var isLive: Bool { stations.contains { $0.isLive } }
    /// How many events were taken.
    public var eventCount: Int { loop.takenCount }
    /// Who answered where the world could have gone either way.
    public var choices: ChoiceSource { loop.choices }
    /// Whether the order played only repeats another one.
    public var isRedundant: Bool { loop.choices.isRedundant }
    /// Whether something ended the run early; ``exhaustion`` says what.
    public var isExhausted: Bool { loop.exhaustion != nil }
    /// Whether nothing is pending but renewals, calendars and the scenario's own limits.
    public var isQuiet: Bool {
        loop.foregroundCount == 0 && !app.isInCallback && !(isReplay && awaitsRecorded)
    }
    /// When the next event is due.
    public var nextTime: VirtualInstant? { app.isInCallback ? now : loop.nextTime }

    /// What ended the run early, in plain words; `nil` while it is within its bounds.
    public var exhaustion: String? {
        switch loop.exhaustion {
        case nil: nil
        case .events: "the run took \(loop.bounds.eventCount) events and was not over"
        case .time: "the run was not over after \((loop.bounds.latest - .zero).text)"
        case .pending: "more than \(loop.bounds.pendingCount) events were pending at once"
        case .redundant: "the order only repeats another one"
        }
    }

    /// What is pending, for people.
    public var pendingSummary: String {
        var parts: [String] = []
        for station in stations where station.due != nil {
            parts.append("bytes on the link of \(station.name)")
        }
        if jack?.world.busyDeadline != nil { parts.append("a sound at the audio jack") }
        if payments?.isBusy == true { parts.append("a request to the gateway") }
        if agentcash?.provider.isPaying == true { parts.append("a card payment") }
        if store?.app.isBusy == true { parts.append("a purchase") }
        if store?.backend.isBusy == true { parts.append("a function of the backend") }
        if agentcash?.exchanges.isEmpty == false { parts.append("a request to the service") }
        return parts.isEmpty ? "nothing that can be named" : parts.joined(separator: ", ")
    }

    // MARK: Time

    /// Takes the next event and moves time to it.
    public mutating func advance() -> Advance {
        if app.isInCallback, returnFromCallback() { return .handled }
        if loop.choices.keepsTrace { closeFootprint() }
        guard let event = loop.next() else { return .nothing }
        return handle(event)
    }

    /// Takes the next event that is due now; `nil` when none is.
    public mutating func takeDue() -> Advance? {
        if app.isInCallback, returnFromCallback() { return .handled }
        guard let event = loop.nextDue() else { return nil }
        return handle(event)
    }

    /// Moves time forward, as the wall clock says.
    public mutating func moveTime(to instant: VirtualInstant) { loop.now = max(loop.now, instant) }

    /// Posts an event of the scenario's own for a window.
    public mutating func schedule(_ token: Int, in window: TimeWindow, step: Int) {
        loop.post(RigEvent(.script(token), step: step), to: RigComponent.scriptStep, in: window)
    }

    /// Sets the scenario's time limit; it does not count as pending.
    public mutating func setScriptTimer(_ token: Int, at instant: VirtualInstant) {
        loop.setTimer(
            RigEvent(.script(token), step: journal.step),
            named: RigComponent.scriptTimer,
            at: instant,
            isBackground: true
        )
    }

    /// Takes the scenario's time limit back.
    public mutating func cancelScriptTimer() { loop.cancelTimer(named: RigComponent.scriptTimer) }

    /// What was taken, in order, when the source of choices keeps a trace; complete once the run is
    /// over.
    public var trace: [TracedEvent] { loop.trace }

    /// Ends the footprint of the event at work: what it touched, and whose records it wrote.
    public mutating func closeFootprint() {
        for sequence in firstRecordOfEvent..<journal.count {
            guard let record = journal.record(sequence) else { continue }
            touched.formUnion(.records(of: record.source))
        }
        loop.touched(touched)
        touched = Footprint()
        firstRecordOfEvent = journal.count
    }

    private mutating func handle(_ event: RigEvent) -> Advance {
        let next = isReplay ? journal.nextForeignFact?.sequence : nil
        let advance = take(event)
        if isReplay {
            journal.writeForeign(upTo: now)
            if journal.nextForeignFact?.sequence != next { followForeignFacts() }
            watchForeignFacts()
        }
        return advance
    }

    private mutating func take(_ event: RigEvent) -> Advance {
        journal.step = event.step
        if isReplay {
            if case .linkDue(let reader) = event.kind { journal.step = stations[reader].step }
            journal.writeForeign(upTo: now)
        }
        switch event.kind {
        case .linkDue(let reader):
            stations[reader].due = nil
            takeFromLink(reader)
        case .lateNotification(let reader):
            touched.formUnion(.reader(reader))
            tellLateDisconnect(reader)
            deliverSwipeEvents()
        case .openingEnds(let reader):
            touched.formUnion(.reader(reader))
            endOpening(reader)
        case .sdkDeadline:
            touched.formUnion(.allReaders)
            sdkTimer = nil
            controller.advance(to: now)
            deliverSwipeEvents()
        case .jackDue:
            lookAtJack()
        case .requestArrives(let exchange):
            requestArrives(exchange)
        case .exchangeEnds(let exchange):
            exchangeEnds(exchange)
        case .paymentDeadline:
            paymentDeadline()
        case .readerDue(let reader):
            lookAtPaymentReader(reader)
        case .keyDue(let reader):
            keyDue(reader)
        case .serviceRequestArrives(let exchange):
            serviceRequestArrives(exchange)
        case .serviceExchangeEnds(let exchange):
            serviceExchangeEnds(exchange)
        case .providerDeadline:
            providerDeadline()
        case .gatewayCalendar:
            gatewayCalendarDue()
        case .serviceCalendar:
            serviceCalendarDue()
        case .urlArrives(let number):
            urlArrives(number)
        case .storeRequestArrives(let exchange):
            storeRequestArrives(exchange)
        case .storeExchangeEnds(let exchange):
            storeExchangeEnds(exchange)
        case .storeDeadline:
            storeDeadline()
        case .millDeadline:
            millDeadline()
        case .backendDeadline:
            backendDeadline()
        case .storeCalendar:
            storeCalendarDue()
        case .foreignFact:
            break
        case .script(let token):
            return .script(token)
        }
        return .handled
    }
}
