import EventLoops
import SimulatedReaders
import Testing

@testable import CardRigCLI

@Suite("Keys that are typed slowly")
struct SlowTypingTests {
    private static let start = VirtualInstant.zero

    private func after(_ milliseconds: Int64) -> VirtualInstant {
        Self.start + .milliseconds(milliseconds)
    }

    @Test func eachKeyComesAPauseAfterTheOneBefore() throws {
        var typing = SlowTyping()
        let keys: [MiuraKey] = [.digit(1), .digit(2), .enter]
        #expect(try typing.add(keys, pause: .milliseconds(10), at: Self.start) == [.digit(1)])
        #expect(typing.nextDue == after(10))
        #expect(typing.next(at: after(9)) == nil)
        // Whoever looks late gets each with the time at which it was due.
        let second = typing.next(at: after(25))
        #expect(second?.key == .digit(2) && second?.due == after(10))
        let third = typing.next(at: after(25))
        #expect(third?.key == .enter && third?.due == after(20))
        #expect(typing.next(at: after(99)) == nil && typing.nextDue == nil)
    }

    @Test func withoutAPauseAllComeAtOnceUnlessARowIsTyped() throws {
        var typing = SlowTyping()
        #expect(try typing.add([.digit(1), .enter], pause: .zero, at: Self.start).count == 2)
        #expect(typing.nextDue == nil)
        _ = try typing.add([.digit(1), .digit(2)], pause: .milliseconds(10), at: Self.start)
        #expect(try typing.add([.enter], pause: .zero, at: Self.start).isEmpty)
        #expect(typing.next(at: after(10))?.key == .digit(2))
        #expect(typing.next(at: after(20))?.key == .enter)
    }

    @Test func noMoreKeysWaitThanTheBound() throws {
        var typing = SlowTyping()
        let many = [MiuraKey](repeating: .digit(0), count: SlowTyping.keyBound)
        #expect(try typing.add(many, pause: .milliseconds(1), at: Self.start).count == 1)
        #expect(throws: HandRefusal.self) {
            try typing.add([.enter, .enter], pause: .zero, at: Self.start)
        }
    }
}
