import EventLoops

/// What a Miura host knows of one node: which commands wait, and what is to come.
struct MPILane: Hashable, Sendable {
    /// A command, and the bytes that follow it without framing.
    struct Entry: Hashable, Sendable {
        var ticket: MPIHost.Ticket
        var command: MiuraCommand
        var rawBytes: [UInt8]
    }

    /// A command that was written.
    struct Outstanding: Hashable, Sendable {
        var ticket: MPIHost.Ticket
        var command: MiuraCommand
        var deadline: VirtualInstant?
    }

    /// How far the node is.
    enum Phase: Hashable, Sendable {
        /// It should say that it is switched on.
        case awaitingGreeting(until: VirtualInstant)
        /// The set-up is under way; this is the number of the next command of it.
        case initialising(next: Int)
        case ready
        /// Its serial number was asked for; what comes before that answer belongs to nothing.
        case probing(until: VirtualInstant)
        /// It said that it starts anew or switches off.
        case restarting(until: VirtualInstant)
    }

    /// Whose lane it is.
    let node: MiuraNode
    /// How far the node is.
    var phase: Phase
    /// Commands not yet written, in their order.
    var queue: [Entry] = []
    /// The command whose answer comes next.
    var current: Outstanding?
    /// ABORT beside a running command, as often as it was asked for.
    var aborts: [Outstanding] = []
    /// CARD STATUS, each answered by the next unsolicited card status.
    var cardStatuses: [Outstanding] = []
    /// Whether the reader waits for CONTINUE TRANSACTION.
    var awaitsContinue = false
    /// Whether that transaction, or the one under way, is with the card in the slot.
    var isChipRead = false
    /// Whether the card was pulled while CONTINUE runs.
    var wasCardPulled = false
    /// Nothing is sent until then, for an answer may come that belongs to no command.
    var extraAnswerUntil: VirtualInstant?
    /// Whether anything solicited came since the link was made.
    var wasAnswered = false
    /// Whether the node said since the link was made that it is switched on.
    var hasGreeted = false
    /// Whether commands of the extended form are understood.
    var understandsExtendedAPDU = false
    /// The answers to the set-up so far.
    var initialAnswers: [MiuraAnswer] = []
    /// Whether the current command is one of the set-up.
    var isCurrentInitial = false
    /// Where the set-up goes on once the reader's serial number came, if that was asked for within.
    var resumedInitial: Int?
    /// The command of the set-up that had no answer last; it is sent again once.
    var missedInitial: Int?

    init(_ node: MiuraNode) {
        self.node = node
        phase = .ready
    }

    /// Whether a command may be written now.
    @inline(__always)
    var isFree: Bool { current == nil && aborts.isEmpty && extraAnswerUntil == nil }

    /// All that was written and is not answered, in its order.
    var outstanding: [Outstanding] {
        (cardStatuses + (current.map { [$0] } ?? []) + aborts).sorted { $0.ticket < $1.ticket }
    }

    /// Replaces an instant by the one at which time next matters here, where that is earlier.
    func bringForward(_ first: inout VirtualInstant?) {
        Self.keepEarlier(extraAnswerUntil, &first)
        Self.keepEarlier(current?.deadline, &first)
        for index in aborts.indices { Self.keepEarlier(aborts[index].deadline, &first) }
        for index in cardStatuses.indices { Self.keepEarlier(cardStatuses[index].deadline, &first) }
        switch phase {
        case .awaitingGreeting(let until), .probing(let until), .restarting(let until):
            Self.keepEarlier(until, &first)
        case .initialising, .ready: break
        }
    }

    private static func keepEarlier(_ instant: VirtualInstant?, _ first: inout VirtualInstant?) {
        guard let instant else { return }
        first = first.map { min($0, instant) } ?? instant
    }

    /// Forgets what was written and what the reader remembered.
    mutating func forgetOutstanding() {
        current = nil
        isCurrentInitial = false
        aborts = []
        cardStatuses = []
        awaitsContinue = false
        wasCardPulled = false
        extraAnswerUntil = nil
    }
}
