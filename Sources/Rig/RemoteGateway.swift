public import EventLoops
import Journal
public import SimulatedGateways
public import Transports

/// A gateway outside of this process, which the command line hands down.
///
/// The rig sends it the SDK's requests, wakes when ``wakeDescriptor`` is readable and asks for their
/// ends; what happened in its books comes as the same records that a simulated gateway gives. What a
/// test asks of it besides (``begin()``, ``arm(_:)`` and the like) is answered at once or not at
/// all; then ``problem`` says why, with the remedy.
public protocol RemoteGateway: AnyObject {
    /// Becomes readable when ``nextEnd()`` may have something.
    var wakeDescriptor: Int32 { get }
    /// The merchant's key there; a secret.
    var securityKey: String { get }
    /// Why it cannot be used, in one sentence; `nil` while it can.
    var problem: String? { get }

    /// Empties its books and forgets its faults, for the run that begins.
    func begin()
    /// Sends a request, once, and returns its number.
    func send(_ request: HTTPRequest, within limit: VirtualDuration) -> Int
    /// Gives a request up; its end is not told.
    func cancel(_ number: Int)
    /// Returns a request that ended, and how; never waits.
    func nextEnd() -> (number: Int, outcome: HTTPOutcome)?
    /// What happened in its books since this was asked last.
    func takeRecords() -> [GatewayRecord]
    /// Arms a fault.
    func arm(_ fault: GatewayFault)
    /// Settles what awaits settlement.
    func settle()
    /// A copy of it, books and all; `nil` when it cannot be had.
    func copy() -> SimulatedNMIGateway?
}

extension Rig {
    /// Whether something of the world outside moves the run, so that time is real.
    public var isRealTime: Bool { isLive || payments?.remote != nil }

    /// Sends a request to a gateway outside; returns whether there is one.
    mutating func sendOutside(_ exchange: Int) -> Bool {
        guard let remote = payments?.remote else { return false }
        if let request = payments?.exchanges[exchange - 1].request.take() {
            payments?.exchanges[exchange - 1].remoteNumber =
                remote.send(request, within: Self.longestExchange)
        }
        return true
    }

    /// How long an exchange outside may last; the SDK gives it up before.
    private static let longestExchange = VirtualDuration.seconds(120)

    /// Gives the SDK the ends of exchanges with a gateway outside.
    mutating func pollGateway() {
        guard let remote = payments?.remote else { return }
        while let (number, outcome) = remote.nextEnd() {
            lastActivity = now
            guard
                let index = payments?.exchanges.firstIndex(where: { $0.remoteNumber == number })
            else { continue }
            payments?.exchanges[index].outcome = outcome
            takeRecordsFromOutside(step: payments?.exchanges[index].step)
            loop.post(
                RigEvent(.exchangeEnds(exchange: index + 1), step: journal.step),
                to: RigComponent.exchangeEnd,
                at: now
            )
        }
        if problem == nil { problem = remote.problem }
    }

    /// Writes what happened at a gateway outside, before anybody hears of it.
    mutating func takeRecordsFromOutside(step: Int?) {
        guard let remote = payments?.remote else { return }
        let own = journal.step
        if let step { journal.step = step }
        for record in remote.takeRecords() { write(record) }
        journal.step = own
        if problem == nil { problem = remote.problem }
    }

    /// Takes over the books of a gateway outside, for the outcome.
    public mutating func synchronizeGateway() {
        guard let remote = payments?.remote else { return }
        takeRecordsFromOutside(step: nil)
        if let copy = remote.copy() { payments?.gateway = copy }
        if problem == nil { problem = remote.problem }
    }
}
