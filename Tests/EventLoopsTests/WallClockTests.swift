import EventLoops
import Kernel
import Testing

@Suite("Wall clock")
struct WallClockTests {
    @Test func sleepsUntilTheMomentHasCome() throws {
        let clock = try EventLoops.WallClock()
        let moment = clock.now + .milliseconds(20)
        try clock.sleep(until: moment)
        #expect(clock.now >= moment)
        #expect(clock.now < moment + .seconds(10))
    }

    @Test func aPastMomentIsNoSleep() throws {
        let clock = try EventLoops.WallClock()
        try clock.sleep(until: .zero)
        try clock.sleep(until: VirtualInstant(nanoseconds: -1))
        #expect(clock.now < .seconds(10))
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [.seconds(3_600), .distantFuture] as [VirtualInstant]
    )
    func aReadableDescriptorEndsTheSleep(moment: VirtualInstant) throws {
        let clock = try EventLoops.WallClock()
        let wakeUp = try WakeUp()
        try clock.watch(wakeUp.descriptor)
        wakeUp.signal()
        try clock.sleep(until: moment)
        #expect(wakeUp.clear())
        let next = clock.now + .milliseconds(5)
        try clock.sleep(until: next)
        #expect(clock.now >= next)
    }

    @Test(.timeLimit(.minutes(1)))
    func aDescriptorThatBecomesReadableDuringTheSleepEndsIt() throws {
        let wakeUp = try WakeUp()
        let clock = try EventLoops.WallClock()
        try clock.watch(wakeUp.descriptor)
        // A thread of its own: the sleep keeps the one that the tests share.
        let signaler = try WorkerThread {
            let pause = try? EventLoops.WallClock()
            try? pause?.sleep(until: .zero + .milliseconds(10))
            wakeUp.signal()
        }
        try clock.sleep(until: .distantFuture)
        signaler.join()
        #expect(wakeUp.clear())
    }

    @Test func aClosedDescriptorCannotBeWatched() throws {
        let clock = try EventLoops.WallClock()
        #expect(throws: WallClockError.self) { try clock.watch(-1) }
    }
}
