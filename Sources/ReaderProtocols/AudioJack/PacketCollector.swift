/// Collects what a reader sends from silence to silence, without looking at it.
///
/// A library that checks nothing hands this on: it is what the `observed` readings take.
public struct PacketCollector: Hashable, Sendable {
    /// The most bytes that are kept; later ones before the silence are dropped.
    public static let maximumByteCount = 4_096

    private var bytes: [UInt8] = []

    /// Creates a collector that has nothing.
    public init() {}

    /// Adds bytes as they come.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        self.bytes += bytes.prefix(Self.maximumByteCount - self.bytes.count)
    }

    /// Whether something came since the last silence.
    public var hasPartialPacket: Bool { !bytes.isEmpty }

    /// Takes what came, as when the line was silent for ``IDTechStreamDecoder/silenceLimit``; `nil`
    /// when nothing did.
    public mutating func finish() -> [UInt8]? {
        guard !bytes.isEmpty else { return nil }
        defer { bytes = [] }
        return bytes
    }

    /// Forgets what came, as when the reader is detached.
    public mutating func reset() { bytes = [] }
}
