import Synchronization

/// Messages from any thread to the loop, in the order posted.
///
/// A mailbox has no bound of its own: who posts counts what is outstanding (credits).
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let wakeUp: WakeUp

    /// Creates an empty mailbox.
    ///
    /// - Throws: ``KernelError`` when the process has no descriptors left.
    public init() throws(KernelError) { wakeUp = try WakeUp() }

    /// The descriptor that is readable while messages wait.
    public var descriptor: Int32 { wakeUp.descriptor }

    /// Adds a message and wakes the loop.
    public func post(_ message: sending Message) {
        messages.withLock { $0.append(message) }
        wakeUp.signal()
    }

    /// Takes all messages and makes the descriptor quiet.
    public func drain() -> [Message] {
        wakeUp.clear()
        return messages.withLock { waiting in
            let taken = waiting
            waiting.removeAll(keepingCapacity: false)
            return taken
        }
    }
}
