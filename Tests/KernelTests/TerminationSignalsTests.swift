import Glibc
import Kernel
import Testing

@Suite("Termination signals")
struct TerminationSignalsTests {
    @Test func aSignalIsReadAndEndsNothing() throws {
        let signals = try TerminationSignals()
        let poller = try Poller()
        try poller.add(signals.descriptor, token: 1)
        #expect(signals.take() == nil)
        // To this thread only: the suite's other threads do not block it.
        raise(SIGTERM)
        let deadline = MonotonicClock.now + 5_000_000_000
        #expect(try poller.wait(untilMonotonicNanoseconds: deadline) { _ in } == 1)
        #expect(signals.take() == SIGTERM)
        #expect(signals.take() == nil)
    }

    @Test func aSignalThatNobodyTookEndsNothingLater() throws {
        let signals = try TerminationSignals()
        raise(SIGTERM)
        withExtendedLifetime(signals) {}
        // Released here at the latest; the signal would have ended the tests.
    }

    @Test func aChildCanBeEndedThoughItsParentBlocksTheSignal() throws {
        let signals = try TerminationSignals()
        var child = try ChildProcess(["sleep", "60"])
        child.signal(SIGTERM)
        let status = try child.wait(untilMonotonicNanoseconds: MonotonicClock.now + 5_000_000_000)
        #expect(status == .signalled(SIGTERM))
        _ = signals
    }
}
