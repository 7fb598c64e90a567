/// What a Miura link carried next.
public enum MiuraReading: Hashable, Sendable {
    /// A whole message: a command, an answer, or one that the reader sent on its own.
    case message(MiuraMessage)
    /// Bytes that follow STREAM BINARY; so many are still to come.
    case rawBytes([UInt8], remaining: Int)
    /// Bytes that are no message.
    case damaged(MiuraDamage)
    /// After damage a message begins again; so many bytes were passed over, among them the rest
    /// of a chain whose beginning was damaged.
    case skipped(byteCount: Int)
}

/// Decodes one direction of a Miura link into messages, in whatever pieces its bytes arrive.
///
/// Chained frames are joined for each node, solicited and unsolicited ones apart, so that a reader
/// may speak on its own between the frames of an answer; ``MiuraChainRule/unbroken`` forbids that,
/// as the vendor's SDK does. In the host's direction the decoder takes the raw bytes that a STREAM
/// BINARY announces as such.
///
/// It keeps at most four messages of ``MiuraMessage/maximumByteCount`` bytes, and one frame,
/// beyond what was added since ``next()`` last gave `nil`.
/// Source: Miura Java SDK 1-1i, ResponseReader; Miura Android SDK, MpiPacketTest.
public struct MiuraDecoder: Hashable, Sendable {
    /// Whose bytes are read.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        /// The host's: commands, and the bytes after STREAM BINARY.
        case toReader
        /// The reader's: answers and unsolicited messages.
        case fromReader
    }

    /// Whose bytes are read.
    public let direction: Direction
    /// Which frames may stand between those of a chain.
    public let chainRule: MiuraChainRule
    private var frames: MiuraFrameDecoder
    /// One for each node, solicited and unsolicited.
    private var chains = [Chain](repeating: Chain(), count: 4)
    private var waiting: Waiting?

    private struct Chain: Hashable, Sendable {
        var bytes: [UInt8] = []
        var isOpen = false
        /// Where the chain's first frame begins.
        var offset = 0
        /// Its frames are passed over up to the last one, since one of them was damaged.
        var isBroken = false
        var skippedByteCount = 0

        mutating func breakOff() {
            skippedByteCount += bytes.count
            bytes = []
            isOpen = true
            isBroken = true
        }
    }

    /// A frame that was read together with the damage that it is, and comes after the report.
    private struct Waiting: Hashable, Sendable {
        var frame: MiuraFrame
        var offset: Int
    }

    /// Creates a decoder at the start of a stream.
    public init(
        _ direction: Direction,
        policy: MiuraDamagePolicy = .dropLink,
        chainRule: MiuraChainRule = .interleaved
    ) {
        self.direction = direction
        self.chainRule = chainRule
        frames = MiuraFrameDecoder(isFromReader: direction == .fromReader, policy: policy)
    }

    /// What is done after damage.
    public var policy: MiuraDamagePolicy { frames.policy }

    /// Whether nothing more is read: there was damage, and the policy is to drop the link.
    public var isDead: Bool { frames.isDead }

    /// Whether a frame or a chain has begun that is not complete.
    public var hasPartialMessage: Bool {
        frames.hasPartialFrame || chains.contains { $0.isOpen }
    }

    /// How many raw bytes of a STREAM BINARY are still to come.
    public var awaitedRawByteCount: Int { frames.awaitedRawByteCount }

    /// Adds bytes at the end of the stream; a dead decoder drops them.
    public mutating func append(_ bytes: Span<UInt8>) { frames.append(bytes) }

    /// Adds a part of a shared buffer at the end of the stream; a dead decoder drops it.
    public mutating func append(_ bytes: ArraySlice<UInt8>) { frames.append(bytes) }

    /// Forgets everything, as when the link is lost and made anew.
    public mutating func reset() {
        self = MiuraDecoder(direction, policy: policy, chainRule: chainRule)
    }

    /// Takes what follows as frames again, as when the time for a STREAM BINARY ran out.
    public mutating func abandonRawBytes() { frames.expectRawBytes(0) }

    /// Forgets the chains that a node has begun, as when it starts anew.
    public mutating func forgetChains(of node: MiuraNode) {
        for isUnsolicited in [false, true] {
            chains[Self.index(node, isUnsolicited: isUnsolicited)] = Chain()
        }
    }

    /// Returns what comes next, or `nil` until more bytes arrive.
    public mutating func next() -> MiuraReading? {
        if let last = waiting {
            waiting = nil
            if let reading = join(last.frame, at: last.offset) { return reading }
        }
        while let reading = frames.next() {
            switch reading {
            case .frame(let frame, let offset):
                if let reading = join(frame, at: offset) { return reading }
            case .rawBytes(let bytes, _):
                return .rawBytes(bytes, remaining: frames.awaitedRawByteCount)
            case .damaged(let damage):
                breakChains()
                return .damaged(damage)
            case .skipped(let byteCount): return .skipped(byteCount: byteCount)
            }
        }
        return nil
    }

    /// Ends the stream, or the time for a message: says so when one has begun, once.
    ///
    /// Call it when ``next()`` gives `nil`.
    public mutating func finish() -> MiuraReading? {
        guard !isDead else { return nil }
        if case .damaged(let damage) = frames.finish() {
            breakChains()
            return .damaged(damage)
        }
        guard let open = chains.firstIndex(where: { $0.isOpen && !$0.isBroken }) else {
            return nil
        }
        let damage = MiuraDamage(
            .truncated,
            offset: frames.offset,
            frameOffset: chains[open].offset
        )
        report(damage, breaking: open)
        return .damaged(damage)
    }

    private mutating func report(_ damage: MiuraDamage, breaking index: Int) {
        switch policy {
        case .dropLink: frames.die()
        case .resync: chains[index].breakOff()
        }
    }

    /// What has begun cannot be completed: a frame of it may have been the damaged one.
    ///
    /// A damaged frame whose head can be read, and which says that it is the last one of its chain,
    /// ends that chain.
    private mutating func breakChains() {
        for index in chains.indices where chains[index].isOpen { chains[index].breakOff() }
        guard let head = frames.damagedHead else { return }
        let index = Self.index(head.node, isUnsolicited: head.isUnsolicited)
        if head.isChained { chains[index].breakOff() } else { chains[index] = Chain() }
    }

    private static func index(_ node: MiuraNode, isUnsolicited: Bool) -> Int {
        (node == .reader ? 0 : 2) + (isUnsolicited ? 1 : 0)
    }

    /// Adds a frame to its chain, and returns the message when it is the last one.
    private mutating func join(_ frame: MiuraFrame, at offset: Int) -> MiuraReading? {
        let index = Self.index(frame.node, isUnsolicited: frame.isUnsolicited)
        let other = index ^ 1
        if chainRule == .unbroken, chains[other].isOpen, !chains[other].isBroken {
            let damage = MiuraDamage(.chainInterrupted, offset: offset, frameOffset: offset)
            report(damage, breaking: other)
            if !isDead { waiting = Waiting(frame: frame, offset: offset) }
            return .damaged(damage)
        }
        if !chains[index].isOpen { chains[index].offset = offset }
        if chains[index].isBroken {
            chains[index].skippedByteCount += frame.payload.count + 4
            guard !frame.isChained else { return nil }
            defer { chains[index] = Chain() }
            return .skipped(byteCount: chains[index].skippedByteCount)
        }
        guard chains[index].bytes.count + frame.payload.count <= MiuraMessage.maximumByteCount
        else {
            let damage = MiuraDamage(.messageTooLong, offset: offset, frameOffset: offset)
            if frame.isChained {
                report(damage, breaking: index)
            } else {
                chains[index] = Chain()
                if policy == .dropLink { frames.die() }
            }
            return .damaged(damage)
        }
        guard !frame.isChained else {
            chains[index].isOpen = true
            chains[index].bytes += frame.payload
            return nil
        }
        var payload = frame.payload
        if chains[index].isOpen {
            payload = chains[index].bytes + payload
            chains[index] = Chain()
        }
        let message = MiuraMessage(
            node: frame.node,
            isUnsolicited: frame.isUnsolicited,
            payload: payload
        )
        expectRawBytes(after: message)
        return .message(message)
    }

    /// Goes over to raw bytes behind a STREAM BINARY; a malformed one announces none.
    private mutating func expectRawBytes(after message: MiuraMessage) {
        guard direction == .toReader, message.payload[0] == 0x00, message.payload[1] == 0xD7,
            let apdu = try? MiuraAPDU(message.payload), let stream = try? MiuraStream(apdu)
        else { return }
        frames.expectRawBytes(stream.byteCount)
    }
}
