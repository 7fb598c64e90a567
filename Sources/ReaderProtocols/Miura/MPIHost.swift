import EventLoops

/// One Miura link as the host sees it, from attach to detach.
///
/// The machine performs no I/O and reads no clock. Inputs are commands, bytes and time; what comes
/// of them is taken with ``nextAction()`` until it returns `nil`, and ``deadline`` says when
/// ``advance(to:)`` is due.
public struct MPIHost: Hashable, Sendable {
    /// Names one command among those of this host.
    public struct Ticket: Hashable, Comparable, Sendable {
        /// The number of the command, counted from 1.
        public let number: Int

        /// Orders tickets by the time of their making.
        public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
    }
}

/// What a Miura host wants done or known.
public enum MPIAction: Hashable, Sendable {
    /// Write these bytes to the link.
    case write([UInt8])
    /// The answer to a command.
    case answered(MPIHost.Ticket, MiuraAnswer)
    /// A command has no answer and will have none.
    case failed(MPIHost.Ticket, MPIFailure)
    /// The reader said something on its own.
    case event(MiuraNode, MiuraEvent)
    /// The reader started anew: what was set up before is gone, and is set up again.
    case readerRestarted(MiuraNode)
    /// The commands given as set-up were answered; queued ones follow.
    case initialised(MiuraNode)
    /// An answer that belongs to no command, such as E5 after the card was pulled.
    case unmatched(MiuraNode, MiuraResponse, while: MPIHost.Ticket?)
    /// Bytes that were no message; what follows depends on the policy.
    case damaged(MiuraDamage)
    /// After damage, messages are read again; so many bytes were passed over.
    case resynchronised(skippedByteCount: Int)
    /// The link must be closed; nothing is written or read any more.
    case dropLink(MPIDropReason)
}

/// Why a command has no answer.
public enum MPIFailure: Hashable, Sendable {
    /// Its time ran out.
    case timedOut
    /// The link was lost or dropped.
    case linkLost
    /// The reader started anew.
    case readerRestarted
    /// Bytes came that were no message, and the answer may have been among them.
    case answerDamaged
    /// The answer is none that the command can have.
    case answerMalformed(MiuraFormatError)
    /// The command cannot be sent: too much data for what this reader understands.
    case notEncodable
}

/// Why a host drops its link.
public enum MPIDropReason: Hashable, Sendable {
    /// Bytes came that were no message, and the policy is to drop.
    case damage(MiuraDamage)
    /// The reader gave no sign of life after a command's time ran out.
    case silent
}
