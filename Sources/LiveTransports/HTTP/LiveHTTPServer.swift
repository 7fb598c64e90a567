public import EventLoops
public import HTTPServer
public import Kernel
public import Transports

/// A web server on the loop, with a fault injector in front of it.
///
/// It accepts connections itself and has libmicrohttpd speak HTTP, and TLS, on them; what that
/// library cannot do (a reset on demand, an answer that is none, silence) is played on the socket
/// itself, on a fresh connection as on one that is used again.
///
/// The owner watches with one `Poller`, hands each of ``tokens`` that was ready to ``note(_:)``, and
/// calls ``work(_:)`` after that and at ``nextWork``. Nothing here blocks, and what clients ask for
/// is bounded by ``HTTPServerLimits``.
public final class LiveHTTPServer {
    /// A whole request that came.
    public struct Arrival: Hashable, Sendable {
        /// By which it is answered later.
        public var number: Int
        /// The request; its path is without the query.
        public var request: HTTPRequest
        /// What follows the question mark in the address; empty without one.
        public var query: String
    }

    /// What a client sees of a request's end.
    public enum Reply: Hashable, Sendable {
        /// This response, so long after the request came.
        case answer(HTTPResponse, after: VirtualDuration)
        /// Nothing, until the client gives up or ``silenceLimit`` is over.
        case silence
        /// A reset so long after the request came.
        case reset(after: VirtualDuration)
        /// These bytes as they are in place of a response, and the end of the connection; with TLS
        /// they break the session.
        case bytes([UInt8], after: VirtualDuration)
        /// ``reply(_:to:)`` says.
        case later
    }

    /// How long silence is kept, in nanoseconds: 10 minutes.
    public static let silenceLimit: Int64 = 600_000_000_000

    /// How often it is looked who hung up, in nanoseconds.
    private static let sweepPause: Int64 = 250_000_000

    private struct Waiting {
        var due: Int64
        var number: Int
        var reply: Reply
    }

    /// The tokens of its descriptors at the owner's poller.
    public let tokens: Range<UInt64>
    /// Where it listens.
    public let address: SocketAddress
    /// Whether it is reached by `https`.
    public var isEncrypted: Bool { connections.isEncrypted }
    /// How much a client may ask for.
    public var limits: HTTPServerLimits { connections.limits }
    /// How many connections are to be reset as soon as they are made, before anything is read.
    public var connectionsToReset = 0
    /// How many connections were reset because there were too many.
    public private(set) var turnedAwayCount = 0

    private let poller: Poller
    private let connections: HTTPConnections
    private var door: Door?
    private var waiting: [Waiting] = []
    private var silent: [(number: Int, until: Int64)] = []
    private var nextSilenceCheck = Int64.max
    private var nextOpening: Int64?
    private var nextSweep = Int64.max
    private var hasVisitor = false
    private var isStopped = false

    private final class Door {
        let listener: TCPListener
        init(_ listener: consuming TCPListener) { self.listener = listener }
    }

    private var doorToken: UInt64 { tokens.lowerBound }

    /// Listens.
    ///
    /// - Parameters:
    ///   - place: Where; port 0 lets the system pick one.
    ///   - limits: How much a client may ask for.
    ///   - certificate: A certificate chain and its key in PEM; `nil` does not encrypt.
    ///   - poller: The owner's.
    ///   - firstToken: The first of two tokens that nobody else uses there.
    /// - Throws: `KernelError` when the address cannot be had; ``TransportProblem`` when the
    ///   library cannot be set up, or the key does not fit the certificate.
    public init(
        at place: SocketAddress,
        limits: HTTPServerLimits = HTTPServerLimits(),
        certificate: (chain: String, key: String)? = nil,
        poller: Poller,
        firstToken: UInt64
    ) throws {
        guard let connections = HTTPConnections(limits: limits, certificate: certificate) else {
            throw TransportProblem(
                .failed,
                certificate == nil
                    ? "libmicrohttpd cannot be set up"
                    : "the certificate or its key cannot be used: both must be PEM, and fit"
            )
        }
        let listener = try TCPListener(at: place)
        self.poller = poller
        self.connections = connections
        tokens = firstToken..<(firstToken + 2)
        address = listener.address
        try poller.add(listener.descriptor, token: firstToken)
        try poller.add(connections.descriptor, token: firstToken + 1)
        door = Door(listener)
    }

    /// How many connections there are.
    public var connectionCount: Int { connections.connectionCount }
    /// How many requests are neither answered nor met with silence.
    public var waitingCount: Int { waiting.count }
    /// How many requests were refused for what they are.
    public var refusedCount: Int { connections.refusedCount }
    /// How many connections took longer than the limits allow.
    public var expiredCount: Int { connections.expiredCount }

    /// Takes note that one of ``tokens`` was ready.
    public func note(_ readiness: Readiness) {
        if readiness.token == doorToken { hasVisitor = true }
    }

    /// When ``work(_:)`` has something to do by itself, in nanoseconds of `MonotonicClock`.
    public var nextWork: Int64 {
        var next = min(connections.nextExpiry, nextSilenceCheck)
        if let due = waiting.first?.due { next = min(next, due) }
        if let nextOpening { next = min(next, nextOpening) }
        if connections.connectionCount > 0 { next = min(next, nextSweep) }
        if let pause = connections.waitMilliseconds {
            next = min(next, pause == 0 ? 0 : MonotonicClock.now + Int64(pause) * 1_000_000)
        }
        return next
    }

    /// Lets clients in, reads, answers what is due, and ends what takes too long.
    ///
    /// - Parameter serve: What to do about a request that is whole.
    public func work(_ serve: (Arrival) -> Reply) {
        let now = MonotonicClock.now
        if let opening = nextOpening, opening <= now { open(at: now) }
        letIn(at: now)
        carryOutDue(at: now)
        withoutActuallyEscaping(serve) { serve in
            connections.run(at: now) { [self] incoming in
                react(to: incoming, serve(Self.arrival(incoming)), at: now)
            }
        }
        checkSilence(at: now)
        connections.expire(at: now)
        if now >= nextSweep {
            connections.sweep()
            nextSweep = now + Self.sweepPause
        }
        while let number = connections.nextLeft() { forget(number) }
    }

    /// Says what a client sees of a request whose reply was ``Reply/later``.
    public func reply(_ reply: Reply, to number: Int) {
        schedule(reply, number, at: MonotonicClock.now)
    }

    // MARK: Faults and the end

    /// Is not there for a while: connecting is refused, as if nobody listened.
    public func goDown(for duration: VirtualDuration) {
        guard !isStopped else { return }
        closeDoor()
        nextOpening = MonotonicClock.now + duration.nanoseconds
    }

    /// Lets nobody in any more.
    public func stopListening() {
        isStopped = true
        nextOpening = nil
        closeDoor()
    }

    /// Ends every connection; only for the end.
    public func stop() {
        stopListening()
        poller.remove(connections.descriptor)
        connections.stop()
        waiting.removeAll()
        silent.removeAll()
    }

    private func closeDoor() {
        if let door { poller.remove(door.listener.descriptor) }
        door = nil
        hasVisitor = false
    }

    private func open(at now: Int64) {
        do throws(KernelError) {
            if let door {
                try poller.add(door.listener.descriptor, token: doorToken)
            } else {
                let listener = try TCPListener(at: address)
                try poller.add(listener.descriptor, token: doorToken)
                door = Door(listener)
            }
            nextOpening = nil
            hasVisitor = true
        } catch {
            nextOpening = now + 100_000_000
        }
    }

    private func letIn(at now: Int64) {
        guard hasVisitor, let door else { return }
        hasVisitor = false
        do throws(KernelError) {
            // Some at a time, so that those who are in are served; the poller tells of the rest.
            for _ in 0..<64 {
                guard let socket = try door.listener.acceptDescriptor() else { return }
                if connections.connectionCount == 0 { nextSweep = now + Self.sweepPause }
                let number = connections.adopt(socket.release(), at: now)
                if number == nil { turnedAwayCount += 1 }
                if let number, connectionsToReset > 0 {
                    connectionsToReset -= 1
                    connections.reset(number)
                }
            }
        } catch {
            // No descriptors are left: until some are, nobody is let in.
            poller.remove(door.listener.descriptor)
            nextOpening = now + 100_000_000
        }
    }

    // MARK: Replies

    private static func arrival(_ incoming: HTTPIncoming) -> Arrival {
        let target = incoming.target
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        return Arrival(
            number: incoming.connection,
            request: HTTPRequest(
                method: incoming.method,
                path: mark.map { String(target[..<$0]) } ?? target,
                contentType: incoming.contentType,
                fields: incoming.fields.map { HTTPField($0.0, $0.1) },
                body: incoming.body
            ),
            query: mark.map { String(target[target.utf8.index(after: $0)...]) } ?? ""
        )
    }

    private func react(
        to incoming: HTTPIncoming,
        _ reply: Reply,
        at now: Int64
    ) -> HTTPConnections.Reaction {
        if case .answer(let response, let delay) = reply, delay.nanoseconds <= 0 {
            return .answer(Self.outgoing(response))
        }
        schedule(reply, incoming.connection, at: now)
        return .later
    }

    private func schedule(_ reply: Reply, _ number: Int, at now: Int64) {
        let delay: VirtualDuration
        switch reply {
        case .later: return
        case .silence:
            silent.append((number, now + Self.silenceLimit))
            nextSilenceCheck = min(nextSilenceCheck, now + 500_000_000)
            return
        case .answer(_, let after), .reset(let after), .bytes(_, let after): delay = after
        }
        let due = now + max(0, delay.nanoseconds)
        let index = waiting.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
        waiting.insert(Waiting(due: due, number: number, reply: reply), at: index)
    }

    private func carryOutDue(at now: Int64) {
        var count = 0
        while count < waiting.count, waiting[count].due <= now {
            let next = waiting[count]
            count += 1
            switch next.reply {
            case .answer(let response, _):
                connections.answer(Self.outgoing(response), on: next.number)
            case .reset: connections.reset(next.number)
            case .bytes(let bytes, _): connections.end(next.number, saying: bytes)
            case .silence, .later: break
            }
        }
        waiting.removeFirst(count)
    }

    private func checkSilence(at now: Int64) {
        guard now >= nextSilenceCheck else { return }
        for (number, until) in silent where until <= now || connections.isAbandoned(number) {
            connections.reset(number)
        }
        nextSilenceCheck = silent.isEmpty ? Int64.max : now + 500_000_000
    }

    private func forget(_ number: Int) {
        waiting.removeAll { $0.number == number }
        silent.removeAll { $0.number == number }
    }

    private static func outgoing(_ response: HTTPResponse) -> HTTPOutgoing {
        HTTPOutgoing(
            status: response.status,
            contentType: response.contentType,
            body: response.body,
            allowed: response.status == 405 ? "POST" : ""
        )
    }
}
