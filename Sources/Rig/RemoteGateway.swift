public import EventLoops
import Journal
public import SimulatedGateways
public import Transports

/// A gateway outside of this process, which the command line hands down.
///
/// The rig sends it the SDK's requests, wakes when ``wakeDescriptor`` is readable and asks for their
/// ends; what happened in its books comes as the same records that a simulated gateway gives. What a
/// test asks of it besides (``begin(_:)``, ``arm(_:)`` and the like) is answered at once or not at
/// all; then ``problem`` says why, with the remedy.
public protocol RemoteGateway<Service>: AnyObject {
    /// The simulated gateway for which it stands.
    associatedtype Service: GatewayService

    /// Becomes readable when ``nextEnd()`` may have something.
    var wakeDescriptor: Int32 { get }
    /// Why it cannot be used, in one sentence; `nil` while it can.
    var problem: String? { get }

    /// Sets who the merchant is there; secrets.
    func adoptCredentials(_ configuration: inout Service.Configuration)
    /// Empties its books, forgets its faults and sets its account up, for the run that begins.
    func begin(_ configuration: Service.Configuration)
    /// Sends a request, once, and returns its number.
    func send(_ request: HTTPRequest, within limit: VirtualDuration) -> Int
    /// Gives a request up; its end is not told.
    func cancel(_ number: Int)
    /// Waits until all that was sent has arrived, a second at most.
    ///
    /// What is sent arrives at a simulated gateway at once, before the app does anything else; so it
    /// does here.
    func awaitArrivals()
    /// Returns a request that ended, and how; never waits.
    func nextEnd() -> (number: Int, outcome: HTTPOutcome)?
    /// What happened in its books since this was asked last.
    func takeRecords() -> [Service.Record]
    /// Arms a fault.
    func arm(_ fault: GatewayFault)
    /// Settles what awaits settlement.
    func settle()
    /// A copy of it, books and all; `nil` when it cannot be had.
    func copy() -> Service?
}

/// The gateways outside of this process, each in the place of a simulated one.
///
/// One that is added gets a line here, a `remote` at its desk, its three functions in this file
/// (ends of exchanges, records, books), and a case in the command line's `RunGateways`.
public struct RemoteGateways {
    /// In the place of the NMI gateway.
    public var nmi: (any RemoteGateway<SimulatedNMIGateway>)?
    /// In the place of the AgentCASH service.
    public var agentcash: (any RemoteGateway<SimulatedAgentCASHGateway>)?

    /// None: every gateway is in this process.
    public init() {}
}

extension Rig {
    /// How long an exchange outside may last; the SDK gives it up before.
    static let longestExchange = VirtualDuration.seconds(120)

    /// The gateways outside that this rig uses.
    var remotes: [any RemoteGateway] {
        [payments?.remote as (any RemoteGateway)?, agentcash?.remote].compactMap(\.self)
    }

    /// Whether something of the world outside moves the run, so that time is real.
    public var isRealTime: Bool { isLive || !remotes.isEmpty }

    /// Begins at the gateways outside.
    mutating func beginOutside() {
        if let desk = payments { desk.remote?.begin(desk.gateway.configuration) }
        if let desk = agentcash { desk.remote?.begin(desk.gateway.configuration) }
        noteProblemOutside()
    }

    /// Gives the SDK the ends of exchanges with gateways outside.
    mutating func pollGateways() {
        guard !remotes.isEmpty else { return }
        pollNMI()
        pollAgentCASH()
        noteProblemOutside()
    }

    /// Writes what happened at gateways outside, before anybody hears of it.
    mutating func takeRecordsFromOutside(step: Int?) {
        guard !remotes.isEmpty else { return }
        let own = journal.step
        if let step { journal.step = step }
        for record in payments?.remote?.takeRecords() ?? [] { write(record) }
        for record in agentcash?.remote?.takeRecords() ?? [] { write(record) }
        journal.step = own
        noteProblemOutside()
    }

    /// Takes over the books of gateways outside, for the outcome.
    public mutating func synchronizeGateways() {
        guard !remotes.isEmpty else { return }
        takeRecordsFromOutside(step: nil)
        if let copy = payments?.remote?.copy() { payments?.gateway = copy }
        if let copy = agentcash?.remote?.copy() { agentcash?.gateway = copy }
        noteProblemOutside()
    }

    private mutating func noteProblemOutside() {
        for remote in remotes where problem == nil { problem = remote.problem }
    }

    // MARK: NMI

    /// Sends a request to an NMI gateway outside; returns whether there is one.
    mutating func sendOutside(_ exchange: Int) -> Bool {
        guard let remote = payments?.remote else { return false }
        if let request = payments?.exchanges[exchange - 1].request.take() {
            payments?.exchanges[exchange - 1].remoteNumber =
                remote.send(request, within: Self.longestExchange)
            remote.awaitArrivals()
            takeRecordsFromOutside(step: nil)
        }
        return true
    }

    private mutating func pollNMI() {
        while let (number, outcome) = payments?.remote?.nextEnd() {
            lastActivity = now
            guard
                let index = payments?.exchanges.firstIndex(where: { $0.remoteNumber == number })
            else { continue }
            takeRecordsFromOutside(step: payments?.exchanges[index].step)
            guard payments?.server == nil else {
                relayEnds(outcome, of: index + 1)
                continue
            }
            payments?.exchanges[index].outcome = outcome
            loop.post(
                RigEvent(.exchangeEnds(exchange: index + 1), step: journal.step),
                to: RigComponent.exchangeEnd,
                at: now
            )
        }
    }

    // MARK: AgentCASH

    /// Sends a request to an AgentCASH service outside; returns whether there is one.
    mutating func sendServiceRequestOutside(_ index: Int) -> Bool {
        guard let remote = agentcash?.remote else { return false }
        if let request = agentcash?.exchanges[index].request.take() {
            agentcash?.exchanges[index].remoteNumber =
                remote.send(request, within: Self.longestExchange)
            remote.awaitArrivals()
            takeRecordsFromOutside(step: nil)
        }
        return true
    }

    private mutating func pollAgentCASH() {
        while let (number, outcome) = agentcash?.remote?.nextEnd() {
            lastActivity = now
            guard
                let index = agentcash?.exchanges.firstIndex(where: { $0.remoteNumber == number }),
                let exchange = agentcash?.exchanges[index]
            else { continue }
            agentcash?.exchanges[index].outcome = outcome
            takeRecordsFromOutside(step: exchange.step)
            loop.post(
                RigEvent(.serviceExchangeEnds(exchange: exchange.number), step: journal.step),
                to: RigComponent.serviceExchangeEnd,
                at: now
            )
        }
    }
}
