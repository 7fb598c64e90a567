import EventLoops
import Testing
import TransportConformance
import Transports

@Suite("Transport conformance")
struct TransportConformanceTests {
    @Test(arguments: TransportPromise.allCases)
    func theLoopbackKeeps(promise: TransportPromise) {
        #expect(promise.violations(by: LoopbackHarness()) == [])
    }

    @Test(arguments: TransportPromise.allCases, InjectedHarness.Link.allCases)
    func aLinkKeeps(promise: TransportPromise, link: InjectedHarness.Link) {
        #expect(promise.violations(by: InjectedHarness(link)) == [])
    }

    @Test(arguments: TransportPromise.allCases.filter { $0.applies(to: ReplayHarness.self) })
    func aReplayKeeps(promise: TransportPromise) {
        #expect(promise.violations(by: ReplayHarness()) == [])
    }
}
