public import EventLoops
public import Kernel
public import Transports

/// A reader on a serial line of another machine, behind a server that speaks RFC 2217 such as
/// ser2net; one unit is a piece of the stream.
///
/// It is looked for every 100 ms until the server answers and has set the line up, and again after
/// each detach, until ``close(at:)``. One attempt may take five seconds. Nagle's algorithm is off,
/// and each unit that is sent is one write.
///
/// | from the server | told as |
/// | --- | --- |
/// | it accepted the connection and set the line up | `attached` |
/// | it closes: the line hung up, or another client was let in | `detached(left)` after what came before |
/// | it resets the connection, or vanishes | `detached(cut)` |
/// | it never reads | `detached(overflow)`, once 1,024 units or 1 MiB wait beyond what the kernel keeps |
/// | it breaks RFC 2217: no such control, another speed, a subnegotiation without end | `detached(cut)` if it was attached, and `unusable` with the reason |
///
/// `lineState` asks for DTR and RTS, whose answer is not waited for, since a line without them
/// gives none. Reports and feature requests are dropped.
///
/// - Note: Not `Sendable`: the loop's thread owns it.
public final class RFC2217Transport: LiveTransport {
    private let link: StreamLink
    private let opener: RFC2217Opener

    /// Prepares to look for the reader; nothing is touched before ``open(at:)``.
    ///
    /// - Throws: `KernelError` when the process has no descriptors left.
    public init(_ selector: RFC2217Selector) throws(KernelError) {
        opener = RFC2217Opener(selector)
        link = try StreamLink(opener)
    }

    /// Bounds what the kernel keeps for the connection, for tests of the queue's bound.
    package func setBufferSizes(_ byteCount: Int) { opener.base.bufferByteCount = byteCount }

    /// Readable while there is something to ask ``nextEvent(at:)`` for.
    public var wakeDescriptor: Int32 { link.wakeDescriptor }

    /// Says how far the last attempt came, and what helps.
    public var absence: String { opener.absence }

    /// Always `nil`: the kernel wakes the loop.
    public var nextDue: TimeWindow? { nil }

    /// Begins to connect; the instant is of no interest here.
    public func open(at now: VirtualInstant) { link.start() }

    /// Allows so many more units to be delivered.
    public func grant(credits: Int) { link.grant(credits) }

    /// Sends a unit of the kind `bytes`, or asks for a state of the lines.
    public func send(_ unit: TransportUnit, at now: VirtualInstant) {
        switch unit.kind {
        case .bytes: link.send(unit.payload)
        case .lineState(let dataTerminalReady, let requestToSend):
            let bytes = RFC2217Session.lines(
                dataTerminalReady: dataTerminalReady,
                requestToSend: requestToSend
            )
            link.sendUncoded(bytes[...])
        case .report, .featureSet, .featureGet: break
        }
    }

    /// Closes the connection.
    public func close(at now: VirtualInstant) { link.stop() }

    /// Returns what the connection brought, or `nil`.
    public func nextEvent(at now: VirtualInstant) -> TransportEvent? { link.nextEvent() }
}

/// Connects as TCP does, and then has the server set the line up.
final class RFC2217Opener: StreamOpener {
    let base: TCPOpener
    private let selector: RFC2217Selector
    private var negotiating: OpenStream?
    /// How far the last attempt came once it was connected.
    private var progress: String?

    init(_ selector: RFC2217Selector) {
        self.selector = selector
        base = TCPOpener(selector.server)
    }

    func begin() -> StreamOpening {
        negotiating = nil
        return connected(base.begin())
    }

    func proceed() -> StreamOpening {
        guard let open = negotiating else { return connected(base.proceed()) }
        return negotiate(open)
    }

    func abandon(isLate: Bool) {
        if isLate, let coding = negotiating?.coding { progress = coding.progress }
        if negotiating == nil { base.abandon(isLate: isLate) }
        negotiating = nil
    }

    private func connected(_ opening: StreamOpening) -> StreamOpening {
        guard case .open(let open) = opening else {
            // How far the last connection came is told until it is known how far this one comes.
            if case .waiting = opening { return opening }
            progress = nil
            return opening
        }
        open.coding = RFC2217Session(baud: selector.baud)
        negotiating = open
        guard send(RFC2217Session.opening, to: open) else { return .absent }
        return .waiting(descriptor: open.stream.descriptor, writable: false)
    }

    private func negotiate(_ open: OpenStream) -> StreamOpening {
        while true {
            switch open.stream.read(upTo: StreamLink.readByteCount) {
            case .bytes(let bytes):
                do throws(RFC2217Session.Violation) {
                    guard let taken = try open.coding?.receive(bytes) else { return .absent }
                    open.early += taken.data
                    guard open.early.count <= Self.earlyBound else {
                        throw RFC2217Session.Violation(
                            reason: "it sent \(open.early.count) bytes before the line was set up"
                        )
                    }
                    guard send(taken.replies, to: open) else { return fail("it hung up") }
                } catch {
                    return .unusable(problem(error.reason))
                }
                if open.coding?.isReady == true {
                    negotiating = nil
                    progress = nil
                    return .open(open)
                }
            case .nothing:
                return .waiting(descriptor: open.stream.descriptor, writable: false)
            case .end, .failed:
                return fail("it hung up before the line was set up")
            }
        }
    }

    /// What may come from the line before it is set up.
    private static let earlyBound = 65_536

    private func fail(_ reason: String) -> StreamOpening {
        negotiating = nil
        progress = reason
        return .absent
    }

    func problem(_ reason: String) -> TransportProblem {
        TransportProblem(.failed, "the server at \(selector.server.address) was let go: \(reason)")
    }

    /// Sends a few bytes, for which a connection that was just made has room.
    private func send(_ bytes: [UInt8], to open: OpenStream) -> Bool {
        guard !bytes.isEmpty else { return true }
        return (try? open.stream.write(bytes[...])) == bytes.count
    }

    var absence: String {
        guard let progress else { return base.absence }
        return "\(selector.server.address) was connected, but \(progress); see that it is the "
            + "RFC 2217 port (ser2net: `accepter: telnet(rfc2217),tcp,PORT`), that the reader is "
            + "plugged in at that machine, and that no other client has it; a raw port is reached "
            + "by tcp:\(selector.server.address)"
    }
}
