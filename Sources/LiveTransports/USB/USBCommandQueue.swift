import Kernel
import Synchronization
import Transports
import USB

/// What the loop asks of the USB thread.
enum USBCommand: Sendable {
    case grant(Int)
    /// A unit for the session whose attach the loop was told.
    case send(TransportUnit, session: Int)
    case overflow(session: Int)
    case close
}

/// What the USB thread tells the loop.
struct USBNotice: Sendable {
    /// The opening it belongs to: what an older one tells is of no interest any more.
    var opening: Int
    /// The session it belongs to, counted within the opening.
    var session: Int
    /// What happened; nil only wakes the loop.
    var event: TransportEvent?
    /// When the USB thread told it.
    var time = MonotonicClock.now
}

/// Commands from the loop to the USB thread, which sleeps in libusb or on a descriptor.
final class USBCommandQueue: Sendable {
    private struct State {
        var commands: [USBCommand] = []
        /// The context whose events the thread handles now.
        var context: USBContext?
        /// Units sent and not yet handed to the reader.
        var outstandingCount = 0
    }

    private let state = Mutex(State())
    /// Wakes the thread where it handles no context's events.
    let wakeUp: WakeUp

    init() throws(KernelError) { wakeUp = try WakeUp() }

    func post(_ command: USBCommand) {
        state.withLock {
            $0.commands.append(command)
            // Under the lock, so that the context cannot go before it was interrupted.
            $0.context?.interruptEvents()
        }
        wakeUp.signal()
    }

    /// Posts a unit, or an overflow when too many wait already.
    func post(_ unit: TransportUnit, session: Int, limit: Int) {
        let hasRoom = state.withLock { state in
            guard state.outstandingCount < limit else { return false }
            state.outstandingCount += 1
            return true
        }
        post(hasRoom ? .send(unit, session: session) : .overflow(session: session))
    }

    /// Records that a unit was handed over or dropped.
    func unitLeft() { state.withLock { $0.outstandingCount -= 1 } }

    func takeAll() -> [USBCommand] {
        wakeUp.clear()
        return state.withLock { state in
            let taken = state.commands
            state.commands = []
            return taken
        }
    }

    /// Says whose events the thread handles from here on.
    func interrupts(_ context: USBContext?) {
        // The old context must not end under the lock that its own callbacks might wait for.
        let old = state.withLock { state in
            let old = state.context
            state.context = context
            return old
        }
        _ = old
    }
}
