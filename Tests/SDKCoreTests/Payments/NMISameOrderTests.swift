import CardData
import EventLoops
import GatewayProtocols
import SDKCore
import SimulatedGateways
import Testing
import Transports

@Suite("NMI payments of one order")
struct NMISameOrderTests {
    @Test func aChargeThatWasNotBookedIsNotConfirmedByAnEarlierOne() {
        var world = PaymentWorld(faults: [GatewayFault(request: 2, answer: .reset)])
        world.charge(700, "o1")
        world.run()
        world.charge(700, "o1")
        world.run()
        #expect(world.results == [NMIClientTests.approved, .notCharged])
        #expect(world.gateway.ledger.entries.count == 1)
    }

    @Test func aChargeThatWasBookedIsFoundBesideAnEarlierOne() {
        var world = PaymentWorld(faults: [
            GatewayFault(request: 2, phase: .afterBooking, answer: .reset)
        ])
        world.charge(700, "o1")
        world.run()
        // The gateway takes the same payment for a duplicate within its window.
        world.now = world.now + .seconds(3_600)
        world.charge(700, "o1")
        world.run()
        #expect(world.results.count == 2)
        #expect(world.results.last != world.results.first)
        if world.gateway.ledger.entries.count == 2 {
            guard case .approved? = world.results.last else {
                return #expect(Bool(false), "\(world.results)")
            }
        }
    }

    @Test func beforeTheEarlierOneIsCertainTheLaterOneIsNotEither() {
        let lost = (2...4).map { GatewayFault(request: $0, answer: .reset) }
        var world = PaymentWorld(
            faults: [GatewayFault(request: 1, phase: .afterBooking, answer: .reset)] + lost
                + [GatewayFault(request: 5, answer: .reset)]
        )
        world.charge(700, "o1")
        world.run()
        world.charge(700, "o1")
        world.run()
        #expect(world.results == [.unknown, .unknown])
        #expect(world.gateway.ledger.entries.count == 1)
    }
}
