public import Kernel
public import USBIP

/// The reader's side of USB/IP: a kernel elsewhere attaches a simulated reader here, one at a time.
///
/// Anybody may ask for the list, also while a client has the device; a second import is refused as
/// busy. While the reader is unplugged nothing is listed and nothing can be imported, and the
/// client that had it loses its connection, which its kernel takes for a detach.
///
/// The owner watches with one `Poller`, hands each of ``tokens`` that was ready to ``note(_:)``, and
/// then takes ``nextEvent()`` until it is `nil`. Nothing here blocks, and whoever sends what cannot
/// be right, does not read, or says nothing for ``usualSilenceLimit`` is let go with the reason.
public final class USBIPServer {
    /// What happened.
    public enum Event: Hashable, Sendable {
        /// A client has the device; they are counted from 1.
        case imported(client: Int, from: String)
        /// It sent a command; the offset is where that ended in its connection.
        case command(USBIPCommand, endingAt: Int)
        /// It is gone, or was let go.
        case left(client: Int, StreamServer.Leaving)
        /// Somebody asked for the list.
        case listed(from: String)
        /// Somebody was let go who never had the device.
        case refused(from: String, reason: String)
    }

    /// How many connections there may be at once.
    public static let connectionBound = 8
    /// How many bytes may wait for a client, beyond what the kernel keeps.
    public static let outboxBound = 1 << 18
    /// How long a client without the device may take to say what it wants, in nanoseconds.
    public static let usualSilenceLimit: Int64 = 5_000_000_000

    /// Somebody who is connected.
    private final class Connection {
        let client: ServedClient
        let token: UInt64
        let from: String
        let deadline: Int64
        var decoder = USBIPDecoder()
        var isReadable = true
        /// Whether it is let go as soon as it has what was sent.
        var isEnding = false

        init(_ client: ServedClient, token: UInt64, from: String, deadline: Int64) {
            self.client = client
            self.token = token
            self.from = from
            self.deadline = deadline
        }
    }

    /// The tokens of its descriptors at the owner's poller.
    public let tokens: Range<UInt64>
    /// Where it listens, with the port that the system picked for port 0.
    public private(set) var address: SocketAddress
    /// What is given out while the reader is plugged in.
    public private(set) var export: USBIPExport?
    private let poller: Poller
    private let listener: Listening
    private var connections: [Connection] = []
    private var nextToken: UInt64
    private var importer: Connection?
    private var importCount = 0
    private var pending: [Event] = []
    private var hasVisitor = false
    private var silenceLimit = USBIPServer.usualSilenceLimit

    /// Listens; nothing can be imported before ``plugIn(_:)``.
    ///
    /// - Parameters:
    ///   - address: Where; port 0 lets the system pick one.
    ///   - poller: The owner's.
    ///   - firstToken: The first of 2^32 tokens that nobody else uses there.
    /// - Throws: `KernelError` when the address cannot be had.
    public init(
        at address: SocketAddress,
        poller: Poller,
        firstToken: UInt64
    ) throws(KernelError) {
        self.poller = poller
        tokens = firstToken..<(firstToken + (1 << 32))
        nextToken = firstToken + 1
        let listener = try TCPListener(at: address)
        try poller.add(listener.descriptor, token: firstToken)
        self.address = listener.address
        self.listener = Listening(listener)
    }

    /// Whether the reader can be imported.
    public var isPluggedIn: Bool { export != nil }
    /// Whether a client has it.
    public var hasClient: Bool { importer != nil }
    /// Whether ``nextEvent()`` has something, without waiting for the poller.
    public var hasMore: Bool {
        !pending.isEmpty || hasVisitor || connections.contains { $0.isReadable && !$0.isEnding }
    }
    /// When somebody has been silent for too long, in nanoseconds of `MonotonicClock`.
    public var nextDeadline: Int64? {
        connections.lazy.filter { $0 !== self.importer }.map(\.deadline).min()
    }

    /// Changes how long a client without the device may be silent, in nanoseconds; for tests.
    package func setSilenceLimit(_ nanoseconds: Int64) { silenceLimit = nanoseconds }

    // MARK: The reader's side

    /// Lets clients import a device.
    public func plugIn(_ export: USBIPExport) { self.export = export }

    /// Takes the device away from whoever has it.
    public func unplug() {
        export = nil
        letGo(.unplugged)
    }

    /// Answers the client that has the device.
    public func send(_ answer: USBIPReturn) {
        guard let importer else { return }
        importer.client.send(answer.bytes[...])
        let waiting = importer.client.outboxByteCount
        if waiting > Self.outboxBound {
            letGo(.didNotRead(byteCount: waiting))
        } else {
            watch(importer)
        }
    }

    /// Lets the client go that has the device; the next one may import it.
    public func letGo(_ reason: StreamServer.Leaving) {
        guard let importer else { return }
        end(importer, reason)
    }

    // MARK: What happens

    /// Takes note that a descriptor is ready.
    public func note(_ readiness: Readiness) {
        if readiness.token == tokens.lowerBound {
            hasVisitor = true
        } else if let connection = connections.first(where: { $0.token == readiness.token }) {
            if readiness.isWritable { connection.client.flush() }
            if readiness.isReadable || readiness.isHungUp || readiness.isPeerClosed {
                connection.isReadable = true
            }
            watch(connection)
        }
    }

    /// Looks for what has happened, as if everything had been ready: before a hand acts, whoever
    /// came earlier must have been let in.
    public func look() {
        hasVisitor = true
        for connection in connections { connection.isReadable = true }
    }

    /// Returns the next thing that happened, or `nil` when nothing more is ready.
    ///
    /// At most one piece of at most 16 KiB is read in each call, so that the owner keeps the say.
    public func nextEvent() -> Event? {
        dropTheSilent()
        if pending.isEmpty, let first = connections.first(where: { $0.isReadable }) { read(first) }
        if pending.isEmpty, hasVisitor { answerDoor() }
        return pending.isEmpty ? nil : pending.removeFirst()
    }

    private func dropTheSilent() {
        let now = MonotonicClock.now
        for connection in connections where connection !== importer && connection.deadline <= now {
            let seconds = silenceLimit / 1_000_000_000
            let reason =
                connection.isEnding ? "it does not read" : "it said nothing for \(seconds) s"
            end(connection, .dropped(reason))
        }
    }

    private func answerDoor() {
        guard let accepted = try? listener.listener.accept() else {
            hasVisitor = false
            return
        }
        let from = accepted.peer.description
        let open = OpenStream(accepted.takeStream())
        guard connections.count < Self.connectionBound else {
            pending.append(
                .refused(from: from, reason: "\(Self.connectionBound) others are connected")
            )
            return
        }
        let connection = Connection(
            ServedClient(number: 0, .tcp(open)),
            token: nextToken,
            from: from,
            deadline: MonotonicClock.now + silenceLimit
        )
        do throws(KernelError) {
            try poller.add(connection.client.descriptor, token: nextToken, peerClosed: true)
        } catch {
            return
        }
        nextToken += 1
        connections.append(connection)
    }

    private func read(_ connection: Connection) {
        switch connection.client.read() {
        case .bytes(let bytes):
            connection.isReadable = bytes.count == StreamLink.readByteCount
            // Whoever has got its answer has nothing more to say.
            if !connection.isEnding { take(bytes[...], from: connection) }
        case .nothing: connection.isReadable = false
        case .failed: end(connection, .reset)
        case .end:
            do throws(USBIPError) {
                try connection.decoder.finish()
                end(connection, .hungUp)
            } catch {
                end(connection, .dropped(error.description))
            }
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>, from connection: Connection) {
        connection.decoder.append(bytes)
        do throws(USBIPError) {
            while !connection.isEnding, let message = try connection.decoder.next() {
                switch message {
                case .command(let command):
                    pending.append(.command(command, endingAt: connection.decoder.offset))
                case .request(.list):
                    pending.append(.listed(from: connection.from))
                    answer(.list(export.map { [$0] } ?? []), to: connection)
                    connection.isEnding = true
                case .request(.take(let busID)):
                    give(busID, to: connection)
                }
            }
        } catch {
            end(connection, .dropped(error.description))
        }
        if connection.isEnding { watch(connection) }
    }

    private func give(_ busID: String, to connection: Connection) {
        let refusal: (USBIPReply.Refusal, String)? =
            if let export, export.busID != busID {
                (.noDevice, "it wants another device; this one is \(export.busID)")
            } else if export == nil {
                (.noDevice, "the reader is not plugged in")
            } else if importer != nil {
                (.busy, "another client has the reader")
            } else {
                nil
            }
        guard refusal == nil, let export else {
            let (code, reason) = refusal ?? (.failed, "there is no device")
            answer(.refused(code), to: connection)
            pending.append(.refused(from: connection.from, reason: reason))
            connection.isEnding = true
            return
        }
        answer(.taken(export), to: connection)
        connection.decoder.expectCommands(to: export.deviceID)
        importer = connection
        importCount += 1
        pending.append(.imported(client: importCount, from: connection.from))
    }

    private func answer(_ reply: USBIPReply, to connection: Connection) {
        connection.client.send(reply.bytes[...])
        watch(connection)
    }

    /// Watches for what is wanted, and closes what has got all.
    private func watch(_ connection: Connection) {
        if connection.isEnding, connection.client.outboxByteCount == 0 {
            remove(connection)
            return
        }
        let interest = (
            readable: !connection.isEnding, writable: connection.client.outboxByteCount > 0
        )
        guard interest != connection.client.interest else { return }
        connection.client.interest = interest
        try? poller.change(
            connection.client.descriptor,
            token: connection.token,
            readable: interest.readable,
            writable: interest.writable,
            peerClosed: interest.readable
        )
    }

    private func end(_ connection: Connection, _ reason: StreamServer.Leaving) {
        let isImporter = importer === connection
        remove(connection)
        if isImporter {
            // Commands of a client that is gone are nobody's.
            pending.removeAll { if case .command = $0 { true } else { false } }
            pending.append(.left(client: importCount, reason))
        } else if !connection.isEnding {
            pending.append(.refused(from: connection.from, reason: reason.description))
        }
    }

    private func remove(_ connection: Connection) {
        connection.isReadable = false
        poller.remove(connection.client.descriptor)
        connections.removeAll { $0 === connection }
        if importer === connection { importer = nil }
    }
}
