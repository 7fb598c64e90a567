import EventLoops
import Kernel
import Transports
import USB

/// The USB thread of one transport, from its opening to its closing.
///
/// It looks for the reader, opens it (again and again for a while, since just after a plug-in the
/// node's permissions or the kernel's driver may be in the way), runs a ``USBSession`` on it, and
/// looks again when that ends. Field bugs: libusb issues 168, 1586 (access denied for 5 to 200 ms
/// after a hotplug event) and 940 (busy until the other process or driver lets go).
final class USBWorker {
    /// How often the devices are looked through where no hotplug event comes.
    private static let pollNanoseconds: Int64 = 250_000_000
    /// How often they are looked through where events come, since one can be missed.
    private static let distrustNanoseconds: Int64 = 2_000_000_000

    /// A device that is there and refused to be opened so far.
    private struct Attempt {
        var place: USBPlace
        var attempts = OpeningAttempts()
        var next: Int64
    }

    private let selector: USBSelector
    private let commands: USBCommandQueue
    private let events: Mailbox<USBNotice>
    private let opening: Int
    private var sessionNumber = 0
    private let polls: Bool
    /// The context that hotplug events come to; nil where they do not.
    private var context: USBContext?
    private var watch: USBHotplugWatch?
    private var nextScan: Int64 = 0
    private var attempt: Attempt?
    /// What is there and not worth another attempt until it was unplugged.
    private var givenUp: [USBPlace] = []
    /// The device that the loop was told is unusable, and is still there.
    private var refused: USBPlace?
    private var session: USBSession?
    private var credits = 0
    private var isClosing = false
    private var hasReportedProblem = false
    /// Whether a hotplug event came since the last look.
    private var isStirred = true

    init(
        selector: USBSelector,
        watch: USBWatchMethod,
        opening: Int,
        commands: USBCommandQueue,
        events: Mailbox<USBNotice>
    ) {
        self.selector = selector
        self.commands = commands
        self.events = events
        self.opening = opening
        polls =
            switch watch {
            case .automatic:
                !USBContext.claimsHotplug || Paths.kind(of: "/run/udev/control") == nil
            case .hotplug: false
            case .polling: true
            }
    }

    func run() {
        let poller: Poller
        do throws(KernelError) {
            poller = try Poller()
            try poller.add(commands.wakeUp.descriptor, token: 0)
        } catch {
            report(TransportProblem(.failed, error.description))
            return
        }
        if !polls { startHotplug() }
        while true {
            for command in commands.takeAll() { obey(command) }
            if let session, let reason = session.reasonToEnd { end(session, reason: reason) }
            if isClosing { break }
            let now = MonotonicClock.now
            if session == nil, now >= nextScan { scan(at: now) }
            if let session {
                session.work(at: now)
                if now >= nextScan { checkPresence(of: session, at: now) }
            }
            wait(poller)
        }
        commands.interrupts(nil)
        watch = nil
    }

    private func obey(_ command: USBCommand) {
        switch command {
        case .grant(let count):
            credits += count
            session?.grant(count)
        case .send(let unit, let number):
            let isCurrent = number == sessionNumber && session != nil
            if !isCurrent || session?.send(unit) != true { commands.unitLeft() }
        case .overflow(let number):
            if let session, number == sessionNumber {
                // Found again at once it would overflow again: it must be unplugged first.
                givenUp.append(session.place)
                session.reasonToEnd = session.reasonToEnd ?? .overflow
            }
        case .close:
            isClosing = true
            if let session { session.reasonToEnd = session.reasonToEnd ?? .closed }
        }
    }

    /// Sleeps until there is something to do.
    private func wait(_ poller: Poller) {
        if let session, session.reasonToEnd != nil { return }
        let now = MonotonicClock.now
        var next = nextScan
        if let due = session?.nextWork { next = min(next, due) }
        guard let context = session?.context ?? context else {
            _ = try? poller.wait(untilMonotonicNanoseconds: next) { _ in }
            return
        }
        // At most a minute, and never less than asked for.
        let pause = max(0, min(next, now + 60_000_000_000) - now)
        let milliseconds = (pause + 999_999) / 1_000_000
        do throws(USBError) {
            try context.handleEvents(timeoutMilliseconds: Int(milliseconds))
        } catch {
            // Nothing can be received any more; look again after a while instead of spinning.
            session?.reasonToEnd = session?.reasonToEnd ?? .cut
            nextScan = MonotonicClock.now + Self.pollNanoseconds
            _ = try? poller.wait(untilMonotonicNanoseconds: nextScan) { _ in }
        }
    }

    // MARK: Looking for the reader

    private func startHotplug() {
        do throws(USBError) {
            let context = try USBContext()
            self.context = context
            watch = try USBHotplugWatch(context) { [unowned self] event in
                nextScan = 0
                isStirred = true
                switch event {
                case .arrived: break
                case .left(let place):
                    givenUp.removeAll { $0.isSameDevice(as: place) }
                    if let session, session.place.isSameDevice(as: place) {
                        session.reasonToEnd = session.reasonToEnd ?? .left
                    }
                }
            }
            commands.interrupts(context)
        } catch {
            report(TransportProblem(.failed, error.description))
        }
    }

    /// When the next look is due: soon where no events come, else in case one was missed.
    private func nextLook(after now: Int64) -> Int64 {
        // Events of the reader come to the context that it was found in.
        let hasEvents = !polls && context != nil && (session == nil || session?.context === context)
        return now + (hasEvents ? Self.distrustNanoseconds : Self.pollNanoseconds)
    }

    private func scan(at now: Int64) {
        let isDistrust = !isStirred && attempt == nil
        isStirred = false
        nextScan = nextLook(after: now)
        do throws(USBError) {
            // The list of a context with hotplug changes with its events only.
            let context =
                if let context, !isDistrust { context } else { try USBContext() }
            let devices = try context.devices()
            givenUp.removeAll { place in !devices.contains { $0.place == place } }
            if let place = refused, !devices.contains(where: { $0.place == place }) {
                refused = nil
                post(.detached(.left))
            }
            let found = devices.first { selector.matches($0) && !givenUp.contains($0.place) }
            guard let found else {
                attempt = nil
                return
            }
            open(found, in: context, at: now)
        } catch {
            report(TransportProblem(.failed, "\(error.description); is there a /dev/bus/usb?"))
        }
    }

    private func open(_ device: USBDevice, in context: USBContext, at now: Int64) {
        var current = attempt ?? Attempt(place: device.place, next: now)
        if current.place != device.place { current = Attempt(place: device.place, next: now) }
        guard now >= current.next else {
            attempt = current
            nextScan = min(nextScan, current.next)
            return
        }
        // A session's events carry its number, so that none is taken for one of the next.
        let number = sessionNumber + 1
        do throws(USBSessionError) {
            let session = try USBSession(
                device,
                context: context,
                selector: selector,
                post: { [events, opening] in
                    events.post(USBNotice(opening: opening, session: number, event: $0))
                },
                unitLeft: { [commands] in commands.unitLeft() }
            )
            attempt = nil
            self.session = session
            sessionNumber = number
            commands.interrupts(session.context)
            nextScan = nextLook(after: now)
            // What is submitted now completes later, on this thread: after the attach.
            session.grant(credits)
            post(.attached(session.attachment))
        } catch {
            switch error {
            case .left: attempt = nil
            case .otherSerialNumber: giveUp(device)
            case .tryAgain(let error):
                // From the end of the attempt, which may have taken long.
                guard let pause = current.attempts.failed() else {
                    return refuse(device, TransportProblem(error, with: device))
                }
                current.next = MonotonicClock.now + pause.nanoseconds
                attempt = current
                nextScan = min(nextScan, current.next)
            }
        }
    }

    private func refuse(_ device: USBDevice, _ problem: TransportProblem) {
        giveUp(device)
        refused = device.place
        post(.unusable(problem))
    }

    private func giveUp(_ device: USBDevice) {
        attempt = nil
        givenUp.append(device.place)
        nextScan = 0
    }

    /// Tells the loop once that nothing works; the thread goes on looking.
    private func report(_ problem: TransportProblem) {
        guard !hasReportedProblem else { return }
        hasReportedProblem = true
        post(.unusable(problem))
    }

    private func post(_ event: TransportEvent) {
        events.post(USBNotice(opening: opening, session: sessionNumber, event: event))
    }

    // MARK: The end of a session

    private func checkPresence(of session: USBSession, at now: Int64) {
        nextScan = nextLook(after: now)
        if Paths.kind(of: session.node) == nil {
            session.reasonToEnd = session.reasonToEnd ?? .left
        }
    }

    private func end(_ session: USBSession, reason: DetachReason) {
        // What arrived before the reader left still comes; a host that closes wants no more.
        session.takeBack(deliversRest: reason == .left)
        credits = session.unspentCredits
        for _ in 0..<session.unitsInHand { commands.unitLeft() }
        post(.detached(reason))
        commands.interrupts(context)
        session.giveBack(toDriver: reason != .left)
        self.session = nil
        nextScan = 0
    }
}

extension USBPlace {
    /// A place in a departure has no ports where the parent left before it.
    fileprivate func isSameDevice(as other: USBPlace) -> Bool {
        bus == other.bus && address == other.address
    }
}
