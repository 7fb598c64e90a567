/// One thing that an IPS reader said.
public enum IPSReading: Hashable, Sendable {
    /// A swipe.
    case packet(IPSPacket)
    /// The reply to a communication test.
    case testReply
    /// Bytes that are neither; nothing of them is used.
    case damaged(IPSError)
}

/// Finds what an IPS reader says in a stream of bytes, in whatever pieces they come.
///
/// Nothing in a packet says where it begins or ends, so the silence around it does (assumed): what
/// comes until ``finish()`` is one packet, one reply, or damage. At most
/// ``maximumBufferByteCount`` bytes are kept.
public struct IPSStreamDecoder: Hashable, Sendable {
    /// The most bytes kept: a packet, and one more to know of more.
    public static let maximumBufferByteCount = IPSPacket.byteCount + 1

    private let testReply: [UInt8]
    private var bytes: [UInt8] = []

    /// Creates a decoder at the start of a stream.
    public init(settings: IPSReaderSettings = IPSReaderSettings()) {
        testReply = settings.testReply
    }

    /// Adds bytes at the end of the stream.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        self.bytes += bytes.prefix(Self.maximumBufferByteCount - self.bytes.count)
    }

    /// Whether something has begun: its owner calls ``finish()`` after
    /// ``IDTechStreamDecoder/silenceLimit`` without a byte.
    public var hasPartialPacket: Bool { !bytes.isEmpty }

    /// Forgets what came, as when the reader is detached.
    public mutating func reset() { bytes = [] }

    /// Ends what has begun, as when the line was silent; `nil` when nothing has.
    public mutating func finish() -> IPSReading? {
        guard !bytes.isEmpty else { return nil }
        defer { bytes = [] }
        if bytes == testReply { return .testReply }
        do {
            return .packet(try IPSPacket(bytes))
        } catch {
            return .damaged(error)
        }
    }
}
