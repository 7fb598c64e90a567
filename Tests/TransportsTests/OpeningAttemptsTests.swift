import EventLoops
import Testing
import Transports

@Suite("Opening attempts")
struct OpeningAttemptsTests {
    @Test func thereAreTenWithinTwoSeconds() {
        var attempts = OpeningAttempts()
        var time = VirtualDuration.zero
        while let pause = attempts.failed() {
            #expect(pause > .zero)
            time = time + pause
        }
        #expect(attempts.failureCount == 10)
        #expect(time == .milliseconds(1_915))
        #expect(attempts.failed() == nil, "it stays given up")
    }

    @Test(
        arguments: [
            (OpeningFault(.busy, for: .milliseconds(1)), 5), (OpeningFault(.busy, for: .zero), 0),
            (OpeningFault(.late), 155), (OpeningFault(.late, for: .milliseconds(5)), 5),
            (OpeningFault(.denied, for: .milliseconds(300)), 315),
            (OpeningFault(.busy, for: .milliseconds(1_915)), 1_915),
        ] as [(OpeningFault, Int64)]
    )
    func whatEndsInTimeIsOpenAtTheNextAttempt(fault: OpeningFault, milliseconds: Int64) {
        let end = OpeningAttempts.end(of: fault)
        #expect(end.isOpen)
        #expect(end.after == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        OpeningFault(.busy), OpeningFault(.denied), OpeningFault(.late, for: .milliseconds(1_916)),
        OpeningFault(.busy, for: VirtualDuration(nanoseconds: .max)),
    ])
    func whatDoesNotIsGivenUp(fault: OpeningFault) {
        let end = OpeningAttempts.end(of: fault)
        #expect(!end.isOpen)
        #expect(end.after == .milliseconds(1_915))
        #expect(fault.problem.code == (fault.cause == .busy ? .busy : .accessDenied))
    }
}
