public import EventLoops

/// One Miura link as the host sees it, from attach to detach.
///
/// The machine performs no I/O and reads no clock. Inputs are commands, bytes and time; what comes
/// of them is taken with ``nextAction()`` until it returns `nil`, and ``deadline`` says when
/// ``advance(to:)`` is due.
///
/// | input | what follows, in order |
/// | --- | --- |
/// | attached | the greeting is awaited where one comes, the set-up is sent, `initialised`, queued commands |
/// | answer | `answered`, then the next command is written |
/// | unsolicited message | `event`; the command that waits goes on waiting |
/// | CARD STATUS | written; the next command follows at once; the next card status answers it |
/// | ABORT while a command waits that it can end | written at once; success without body answers it, anything else the command, in either order |
/// | ABORT, or the card pulled, while the reader waits for CONTINUE | nothing is written until the additional E5 came (`unmatched`) or its time is over |
/// | an answer that the waiting command cannot have | `unmatched`; the command goes on waiting |
/// | a command's time is over | `failed`; the reader's serial number is asked for, and what comes before that is `unmatched` |
/// | the time of a command of the set-up is over, or its answer damaged | the serial number is asked for, then the set-up goes on with that command; without it when it fails again |
/// | the reader says that it was switched on, again | `event`, `failed` for all commands, `readerRestarted`, the set-up |
/// | damage | `damaged`, then `failed` for all commands and `dropLink`, or, to resync, `failed` for those that were written, and the serial number is asked for |
/// | detached | `failed` for all commands |
///
/// Source: Miura Java SDK 1-1i (order of answers, E5 after ABORT); Miura Android SDK, MpiClient and
/// MpiClientMTAbort.
public struct MPIHost: Hashable, Sendable {
    /// Names one command among those of this host.
    public struct Ticket: Hashable, Comparable, Sendable {
        /// The number of the command, counted from 1.
        public let number: Int

        /// Orders tickets by the time of their making.
        public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
    }

    /// How the link is treated.
    public let options: MPIOptions
    /// Whether there is a link; not after it was dropped.
    public private(set) var isAttached = false
    private var decoder: MiuraDecoder
    /// One for each node, in the order of ``MiuraNode/allCases``.
    var lanes = MiuraNode.allCases.map { MPILane($0) }
    private var lastTicket = 0
    private var partialMessageUntil: VirtualInstant?
    private var actions: [MPIAction] = []
    private var takenCount = 0

    /// Creates a host without a link.
    public init(_ options: MPIOptions = MPIOptions()) {
        self.options = options
        decoder = MiuraDecoder(
            .fromReader,
            policy: options.damagePolicy,
            chainRule: options.chainRule
        )
    }

    /// Whether a command to the node waits for its answer.
    public func isBusy(_ node: MiuraNode = .reader) -> Bool { lanes[node.index].current != nil }

    /// Whether the node's set-up is done and nothing waits to be sent or answered.
    public func isIdle(_ node: MiuraNode = .reader) -> Bool {
        lanes[node.index].phase == .ready && lanes[node.index].isFree
            && lanes[node.index].queue.isEmpty
    }

    /// When ``advance(to:)`` is due, if anything waits for time.
    public var deadline: VirtualInstant? {
        guard isAttached else { return nil }
        var first = partialMessageUntil
        for index in lanes.indices { lanes[index].bringForward(&first) }
        return first
    }

    /// Returns what is to be done or known next, or `nil` when there is nothing.
    public mutating func nextAction() -> MPIAction? {
        guard takenCount < actions.count else {
            actions.removeAll(keepingCapacity: true)
            takenCount = 0
            return nil
        }
        defer { takenCount += 1 }
        return actions[takenCount]
    }

    // MARK: Inputs

    /// Begins a session on a new link.
    public mutating func attached(at now: VirtualInstant) {
        guard !isAttached else { return }
        isAttached = true
        decoder.reset()
        partialMessageUntil = nil
        lanes = MiuraNode.allCases.map { MPILane($0) }
        if options.expectsGreeting {
            lanes[MiuraNode.reader.index].phase = .awaitingGreeting(
                until: now + options.limits.greeting
            )
        } else {
            initialise(.reader, at: now)
        }
        if !options.hubInitialisation.isEmpty { initialise(.hub, at: now) }
    }

    /// Ends the session: the link was lost or closed.
    public mutating func detached(at now: VirtualInstant) {
        guard isAttached else { return }
        isAttached = false
        partialMessageUntil = nil
        failAll(.reader, .linkLost)
        failAll(.hub, .linkLost)
    }

    /// Says that bytes could not be written: the link is dropped.
    public mutating func writeFailed(at now: VirtualInstant) { drop(.writeFailed, at: now) }

    /// Sends a command when those before it are done.
    ///
    /// ABORT goes at once while a command waits that it can end, and else before all queued ones.
    /// - Parameters:
    ///   - command: The command.
    ///   - rawBytes: For STREAM BINARY, exactly as many bytes as it announces; else none.
    ///   - node: Who shall act on it.
    ///   - now: The time.
    /// - Returns: The name under which ``MPIAction/answered(_:_:)`` or
    ///   ``MPIAction/failed(_:_:)`` comes, exactly once.
    public mutating func send(
        _ command: MiuraCommand,
        rawBytes: [UInt8] = [],
        to node: MiuraNode = .reader,
        at now: VirtualInstant
    ) -> Ticket {
        lastTicket += 1
        let ticket = Ticket(number: lastTicket)
        guard isAttached else {
            actions.append(.failed(ticket, .linkLost))
            return ticket
        }
        let entry = MPILane.Entry(ticket: ticket, command: command, rawBytes: rawBytes)
        guard command == .abort else {
            lanes[node.index].queue.append(entry)
            pump(node, at: now)
            return ticket
        }
        if let current = lanes[node.index].current, current.command.name?.isInterruptible == true {
            lanes[node.index].aborts.append(write(entry, command.apdu, to: node, at: now))
        } else {
            lanes[node.index].queue.insert(entry, at: 0)
            pump(node, at: now)
        }
        return ticket
    }

    /// Takes back a command that was not written yet; it fails as `withdrawn`.
    ///
    /// - Returns: Whether it could be taken back.
    @discardableResult
    public mutating func withdraw(_ ticket: Ticket) -> Bool {
        for node in MiuraNode.allCases {
            guard let index = lanes[node.index].queue.firstIndex(where: { $0.ticket == ticket })
            else {
                continue
            }
            lanes[node.index].queue.remove(at: index)
            actions.append(.failed(ticket, .withdrawn))
            return true
        }
        return false
    }

    /// Reads bytes from the link, in whatever pieces they arrive.
    public mutating func receive(_ bytes: Span<UInt8>, at now: VirtualInstant) {
        guard isAttached else { return }
        decoder.append(bytes)
        read(at: now)
    }

    /// Reads a part of a shared buffer from the link.
    public mutating func receive(_ bytes: ArraySlice<UInt8>, at now: VirtualInstant) {
        guard isAttached else { return }
        decoder.append(bytes)
        read(at: now)
    }

    /// Does what is due by now.
    public mutating func advance(to now: VirtualInstant) {
        guard isAttached else { return }
        if let until = partialMessageUntil, until <= now {
            partialMessageUntil = nil
            while isAttached, let reading = decoder.finish() { take(reading, at: now) }
        }
        for node in MiuraNode.allCases where isAttached { advance(node, to: now) }
    }

    // MARK: Reading

    private mutating func read(at now: VirtualInstant) {
        while isAttached, let reading = decoder.next() { take(reading, at: now) }
        partialMessageUntil =
            isAttached && decoder.hasPartialMessage ? now + options.limits.partialMessage : nil
    }

    private mutating func take(_ reading: MiuraReading, at now: VirtualInstant) {
        switch reading {
        case .message(let message):
            if message.isUnsolicited {
                take(MiuraEvent(MiuraResponse(message)), from: message.node, at: now)
            } else {
                lanes[message.node.index].wasAnswered = true
                take(MiuraResponse(message), from: message.node, at: now)
            }
        case .rawBytes: break
        case .damaged(let damage):
            actions.append(.damaged(damage))
            switch options.damagePolicy {
            case .dropLink: drop(.damage(damage), at: now)
            case .resync:
                for node in MiuraNode.allCases where lanes[node.index].current != nil {
                    probe(node, .answerDamaged, at: now)
                }
            }
        case .skipped(let byteCount): actions.append(.skipped(byteCount: byteCount))
        }
    }

    // MARK: Parts for the files beside

    mutating func act(_ action: MPIAction) { actions.append(action) }

    /// Names a command of the host's own.
    mutating func makeTicket() -> Ticket {
        lastTicket += 1
        return Ticket(number: lastTicket)
    }

    /// Forgets chains that a node began before it started anew.
    mutating func forgetChains(of node: MiuraNode) { decoder.forgetChains(of: node) }

    mutating func drop(_ reason: MPIDropReason, at now: VirtualInstant) {
        guard isAttached else { return }
        detached(at: now)
        actions.append(.dropLink(reason))
    }
}
