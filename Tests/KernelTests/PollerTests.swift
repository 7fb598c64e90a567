import Kernel
import Testing

@Suite("Poller")
struct PollerTests {
    @Test func sleepsUntilTheMomentAndNotLonger() throws {
        let poller = try Poller()
        let start = MonotonicClock.now
        let count = try poller.wait(untilMonotonicNanoseconds: start + 20_000_000) { _ in }
        let waited = MonotonicClock.now - start
        #expect(count == 0)
        #expect(waited >= 20_000_000 && waited < 2_000_000_000)
    }

    @Test func onlyLooksWhenTheMomentIsPast() throws {
        let poller = try Poller()
        let wakeUp = try WakeUp()
        try poller.add(wakeUp.descriptor, token: 7)
        #expect(try poller.wait(untilMonotonicNanoseconds: 0) { _ in } == 0)
        wakeUp.signal()
        var tokens: [UInt64] = []
        try poller.wait(untilMonotonicNanoseconds: 0) { tokens.append($0.token) }
        #expect(tokens == [7])
    }

    @Test func anEarlierTimerThatIsOverWakesNobodyLater() throws {
        let poller = try Poller()
        let wakeUp = try WakeUp()
        try poller.add(wakeUp.descriptor, token: 1)
        wakeUp.signal()
        // Arms the timer, but the descriptor is ready first.
        try poller.wait(untilMonotonicNanoseconds: MonotonicClock.now + 5_000_000) { _ in }
        wakeUp.clear()
        let start = MonotonicClock.now
        try poller.wait(untilMonotonicNanoseconds: start + 30_000_000) { _ in }
        #expect(MonotonicClock.now - start >= 30_000_000)
    }

    @Test func aThreadThatPostsWakesTheLoop() throws {
        let poller = try Poller()
        let mailbox = try Mailbox<Int>()
        try poller.add(mailbox.descriptor, token: 3)
        let thread = try WorkerThread { for number in 0..<3 { mailbox.post(number) } }
        var received: [Int] = []
        let deadline = MonotonicClock.now + 5_000_000_000
        while received.count < 3, MonotonicClock.now < deadline {
            try poller.wait(untilMonotonicNanoseconds: deadline) { _ in
                received += mailbox.drain()
            }
        }
        thread.join()
        #expect(received == [0, 1, 2])
        #expect(try poller.wait(untilMonotonicNanoseconds: 0) { _ in } == 0)
    }

    @Test func aDescriptorThatWasRemovedIsNotReported() throws {
        let poller = try Poller()
        let wakeUp = try WakeUp()
        try poller.add(wakeUp.descriptor, token: 1)
        wakeUp.signal()
        poller.remove(wakeUp.descriptor)
        #expect(try poller.wait(untilMonotonicNanoseconds: 0) { _ in } == 0)
        #expect(throws: KernelError.self) {
            try poller.change(wakeUp.descriptor, token: 1, readable: true, writable: false)
        }
    }
}
