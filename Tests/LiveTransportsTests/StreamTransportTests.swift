import EventLoops
import Kernel
import LiveTransports
import Testing
import TransportConformance
import Transports

@Suite("Transports over streams")
struct StreamTransportTests {
    private static let promises = TransportPromise.allCases.filter {
        $0.applies(to: StreamHarness<TCPTransport>.self)
    }

    @Test(arguments: promises)
    func tcpKeeps(promise: TransportPromise) throws {
        #expect(promise.violations(by: try StreamHarness<TCPTransport>.tcp()) == [])
    }

    @Test(arguments: promises)
    func aPtyKeeps(promise: TransportPromise) throws {
        #expect(promise.violations(by: try StreamHarness.pty(promise.rawValue)) == [])
    }

    /// What ser2net itself keeps for the line takes all that the suite sends, so that no queue gets
    /// full; the queue is the one of TCP.
    @Test(arguments: promises.filter { $0 != .aFullQueueDetachesWithOverflow })
    func rfc2217ThroughTheRealSer2netKeeps(promise: TransportPromise) throws {
        #expect(promise.violations(by: try StreamHarness.rfc2217(promise.rawValue)) == [])
    }
}
