public import EventLoops
public import SimulatedGateways
public import SimulatedReaders
public import Transports

/// The reader at the other end of a rig's transport.
public enum ReaderEndpoint {
    /// A simulated one, in process.
    case simulated(MagneSafeReaderConfiguration)
    /// A real one, behind a transport that wakes the loop.
    case live(any LiveTransport, path: LivePath)

    /// What a live transport carries.
    public enum LivePath: Hashable, Sendable {
        /// HID reports.
        case reports
        /// The accessory connector's stream.
        case accessoryStream
    }
}

/// One reader of a rig.
public struct RigReader {
    /// Its name in the scenario.
    public var name: String
    /// What is at the other end.
    public var endpoint: ReaderEndpoint
    /// Whether it is attached before the first step.
    public var isAttachedAtStart: Bool
    /// Faults of the link between it and the host.
    public var faults: [LinkFault]

    /// Creates a reader.
    public init(
        name: String,
        endpoint: ReaderEndpoint,
        isAttachedAtStart: Bool = false,
        faults: [LinkFault] = []
    ) {
        self.name = name
        self.endpoint = endpoint
        self.isAttachedAtStart = isAttachedAtStart
        self.faults = faults
    }
}

/// The world that a run starts with.
public struct RigConfiguration {
    /// The readers.
    public var readers: [RigReader]
    /// The gateway; `nil` when the scenario has none.
    public var gateway: SimulatedNMIGateway.Configuration?
    /// Who answers where the world could have gone either way.
    public var choices: ChoiceSource
    /// How much the run may be.
    public var bounds: EventLoop<RigEvent>.Bounds
    /// How many of the newest records stay readable.
    public var journalCapacity: Int
    /// Whether wire bytes are kept.
    public var isRecorded: Bool

    /// Creates a world.
    public init(
        readers: [RigReader],
        gateway: SimulatedNMIGateway.Configuration? = nil,
        choices: ChoiceSource = .natural,
        bounds: EventLoop<RigEvent>.Bounds = .init(),
        journalCapacity: Int = 8_192,
        isRecorded: Bool = false
    ) {
        self.readers = readers
        self.gateway = gateway
        self.choices = choices
        self.bounds = bounds
        self.journalCapacity = journalCapacity
        self.isRecorded = isRecorded
    }
}
