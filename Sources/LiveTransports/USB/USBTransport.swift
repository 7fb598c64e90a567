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
    private let events: Mailbox<USBNotice>
    private var commands: USBCommandQueue?
    private var threads: [WorkerThread] = []
    private var opening = 0
    private var waiting: ArraySlice<USBNotice> = []
    /// The session whose attach was told, and whose detach was not.
    private var toldSession: Int?
    /// The detach that a close left to be told.
    private var farewell: TransportEvent?
    /// Credits granted before the opening.
    private var earlyCredits = 0
    /// When the USB thread told the event that was returned last.
    public private(set) var arrivalNanoseconds: Int64?

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

    /// Names the device as it was asked for, and how to find out what is there instead.
    public var absence: String {
        "no USB device \(selector.description.dropFirst(4)) was seen; lsusb lists what is plugged "
            + "in: if the reader is not there, try another cable or port; if it is, give --reader "
            + "the ids and serial number that it has, and this user the permission: write the line "
            + "\(selector.udevRule) to /etc/udev/rules.d/60-cardrig.rules, then plug it in again"
    }

    /// Always `nil`: the USB thread wakes the loop.
    public var nextDue: TimeWindow? { nil }

    /// Starts the USB thread; the instant is of no interest here.
    public func open(at now: VirtualInstant) {
        guard commands == nil else { return }
        do throws(KernelError) {
            let commands = try USBCommandQueue()
            let (selector, watch, events, opening) = (selector, watch, events, opening)
            threads.append(
                try WorkerThread {
                    USBWorker(
                        selector: selector,
                        watch: watch,
                        opening: opening,
                        commands: commands,
                        events: events
                    ).run()
                }
            )
            if earlyCredits > 0 { commands.post(.grant(earlyCredits)) }
            earlyCredits = 0
            self.commands = commands
        } catch {
            let problem = TransportProblem(.failed, error.description)
            events.post(USBNotice(opening: opening, session: 0, event: .unusable(problem)))
        }
    }

    /// Allows so many more reports; credits that are not spent outlast a detach.
    public func grant(credits: Int) {
        if let commands {
            commands.post(.grant(credits))
        } else {
            earlyCredits += credits
        }
    }

    /// Queues one unit; its payload is the data stage of the request, as it is.
    public func send(_ unit: TransportUnit, at now: VirtualInstant) {
        guard let toldSession else { return }
        commands?.post(unit, session: toldSession, limit: Self.sendLimit)
    }

    /// Ends the watch; the USB thread gives the reader back and ends by itself.
    public func close(at now: VirtualInstant) {
        earlyCredits = 0
        guard let commands else { return }
        commands.post(.close)
        self.commands = nil
        if let toldSession {
            waiting += events.drain()
            let told = waiting.first { notice in
                guard case .detached? = notice.event else { return false }
                return notice.opening == opening && notice.session == toldSession
            }
            farewell = told?.event ?? .detached(.closed)
        }
        toldSession = nil
        waiting = []
        opening += 1
        events.post(USBNotice(opening: opening, session: 0, event: nil))
    }

    /// Returns what the USB thread told next, or `nil`.
    public func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        if let event = farewell {
            farewell = nil
            return event
        }
        while true {
            if waiting.isEmpty { waiting = events.drain()[...] }
            guard let notice = waiting.popFirst() else { return nil }
            guard notice.opening == opening, let event = notice.event else { continue }
            arrivalNanoseconds = notice.time
            switch event {
            case .attached: toldSession = notice.session
            case .detached: toldSession = nil
            case .received, .featureFinished, .unusable: break
            }
            return event
        }
    }
}
