import CardCrypto
import CardData
import EventLoops
import SDKCore
import SimulatedReaders
import Transports

/// One reader of a rig with the link between it and the host.
struct ReaderStation {
    /// A swipe whose bytes are on their way to the host.
    struct Arrival {
        /// The swipe's number in the run.
        var swipe: Int
        /// How often the reader had been plugged in when it was sent.
        var plugCount: Int
        /// How many bytes of its record are still to come.
        var recordByteCount: Int
        /// How many bytes of padding follow the record.
        var paddingByteCount: Int
        /// Whether some of its bytes came.
        var hasBegun = false
        /// Whether some of its bytes came while nobody read.
        var isDamaged = false
    }

    let name: String
    /// What its transport carries.
    let path: ReaderPath
    /// What the host learns of it when it is attached; a simulated reader with settings says it anew.
    let attachment: Attachment
    /// Whether the reader is real; stored, since it is asked for with every event.
    let isLive: Bool
    /// Whether the link has faults, and ``faulty`` stands for ``loopback``, or ``disturbedLive`` for
    /// ``live``.
    private(set) var isFaulty: Bool
    /// Whether it is a payment reader; stored, since it is asked for with every event.
    let isPaymentReader: Bool
    /// What there is of it as a payment reader.
    var payment: PaymentStation?
    /// The simulated swipe reader with a transport of its own; none is at an audio jack.
    var magneSafe: SimulatedMagneSafeReader?
    /// The simulated ID TECH reader on USB.
    var secureMag: SimulatedSecureMag?
    var loopback = LoopbackTransport()
    var faulty: FaultInjector<LoopbackTransport>?
    var live: (any LiveTransport)?
    /// What plays the reader of a capture; it stands for ``loopback``.
    var recorded: (any RecordedTransport)?
    /// What a reader at the audio jack says in a capture, from here on.
    var recordedPieces: ArraySlice<ArraySlice<UInt8>>
    /// How often the link was left for later at the instant at which that was last done.
    var postponements = (instant: VirtualInstant.zero, recordCount: 0, count: 0, idleCount: 0)
    /// The link of a real reader that a fault was asked for; it stands for ``live``.
    var disturbedLive: FaultInjector<LiveLink>?
    /// The number under which the SDK knows it: all readers at the audio jack are one to it.
    var sdkReader: Int
    var isPluggedIn = false
    /// Whether an operator acted at it: from then on what is plugged in is what hands say.
    var wasTouchedByHand = false
    /// Whether the host listens: an app that sleeps or was killed has its transports closed.
    private(set) var isOpen = false
    /// How often it was plugged in.
    var plugCount = 0
    let isAccessory: Bool
    let notifications: ReaderNotifications
    /// The number of the present connection, or of the last one.
    var connection = 0
    /// What stands in the way of opening it after the next plug.
    var nextOpening: OpeningFault?
    /// What stands in the way after every plug that ``nextOpening`` says nothing about.
    private let everyOpening: OpeningFault?
    /// The event with which the attempts to open it end, and what is told when they fail.
    var opening: (id: EventLoop<RigEvent>.EventID, problem: TransportProblem?)?
    /// Whether something stands in the way that the scenario put there.
    var isObstructed = false
    /// Whether it is there and was given up.
    var isRefused = false
    /// A disconnect that the SDK was not told of yet.
    var lateDisconnect: (reason: DetachReason, connection: Int)?
    /// How many units, and bytes in them, came before faults were asked for.
    private var unitCount = 0
    private var byteCount = 0
    /// How many units, and bytes in them, the host sent before faults were asked for.
    var hostUnitCount = 0
    var hostByteCount = 0
    var arrivals: [Arrival] = []
    /// How many of the link's fired faults were written down.
    private var notedFaultCount = 0
    /// The step that acted on this reader last; what its link brings follows from it.
    var step: Int?
    /// The pending event that will look at the link, and for when.
    var due: (id: EventLoop<RigEvent>.EventID, window: TimeWindow)?

    init(_ reader: RigReader, at index: Int) {
        name = reader.name
        sdkReader = index
        isAccessory = reader.isAccessory
        notifications = reader.notifications
        recordedPieces = reader.recordedPieces[...]
        nextOpening = reader.firstOpening
        everyOpening = reader.opening
        path = reader.endpoint.path
        isLive = reader.endpoint.isLive
        isPaymentReader = reader.endpoint.isPaymentReader
        isFaulty = !isLive && (!reader.faults.isEmpty || !reader.timing.isNeutral)
        switch reader.endpoint {
        case .simulated(let configuration):
            let made = SimulatedMagneSafeReader(configuration)
            magneSafe = made
            attachment = made.attachment
        case .secureMag(let configuration):
            let made = SimulatedSecureMag(configuration)
            secureMag = made
            attachment = made.attachment
        case .audioJack, .miura:
            attachment = Attachment()
        case .live(let transport, _):
            live = transport
            attachment = Attachment()
        case .recorded(let transport, _):
            recorded = transport
            isFaulty = false
            attachment = Attachment()
        }
        if isPaymentReader { payment = PaymentStation(reader) }
        if isFaulty {
            faulty = FaultInjector(
                around: LoopbackTransport(),
                faults: reader.faults,
                timing: reader.timing
            )
        }
    }

    /// When the host's next event comes by itself.
    ///
    /// Mutating, so that the array hands the station out in place: for a getter it is copied.
    mutating func nextDue() -> TimeWindow? {
        if isLive { return disturbedLive?.nextDue }
        if let recorded { return recorded.nextDue }
        return isFaulty ? faulty?.nextDue : loopback.nextDue
    }

    mutating func open(at now: VirtualInstant) {
        isOpen = true
        if disturbedLive != nil {
            disturbedLive?.open(at: now)
            disturbedLive?.grant(credits: Self.creditCount)
        } else if isLive {
            live?.open(at: now)
            live?.grant(credits: Self.creditCount)
        } else if recorded != nil {
            recorded?.open(at: now)
            recorded?.grant(credits: Self.creditCount)
        } else if isFaulty {
            faulty?.open(at: now)
            faulty?.grant(credits: Self.creditCount)
        } else {
            loopback.open(at: now)
            loopback.grant(credits: Self.creditCount)
        }
    }

    mutating func close(at now: VirtualInstant) {
        isOpen = false
        if disturbedLive != nil {
            disturbedLive?.close(at: now)
        } else {
            live?.close(at: now)
        }
        faulty?.close(at: now)
        recorded?.close(at: now)
        if !isLive && !isFaulty && recorded == nil { loopback.close(at: now) }
    }

    mutating func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        let event: TransportEvent?
        if disturbedLive != nil {
            event = disturbedLive?.nextEvent(at: now)
            if case .received = event { disturbedLive?.grant(credits: 1) }
        } else if isLive {
            event = live?.nextEvent(at: now)
            if case .received = event { live?.grant(credits: 1) }
        } else if recorded != nil {
            event = recorded?.nextEvent(at: now)
            if case .received = event { recorded?.grant(credits: 1) }
        } else if isFaulty {
            event = faulty?.nextEvent(at: now)
            if case .received = event { faulty?.grant(credits: 1) }
        } else {
            event = loopback.nextEvent(at: now)
            if case .received = event { loopback.grant(credits: 1) }
        }
        return event
    }

    /// Counts a unit that came without a fault injector.
    mutating func countUnit(of byteCount: Int) {
        unitCount += 1
        self.byteCount += byteCount
    }

    /// Puts a fault injector around the link if there is none yet; returns whether the link is one
    /// that can be disturbed.
    mutating func makeDisturbable() -> Bool {
        // What its link did is in the capture already.
        guard recorded == nil else { return true }
        if let live {
            guard disturbedLive == nil else { return true }
            isFaulty = true
            disturbedLive = FaultInjector(
                adopting: LiveLink(live),
                credits: isOpen ? Self.creditCount : 0,
                hostSeesReader: isPluggedIn,
                unitCount: unitCount,
                byteCount: byteCount
            )
            return true
        }
        if !isFaulty {
            isFaulty = true
            faulty = FaultInjector(
                adopting: loopback,
                unitCount: unitCount,
                byteCount: byteCount,
                hostUnitCount: hostUnitCount,
                hostByteCount: hostByteCount
            )
            loopback = LoopbackTransport()
        }
        return true
    }

    /// Returns the faults that fired since the last look.
    mutating func takeFiredFaults() -> ArraySlice<FiredFault> {
        let fired = isLive ? disturbedLive?.firedFaults : faulty?.firedFaults
        guard let fired, fired.count > notedFaultCount else { return [] }
        defer { notedFaultCount = fired.count }
        return fired[notedFaultCount...]
    }

    /// How many units and bytes came through the link so far.
    var position: (unitCount: Int, byteCount: Int) {
        if let disturbedLive { return (disturbedLive.unitCount, disturbedLive.byteCount) }
        return faulty.map { ($0.unitCount, $0.byteCount) } ?? (unitCount, byteCount)
    }

    /// Adds a fault to a link that was made disturbable.
    mutating func inject(_ fault: LinkFault) {
        if disturbedLive != nil {
            disturbedLive?.inject(fault)
        } else {
            faulty?.inject(fault)
        }
    }

    /// How many units and bytes of the host went into the link so far.
    var hostPosition: (unitCount: Int, byteCount: Int) {
        faulty.map { ($0.hostUnitCount, $0.hostByteCount) } ?? (hostUnitCount, hostByteCount)
    }

    /// The number of the next unit that the reader sends; `nil` while what it sends is lost.
    var nextUnitNumber: Int? {
        guard isInSession else { return nil }
        let pending = isFaulty ? faulty?.base.pendingUnitCount : loopback.pendingUnitCount
        return position.unitCount + (pending ?? 0) + 1
    }

    /// Gives a simulated reader what the link held of the host's units until now.
    mutating func passHostUnits(_ cache: CryptoCache, at now: VirtualInstant) {
        faulty?.passHostUnits(at: now)
        while let unit = faulty?.base.nextUnitForReader(at: now) { take(unit, cache, now) }
    }

    /// Whether what the reader sends can reach the host.
    private var isInSession: Bool {
        isFaulty ? faulty?.base.isReaderInSession == true : loopback.isReaderInSession
    }

    mutating func plugIn(at now: VirtualInstant) {
        powerUp()
        attach(at: now)
    }

    /// Takes what stands in the way of opening it now that it was plugged in.
    mutating func takeOpeningFault() -> OpeningFault? { nextOpening.take() ?? everyOpening }

    /// Gives the reader power, which the host has not seen yet.
    mutating func powerUp() {
        isPluggedIn = true
        magneSafe?.powerUp()
        secureMag?.powerUp()
        plugCount += 1
    }

    /// What the host learns of a simulated one, as its settings are now.
    private var presentAttachment: Attachment {
        magneSafe?.attachment ?? secureMag?.attachment ?? attachment
    }

    /// Lets the host see the reader that has power.
    mutating func attach(at now: VirtualInstant) {
        guard recorded == nil else { return }
        let present = presentAttachment
        if isFaulty {
            faulty?.base.attachReader(present, at: now)
        } else {
            loopback.attachReader(present, at: now)
        }
    }

    mutating func unplug(at now: VirtualInstant) {
        isPluggedIn = false
        guard recorded == nil else { return }
        if isFaulty {
            faulty?.base.detachReader(.left, at: now)
        } else {
            loopback.detachReader(.left, at: now)
        }
    }

    /// Swipes a card on the simulated reader and sends what it makes of it towards the host.
    ///
    /// An unplugged reader has no power and sends nothing; what one sends to nobody is lost.
    mutating func swipe(
        _ card: TestCard,
        quality: SwipeQuality,
        number: Int,
        cache: CryptoCache,
        at now: VirtualInstant
    ) {
        guard isPluggedIn else { return }
        let transmissions =
            magneSafe?.swipe(card: card, quality: quality, cache: cache, at: now)
            ?? secureMag?.swipe(card: card, quality: quality, cache: cache)
        guard let transmissions else { return }
        sendSwipe(number, as: transmissions, at: now)
    }

    /// Sends what a reader makes of a swipe towards the host; what it sends to nobody is lost.
    mutating func sendSwipe(
        _ number: Int,
        as transmissions: [ReaderTransmission],
        at now: VirtualInstant
    ) {
        guard isInSession, !transmissions.isEmpty else { return }
        var byteCount = 0
        for index in transmissions.indices {
            byteCount += transmissions.span[index].unit.payload.count
            readerSends(transmissions.span[index], at: now)
        }
        // A stream's record ends with its format code; the terminator, and the `x` that fills the
        // block up, occur nowhere before.
        var paddingByteCount = 0
        if let last = transmissions.last?.unit, last.kind == .bytes {
            paddingByteCount =
                last.payload.reversed().prefix {
                    $0 == UInt8(ascii: "x") || $0 == UInt8(ascii: "\r")
                }.count
        }
        beginSwipe(number, byteCount - paddingByteCount, paddingByteCount)
    }

    /// Expects the record of a swipe, which comes piece by piece.
    mutating func beginSwipe(_ number: Int, _ byteCount: Int, _ paddingByteCount: Int) {
        arrivals.append(
            Arrival(
                swipe: number,
                plugCount: plugCount,
                recordByteCount: byteCount,
                paddingByteCount: paddingByteCount
            )
        )
    }

    /// Sends one piece of what a reader says; of one that is no swipe's nothing is expected.
    mutating func sendPiece(
        _ piece: ReaderTransmission,
        ofRecord isRecord: Bool,
        at now: VirtualInstant
    ) {
        guard isInSession else { return }
        if !isRecord { beginSwipe(0, 0, piece.unit.payload.count) }
        readerSends(piece, at: now)
    }

    mutating func readerSends(_ transmission: ReaderTransmission, at now: VirtualInstant) {
        let window = TimeWindow(at: now + transmission.offset)
        if isFaulty {
            faulty?.base.readerSend(transmission.unit, in: window)
        } else {
            loopback.readerSend(transmission.unit, in: window)
        }
    }

    /// How many units the host lets a transport deliver ahead.
    static let creditCount = 16
}
