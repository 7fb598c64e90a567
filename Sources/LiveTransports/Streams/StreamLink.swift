import Kernel
import Transports

/// What all transports over a stream of bytes do alike: looking for the reader, credits, the bounded
/// queue towards it, and the one detach.
///
/// | happens | then |
/// | --- | --- |
/// | the reader is not there | it is looked for again after ``retryInterval`` |
/// | another program has it | as well, and after ``busyLimit`` it is unusable |
/// | it sends no more (end of the stream, hang-up) | what came before is delivered as far as there are credits, then `detached(left)` |
/// | the connection is reset, or the line fails | `detached(cut)` |
/// | it does not take what it is sent | past ``unitBound`` or ``byteBound`` `detached(overflow)`; it is looked for again once it hung up, or after a close |
///
/// A piece of the stream that was read is one unit; it is as long as what had come, at most
/// ``readByteCount``. Each unit that is sent is one write, unless the kernel takes only a part of it.
final class StreamLink {
    /// How long to wait between two looks for the reader, in nanoseconds.
    static let retryInterval: Int64 = 100_000_000
    /// How long one attempt may take, looking up the host included.
    static let attemptLimit: Int64 = 5_000_000_000
    /// How long another program may have the reader before that is a problem: programs that probe
    /// new serial lines let go of them after a moment.
    static let busyLimit: Int64 = 3_000_000_000
    /// The most bytes of one unit.
    static let readByteCount = 16_384
    /// How many units may wait for the reader, beyond what the kernel keeps.
    static let unitBound = 1_024
    /// How many bytes may wait for the reader, beyond what the kernel keeps.
    static let byteBound = 1_048_576

    private enum State {
        /// Nobody wants it.
        case closed
        /// The next attempt waits for its time.
        case looking(until: Int64)
        /// An attempt is under way on a descriptor.
        case opening(descriptor: Int32, writable: Bool, until: Int64)
        /// The reader is there.
        case attached
        /// The reader did not read and is waited out.
        case spent
        /// The reader cannot be used; only a close helps.
        case stuck
    }

    private let opener: any StreamOpener
    private let poller: Poller
    private var state = State.closed
    private var open: OpenStream?
    private var interest = (readable: false, writable: false)
    private var credits = 0
    private var busySince: Int64?
    /// What is to be told.
    private var pending: [TransportEvent] = []
    /// Whether the last thing that was told is an attach.
    private var isTold = false
    /// Whether the last piece was all there was, so that reading again would give nothing.
    private var isDrained = false
    /// Whether the owner was woken for what is pending.
    private var isWoken = false
    private var outbox: [ArraySlice<UInt8>] = []
    private var outboxHead = 0
    private var outboxByteCount = 0

    init(_ opener: any StreamOpener) throws(KernelError) {
        self.opener = opener
        poller = try Poller()
    }

    var wakeDescriptor: Int32 { poller.descriptor }

    // MARK: The host's side

    func start() {
        guard case .closed = state else { return }
        busySince = nil
        attempt()
        if !pending.isEmpty { wakeSoon() }
    }

    func grant(_ count: Int) {
        let (sum, overflow) = credits.addingReportingOverflow(max(0, count))
        credits = overflow ? .max : sum
        isDrained = false
        watchStream()
    }

    /// The stream of the reader that the host was told of and that is still there.
    var told: OpenStream? {
        guard isTold, case .attached = state else { return nil }
        return open
    }

    func send(_ bytes: ArraySlice<UInt8>) {
        sendUncoded(told?.coding?.encoded(bytes) ?? bytes)
    }

    /// Sends bytes of the connection itself, which are none of the reader's.
    func sendUncoded(_ bytes: ArraySlice<UInt8>) {
        guard told != nil else { return }
        write(bytes)
    }

    private func write(_ bytes: ArraySlice<UInt8>) {
        guard case .attached = state, let open, !bytes.isEmpty else { return }
        var rest = bytes
        if outboxHead == outbox.count {
            // One that is gone takes nothing; the end of what it sent tells.
            guard let count = try? open.stream.write(rest) else { return }
            rest = rest.dropFirst(count)
            if rest.isEmpty { return }
        }
        guard outbox.count - outboxHead < Self.unitBound,
            outboxByteCount + rest.count <= Self.byteBound
        else { return overflow() }
        outbox.append(rest)
        outboxByteCount += rest.count
        watchStream()
    }

    func stop() {
        if case .closed = state { return }
        if case .opening(let descriptor, _, _) = state {
            poller.remove(descriptor)
            opener.abandon(isLate: false)
        }
        let reason = pending.first { if case .detached = $0 { true } else { false } }
        pending = isTold ? [reason ?? .detached(.closed)] : []
        drop()
        state = .closed
        credits = 0
        if pending.isEmpty { setAlarm(nil) } else { wakeSoon() }
    }

    func nextEvent() -> TransportEvent? {
        if pending.isEmpty { work() }
        if pending.count <= 1, isWoken { sleepAgain() }
        guard !pending.isEmpty else { return nil }
        let event = pending.removeFirst()
        switch event {
        case .attached: isTold = true
        case .detached: isTold = false
        case .received, .featureFinished, .unusable: break
        }
        return event
    }

    private func work() {
        switch state {
        case .closed, .stuck: break
        case .looking(let moment):
            if MonotonicClock.now >= moment { attempt() }
        case .opening(let descriptor, let writable, let limit):
            if MonotonicClock.now >= limit {
                poller.remove(descriptor)
                opener.abandon(isLate: true)
                lookAgain()
            } else {
                proceed(descriptor, writable, limit)
            }
        case .attached: workAttached()
        case .spent:
            guard open?.stream.isPeerClosed != false else { return }
            drop()
            lookAgain()
        }
    }

    // MARK: Looking

    private func attempt() {
        let limit = MonotonicClock.now + Self.attemptLimit
        take(opener.begin(), limit)
    }

    private func proceed(_ descriptor: Int32, _ writable: Bool, _ limit: Int64) {
        let opening = opener.proceed()
        if case .waiting(descriptor, writable) = opening { return }
        poller.remove(descriptor)
        take(opening, limit)
    }

    private func take(_ opening: StreamOpening, _ limit: Int64) {
        if case .busy = opening {} else { busySince = nil }
        switch opening {
        case .open(let stream):
            adopt(stream)
        case .waiting(let descriptor, let writable):
            do throws(KernelError) {
                try poller.add(descriptor, token: 0, readable: !writable, writable: writable)
                state = .opening(descriptor: descriptor, writable: writable, until: limit)
                setAlarm(limit)
            } catch {
                opener.abandon(isLate: false)
                fail(TransportProblem(.failed, error.description))
            }
        case .absent:
            lookAgain()
        case .busy(let problem):
            let now = MonotonicClock.now
            let since = busySince ?? now
            busySince = since
            if now - since >= Self.busyLimit { fail(problem) } else { lookAgain() }
        case .unusable(let problem):
            fail(problem)
        }
    }

    private func adopt(_ stream: OpenStream) {
        setAlarm(nil)
        do throws(KernelError) {
            interest = (credits > 0, false)
            try poller.add(
                stream.stream.descriptor,
                token: 0,
                readable: interest.readable,
                peerClosed: true
            )
        } catch {
            return fail(TransportProblem(.failed, error.description))
        }
        open = stream
        isDrained = false
        state = .attached
        pending.append(.attached(Attachment()))
    }

    private func lookAgain() {
        let moment = MonotonicClock.now + Self.retryInterval
        state = .looking(until: moment)
        setAlarm(moment)
    }

    private func fail(_ problem: TransportProblem) {
        setAlarm(nil)
        state = .stuck
        pending.append(.unusable(problem))
    }

    // MARK: Attached

    private func workAttached() {
        guard let open else { return }
        if outboxHead < outbox.count { flush(open) }
        if isDrained {
            isDrained = false
            return
        }
        guard credits > 0 else {
            if open.stream.isPeerClosed { leave(.left) }
            return
        }
        if !open.early.isEmpty {
            deliver(open.early)
            open.early = []
            return
        }
        switch open.stream.read(upTo: Self.readByteCount) {
        case .bytes(let bytes):
            isDrained = bytes.count < Self.readByteCount
            if open.coding == nil { deliver(bytes) } else { translate(bytes, open) }
        case .nothing: break
        case .end: leave(.left)
        case .failed: leave(.cut)
        }
    }

    private func deliver(_ bytes: [UInt8]) {
        credits -= 1
        if credits == 0 { watchStream() }
        pending.append(.received(TransportUnit(.bytes, bytes[...])))
    }

    /// Takes the reader's bytes out of those of the connection.
    private func translate(_ bytes: [UInt8], _ open: OpenStream) {
        do throws(RFC2217Session.Violation) {
            guard let taken = try open.coding?.receive(bytes) else { return }
            if !taken.data.isEmpty { deliver(taken.data) }
            write(taken.replies[...])
        } catch {
            drop()
            pending.append(.detached(.cut))
            fail(TransportProblem(.failed, "the server was let go: \(error.reason)"))
        }
    }

    private func flush(_ open: OpenStream) {
        while outboxHead < outbox.count {
            let unit = outbox[outboxHead]
            guard let count = try? open.stream.write(unit) else {
                clearOutbox()
                break
            }
            outboxByteCount -= count
            guard count == unit.count else {
                outbox[outboxHead] = unit.dropFirst(count)
                break
            }
            outboxHead += 1
        }
        if outboxHead == outbox.count { clearOutbox() }
        watchStream()
    }

    private func clearOutbox() {
        outbox.removeAll(keepingCapacity: true)
        outboxHead = 0
        outboxByteCount = 0
    }

    private func leave(_ reason: DetachReason) {
        drop()
        pending.append(.detached(reason))
        lookAgain()
    }

    private func overflow() {
        guard let open else { return }
        clearOutbox()
        // Only that it hangs up is waited for.
        change(open, readable: false, writable: false)
        state = .spent
        pending.append(.detached(.overflow))
        wakeSoon()
    }

    private func drop() {
        if let open { poller.remove(open.stream.descriptor) }
        open = nil
        isDrained = false
        clearOutbox()
    }

    private func watchStream() {
        guard case .attached = state, let open else { return }
        change(open, readable: credits > 0, writable: outboxHead < outbox.count)
    }

    private func change(_ open: OpenStream, readable: Bool, writable: Bool) {
        guard (readable, writable) != interest else { return }
        interest = (readable, writable)
        try? poller.change(
            open.stream.descriptor,
            token: 0,
            readable: readable,
            writable: writable,
            peerClosed: true
        )
    }

    /// Wakes the owner, which is inside a call and learns only then what is to be told.
    private func wakeSoon() {
        isWoken = true
        setAlarm(1)
    }

    private func sleepAgain() {
        isWoken = false
        switch state {
        case .closed, .attached, .spent, .stuck: setAlarm(nil)
        case .looking(let moment), .opening(_, _, let moment): setAlarm(moment)
        }
    }

    private func setAlarm(_ moment: Int64?) {
        try? poller.setAlarm(atMonotonicNanoseconds: moment)
    }
}
