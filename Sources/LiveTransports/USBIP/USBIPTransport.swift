public import EventLoops
public import Kernel
public import Transports

/// A reader behind a USB/IP server, which may be a real one at another machine: one unit is one
/// interrupt transfer, which holds one whole HID report.
///
/// The protocol is spoken here: neither the kernel's `vhci-hcd` nor root is needed. The server is
/// looked for every 100 ms until it gives the device out, and again after each detach, until
/// ``close(at:)``. Importing and configuring the device may take five seconds, and so may each
/// feature request, which is then `timedOut`.
///
/// | from the server | told as |
/// | --- | --- |
/// | it gave the device out, and that is configured | `attached` |
/// | it closes the connection: the reader was unplugged | `detached(left)` after what came before |
/// | it resets the connection, or vanishes | `detached(cut)` |
/// | another client has the device | looked for again; after three seconds `unusable` |
/// | it breaks the protocol, or the device is no HID reader | `detached(cut)` if it was attached, and `unusable` with the reason |
///
/// Units are sent as ``USBTransport`` sends them. More than 64 that wait detach with `overflow`; the
/// reader is looked for again once it has left.
///
/// - Note: Not `Sendable`: the loop's thread owns it.
public final class USBIPTransport: LiveTransport {
    /// How long the import with all that belongs to it, or a feature request, may take, in nanoseconds.
    static let answerLimit: Int64 = 5_000_000_000

    private let selector: USBIPSelector
    private let connection: TCPTransport
    private let poller: Poller
    private var session: USBIPSession?
    private var isOpen = false
    /// Whether only a close helps.
    private var isStuck = false
    private var credits = 0
    private var pending: [TransportEvent] = []
    /// Whether the last thing that was told is an attach.
    private var isTold = false
    /// When the server's answer is due.
    private var deadline: Int64?
    private var timedRequest: UInt32?
    private var isWoken = false
    private var busySince: Int64?
    /// How far the last attempt came once it was connected.
    private var progress: String?

    /// Prepares to look for the reader; nothing is touched before ``open(at:)``.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    public init(_ selector: USBIPSelector) throws(KernelError) {
        self.selector = selector
        connection = try TCPTransport(selector.server)
        poller = try Poller()
        try poller.add(connection.wakeDescriptor, token: 0)
    }

    /// Readable while there is something to ask ``nextEvent(at:)`` for.
    public var wakeDescriptor: Int32 { poller.descriptor }

    /// Says how far the last attempt came, and what helps.
    public var absence: String {
        guard let progress else { return connection.absence }
        return "\(selector.server.address) was connected, but \(progress); "
            + "`usbip list -r \(selector.server.host)` shows what can be had there"
    }

    /// Always `nil`: the kernel wakes the loop.
    public var nextDue: TimeWindow? { nil }

    /// Begins to connect; the instant is of no interest here.
    public func open(at now: VirtualInstant) {
        guard !isOpen else { return }
        isOpen = true
        busySince = nil
        connect()
    }

    /// Allows so many more units to be delivered.
    public func grant(credits count: Int) {
        let (sum, overflow) = credits.addingReportingOverflow(max(0, count))
        credits = overflow ? .max : sum
        work { $0.read(credits: credits) }
    }

    /// Sends a report or a feature request.
    public func send(_ unit: TransportUnit, at now: VirtualInstant) {
        guard isTold, session?.isReady == true else { return }
        work { _ = $0.send(unit) }
        guard let session, session.unitsInHand > USBTransport.sendLimit else { return }
        // Only that it leaves is waited for.
        self.session = nil
        setDeadline()
        pending.append(.detached(.overflow))
        wakeSoon()
    }

    /// Closes the connection.
    public func close(at now: VirtualInstant) {
        guard isOpen else { return }
        isOpen = false
        isStuck = false
        let reason = pending.first { if case .detached = $0 { true } else { false } }
        pending = isTold ? [reason ?? .detached(.closed)] : []
        credits = 0
        drop()
        if !pending.isEmpty { wakeSoon() }
    }

    /// Returns what the connection brought, or `nil`.
    public func nextEvent(at now: VirtualInstant) -> TransportEvent? {
        while pending.isEmpty {
            lookAtTheClock()
            guard pending.isEmpty, let event = connection.nextEvent(at: .zero) else { break }
            take(event)
        }
        if pending.count <= 1, isWoken {
            isWoken = false
            setAlarm()
        }
        guard !pending.isEmpty else { return nil }
        let event = pending.removeFirst()
        switch event {
        case .attached: isTold = true
        case .detached: isTold = false
        case .received, .featureFinished, .unusable: break
        }
        return event
    }

    // MARK: The connection

    private func connect() {
        connection.open(at: .zero)
        connection.grant(credits: .max)
    }

    private func drop() {
        connection.close(at: .zero)
        session = nil
        setDeadline()
    }

    private func take(_ event: TransportEvent) {
        guard isOpen, !isStuck else { return }
        switch event {
        case .attached:
            session = USBIPSession(busID: selector.busID)
            work { _ in }
        case .received(let unit): take(unit.payload)
        case .detached(let reason):
            if session?.isReady == true { pending.append(.detached(reason)) }
            if session?.isSettingUp == true { progress = "it hung up during the import" }
            session = nil
            setDeadline()
        case .unusable: pending.append(event)
        case .featureFinished: break
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        guard session != nil else { return }
        do throws(USBIPSession.Violation) {
            let outputs = try session?.receive(bytes) ?? []
            for output in outputs { take(output) }
            work { $0.read(credits: credits) }
        } catch {
            fail(
                .failed,
                "the server at \(selector.server.address) was let go: \(error.reason)"
            )
        }
    }

    private func take(_ output: USBIPSession.Output) {
        switch output {
        case .attached(let attachment):
            progress = nil
            busySince = nil
            pending.append(.attached(attachment))
        case .unit(let unit):
            // None comes without a credit, since it was asked for with one.
            credits -= 1
            pending.append(.received(unit))
        case .featureFinished(let result): pending.append(.featureFinished(result))
        case .refused(let refusal): refused(refusal)
        }
    }

    private func refused(_ refusal: USBIPSession.Refusal) {
        if refusal != .busy { busySince = nil }
        switch refusal {
        case .absent: progress = "it has no device \(selector.busID) now"
        case .failed(let status): progress = "it refused \(selector.busID) with status \(status)"
        case .busy:
            progress = "another client has \(selector.busID)"
            let now = MonotonicClock.now
            let since = busySince ?? now
            busySince = since
            guard now - since >= StreamLink.busyLimit else { return }
            fail(
                .busy,
                "device in use by another client of \(selector.server.address): "
                    + "\(selector.busID); have that one detach it (`usbip detach`)"
            )
        }
    }

    /// Lets go of a server that cannot be used.
    private func fail(_ code: TransportProblem.Code, _ text: String) {
        if session?.isReady == true { pending.append(.detached(.cut)) }
        pending.append(.unusable(TransportProblem(code, text)))
        isStuck = true
        drop()
    }

    // MARK: The session

    /// Works on the session, and sends what that gives.
    private func work(_ act: (inout USBIPSession) -> Void) {
        guard var session else { return }
        self.session = nil
        act(&session)
        let bytes = session.takeOutgoing()
        self.session = session
        if !bytes.isEmpty { connection.send(TransportUnit(.bytes, bytes[...]), at: .zero) }
        setDeadline()
    }

    private func lookAtTheClock() {
        guard let deadline, MonotonicClock.now >= deadline, let session else { return }
        if session.isReady {
            work { session in
                guard let output = session.giveUpRequest() else { return }
                take(output)
            }
        } else {
            let seconds = Self.answerLimit / 1_000_000_000
            if session.isSettingUp {
                progress = "it did not answer as a USB/IP server within \(seconds) s"
            }
            drop()
            connect()
        }
    }

    /// The time of the import, or of the request that is under way, runs from its beginning.
    private func setDeadline() {
        if let session, session.isReady {
            if session.requestNumber != timedRequest || session.requestNumber == nil {
                timedRequest = session.requestNumber
                deadline = timedRequest.map { _ in MonotonicClock.now + Self.answerLimit }
            }
        } else {
            timedRequest = nil
            deadline =
                session == nil ? nil : deadline ?? MonotonicClock.now + Self.answerLimit
        }
        setAlarm()
    }

    /// Wakes the owner, which is inside a call and learns only then what is to be told.
    private func wakeSoon() {
        isWoken = true
        setAlarm()
    }

    private func setAlarm() {
        try? poller.setAlarm(atMonotonicNanoseconds: isWoken ? 1 : deadline)
    }
}
