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
    /// The set-up is done, with the answers to its commands in their order; queued ones follow.
    case initialised(MiuraNode, [MiuraAnswer])
    /// An answer that belongs to no command, such as E5 after the card was pulled; it may have come
    /// while another command waits, whose own answer is still to come.
    case unmatched(MiuraNode, MiuraResponse, while: MPIHost.Ticket?)
    /// Bytes that were no message; what follows depends on the policy.
    case damaged(MiuraDamage)
    /// After damage messages are read again; so many bytes were passed over.
    case skipped(byteCount: Int)
    /// The host asks for the reader's serial number to find the place in its answers again.
    case probing(MiuraNode)
    /// The link must be closed; nothing is written or read until it is attached again.
    case dropLink(MPIDropReason)
}

/// Why a command has no answer.
public enum MPIFailure: Hashable, Sendable {
    /// Its time ran out.
    case timedOut
    /// The link was lost or dropped.
    case linkLost
    /// The reader started anew, or is about to.
    case readerRestarted
    /// Bytes came that were no message, and the answer may have been among them.
    case answerDamaged
    /// The answer holds something that the command's answer cannot have.
    case answerMalformed(MiuraFormatError)
    /// The command cannot be sent: a value is out of its range, raw bytes are not as many as it
    /// says, or it is too long for what this reader understands.
    case notEncodable
    /// It was taken back before it was sent.
    case withdrawn
}

/// Why a host drops its link.
public enum MPIDropReason: Hashable, Sendable {
    /// Bytes came that were no message, and the policy is to drop.
    case damage(MiuraDamage)
    /// The reader gave no sign of life in time.
    case silent(MiuraNode)
    /// Bytes could not be written.
    case writeFailed
}
