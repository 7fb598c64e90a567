public import EventLoops

/// Something that a capture holds, and when it was.
public struct TimedEvent: Hashable, Sendable {
    /// What happened on the link.
    public enum Content: Hashable, Sendable {
        /// The reader was there.
        case attached(Attachment)
        /// The reader went.
        case detached(DetachReason)
        /// The reader sent a unit.
        case fromReader(TransportUnit)
        /// The host sent a unit.
        case toReader(TransportUnit)
        /// The reader answered a feature request.
        case featureFinished(FeatureResult)
    }

    /// How long after the beginning of the capture it was.
    public var offset: VirtualDuration
    /// What it was.
    public var content: Content

    /// Creates an event of a capture.
    public init(offset: VirtualDuration, _ content: Content) {
        self.offset = offset
        self.content = content
    }
}

/// A transport whose reader is a capture: what the reader did comes again at the recorded times.
///
/// | happens | then |
/// | --- | --- |
/// | the first open | the recorded offsets count from here; a later open goes on where time is by then |
/// | a unit comes without an attach before it | the reader is reported as attached just before |
/// | the host sends | the unit is compared with the next one that the recorded host sent |
/// | the capture ends while the reader is attached | `detached(endOfCapture)` follows, once |
///
/// Events can be added while it plays, so that a large capture need not be in memory.
public struct ReplayTransport: Transport, Sendable {
    /// How many units of the host were equal to the recorded ones in their turn.
    public private(set) var matchCount = 0
    /// How many units of the host differed from the recorded ones, or came after the last of them;
    /// 0 when the capture holds none at all.
    public private(set) var mismatchCount = 0
    /// How many recorded units of the host have not been sent yet.
    public var unsentCount: Int { recordedSends.count }

    /// The reader's side of the capture from here on, as offsets from the first open.
    private var events = Queue<TimedEvent>()
    /// When the reader goes, for each time in `events`.
    private var detachOffsets = Queue<VirtualDuration>()
    private var recordedSends = Queue<TransportUnit>()
    private var holdsSends = false
    private var lastOffset = VirtualDuration.zero
    private var isComplete = false
    private let unrecordedAttachment: Attachment

    private var origin: VirtualInstant?
    private var openedAt = VirtualInstant.zero
    private var isOpen = false
    private var credits = 0
    /// The reader that is there at this point of the capture.
    private var reader: Attachment?
    private var hostSeesReader = false
    /// What the host is still to be told after its close.
    private var farewell: Arrival?

    /// Creates a replay of an unfinished capture; see ``append(_:)`` and ``finish()``.
    ///
    /// - Parameter attachment: What is reported where the capture shows units but no attach.
    public init(attachment: Attachment = Attachment()) { unrecordedAttachment = attachment }

    /// Creates a replay of a whole capture.
    public init(_ capture: [TimedEvent], attachment: Attachment = Attachment()) {
        self.init(attachment: attachment)
        for event in capture { append(event) }
        finish()
    }

    /// Adds what comes next in the capture; an offset before the last one counts as that.
    public mutating func append(_ event: TimedEvent) {
        guard !isComplete else { return }
        lastOffset = max(lastOffset, event.offset)
        switch event.content {
        case .toReader(let unit):
            holdsSends = true
            recordedSends.append(unit)
            return
        case .detached:
            detachOffsets.append(lastOffset)
        case .attached, .fromReader, .featureFinished:
            break
        }
        events.append(TimedEvent(offset: lastOffset, event.content))
    }

    /// Says that nothing more will be added: the capture ends with its last event.
    public mutating func finish() {
        guard !isComplete else { return }
        isComplete = true
        detachOffsets.append(lastOffset)
    }

    // MARK: Transport

    /// Begins to play, or goes on; what the reader sent while the host did not listen is lost.
    public mutating func open(at now: VirtualInstant) {
        guard !isOpen else { return }
        isOpen = true
        openedAt = now
        guard origin != nil else {
            origin = now
            return
        }
        while let first = firstDue, first <= now { follow(events.removeFirst().content) }
    }

    /// Allows so many more units to be delivered.
    public mutating func grant(credits: Int) {
        let (sum, isTooLarge) = self.credits.addingReportingOverflow(max(0, credits))
        self.credits = isTooLarge ? .max : sum
    }

    /// Compares a unit with the next that the recorded host sent; nobody receives it.
    public mutating func send(_ unit: TransportUnit, at now: VirtualInstant) {
        guard isOpen, hostSeesReader, holdsSends else { return }
        if !recordedSends.isEmpty, recordedSends.removeFirst() == unit {
            matchCount += 1
        } else {
            mismatchCount += 1
        }
    }

    /// Stops to listen; time in the capture goes on.
    public mutating func close(at now: VirtualInstant) {
        guard isOpen else { return }
        isOpen = false
        credits = 0
        if hostSeesReader { farewell = Arrival(.detached(.closed), in: TimeWindow(at: now)) }
    }

    /// When the next event of the capture comes.
    public var nextDue: TimeWindow? {
        if let farewell { return farewell.window }
        guard isOpen, let origin else { return nil }
        if !hostSeesReader, reader != nil { return TimeWindow(at: openedAt) }
        guard let first = firstDue else {
            return isComplete && hostSeesReader ? TimeWindow(at: origin + lastOffset) : nil
        }
        guard case .fromReader = events[0].content, credits <= 0, hostSeesReader else {
            return TimeWindow(at: first)
        }
        return detachOffsets.isEmpty ? nil : TimeWindow(at: origin + detachOffsets[0])
    }

    /// Returns the next event of the capture whose time has come.
    public mutating func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        if let farewell {
            self.farewell = nil
            hostSeesReader = false
            return farewell.event
        }
        guard isOpen, let origin else { return nil }
        if !hostSeesReader, let reader { return attach(reader) }
        while let first = firstDue, first <= now {
            switch events[0].content {
            case .attached(let attachment):
                follow(events.removeFirst().content)
                if !hostSeesReader { return attach(attachment) }
            case .detached(let reason):
                follow(events.removeFirst().content)
                if hostSeesReader { return detach(reason) }
            case .fromReader(let unit):
                guard hostSeesReader else { return attach(unrecordedAttachment) }
                let isLost = !detachOffsets.isEmpty && origin + detachOffsets[0] <= now
                guard credits > 0 || isLost else { return nil }
                _ = events.removeFirst()
                guard credits > 0 else { continue }
                credits -= 1
                return .received(unit)
            case .featureFinished(let result):
                guard hostSeesReader else { return attach(unrecordedAttachment) }
                _ = events.removeFirst()
                return .featureFinished(result)
            case .toReader:
                _ = events.removeFirst()
            }
        }
        guard isComplete, events.isEmpty, hostSeesReader, origin + lastOffset <= now else {
            return nil
        }
        return detach(.endOfCapture)
    }

    // MARK: Parts

    private var firstDue: VirtualInstant? {
        guard let origin, !events.isEmpty else { return nil }
        return origin + events[0].offset
    }

    /// Keeps up with whether the reader is there.
    private mutating func follow(_ content: TimedEvent.Content) {
        switch content {
        case .attached(let attachment):
            reader = attachment
        case .detached:
            _ = detachOffsets.removeFirst()
            reader = nil
        case .fromReader, .toReader, .featureFinished:
            break
        }
    }

    private mutating func attach(_ attachment: Attachment) -> TransportEvent {
        reader = attachment
        hostSeesReader = true
        return .attached(attachment)
    }

    private mutating func detach(_ reason: DetachReason) -> TransportEvent {
        reader = nil
        hostSeesReader = false
        return .detached(reason)
    }
}
