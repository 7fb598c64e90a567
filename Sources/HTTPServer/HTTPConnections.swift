import CLibMicroHTTPD

/// Connections to a server, on libmicrohttpd with an epoll descriptor of its own, which the owner
/// watches.
///
/// The owner accepts the sockets and hands them over with ``adopt(_:at:)``. Whenever ``descriptor``
/// is readable, and when ``waitMilliseconds`` are over, it calls ``run(at:serve:)``, and at
/// ``nextExpiry`` it calls ``expire(at:)``. Nothing blocks, and nothing a client sends is kept beyond
/// the limits. All calls come from the loop's thread.
public final class HTTPConnections {
    /// What is done about a request when it is whole.
    public enum Reaction: Hashable, Sendable {
        /// This is the answer.
        case answer(HTTPOutgoing)
        /// ``answer(_:on:)``, ``reset(_:)`` or ``end(_:)`` comes later.
        case later
    }

    /// How much a client may ask for.
    public let limits: HTTPServerLimits
    /// Whether connections are encrypted.
    public let isEncrypted: Bool
    /// The descriptor that is readable when ``run(at:serve:)`` has something to do.
    public let descriptor: Int32
    /// How many requests were refused for what they are.
    public private(set) var refusedCount = 0
    /// How many connections took longer than the limits allow.
    public private(set) var expiredCount = 0

    private var daemon: OpaquePointer?
    private var connections: [Int: HTTPConnection] = [:]
    private var count = 0
    private var left: [Int] = []
    private var bodyByteCount = 0
    private var earliestExpiry = Int64.max
    private var now: Int64 = 0
    /// Whether the library has to be told to look at connections that go on.
    private var hasResumed = false
    private var serve: ((HTTPIncoming) -> Reaction)?

    /// Creates a server without connections, or returns `nil` when the library cannot be set up,
    /// which a key that does not fit its certificate causes.
    ///
    /// - Parameters:
    ///   - limits: How much a client may ask for.
    ///   - certificate: The certificate chain and its private key in PEM; `nil` does not encrypt.
    public init?(
        limits: HTTPServerLimits,
        certificate: (chain: String, key: String)?
    ) {
        self.limits = limits
        isEncrypted = certificate != nil
        let context = UnsafeMutablePointer<Unmanaged<HTTPConnections>?>.allocate(capacity: 1)
        context.initialize(to: nil)
        self.context = context
        let complaints = UnsafeMutablePointer<cardrig_mhd_complaints>.allocate(capacity: 1)
        complaints.initialize(
            to: cardrig_mhd_complaints(complained: libraryComplained, context: context)
        )
        self.complaints = complaints
        guard
            let daemon = cardrig_mhd_start(
                context,
                UInt32(limits.connectionCount),
                limits.headerByteCount,
                certificate?.key,
                certificate?.chain,
                complaints,
                lineCame,
                requestCame,
                requestEnded,
                connectionChanged
            )
        else {
            complaints.deallocate()
            context.deallocate()
            return nil
        }
        self.daemon = daemon
        descriptor = cardrig_mhd_epoll(daemon)
        context.pointee = Unmanaged.passUnretained(self)
    }

    /// Where the library finds this object; set once the object is whole.
    private let context: UnsafeMutablePointer<Unmanaged<HTTPConnections>?>
    private let complaints: UnsafeMutablePointer<cardrig_mhd_complaints>

    deinit {
        stop()
        complaints.deallocate()
        context.deallocate()
    }

    /// Ends every connection; nothing comes after that.
    public func stop() {
        guard let daemon else { return }
        // The library wants nothing suspended when it stops.
        for connection in connections.values where connection.isSuspended {
            connection.isDoomed = true
            resume(connection)
        }
        MHD_stop_daemon(daemon)
        self.daemon = nil
        connections.removeAll()
    }

    // MARK: The owner's side

    /// How many connections there are.
    public var connectionCount: Int { connections.count }

    /// Takes a connected socket over, which is closed when its connection ends.
    ///
    /// - Returns: The connection's number; `nil` when there are too many, and the socket is closed.
    public func adopt(_ socket: Int32, at now: Int64) -> Int? {
        guard let daemon, connections.count < limits.connectionCount else {
            cardrig_socket_reset(socket)
            cardrig_socket_close(socket)
            return nil
        }
        self.now = now
        count += 1
        let connection = HTTPConnection(number: count, descriptor: socket, since: now)
        connections[count] = connection
        adopting = connection
        defer { adopting = nil }
        guard cardrig_mhd_adopt(daemon, socket) != 0 else {
            connections[count] = nil
            return nil
        }
        earliestExpiry = min(earliestExpiry, now + limits.requestNanoseconds)
        return count
    }

    /// The connection that is being handed over.
    fileprivate var adopting: HTTPConnection?

    /// Lets the library read, and has every request served that is whole.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds of a clock that never jumps.
    ///   - serve: Called for each request; it may answer others from within.
    public func run(at now: Int64, serve: @escaping (HTTPIncoming) -> Reaction) {
        guard let daemon else { return }
        self.now = now
        hasResumed = false
        self.serve = serve
        MHD_run(daemon)
        self.serve = nil
    }

    /// In how many milliseconds ``run(at:serve:)`` has something to do by itself; `nil` when nothing.
    public var waitMilliseconds: Int? {
        guard let daemon else { return nil }
        if hasResumed { return 0 }
        var timeout: UInt64 = 0
        return MHD_get_timeout(daemon, &timeout) == .YES ? Int(clamping: timeout) : nil
    }

    /// Answers a request whose reaction was ``Reaction/later``; a connection that is gone is ignored.
    public func answer(_ outgoing: HTTPOutgoing, on number: Int) {
        guard let connection = connections[number], connection.phase == .served else { return }
        if !queue(outgoing, on: connection) { connection.isDoomed = true }
        resume(connection)
    }

    /// Cuts a connection: the client sees a reset.
    public func reset(_ number: Int) {
        guard let connection = connections[number] else { return }
        cardrig_socket_reset(connection.descriptor)
        connection.isDoomed = true
        resume(connection)
    }

    /// Ends a connection after sending bytes as they are, when it is not encrypted.
    public func end(_ number: Int, saying bytes: [UInt8] = []) {
        guard let connection = connections[number] else { return }
        end(connection, saying: bytes)
    }

    /// Returns a connection that is gone since the last call, or `nil`.
    public func nextLeft() -> Int? { left.isEmpty ? nil : left.removeFirst() }

    /// Whether the client of a connection is gone, or sends no more.
    public func isAbandoned(_ number: Int) -> Bool {
        connections[number].map { cardrig_socket_is_abandoned($0.descriptor) != 0 } ?? true
    }

    // MARK: Time

    /// When ``expire(at:)`` may have something to do; `Int64.max` when nothing.
    public var nextExpiry: Int64 { connections.isEmpty ? Int64.max : earliestExpiry }

    /// Ends connections whose client takes too long to send a request or to read an answer.
    public func expire(at now: Int64) {
        guard now >= earliestExpiry else { return }
        self.now = now
        var next = Int64.max
        for connection in connections.values where connection.phase != .served {
            let due = connection.since + limits.requestNanoseconds
            if due > now {
                next = min(next, due)
            } else {
                expiredCount += 1
                connection.since = now
                next = min(next, now + limits.requestNanoseconds)
                end(connection, saying: connection.phase == .receiving ? requestTimeout : [])
            }
        }
        earliestExpiry = next
    }

    /// Ends connections whose client hung up in the middle of a request.
    ///
    /// The library, which is told of changes only, misses an end that comes together with data.
    public func sweep() {
        // One that sends no more may still read its answer.
        for connection in connections.values
        where connection.phase != .served && connection.phase != .answering {
            if cardrig_socket_is_abandoned(connection.descriptor) != 0 {
                cardrig_socket_reset(connection.descriptor)
                connection.isDoomed = true
            }
        }
    }

    // MARK: The library's side

    fileprivate func line(_ target: UnsafePointer<CChar>, on connection: HTTPConnection) {
        connection.request = HTTPIncoming(connection: connection.number)
        connection.beginHead(target)
        connection.phase = .line
    }

    /// Refuses requests before the library does, which sends the head of its answer twice when a
    /// field is wrong (0.9.75).
    ///
    /// It does not say which connection it complains of: those are looked at whose heads are coming.
    fileprivate func refuseWhatIsComplainedOf() {
        for connection in connections.values where connection.phase == .line {
            connection.readFields()
            guard let status = connection.lengthRefusal(limits), !connection.isDoomed else {
                continue
            }
            refusedCount += 1
            if !isEncrypted { connection.say(rawAnswer(status)) }
            cardrig_socket_end(connection.descriptor)
            connection.isDoomed = true
        }
    }

    fileprivate func head(
        _ connection: HTTPConnection,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> MHD_Result {
        connection.request.method = String(cString: method)
        connection.readFields(behind: version, method: method)
        if let status = connection.refusal(limits) { return refuse(status, connection) }
        guard bodyByteCount + (connection.announcedByteCount ?? 0) <= limits.totalBodyByteCount
        else { return refuse(503, connection) }
        connection.phase = .receiving
        return .YES
    }

    fileprivate func body(
        _ connection: HTTPConnection,
        _ bytes: UnsafeRawBufferPointer
    )
        -> MHD_Result
    {
        guard connection.request.body.count + bytes.count <= limits.bodyByteCount,
            bodyByteCount + bytes.count <= limits.totalBodyByteCount
        else {
            // The library takes no answer in the middle of a body.
            refusedCount += 1
            if !isEncrypted { connection.say(bodyTooLong) }
            return .NO
        }
        bodyByteCount += bytes.count
        connection.request.body.append(contentsOf: bytes)
        return .YES
    }

    fileprivate func whole(_ connection: HTTPConnection) -> MHD_Result {
        connection.phase = .served
        switch serve?(connection.request) ?? .later {
        case .answer(let outgoing): return queue(outgoing, on: connection) ? .YES : .NO
        case .later:
            if connection.isDoomed { return .NO }
            connection.isSuspended = true
            MHD_suspend_connection(connection.raw)
            return .YES
        }
    }

    fileprivate func ended(_ connection: HTTPConnection) {
        bodyByteCount -= connection.request.body.count
        connection.request = HTTPIncoming(connection: connection.number)
        connection.phase = .idle
        connection.since = now
        earliestExpiry = min(earliestExpiry, now + limits.requestNanoseconds)
    }

    fileprivate func closed(_ connection: HTTPConnection) {
        connection.raw = nil
        if connections.removeValue(forKey: connection.number) != nil {
            left.append(connection.number)
        }
    }

    private func refuse(_ status: Int, _ connection: HTTPConnection) -> MHD_Result {
        refusedCount += 1
        let text = Array("\(status) \(reason(status))\n".utf8)
        let outgoing = HTTPOutgoing(
            status: status,
            contentType: "text/plain",
            body: text,
            closes: true
        )
        return queue(outgoing, on: connection) ? .YES : .NO
    }

    private func queue(_ outgoing: HTTPOutgoing, on connection: HTTPConnection) -> Bool {
        connection.phase = .answering
        connection.since = now
        earliestExpiry = min(earliestExpiry, now + limits.requestNanoseconds)
        let response = outgoing.body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY
            )
        }
        guard let response else { return false }
        defer { MHD_destroy_response(response) }
        if !outgoing.contentType.isEmpty {
            MHD_add_response_header(response, "Content-Type", outgoing.contentType)
        }
        if !outgoing.allowed.isEmpty {
            MHD_add_response_header(response, "Allow", outgoing.allowed)
        }
        if outgoing.closes { MHD_add_response_header(response, "Connection", "close") }
        return MHD_queue_response(connection.raw, UInt32(outgoing.status), response) == .YES
    }

    private func resume(_ connection: HTTPConnection) {
        guard connection.isSuspended else { return }
        connection.isSuspended = false
        hasResumed = true
        MHD_resume_connection(connection.raw)
    }

    private func end(_ connection: HTTPConnection, saying bytes: [UInt8]) {
        if !isEncrypted, !bytes.isEmpty { connection.say(bytes) }
        cardrig_socket_end(connection.descriptor)
        connection.isDoomed = true
        resume(connection)
    }
}

// The library calls these from within calls of its owner, on the same thread.

private func owner(_ context: UnsafeMutableRawPointer?) -> HTTPConnections? {
    context?.assumingMemoryBound(to: Unmanaged<HTTPConnections>?.self).pointee?
        .takeUnretainedValue()
}

private func connection(_ pointer: UnsafeMutableRawPointer?) -> HTTPConnection? {
    pointer.map { Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue() }
}

private func connectionChanged(
    _ context: UnsafeMutableRawPointer?,
    _ raw: OpaquePointer?,
    _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    guard let connections = owner(context), let socketContext else { return }
    if cardrig_mhd_is_beginning(change) != 0 {
        guard let adopting = connections.adopting else { return }
        adopting.raw = raw
        socketContext.pointee = Unmanaged.passRetained(adopting).toOpaque()
    } else if let pointer = socketContext.pointee {
        let connection = Unmanaged<HTTPConnection>.fromOpaque(pointer).takeRetainedValue()
        socketContext.pointee = nil
        connections.closed(connection)
    }
}

private func libraryComplained(_ context: UnsafeMutableRawPointer?) {
    owner(context)?.refuseWhatIsComplainedOf()
}

private func lineCame(
    _ context: UnsafeMutableRawPointer?,
    _ target: UnsafePointer<CChar>?,
    _ raw: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let connections = owner(context), let target,
        let pointer = cardrig_mhd_socket_context(raw), let connection = connection(pointer)
    else { return nil }
    connections.line(target, on: connection)
    return pointer
}

private func requestCame(
    _ context: UnsafeMutableRawPointer?,
    _ raw: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?,
    _ bytes: UnsafePointer<CChar>?,
    _ byteCount: UnsafeMutablePointer<Int>?,
    _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let connections = owner(context), let method, let version, let byteCount,
        let connection = connection(requestContext?.pointee), !connection.isDoomed
    else { return .NO }
    switch connection.phase {
    case .line: return connections.head(connection, method: method, version: version)
    case .receiving:
        guard byteCount.pointee > 0 else { return connections.whole(connection) }
        let piece = UnsafeRawBufferPointer(start: bytes, count: byteCount.pointee)
        byteCount.pointee = 0
        return connections.body(connection, piece)
    case .idle, .served, .answering: return .NO
    }
}

private func requestEnded(
    _ context: UnsafeMutableRawPointer?,
    _ raw: OpaquePointer?,
    _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ end: MHD_RequestTerminationCode
) {
    guard let connections = owner(context), let connection = connection(requestContext?.pointee)
    else { return }
    requestContext?.pointee = nil
    connections.ended(connection)
}
