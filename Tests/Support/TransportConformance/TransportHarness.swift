public import EventLoops
public import Transports

/// A transport together with a hand for what is at its other end, so that one suite can hold
/// every transport, simulated or live, to its promises.
public protocol TransportHarness {
    /// The transport under test.
    associatedtype Subject: Transport

    /// What the transport's path can do.
    static var abilities: TransportAbilities { get }

    /// The transport, closed and without a reader when the harness is new.
    var transport: Subject { get set }
    /// The time that the transport's functions are called with.
    var now: VirtualInstant { get }

    /// Plugs the reader in.
    mutating func attachReader()
    /// Pulls the reader out, after all that it sent has had the time to arrive.
    mutating func detachReader()
    /// Lets the reader send one unit with these bytes, of the kind that the path carries.
    mutating func deliver(_ payload: [UInt8])
    /// Returns a unit with these bytes as the host would send it.
    func unitForReader(_ payload: [UInt8]) -> TransportUnit
    /// Takes what has reached the reader from the host: the bytes of each unit.
    mutating func takeReaderUnits() -> [[UInt8]]

    /// Returns the next event, or `nil` when none comes.
    ///
    /// A simulated path moves ``now`` to what is due next; a live one waits for a fixed time that
    /// is long enough.
    mutating func nextEvent() -> TransportEvent?
}

/// A harness whose time is moved by its hand.
public protocol SimulatedTransportHarness: TransportHarness {
    /// The time that the transport's functions are called with.
    var now: VirtualInstant { get set }
}

extension SimulatedTransportHarness {
    /// Returns the next event of the transport, moving time to where it is due.
    public mutating func nextEvent() -> TransportEvent? { nextDueEvent() }

    /// Returns the next event of the transport, moving time to where it is due.
    public mutating func nextDueEvent() -> TransportEvent? {
        while true {
            if let event = transport.nextEvent(at: now) { return event }
            guard let due = transport.nextDue, due.earliest > now else { return nil }
            now = due.earliest
        }
    }
}

/// What a path can do; a promise that needs more is not applicable to it.
public struct TransportAbilities: OptionSet, Sendable {
    /// One bit for each ability.
    public var rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The harness sees what reached the reader.
    public static let showsReaderUnits = TransportAbilities(rawValue: 1)
    /// The reader can be stopped from taking units, and the transport has a bound for them.
    public static let overflows = TransportAbilities(rawValue: 2)
    /// Units keep their borders; not so on a byte stream.
    public static let keepsBorders = TransportAbilities(rawValue: 4)
    /// All of them.
    public static let all: TransportAbilities = [.showsReaderUnits, .overflows, .keepsBorders]
}
