public import Kernel

/// The reader's side of a stream: programs reach a simulated reader here, one at a time.
///
/// | on TCP | on a pty |
/// | --- | --- |
/// | plugged in, it listens; unplugged, connecting is refused | plugged in, the far side exists, under a link that stays; unplugged it is gone |
/// | a second program is refused while the first is there | the serial line is exclusive |
/// | a program that sends no more gets what is due to it and is let go | the program leaves when it closes the line |
///
/// The owner watches with one `Poller`, hands each of ``tokens`` that was ready to
/// ``note(_:)``, and then takes ``nextEvent()`` until it is `nil`. Nothing here blocks: a program
/// that does not read is let go once ``outboxBound`` bytes wait for it.
public final class StreamServer {
    /// Where programs reach the reader.
    public enum Place: Hashable, Sendable {
        /// A TCP port; 0 lets the system pick one, which then stays.
        case tcp(SocketAddress)
        /// A pty under a link at this path.
        case pty(link: String)
    }

    /// What happened.
    public enum Event: Hashable, Sendable {
        /// A program is there; they are counted from 1.
        case connected(client: Int, from: String)
        /// It sent bytes.
        case received(ArraySlice<UInt8>)
        /// It sends no more; let it go with ``letGo(_:)`` when nothing is due to it.
        case finishedSending
        /// It is gone, or was let go.
        case left(client: Int, Leaving)
        /// Another program wanted the reader.
        case refused(from: String)
    }

    /// Why a program is no longer there.
    public enum Leaving: Hashable, Sendable, CustomStringConvertible {
        /// It hung up.
        case hungUp
        /// Its connection was reset.
        case reset
        /// It did not read; so many bytes waited for it.
        case didNotRead(byteCount: Int)
        /// The owner dropped it, for this reason.
        case dropped(String)
        /// The reader was unplugged.
        case unplugged

        /// A few words for people.
        public var description: String {
            switch self {
            case .hungUp: "it hung up"
            case .reset: "its connection was reset"
            case .didNotRead(let byteCount): "it does not read: \(byteCount) bytes wait for it"
            case .dropped(let reason): reason
            case .unplugged: "the reader was unplugged"
            }
        }
    }

    /// How many bytes may wait for a program, beyond what the kernel keeps.
    public static let outboxBound = 65_536

    private enum Door {
        case closed
        case tcp(Listening)
        case pty(PseudoTerminal, SymbolicLink)
    }

    /// The tokens of its descriptors at the owner's poller.
    public let tokens: Range<UInt64>
    /// Where programs reach the reader, as it is typed after `tcp:` or `serial:`.
    public private(set) var address: String
    /// Whether the reader can be reached.
    public var isPluggedIn: Bool { if case .closed = door { false } else { true } }
    /// Whether a program is there.
    public var hasClient: Bool { client != nil }

    private let poller: Poller
    private var place: Place
    private var door = Door.closed
    private var client: ServedClient?
    private var clientCount = 0
    private var pending: [Event] = []
    private var isReadable = false
    private var hasVisitor = false
    /// Somebody who was accepted and is not let in yet.
    private var visitor: (OpenStream, from: String)?
    private var bufferByteCount: Int?

    private var doorToken: UInt64 { tokens.lowerBound }
    private var clientToken: UInt64 { tokens.lowerBound + 1 }

    /// Prepares to be reached; nothing can be before ``plugIn()``.
    ///
    /// - Parameters:
    ///   - place: Where.
    ///   - poller: The owner's.
    ///   - firstToken: The first of two tokens that nobody else uses there.
    public init(_ place: Place, poller: Poller, firstToken: UInt64) {
        self.place = place
        self.poller = poller
        tokens = firstToken..<(firstToken + 2)
        switch place {
        case .tcp(let address): self.address = address.description
        case .pty(let link): address = link
        }
    }

    /// Whether nothing waits for the program beyond what the kernel keeps.
    public var isFlushed: Bool { client?.outboxByteCount ?? 0 == 0 }
    /// Whether ``nextEvent()`` has something, without waiting for the poller.
    public var hasMore: Bool { !pending.isEmpty || isReadable || hasVisitor }

    /// The far side's own path, while a pty is there.
    public var terminalPath: String? {
        if case .pty(let pty, _) = door { pty.path } else { nil }
    }

    /// Bounds what the kernel keeps for a connection, for tests.
    package func setBufferSizes(_ byteCount: Int) { bufferByteCount = byteCount }

    // MARK: The reader's side

    /// Lets programs reach the reader.
    ///
    /// - Throws: `KernelError` when the address or the link cannot be had.
    public func plugIn() throws(KernelError) {
        guard case .closed = door else { return }
        switch place {
        case .tcp(let wanted):
            let listener = try TCPListener(at: wanted)
            if let bufferByteCount { listener.setBufferSizes(bufferByteCount) }
            try poller.add(listener.descriptor, token: doorToken)
            place = .tcp(listener.address)
            address = listener.address.description
            door = .tcp(Listening(listener))
        case .pty(let path):
            let pty = try PseudoTerminal()
            let link = try SymbolicLink(at: path, to: pty.path)
            try poller.add(pty.openingsDescriptor, token: doorToken)
            door = .pty(pty, link)
        }
    }

    /// Takes the reader away from whoever has it.
    public func unplug() {
        dropClient(.unplugged)
        switch door {
        case .closed: break
        case .tcp(let listening): poller.remove(listening.listener.descriptor)
        case .pty(let pty, _): poller.remove(pty.openingsDescriptor)
        }
        door = .closed
        hasVisitor = false
        visitor = nil
    }

    /// Sends bytes to the program that is there; without one they are lost.
    public func send(_ bytes: ArraySlice<UInt8>) {
        guard let client else { return }
        client.send(bytes)
        if client.outboxByteCount > Self.outboxBound {
            letGo(.didNotRead(byteCount: client.outboxByteCount))
        } else {
            watch(client)
        }
    }

    /// Lets the program go; the next one may come.
    ///
    /// A pty cannot be taken from a program, so that it gets a new one, under the same link.
    public func letGo(_ reason: Leaving) {
        guard let client else { return }
        dropClient(reason)
        if case .pty = client.path { renew() }
    }

    // MARK: What happens

    /// Takes note that a descriptor is ready.
    public func note(_ readiness: Readiness) {
        if readiness.token == doorToken {
            hasVisitor = true
        } else if readiness.token == clientToken, let client {
            if readiness.isWritable { flush(client) }
            isReadable =
                readiness.isReadable || readiness.isHungUp || readiness.isPeerClosed || isReadable
        }
    }

    /// Looks for what has happened, as if everything had been ready: before a hand acts, whoever
    /// came earlier must have been let in.
    public func look() {
        hasVisitor = isPluggedIn
        isReadable = client.map { !$0.isHalfClosed } ?? false
    }

    /// Returns the next thing that happened, or `nil` when nothing more is ready.
    ///
    /// At most one piece of at most 16 KiB is read in each call, so that the owner keeps the say.
    public func nextEvent() -> Event? {
        if pending.isEmpty, isReadable { readClient() }
        if pending.isEmpty, hasVisitor { answerDoor() }
        return pending.isEmpty ? nil : pending.removeFirst()
    }

    private func readClient() {
        guard let client else {
            isReadable = false
            return
        }
        switch client.read() {
        case .bytes(let bytes):
            isReadable = bytes.count == StreamLink.readByteCount
            pending.append(.received(bytes[...]))
        case .nothing:
            isReadable = false
        case .failed:
            dropClient(.reset)
        case .end:
            isReadable = false
            if case .tcp = client.path, !client.isHalfClosed {
                client.isHalfClosed = true
                pending.append(.finishedSending)
                watch(client)
            } else {
                dropClient(.hungUp)
            }
        }
    }

    private func answerDoor() {
        hasVisitor = false
        switch door {
        case .closed: break
        case .tcp(let listening): accept(listening)
        case .pty(let pty, _):
            pty.forgetOpenings()
            if pty.hasPeer, client == nil {
                adopt(.pty(pty), from: pty.path)
            } else if !pty.hasPeer, client != nil {
                isReadable = true
            }
        }
    }

    private func accept(_ listening: Listening) {
        if visitor == nil, let accepted = try? listening.listener.accept() {
            let from = accepted.peer.description
            visitor = (OpenStream(accepted.takeStream()), from)
        }
        guard let (open, from) = visitor else { return }
        hasVisitor = true
        if let client, client.isGone {
            // Whoever is gone makes room, once what it sent was taken.
            guard client.isHalfClosed else { return readClient() }
            dropClient(.hungUp)
        }
        visitor = nil
        if client == nil {
            adopt(.tcp(open), from: from)
        } else {
            pending.append(.refused(from: from))
        }
    }

    private func adopt(_ path: ServedClient.Path, from: String) {
        clientCount += 1
        let client = ServedClient(number: clientCount, path)
        do throws(KernelError) {
            try poller.add(client.descriptor, token: clientToken, peerClosed: true)
        } catch {
            return
        }
        self.client = client
        isReadable = true
        pending.append(.connected(client: client.number, from: from))
    }

    private func flush(_ client: ServedClient) {
        client.flush()
        watch(client)
    }

    private func watch(_ client: ServedClient) {
        let interest = (readable: !client.isHalfClosed, writable: client.outboxByteCount > 0)
        guard interest != client.interest else { return }
        client.interest = interest
        try? poller.change(
            client.descriptor,
            token: clientToken,
            readable: interest.readable,
            writable: interest.writable,
            peerClosed: interest.readable
        )
    }

    private func dropClient(_ reason: Leaving) {
        isReadable = false
        guard let client else { return }
        poller.remove(client.descriptor)
        self.client = nil
        pending.append(.left(client: client.number, reason))
        // What it did not read is not for the next one, unless that one is there already.
        if reason == .hungUp, case .pty(let pty) = client.path, !pty.hasPeer, !pty.clean() {
            renew()
        }
    }

    /// Makes another pty under the same link.
    private func renew() {
        guard case .pty(let pty, _) = door else { return }
        poller.remove(pty.openingsDescriptor)
        door = .closed
        try? plugIn()
    }
}

/// A place for a listener, which cannot be copied.
final class Listening {
    let listener: TCPListener

    init(_ listener: consuming TCPListener) { self.listener = listener }
}
