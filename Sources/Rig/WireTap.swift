public import EventLoops
public import Transports

/// What went over the wires of a run, on the journal's clock and sequence.
///
/// Wire bytes are not records: the tap is off unless a run is recorded, and a failed run is
/// repeated with it on.
public struct WireTap: Sendable {
    /// What happened on a wire.
    public enum Traffic: Hashable, Sendable {
        /// The host's transport saw the reader.
        case attached(Attachment)
        /// A unit reached the host, as it was: whoever writes it down replaces what is secret.
        case fromReader(TransportUnit)
        /// A unit left the host.
        case fromHost(TransportUnit)
        /// The reader answered a feature request, or refused it.
        case featureFinished(FeatureResult)
        /// The host's transport lost the reader.
        case detached(DetachReason)
    }

    /// One entry of the tap.
    public struct Entry: Hashable, Sendable {
        /// When it happened.
        public var time: VirtualInstant
        /// The number of the journal record that would have come next.
        public var sequence: Int
        /// The reader, an index into the rig's readers.
        public var reader: Int
        /// What happened.
        public var traffic: Traffic
    }

    /// The most payload bytes that are kept; past it the tap says that it is cut short.
    public let byteLimit: Int
    /// What was kept, in order.
    public private(set) var entries: [Entry] = []
    /// Whether something was left out because of ``byteLimit``.
    public private(set) var isCutShort = false
    private var byteCount = 0

    /// Creates an empty tap.
    public init(byteLimit: Int = 64 << 20) { self.byteLimit = byteLimit }

    mutating func add(_ entry: Entry) {
        switch entry.traffic {
        case .fromReader(let unit), .fromHost(let unit): byteCount += unit.payload.count
        case .featureFinished(.got(let bytes)): byteCount += bytes.count
        case .attached, .detached, .featureFinished: break
        }
        byteCount += MemoryLayout<Entry>.size
        guard byteCount <= byteLimit else {
            isCutShort = true
            return
        }
        entries.append(entry)
    }
}
