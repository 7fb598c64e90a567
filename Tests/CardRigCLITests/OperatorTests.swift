import EventLoops
import Journal
import Kernel
import Rig
import SimulatedReaders
import Testing

@testable import CardRigCLI

@Suite("Operators")
struct OperatorTests {
    private static let swipe = HandAct.swipe(reader: 0, card: "visa", quality: .good)

    /// Both ends of a real unix socket.
    private struct Wire {
        let operatorSide: LineStream
        let peer: LineStream
        private let listener: LineListener

        init(_ folder: TemporaryFolder) throws {
            let path = folder.path + "/operator"
            listener = try LineListener(path: path)
            operatorSide = try LineStream(connectingTo: path)
            let poller = try Poller()
            try poller.add(listener.descriptor, token: 1)
            try poller.wait(untilMonotonicNanoseconds: Self.limit) { _ in }
            peer = try #require(try listener.accept())
        }

        static var limit: Int64 { MonotonicClock.now + 5_000_000_000 }
    }

    /// Waits as the loop does, on the wake descriptor alone, until there is an answer.
    private func answer(of hand: any Operator) throws -> OperatorAnswer? {
        let poller = try Poller()
        try poller.add(try #require(hand.wakeDescriptor), token: 1)
        let limit = Wire.limit
        while MonotonicClock.now < limit {
            if let answer = hand.poll() { return answer }
            try poller.wait(untilMonotonicNanoseconds: limit) { _ in }
        }
        return nil
    }

    /// Whether the loop would be woken now.
    private func isAwake(_ hand: any Operator) throws -> Bool {
        let poller = try Poller()
        try poller.add(try #require(hand.wakeDescriptor), token: 1)
        return try poller.wait(untilMonotonicNanoseconds: 0) { _ in } > 0
    }

    private let folder = TemporaryFolder()

    @Test(
        arguments: [
            (HandAct.plugIn(reader: 0), "plug in left"),
            (HandAct.unplug(reader: 0), "unplug left"),
            (swipe, "swipe visa good left"),
        ]
    )
    func aSocketIsToldOneLineAndAnswersOneLine(act: HandAct, line: String) throws {
        let wire = try Wire(folder)
        let hand = try SocketOperator(wire.operatorSide)
        hand.begin(act, readerName: "left", words: "the step")
        #expect(hand.poll() == nil)
        #expect(try wire.peer.nextLine(untilMonotonicNanoseconds: Wire.limit) == line)
        try wire.peer.send("ok")
        #expect(try answer(of: hand) == .done)
        #expect(try !isAwake(hand), "an answered act does not keep the loop awake")
    }

    @Test func anErrorFromTheSocketEndsTheRunWithItsText() throws {
        let wire = try Wire(folder)
        let hand = try SocketOperator(wire.operatorSide)
        hand.begin(Self.swipe, readerName: "left", words: "the step")
        try wire.peer.send("error there is no such card")
        #expect(
            try answer(of: hand) == .aborted("the operator gave up: there is no such card")
        )
    }

    @Test func aSocketThatAnswersSomethingElseOrHangsUpEndsTheRun() throws {
        var wire: Wire? = try Wire(folder)
        let hand = try SocketOperator(try #require(wire).operatorSide)
        hand.begin(Self.swipe, readerName: "left", words: "the step")
        try wire?.peer.send("yes")
        #expect(
            try answer(of: hand)
                == .aborted("the operator answered 'yes', not ok or error")
        )
        wire = nil
        hand.begin(Self.swipe, readerName: "left", words: "the step")
        guard case .aborted(let reason) = try answer(of: hand) else {
            Issue.record("a peer that is gone was waited for")
            return
        }
        #expect(reason.contains("the operator"))
    }

    @Test func aLateAnswerIsNotTakenForTheNextAct() throws {
        let wire = try Wire(folder)
        let hand = try SocketOperator(wire.operatorSide)
        try wire.peer.send("ok")
        #expect(try !isAwake(hand), "what comes between two acts does not wake the loop")
        hand.begin(Self.swipe, readerName: "left", words: "the step")
        #expect(hand.poll() == nil)
    }

    @Test func aProgramGetsTheWordsAndItsExitCodeIsTheAnswer() throws {
        let script = try folder.write(
            "hand.sh",
            """
            [ "$*" = "swipe visa good left" ] || exit 7
            """
        )
        let hand = try ProgramOperator(command: "sh \(script)")
        hand.begin(Self.swipe, readerName: "left", words: "the step")
        #expect(try answer(of: hand) == .done)
        #expect(try !isAwake(hand))
        hand.begin(.unplug(reader: 0), readerName: "left", words: "the step")
        #expect(
            try answer(of: hand) == .aborted("the operator's program ended with exit code 7")
        )
    }

    @Test func aProgramThatIsNotThereEndsTheRun() throws {
        let hand = try ProgramOperator(command: "there-is-no-such-program-here")
        hand.begin(Self.swipe, readerName: "left", words: "the step")
        guard case .aborted(let reason) = try answer(of: hand) else {
            Issue.record("it was waited for")
            return
        }
        #expect(reason.contains("there-is-no-such-program-here"))
    }

    @Test func aPersonConfirmsWithEnterAndGivesUpWithA() throws {
        let wire = try Wire(folder)
        var shown = ""
        let hand = try TerminalOperator(wire.operatorSide, limit: .seconds(60)) { shown += $0 }
        try wire.peer.send("")
        hand.begin(Self.swipe, readerName: "left", words: "swipe: { card: visa }")
        #expect(hand.poll() == nil, "what was typed before the prompt is no answer to it")
        #expect(shown.contains("\u{07}"))
        #expect(shown.contains(">> swipe: { card: visa }   [Enter: done, a: give up] 60 s"))
        try wire.peer.send("")
        #expect(try answer(of: hand) == .done)
        hand.begin(Self.swipe, readerName: "left", words: "swipe: { card: visa }")
        try wire.peer.send("what?")
        try wire.peer.send("a")
        #expect(
            try answer(of: hand)
                == .aborted("the person at the desk gave up at 'swipe: { card: visa }'")
        )
    }

    @Test func aPromptThatNobodyAnswersEndsItsLineOnce() throws {
        let wire = try Wire(folder)
        var shown = ""
        let hand = try TerminalOperator(wire.operatorSide, limit: .seconds(60)) { shown += $0 }
        hand.cancel()
        #expect(shown.isEmpty)
        hand.begin(Self.swipe, readerName: "left", words: "swipe")
        hand.cancel()
        hand.cancel()
        #expect(shown.hasSuffix("\n") && !shown.dropLast().contains("\n"))
        try wire.peer.send("")
        #expect(try !isAwake(hand), "nobody waits for the answer any more")
    }

    @Test func theCountdownOfAPromptWakesTheLoopOnceASecond() throws {
        let wire = try Wire(folder)
        var shown = ""
        let hand = try TerminalOperator(wire.operatorSide, limit: .milliseconds(1_050)) {
            shown += $0
        }
        hand.begin(Self.swipe, readerName: "left", words: "swipe")
        #expect(try !isAwake(hand))
        let poller = try Poller()
        try poller.add(try #require(hand.wakeDescriptor), token: 1)
        try poller.wait(untilMonotonicNanoseconds: Wire.limit) { _ in }
        #expect(hand.poll() == nil)
        #expect(shown.contains(" 2 s ") && shown.contains(" 1 s "))
    }
}
