public import EventLoops
public import Kernel
public import Transports

/// How the USB thread learns that readers come and go.
package enum USBWatchMethod: Sendable {
    /// By hotplug events where udevd runs, else by polling.
    case automatic
    /// By hotplug events, which the caller knows to come.
    case hotplug
    /// By looking every 250 ms.
    case polling
}

/// A reader on USB: one unit is one interrupt transfer, which holds one whole HID report.
///
/// A thread of its own runs libusb and posts what happens to the loop through a mailbox. The
/// reader is found again after each detach until ``close(at:)``. Where no udevd runs, hotplug
/// events never come, and the thread looks for the reader every 250 ms instead.
///
/// | unit sent | request |
/// | --- | --- |
/// | `featureSet` | SET_REPORT (feature); `featureFinished` reports its end |
/// | `featureGet` | GET_REPORT (feature); `featureFinished` brings the bytes |
/// | `report` | SET_REPORT (output); nothing is reported unless the reader leaves |
/// | `bytes`, `lineState` | dropped: USB readers have neither |
///
/// Reports are received whole, as the reader's report descriptor sizes them; where that says
/// nothing, 1,024 bytes are room for one. A report's id is its first byte in readers that use ids
/// (the byte stays in the payload), and 0 in others. The kernel's driver is detached while the
/// reader is in use and gets it back at the end.
///
/// - Note: Not `Sendable`: the loop's thread owns it. The USB thread shares only its two queues.
public final class USBTransport: LiveTransport {
    /// How many units may wait to be sent before the transport detaches with `overflow`.
    public static let sendLimit = 64

    private let selector: USBSelector
    private let watch: USBWatchMethod
    private let events: Mailbox<TransportEvent>
    private var commands: USBCommandQueue?
    private var threads: [WorkerThread] = []
    private var waiting: [TransportEvent] = []
    private var nextWaiting = 0
    private var unspentCredits = 0

    /// Prepares to watch for the reader; nothing is touched before ``open(at:)``.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    public convenience init(_ selector: USBSelector) throws(KernelError) {
        try self.init(selector, watch: .automatic)
    }

    /// Prepares to watch for the reader in a given way, for tests of both.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    package init(_ selector: USBSelector, watch: USBWatchMethod) throws(KernelError) {
        self.selector = selector
        self.watch = watch
        events = try Mailbox()
    }

    deinit {
        commands?.post(.close)
        for thread in threads { thread.join() }
    }

    /// Readable while the USB thread has told something that was not asked for yet.
    public var wakeDescriptor: Int32 { events.descriptor }

    /// Always `nil`: the USB thread wakes the loop.
    public var nextDue: TimeWindow? { nil }

    /// Starts the USB thread; the instant is of no interest here.
    public func open(at now: VirtualInstant) {
        guard commands == nil else { return }
        do throws(KernelError) {
            let commands = try USBCommandQueue()
            let (selector, watch, events) = (selector, watch, events)
            threads.append(
                try WorkerThread {
                    USBWorker(selector: selector, watch: watch, commands: commands, events: events)
                        .run()
                }
            )
            if unspentCredits > 0 { commands.post(.grant(unspentCredits)) }
            unspentCredits = 0
            self.commands = commands
        } catch {
            events.post(.unusable(TransportProblem(.failed, error.description)))
        }
    }

    /// Allows so many more reports; credits that are not spent outlast a detach.
    public func grant(credits: Int) {
        if let commands {
            commands.post(.grant(credits))
        } else {
            unspentCredits += credits
        }
    }

    /// Queues one unit; its payload is the data stage of the request, as it is.
    public func send(_ unit: TransportUnit, at now: VirtualInstant) {
        commands?.post(unit, limit: Self.sendLimit)
    }

    /// Ends the watch; the detach is reported when the USB thread has taken note.
    public func close(at now: VirtualInstant) {
        // The thread reports the detach, gives the reader back and ends by itself.
        commands?.post(.close)
        commands = nil
    }

    /// Returns what the USB thread told next, or `nil`.
    public func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        if nextWaiting == waiting.count {
            waiting = events.drain()
            nextWaiting = 0
        }
        guard nextWaiting < waiting.count else { return nil }
        defer { nextWaiting += 1 }
        return waiting[nextWaiting]
    }
}
