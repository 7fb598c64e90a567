public import EventLoops

/// A transport within the process: the simulated reader is at its other end.
///
/// The host's side is ``Transport``; the reader's side are the functions that name the reader.
///
/// | happens | then |
/// | --- | --- |
/// | units sent with overlapping windows | they arrive in the order sent; a later one waits |
/// | a reader detaches | a unit whose window is over and that has a credit arrives before it, the others are lost |
/// | the reader is there when the transport opens | it is reported as attached at once |
/// | the host sends before it was told of this session | the unit is dropped: it was meant for another |
/// | the host's queue is full, or the reader's | the session ends with `overflow`; a new one needs an attach |
/// | the host closes | what was on its way is lost; `detached(closed)` follows unless the reader had gone |
public struct LoopbackTransport: Transport, Sendable {
    /// How many units may wait for the reader before the transport gives up.
    public static let sendBound = 1_024
    /// How many events may wait for the host before the transport gives up.
    public static let receiveBound = 65_536

    @usableFromInline var toHost = Queue<Arrival>()
    @usableFromInline var toReader = Queue<TransportUnit>()
    @usableFromInline var credits = 0
    /// The reader that is there, in a session or not.
    @usableFromInline var reader: Attachment?
    @usableFromInline var isOpen = false
    /// Whether a session runs as the reader sees it.
    @usableFromInline var isInSession = false
    /// Attaches that the host has not been told of.
    @usableFromInline var untoldAttachCount = 0
    /// Whether the last thing that the host was told is an attach.
    @usableFromInline var hostSeesReader = false

    /// Creates a closed transport without a reader.
    public init() {}

    // MARK: The host's side

    /// Starts to watch; a reader that is there is reported at once.
    public mutating func open(at now: VirtualInstant) {
        guard !isOpen else { return }
        isOpen = true
        if let reader { beginSession(reader, at: now) }
    }

    /// Allows so many more units to be delivered, in this session or a later one.
    @inlinable
    public mutating func grant(credits: Int) {
        let (sum, isTooLarge) = self.credits.addingReportingOverflow(max(0, credits))
        self.credits = isTooLarge ? .max : sum
    }

    /// Queues one unit for the reader at once; past ``sendBound`` the session ends with `overflow`.
    @inlinable
    public mutating func send(_ unit: TransportUnit, at now: VirtualInstant) {
        guard isInSession, untoldAttachCount == 0 else { return }
        guard toReader.count < Self.sendBound else { return endSession(.overflow, at: now) }
        toReader.append(unit)
    }

    /// Ends the watch; credits are taken back.
    public mutating func close(at now: VirtualInstant) {
        guard isOpen else { return }
        let detach = toHost.firstDetach?.event ?? .detached(.closed)
        isOpen = false
        isInSession = false
        untoldAttachCount = 0
        credits = 0
        toHost.removeAll()
        toReader.removeAll()
        if hostSeesReader { toHost.append(detach, in: TimeWindow(at: now)) }
    }

    /// When the event at the head of the queue arrives; a window in the past means at once.
    @inlinable
    public var nextDue: TimeWindow? { toHost.due(credits: credits) }

    /// Returns the event at the head of the queue when it is due and has its credit.
    @inlinable
    public mutating func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        guard let event = toHost.next(at: now, credits: &credits) else { return nil }
        switch event {
        case .received, .featureFinished, .unusable:
            break
        case .attached:
            untoldAttachCount -= 1
            hostSeesReader = true
        case .detached:
            hostSeesReader = false
        }
        return event
    }

    // MARK: The reader's side

    /// Whether the reader is in a session, as it sees it: plugged in, and the host listens.
    @inlinable
    public var isReaderInSession: Bool { isInSession }

    /// Plugs the reader in; one that is in a session already stays in it.
    public mutating func attachReader(_ attachment: Attachment, at now: VirtualInstant) {
        guard !isInSession else { return }
        reader = attachment
        if isOpen { beginSession(attachment, at: now) }
    }

    /// Takes the reader away; units whose time had not come are lost.
    public mutating func detachReader(_ reason: DetachReason, at now: VirtualInstant) {
        reader = nil
        if isInSession { endSession(reason, at: now) }
    }

    /// Sends one unit to the host, to arrive within a window; outside a session it is lost.
    ///
    /// It arrives after everything sent before it, whatever the windows say. Past ``receiveBound``
    /// the session ends with `overflow`.
    @inlinable
    public mutating func readerSend(_ unit: TransportUnit, in window: TimeWindow) {
        arrive(.received(unit), in: window)
    }

    /// Answers the host's oldest feature request; the answer arrives in its turn, without a credit.
    @inlinable
    public mutating func readerFinishFeature(_ result: FeatureResult, in window: TimeWindow) {
        arrive(.featureFinished(result), in: window)
    }

    /// Takes the next unit that the host sent in this session, or `nil`.
    @inlinable
    public mutating func nextUnitForReader(at now: VirtualInstant) -> TransportUnit? {
        toReader.isEmpty ? nil : toReader.removeFirst()
    }

    // MARK: Sessions

    @inlinable
    mutating func arrive(_ event: TransportEvent, in window: TimeWindow) {
        guard isInSession else { return }
        guard toHost.count < Self.receiveBound else {
            return endSession(.overflow, at: window.earliest)
        }
        toHost.append(event, in: window)
    }

    @usableFromInline
    mutating func beginSession(_ attachment: Attachment, at now: VirtualInstant) {
        isInSession = true
        untoldAttachCount += 1
        toHost.append(.attached(attachment), in: TimeWindow(at: now))
    }

    @usableFromInline
    mutating func endSession(_ reason: DetachReason, at now: VirtualInstant) {
        isInSession = false
        toReader.removeAll()
        toHost.loseUnarrived(at: now, credits: credits)
        toHost.append(.detached(reason), in: TimeWindow(at: now))
    }
}
