public import CardCrypto
public import CardData
public import EventLoops
public import ReaderProtocols
import Transports

/// A Miura reader as seen from its link and from the hands of a cardholder.
///
/// | state | what it is | ends with |
/// | --- | --- | --- |
/// | idle | each command is answered at once | a command that takes time |
/// | busy | a transaction, input, key setup or stream runs; ABORT is answered, others wait | its answer |
/// | waiting | E2 or E4 was sent; commands are answered | CONTINUE, ABORT, card pulled, link lost |
///
/// Without a host it keeps cards, keys, files, clock and battery, and nothing else: a link that is
/// lost ends what runs without an answer and switches all reports off.
///
/// Every input first lets pass the time up to it and returns what follows; ``nextDeadline`` says
/// when ``advance(to:cache:)`` is due. An instant before an earlier one counts as that one.
/// Source: Miura Android SDK, MpiClient and its tests; Miura Java SDK 1-1i.
public struct SimulatedMiura: Hashable, Sendable {
    /// How many commands may wait while another one runs.
    public static let commandBound = 64

    let make: Shared<MiuraReaderConfiguration>
    var now = VirtualInstant.zero
    var effects: [MiuraReaderEffect] = []
    var power = Power.on
    /// Whether a host has a link to the reader.
    public internal(set) var isLinked = false
    var decoder = MiuraDecoder(.toReader, policy: .resync)
    var waitingCommands: [MiuraMessage] = []
    var activity = Activity.idle
    /// The command that is being answered, and the one that made the reader busy.
    var answeredCommand: MiuraCommandName?
    var busyCommand: MiuraCommandName?
    var pending: PendingTransaction?
    var extraAnswer: ExtraAnswer?
    /// What GET SECURE DATA has collected; card data in clear.
    var secureElements: [TLV] = []
    var departure: Departure?
    /// When the network is there again, while the reader roams.
    var networkDue: VirtualInstant?

    // What hosts switch on.
    var cardReports: MiuraCardReports = []
    var reportsKeys = false
    var reportsCharging = false
    var reportsLowBattery = false
    var reportsPrinter = false
    var reportsBarCodes = false
    var reportsUSB = false
    var reportsWiFi = false

    // What stays.
    var slot: TestCard?
    /// The card of the last swipe, for ONLINE PIN.
    var lastSwipe: TestCard?
    /// The transaction in whose field a phone has asked its owner.
    var askedPhone: Int?
    var memories: [ChipMemory] = []
    var store: MiuraFileStore
    var sredKSN: KSN
    var pinKSN: KSN
    var keyStatus: MiuraP2PEStatus
    var sequenceCounter: Int
    var random: SplitMix64
    var clockSeconds: Int64
    var clockSetAt = VirtualInstant.zero
    var softwareVersion: String
    var wifi: MiuraWiFiConfiguration?
    var isDrawerOpen = false
    /// The battery as BATTERY STATUS tells it.
    public internal(set) var battery: MiuraBattery
    /// What the display shows.
    public internal(set) var display = SimulatedMiura.idleDisplay

    /// What an idle reader shows.
    public static let idleDisplay = "Welcome"

    enum Power: Hashable {
        case on
        case off
        case rebooting(until: VirtualInstant)
    }

    /// An answer for which there is no command.
    struct ExtraAnswer: Hashable {
        var response: MiuraResponse
        var due: VirtualInstant
    }

    /// An end of the link that the reader has announced.
    struct Departure: Hashable {
        enum Kind { case sleep, off, reboot }
        var kind: Kind
        var due: VirtualInstant
    }

    /// Creates a reader that is switched on and has no host.
    public init(_ configuration: MiuraReaderConfiguration) {
        make = Shared(configuration)
        sredKSN = configuration.initialSREDKSN
        pinKSN = configuration.initialPINKSN
        var status: MiuraP2PEStatus = []
        if configuration.hasSREDKey { status.insert(.sredReady) }
        if configuration.hasPINKey { status.insert(.pinReady) }
        keyStatus = status
        sequenceCounter = configuration.sequenceCounter
        random = SplitMix64(seed: configuration.seed)
        clockSeconds = configuration.clock.secondsSince2000
        softwareVersion = configuration.softwareVersion
        store = MiuraFileStore()
        wifi = configuration.wifi
        battery = MiuraBattery(
            percentage: AudioJack.percent(configuration.batteryPercent),
            charging: configuration.charging
        )
    }

    /// How the reader was made.
    public var configuration: MiuraReaderConfiguration { make.value }

    /// The TCP port on which it listens: that of a valid `wifi.cfg` that was installed.
    public var listenPort: Int? { power == .on ? wifi?.listenPort : nil }

    /// The address in the network that its `wifi.cfg` gives it; `nil` where it asks for one.
    public var networkAddress: String? { wifi?.address }

    /// Whether a host can make a link to it.
    public var isReachable: Bool { power == .on && networkDue == nil }

    /// The card in the slot.
    public var insertedCard: TestCard? { slot }

    /// Whether a key that is pressed now means something to the reader itself: it asks for a PIN, a
    /// choice or input.
    public var isAskingForKeys: Bool {
        switch activity {
        case .pin, .input: true
        case .chip(let run): run.isAskingForKeys
        case .contactless(let run): run.isAskingForKeys
        case .idle, .streaming, .initialising: false
        }
    }

    /// Whether it waits for a card in its field.
    public var isAskingForTap: Bool {
        if case .contactless(let run) = activity { return run.isPolling }
        return false
    }

    /// When something happens by itself, or `nil`.
    public var nextDeadline: VirtualInstant? {
        var next = activity.deadline
        AudioJack.keepEarlier(&next, extraAnswer?.due)
        AudioJack.keepEarlier(&next, departure?.due)
        AudioJack.keepEarlier(&next, networkDue)
        if case .rebooting(let end) = power { AudioJack.keepEarlier(&next, end) }
        return next
    }

    // MARK: The link

    /// A host made a link.
    public mutating func connected(
        at instant: VirtualInstant,
        cache: CryptoCache
    )
        -> [MiuraReaderEffect]
    {
        act(at: instant, cache) { reader in
            guard reader.isReachable, !reader.isLinked else { return }
            reader.isLinked = true
            if reader.configuration.announcesPowerOn {
                reader.tell(.readerStatus(MiuraReaderStatus(.poweredOn, "Powered on")))
            }
        }
    }

    /// The link is gone, whoever ended it.
    public mutating func disconnected(
        at instant: VirtualInstant,
        cache: CryptoCache
    )
        -> [MiuraReaderEffect]
    {
        act(at: instant, cache) { reader in reader.loseLink() }
    }

    /// Takes bytes of the host, in whatever pieces.
    public mutating func receive(
        _ bytes: ArraySlice<UInt8>,
        cache: CryptoCache,
        at instant: VirtualInstant
    ) -> [MiuraReaderEffect] {
        act(at: instant, cache) { reader in
            guard reader.isLinked else { return }
            reader.decoder.append(bytes)
            while let reading = reader.decoder.next() { reader.take(reading, cache) }
        }
    }

    /// Whether bytes without framing are to come, which a command announced.
    public var isInStream: Bool { decoder.awaitedRawByteCount > 0 }

    /// Lets time pass and returns what happened by itself.
    public mutating func advance(
        to instant: VirtualInstant,
        cache: CryptoCache
    )
        -> [MiuraReaderEffect]
    {
        act(at: instant, cache) { _ in }
    }

    // MARK: Inside

    /// Runs an input after the time before it has passed, and hands out what follows.
    mutating func act(
        at instant: VirtualInstant,
        _ cache: CryptoCache,
        _ body: (inout SimulatedMiura) -> Void
    ) -> [MiuraReaderEffect] {
        while let next = nextDeadline, next <= instant {
            now = max(now, next)
            answeredCommand = busyCommand
            fire(cache)
        }
        now = max(now, instant)
        answeredCommand = busyCommand
        body(&self)
        defer { effects.removeAll() }
        return effects
    }

    mutating func loseLink() {
        guard isLinked else { return }
        isLinked = false
        decoder.reset()
        waitingCommands = []
        activity = .idle
        pending = nil
        extraAnswer = nil
        secureElements = []
        cardReports = []
        reportsKeys = false
        reportsCharging = false
        reportsLowBattery = false
        reportsPrinter = false
        reportsBarCodes = false
        reportsUSB = false
        reportsWiFi = false
        show(Self.idleDisplay)
    }

    /// Ends the link from the reader's side.
    mutating func dropLink() {
        guard isLinked else { return }
        loseLink()
        effects.append(.dropLink)
    }

    mutating func show(_ text: String) {
        guard display != text else { return }
        display = text
        effects.append(.noted(.displayed(text)))
    }

    /// Sends a message in its frames.
    mutating func send(_ message: MiuraMessage, after delay: VirtualDuration) {
        guard isLinked else { return }
        for (index, frame) in message.frames.enumerated() {
            if index == 1, configuration.speaksInsideChains, !message.isUnsolicited {
                tell(.battery(battery), from: message.node)
            }
            effects.append(
                .send(
                    ReaderTransmission(
                        offset: delay,
                        unit: TransportUnit(.bytes, frame.bytes[...])
                    )
                )
            )
        }
    }

    /// Answers a command.
    mutating func answer(_ response: MiuraResponse, from node: MiuraNode = .reader) {
        guard isLinked else { return }
        effects.append(.noted(.answers(answeredCommand, response.statusWord)))
        send(
            MiuraMessage(node: node, payload: response.payload),
            after: max(.zero, configuration.answerDelay)
        )
    }

    /// Answers a command.
    mutating func answer(_ answer: MiuraAnswer, from node: MiuraNode = .reader) {
        self.answer(answer.response, from: node)
    }

    /// Says something unasked.
    mutating func tell(_ event: MiuraEvent, from node: MiuraNode = .reader) {
        send(event.message(from: node), after: .zero)
    }
}
