public import EventLoops

/// A simulated gateway as whoever serves it, and a run against one in another process, see it.
///
/// A gateway that is added conforms with what it has already; then it has a place in
/// `RemoteGateways` of `Rig` and in `ServedGateway` of the command line.
public protocol GatewayService {
    /// What can be set.
    associatedtype Configuration: GatewayConfiguration
    /// What it tells of its books.
    associatedtype Record

    /// Creates it with an empty ledger.
    init(_ configuration: Configuration)
    /// Takes up a state that ``snapshot()`` returned.
    init(restoring state: [UInt8], _ configuration: Configuration) throws(GatewayStateError)
    /// All that it keeps, without card data in clear.
    func snapshot() -> [UInt8]
    /// Adds a fault, after those that wait already.
    mutating func schedule(_ fault: GatewayFault)
}

/// What can be set of every simulated gateway.
public protocol GatewayConfiguration {
    /// How long an answer takes.
    var latency: VirtualDuration { get set }
}

extension SimulatedNMIGateway.Configuration: GatewayConfiguration {}

extension SimulatedAgentCASHGateway.Configuration: GatewayConfiguration {}

extension SimulatedNMIGateway: GatewayService {
    /// Creates a gateway with an empty ledger and no faults.
    public init(_ configuration: Configuration) { self.init(configuration, faults: []) }

    /// What it tells of its books.
    public typealias Record = GatewayRecord
}

extension SimulatedAgentCASHGateway: GatewayService {
    /// What it tells of its books.
    public typealias Record = AgentCASHRecord
}
