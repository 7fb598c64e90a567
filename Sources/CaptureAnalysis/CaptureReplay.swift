public import EventLoops
import ReaderProtocols
public import Transports

/// The reader's side of a conversation, played to a host in virtual time.
///
/// | the reader did | it comes |
/// | --- | --- |
/// | answered a command | as long after the host's command as it did after the recorded one |
/// | spoke, came or went by itself, before any command | at its recorded time |
/// | spoke by itself behind a command | at its distance from that command, and not before it |
/// | spoke by itself behind a command that the host does not send | at last ``patience`` late |
///
/// A command is found by what it is, not by its turn: of the recorded ones that were not sent yet the
/// first with the same bytes, else the first of the same name. What differs is in ``differences``.
/// A link that the host closes and opens again goes on with the capture's next one, or is there again
/// at once.
public final class CaptureReplay: RecordedTransport {
    /// How long what a reader said by itself waits for the command it followed.
    public static let patience = VirtualDuration.seconds(5)

    /// Where the host did something else than the recorded one, in order.
    public private(set) var differences: [ReplayDifference] = []
    /// How many commands were the recorded ones, byte for byte and in their turn.
    public private(set) var matchCount = 0

    private struct Command {
        var command: HostCommand
        var offset: VirtualDuration
        var packetNumber: Int
        var answers: [Int] = []
        var sentAt: VirtualInstant?
    }

    private struct Answer {
        var due: VirtualInstant
        var event: Int
    }

    private let events: [Conversation.Event]
    /// Whether the host makes the link: then an attach is the answer to that.
    private let isOpenedByHost: Bool
    private var commands: [Command] = []
    /// The first command that the host has not sent yet.
    private var firstOpen = 0
    /// What the reader did by itself, as indices of events, and the command before each.
    private var free: [(event: Int, anchor: Int?)] = []
    private var nextFree = 0
    private var answers: [Answer] = []
    private var reader: HostCommandReader

    private var origin: VirtualInstant?
    private var openedAt = VirtualInstant.zero
    private var attachedAt = VirtualInstant.zero
    private var attachOffset = VirtualDuration.zero
    private var lastDelivery = VirtualInstant.zero
    private var isOpen = false
    private var credits = 0
    /// The reader that is there at this point of the capture.
    private var present: Attachment?
    private var hostSeesReader = false
    private var farewell: VirtualInstant?

    /// Creates a replay of a conversation.
    public init(_ conversation: Conversation) {
        events = conversation.events
        isOpenedByHost = conversation.wire == .miura
        reader = HostCommandReader(conversation.wire)
        var sorter = AnswerSorter(conversation.wire)
        var recorded = HostCommandReader(conversation.wire)
        for (index, event) in events.enumerated() {
            switch event.content {
            case .toReader(let unit):
                for command in recorded.read(unit) {
                    sorter.asked(commands.count)
                    commands.append(
                        Command(
                            command: command,
                            offset: event.offset,
                            packetNumber: event.packetNumber
                        )
                    )
                }
            case .fromReader(let unit):
                for (event, answered) in sorter.read(unit, event: index) {
                    place(event, answered)
                }
            case .featureFinished:
                place(index, sorter.finished())
            case .attached, .detached:
                for (event, answered) in sorter.endSession() { place(event, answered) }
                recorded.reset()
                place(index, nil)
            }
        }
        for (event, answered) in sorter.endSession() { place(event, answered) }
        free.sort { $0.event < $1.event }
    }

    /// The recorded commands that the host has not sent, as differences.
    public var missingCommands: [ReplayDifference] {
        commands.filter { $0.sentAt == nil }.map {
            ReplayDifference(
                kind: .missingCommand,
                command: $0.command.title,
                packetNumber: $0.packetNumber
            )
        }
    }

    private func place(_ event: Int, _ answered: Int?) {
        if let answered {
            commands[answered].answers.append(event)
        } else {
            let anchor = commands.lastIndex { $0.packetNumber <= events[event].packetNumber }
            free.append((event, anchor))
        }
    }

    // MARK: Transport

    /// Begins to play, or goes on.
    public func open(at now: VirtualInstant) {
        guard !isOpen else { return }
        isOpen = true
        openedAt = now
        if origin == nil {
            origin = now
        } else if isOpenedByHost {
            skipToNextAttach()
        }
    }

    /// Allows so many more units to be delivered.
    public func grant(credits: Int) {
        let (sum, isTooLarge) = self.credits.addingReportingOverflow(max(0, credits))
        self.credits = isTooLarge ? .max : sum
    }

    /// Takes the host's unit, and has its commands answered as the capture does.
    public func send(_ unit: TransportUnit, at now: VirtualInstant) {
        guard isOpen, hostSeesReader else { return }
        for command in reader.read(unit) { answer(command, at: now) }
    }

    /// Stops to listen; what the reader said meanwhile is lost.
    public func close(at now: VirtualInstant) {
        guard isOpen else { return }
        isOpen = false
        credits = 0
        answers = []
        reader.reset()
        if hostSeesReader { farewell = now }
    }

    /// When the capture brings something next.
    public var nextDue: TimeWindow? {
        if let farewell { return TimeWindow(at: farewell) }
        return head.map { TimeWindow(at: $0.due) }
    }

    /// How many records stood before what comes next.
    public var awaitedRecordCount: Int? {
        guard farewell == nil, case .event(let index, _)? = head?.what else { return nil }
        return events[index].recordCount
    }

    /// Returns what of the capture is due.
    public func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        if farewell != nil {
            farewell = nil
            hostSeesReader = false
            return .detached(.closed)
        }
        guard let head, head.due <= now else { return nil }
        lastDelivery = max(lastDelivery, now)
        switch head.what {
        case .attachAgain(let attachment):
            return attach(attachment, at: now)
        case .event(let index, let isAnswer):
            if isAnswer { answers.removeFirst() } else { nextFree += 1 }
            return deliver(events[index], at: now)
        }
    }

    // MARK: What comes next

    private enum Next {
        case attachAgain(Attachment)
        case event(Int, isAnswer: Bool)
    }

    private var head: (due: VirtualInstant, what: Next)? {
        guard isOpen, let origin else { return nil }
        let own = freeHead(origin)
        if !hostSeesReader, let present, !isAttachNext {
            return (openedAt, .attachAgain(present))
        }
        guard let answer = answers.first else { return own }
        guard let own, case .event(let index, _) = own.what,
            own.due < answer.due || (own.due == answer.due && index < answer.event)
        else { return mayDeliver ? (answer.due, .event(answer.event, isAnswer: true)) : own }
        return own
    }

    private var mayDeliver: Bool { credits > 0 }

    /// Whether the next thing that the reader does by itself is to come.
    private var isAttachNext: Bool {
        guard nextFree < free.count else { return false }
        if case .attached = events[free[nextFree].event].content { return true }
        return false
    }

    private func freeHead(_ origin: VirtualInstant) -> (due: VirtualInstant, what: Next)? {
        guard nextFree < free.count else { return nil }
        let (index, anchor) = free[nextFree]
        let event = events[index]
        var due = origin + event.offset
        switch event.content {
        case .attached:
            due = isOpenedByHost ? openedAt : max(due, openedAt)
        case .detached, .featureFinished, .fromReader, .toReader:
            if case .fromReader = event.content, !mayDeliver { return nil }
            if let anchor {
                if let sentAt = commands[anchor].sentAt {
                    due = sentAt + event.offset.since(commands[anchor].offset)
                } else {
                    due = due + Self.patience
                }
            } else if isOpenedByHost {
                due = attachedAt + event.offset.since(attachOffset)
            }
        }
        return (max(due, lastDelivery), .event(index, isAnswer: false))
    }

    private func deliver(_ event: Conversation.Event, at now: VirtualInstant) -> TransportEvent? {
        switch event.content {
        case .attached(let attachment):
            attachOffset = event.offset
            return attach(attachment, at: now)
        case .detached(let reason):
            // That one the host makes itself, when it does.
            guard reason != .closed else { return nextEvent(at: now) }
            present = nil
            answers = []
            guard hostSeesReader else { return nextEvent(at: now) }
            hostSeesReader = false
            return .detached(reason)
        case .fromReader(let unit):
            credits -= 1
            return .received(unit)
        case .featureFinished(let result): return .featureFinished(result)
        case .toReader: return nextEvent(at: now)
        }
    }

    private func attach(_ attachment: Attachment, at now: VirtualInstant) -> TransportEvent? {
        present = attachment
        guard !hostSeesReader else { return nextEvent(at: now) }
        hostSeesReader = true
        attachedAt = now
        reader.reset()
        return .attached(attachment)
    }

    /// Moves on to the next link of the capture, if there is one.
    private func skipToNextAttach() {
        for index in nextFree..<free.count {
            guard case .attached = events[free[index].event].content else { continue }
            nextFree = index
            return
        }
    }

    // MARK: Matching

    private func answer(_ command: HostCommand, at now: VirtualInstant) {
        guard let index = match(command, at: now) else { return }
        let sent = commands[index]
        for event in sent.answers {
            let due = now + max(.zero, events[event].offset.since(sent.offset))
            let place = answers.firstIndex { $0.due > due } ?? answers.count
            answers.insert(Answer(due: due, event: event), at: place)
        }
    }

    /// Finds the recorded command that a command is, and says what differs.
    private func match(_ command: HostCommand, at now: VirtualInstant) -> Int? {
        func differs(_ kind: ReplayDifference.Kind, _ index: Int?) {
            differences.append(
                ReplayDifference(
                    kind: kind,
                    command: command.title,
                    packetNumber: index.map { commands[$0].packetNumber },
                    time: now
                )
            )
        }
        while firstOpen < commands.count, commands[firstOpen].sentAt != nil { firstOpen += 1 }
        let open = commands.indices[firstOpen...]
        let same = open.first {
            commands[$0].sentAt == nil && commands[$0].command == command
        }
        let found =
            same
            ?? open.first {
                commands[$0].sentAt == nil && commands[$0].command.key == command.key
            }
        if let found {
            commands[found].sentAt = now
            if same == nil {
                differs(.otherContent, found)
            } else if found != firstOpen {
                differs(.earlier, found)
            } else {
                matchCount += 1
            }
            return found
        }
        let again = commands.lastIndex { $0.command.key == command.key }
        differs(again == nil ? .unknownCommand : .repeatedCommand, again)
        return again
    }
}

extension VirtualDuration {
    /// The time from an earlier offset to this one; negative when it is later.
    fileprivate func since(_ other: VirtualDuration) -> VirtualDuration {
        .nanoseconds(nanoseconds &- other.nanoseconds)
    }
}

/// Tells a reader's answers from what it says by itself.
private struct AnswerSorter {
    private let wire: WireProtocol?
    private var decoder = MiuraDecoder(.fromReader, policy: .resync)
    private var unanswered: [Int] = []
    /// Units of a message that is not whole yet.
    private var waiting: [Int] = []

    init(_ wire: WireProtocol?) { self.wire = wire }

    mutating func asked(_ command: Int) { unanswered.append(command) }

    /// Returns the units that are known now, and the command that each answers.
    mutating func read(_ unit: TransportUnit, event: Int) -> [(event: Int, answered: Int?)] {
        guard wire == .miura else { return [(event, nil)] }
        waiting.append(event)
        decoder.append(unit.payload)
        var isAnswer = false
        var hasMessage = false
        var answered: Int?
        while let reading = decoder.next() {
            hasMessage = true
            guard case .message(let message) = reading, !message.isUnsolicited else { continue }
            isAnswer = true
            if !unanswered.isEmpty { answered = answered ?? unanswered.removeFirst() }
        }
        guard hasMessage, !decoder.hasPartialMessage else { return [] }
        defer { waiting = [] }
        return waiting.map { ($0, isAnswer ? answered : nil) }
    }

    /// A feature request was answered: the last one, since they come one at a time.
    mutating func finished() -> Int? { unanswered.popLast() }

    /// The link is gone: what waits is what it is.
    mutating func endSession() -> [(event: Int, answered: Int?)] {
        decoder.reset()
        unanswered = []
        defer { waiting = [] }
        return waiting.map { ($0, nil) }
    }
}
