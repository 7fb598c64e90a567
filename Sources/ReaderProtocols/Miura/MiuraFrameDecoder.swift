/// What a Miura link carried next, below the level of messages.
public enum MiuraFrameReading: Hashable, Sendable {
    /// A whole frame with a right LRC, and where it begins, counted from the start of the stream.
    case frame(MiuraFrame, offset: Int)
    /// Bytes of a STREAM BINARY, which have no framing.
    case rawBytes([UInt8], offset: Int)
    /// Bytes that are no frame.
    case damaged(MiuraDamage)
    /// After damage a frame was found again; so many bytes were passed over.
    case skipped(byteCount: Int)
}

/// Cuts a Miura link into frames, in whatever pieces its bytes arrive.
///
/// A wrong first, second or third byte is reported when it arrives, a wrong LRC when the LRC does.
/// What follows damage is decided by ``MiuraDamagePolicy``. To resync, the decoder takes the first
/// position behind the damage at which a whole frame with a right LRC stands.
///
/// An exclusive-or cannot tell every change of a length: one change of LEN in 256 makes other bytes
/// a frame with a right LRC, and the damage shows in what follows.
///
/// It keeps at most the bytes of one frame beyond what was added since ``next()`` last gave `nil`.
/// Source: Miura Android SDK, MpiPacket; Miura Java SDK 1-1i, ResponseReader.
public struct MiuraFrameDecoder: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case inStep
        /// Looking for a frame since the byte at which a damaged one began.
        case searching(since: Int)
        case dead
    }

    /// What is done after damage.
    public let policy: MiuraDamagePolicy
    /// Whether the frames are a reader's; a host's cannot be unsolicited.
    private let isFromReader: Bool
    private var buffer: [UInt8] = []
    /// The position in the stream of the buffer's first byte.
    private var bufferOffset = 0
    private var start = 0
    private var state = State.inStep
    /// What the head of the last damaged frame says, when all three bytes of it are legal.
    private(set) var damagedHead: Head?
    /// How many bytes without framing are still to come.
    public private(set) var awaitedRawByteCount = 0

    /// Whose frame it is, and whether it is one of several.
    struct Head: Hashable, Sendable {
        var node: MiuraNode
        var isChained: Bool
        var isUnsolicited: Bool
    }

    /// Creates a decoder at the start of a stream.
    public init(isFromReader: Bool, policy: MiuraDamagePolicy) {
        self.isFromReader = isFromReader
        self.policy = policy
    }

    /// Whether nothing more is read: there was damage, and the policy is to drop the link.
    public var isDead: Bool { state == .dead }

    /// Whether a frame has begun that is not complete; its owner may set a time limit.
    public var hasPartialFrame: Bool {
        switch state {
        case .inStep: awaitedRawByteCount == 0 && start < buffer.count
        case .searching, .dead: false
        }
    }

    /// The position in the stream of the next byte to be read.
    public var offset: Int { bufferOffset + start }

    /// Adds bytes at the end of the stream; a dead decoder drops them.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes added.
    public mutating func append(_ bytes: Span<UInt8>) {
        guard prepare() else { return }
        buffer.reserveCapacity(buffer.count + bytes.count)
        for index in bytes.indices { buffer.append(bytes[index]) }
    }

    /// Adds a part of a shared buffer at the end of the stream; a dead decoder drops it.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard prepare() else { return }
        buffer.append(contentsOf: bytes)
    }

    private mutating func prepare() -> Bool {
        guard !isDead else { return false }
        if start == buffer.count {
            bufferOffset += buffer.count
            buffer.removeAll(keepingCapacity: true)
            start = 0
        } else if start > MiuraFrame.maximumByteCount {
            bufferOffset += start
            buffer.removeFirst(start)
            start = 0
        }
        return true
    }

    /// Takes so many of the following bytes as they are, without framing; 0 goes back to frames.
    public mutating func expectRawBytes(_ count: Int) { awaitedRawByteCount = max(0, count) }

    /// Reads nothing more, as after damage that others found.
    mutating func die() {
        state = .dead
        buffer = []
        start = 0
        awaitedRawByteCount = 0
    }

    /// Returns what comes next, or `nil` until more bytes arrive.
    public mutating func next() -> MiuraFrameReading? {
        switch state {
        case .dead: return nil
        case .searching(let since): return search(since: since)
        case .inStep: break
        }
        guard start < buffer.count else { return nil }
        if awaitedRawByteCount > 0 {
            let end = start + min(awaitedRawByteCount, buffer.count - start)
            defer { start = end }
            awaitedRawByteCount -= end - start
            return .rawBytes(Array(buffer[start..<end]), offset: offset)
        }
        switch frame(at: start) {
        case .incomplete: return nil
        case .whole(let frame):
            defer { start += frame.payload.count + 4 }
            return .frame(frame, offset: offset)
        case .damaged(let code, let position):
            let damage = MiuraDamage(code, offset: bufferOffset + position, frameOffset: offset)
            damagedHead = code == .wrongChecksum ? head(at: start) : nil
            switch policy {
            case .dropLink: die()
            case .resync:
                state = .searching(since: offset)
                start += 1
            }
            return .damaged(damage)
        }
    }

    /// Ends the stream, or the time for a frame: says so when one has begun, once.
    ///
    /// Call it when ``next()`` gives `nil`.
    public mutating func finish() -> MiuraFrameReading? {
        guard hasPartialFrame else { return nil }
        let damage = MiuraDamage(
            .truncated,
            offset: bufferOffset + buffer.count,
            frameOffset: offset
        )
        damagedHead = nil
        switch policy {
        case .dropLink: die()
        case .resync:
            state = .searching(since: offset)
            start += 1
        }
        return .damaged(damage)
    }

    private func head(at start: Int) -> Head? {
        MiuraNode(rawValue: buffer[start]).map {
            Head(
                node: $0,
                isChained: buffer[start + 1] & MiuraFrame.chainedBit != 0,
                isUnsolicited: buffer[start + 1] & MiuraFrame.unsolicitedBit != 0
            )
        }
    }

    private enum Attempt {
        case incomplete
        case whole(MiuraFrame)
        case damaged(MiuraDamage.Code, at: Int)
    }

    /// Reads a frame at a position of the buffer.
    private func frame(at start: Int) -> Attempt {
        let count = buffer.count - start
        guard let node = MiuraNode(rawValue: buffer[start]) else {
            return .damaged(.illegalNode(buffer[start]), at: start)
        }
        guard count > 1 else { return .incomplete }
        let control = buffer[start + 1]
        let legal = MiuraFrame.chainedBit | (isFromReader ? MiuraFrame.unsolicitedBit : 0)
        guard control & ~legal == 0 else {
            return .damaged(.illegalControl(control), at: start + 1)
        }
        guard count > 2 else { return .incomplete }
        let payloadByteCount = Int(buffer[start + 2])
        guard MiuraFrame.payloadByteCounts.contains(payloadByteCount) else {
            return .damaged(.illegalLength(buffer[start + 2]), at: start + 2)
        }
        let last = start + 3 + payloadByteCount
        guard last < buffer.count else { return .incomplete }
        guard MiuraFrame.checksum(buffer[start...last]) == 0 else {
            return .damaged(.wrongChecksum, at: last)
        }
        return .whole(
            MiuraFrame(
                node: node,
                isChained: control & MiuraFrame.chainedBit != 0,
                isUnsolicited: control & MiuraFrame.unsolicitedBit != 0,
                payload: Array(buffer[(start + 3)..<last])
            )
        )
    }

    /// Looks for a whole frame behind damage; keeps the bytes from the first that may begin one.
    private mutating func search(since: Int) -> MiuraFrameReading? {
        var firstCandidate: Int?
        for position in start..<buffer.count {
            switch frame(at: position) {
            case .whole:
                start = position
                state = .inStep
                return .skipped(byteCount: offset - since)
            case .incomplete: firstCandidate = firstCandidate ?? position
            case .damaged: break
            }
        }
        start = firstCandidate ?? buffer.count
        return nil
    }
}
