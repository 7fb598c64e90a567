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
        hand.begin(HandRequest(act, readerName: "left", words: "the step"))
        #expect(hand.poll() == nil)
        #expect(try wire.peer.nextLine(untilMonotonicNanoseconds: Wire.limit) == line)
        try wire.peer.send("ok")
        #expect(try answer(of: hand) == .done)
        #expect(try !isAwake(hand), "an answered act does not keep the loop awake")
    }

    @Test func keysThatAreTypedSlowlyAreToldWithTheirPause() {
        let keys: [MiuraKey] = [.digit(1), .digit(2), .clear, .digit(3), .enter]
        func line(_ pause: VirtualDuration) -> String {
            let act = HandAct.press(reader: 0, keys, pause: pause)
            return HandLine.words(act, readerName: "miura").joined(separator: " ")
        }
        #expect(line(.zero) == "keys 12 clear 3 enter miura")
        #expect(line(.seconds(2)) == "keys 12 clear 3 enter pause 2000 miura")
        #expect(line(.nanoseconds(1)) == "keys 12 clear 3 enter pause 1 miura")
    }

    @Test func anErrorFromTheSocketEndsTheRunWithItsText() throws {
        let wire = try Wire(folder)
        let hand = try SocketOperator(wire.operatorSide)
        hand.begin(HandRequest(Self.swipe, readerName: "left", words: "the step"))
        try wire.peer.send("error there is no such card")
        #expect(
            try answer(of: hand) == .aborted("the operator gave up: there is no such card")
        )
    }

    @Test func aSocketThatAnswersSomethingElseOrHangsUpEndsTheRun() throws {
        var wire: Wire? = try Wire(folder)
        let hand = try SocketOperator(try #require(wire).operatorSide)
        hand.begin(HandRequest(Self.swipe, readerName: "left", words: "the step"))
        try wire?.peer.send("yes")
        #expect(
            try answer(of: hand)
                == .aborted("the operator answered 'yes', not ok or error")
        )
        wire = nil
        hand.begin(HandRequest(Self.swipe, readerName: "left", words: "the step"))
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
        hand.begin(HandRequest(Self.swipe, readerName: "left", words: "the step"))
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
        hand.begin(HandRequest(Self.swipe, readerName: "left", words: "the step"))
        #expect(try answer(of: hand) == .done)
        #expect(try !isAwake(hand))
        hand.begin(HandRequest(.unplug(reader: 0), readerName: "left", words: "the step"))
        #expect(
            try answer(of: hand)
                == .aborted("the operator's program sh ended with exit code 7 at 'the step'")
        )
    }

    @Test func aProgramThatIsNotThereEndsTheRun() throws {
        let hand = try ProgramOperator(command: "there-is-no-such-program-here")
        hand.begin(HandRequest(Self.swipe, readerName: "left", words: "the step"))
        guard case .aborted(let reason) = try answer(of: hand) else {
            Issue.record("it was waited for")
            return
        }
        #expect(reason.contains("there-is-no-such-program-here"))
    }

    private func person(
        _ wire: Wire,
        _ write: @escaping (String) -> Void
    ) throws -> TerminalOperator {
        try TerminalOperator(TerminalKeys(wire.operatorSide.descriptor), write: write)
    }

    private static let prompt = HandRequest(
        swipe,
        readerName: "left",
        words: "swipe: { card: visa }"
    )

    @Test func aPersonConfirmsWithEnterAndGivesUpWithA() throws {
        let wire = try Wire(folder)
        var shown = ""
        let hand = try person(wire) { shown += $0 }
        try wire.peer.send("a")
        hand.begin(Self.prompt)
        #expect(hand.poll() == nil, "what was typed before the prompt is no answer to it")
        #expect(shown.contains("\u{07}"))
        let keys = "[Enter: done, r: ask again, s: skip the scenario, a: give up] 60 s"
        #expect(shown.contains(">> swipe: { card: visa }   \(keys)"))
        try wire.peer.send("")
        #expect(try answer(of: hand) == .done)
        hand.begin(Self.prompt)
        try wire.peer.send("x")
        #expect(try answer(of: hand) == .done, "a key that means nothing, and Enter")
        hand.begin(Self.prompt)
        try wire.peer.send("\u{1B}[A")
        #expect(hand.poll() == nil, "an arrow is no answer, though it ends with an A")
        try wire.peer.send("a")
        #expect(
            try answer(of: hand)
                == .aborted("the person at the desk gave up at 'swipe: { card: visa }'")
        )
    }

    @Test func aPersonSkipsAScenarioAndHasThePromptAgain() throws {
        let wire = try Wire(folder)
        var shown = ""
        let hand = try person(wire) { shown += $0 }
        hand.begin(Self.prompt)
        try wire.peer.send("r")
        #expect(try answer(of: hand) == .again)
        #expect(shown.count { $0 == "\u{07}" } == 2, "the bell rings again")
        #expect(hand.poll() == nil, "what came with the r answers nothing")
        try wire.peer.send("")
        #expect(try answer(of: hand) == .done)
        hand.begin(Self.prompt)
        try wire.peer.send("s")
        #expect(
            try answer(of: hand)
                == .skipped("skipped by the person at the desk at 'swipe: { card: visa }'")
        )
        #expect(shown.hasSuffix("\n"))
    }

    @Test func whatTheReaderShowsNeedsNoKey() throws {
        let wire = try Wire(folder)
        let hand = try person(wire) { _ in }
        hand.readerShowedAct()
        #expect(try !isAwake(hand), "nobody was asked")
        hand.begin(Self.prompt)
        hand.readerShowedAct()
        #expect(try answer(of: hand) == .done)
        #expect(hand.poll() == nil)
    }

    @Test func aTerminalThatClosesEndsTheRun() throws {
        var wire: Wire? = try Wire(folder)
        let hand = try person(try #require(wire)) { _ in }
        let keeper = wire?.operatorSide
        hand.begin(Self.prompt)
        wire = nil
        #expect(
            try answer(of: hand) == .aborted("the terminal was closed at 'swipe: { card: visa }'")
        )
        withExtendedLifetime(keeper) {}
    }

    @Test func aPromptThatNobodyAnswersEndsItsLineOnce() throws {
        let wire = try Wire(folder)
        var shown = ""
        let hand = try person(wire) { shown += $0 }
        hand.cancel()
        #expect(shown.isEmpty)
        hand.begin(Self.prompt)
        hand.cancel()
        hand.cancel()
        #expect(shown.hasSuffix("\n") && !shown.dropLast().contains("\n"))
        try wire.peer.send("")
        #expect(try !isAwake(hand), "nobody waits for the answer any more")
    }

    @Test func theCountdownOfAPromptWakesTheLoopOnceASecond() throws {
        let wire = try Wire(folder)
        var shown = ""
        let hand = try person(wire) { shown += $0 }
        var request = Self.prompt
        request.timeLimit = .milliseconds(1_050)
        hand.begin(request)
        #expect(try !isAwake(hand))
        let poller = try Poller()
        try poller.add(try #require(hand.wakeDescriptor), token: 1)
        try poller.wait(untilMonotonicNanoseconds: Wire.limit) { _ in }
        #expect(hand.poll() == nil)
        #expect(shown.contains(" 2 s ") && shown.contains(" 1 s "))
    }

    @Test func aProgramLearnsTheStepFromItsEnvironmentAndMaySkipOrAskAgain() throws {
        let script = try folder.write(
            "arm.sh",
            """
            [ "$CARDRIG_STEP" = "swipe: { card: visa }" ] || exit 1
            [ "$CARDRIG_READER $CARDRIG_LINE $CARDRIG_FILE $CARDRIG_HAND_TIMEOUT" \
                = "left 7 a.yaml 60" ] || exit 2
            [ -e \(folder.path)/asked ] && rm \(folder.path)/asked && exit 77
            touch \(folder.path)/asked
            exit 75
            """
        )
        let hand = try ProgramOperator(["sh", script], option: "--assume-operator")
        var request = Self.prompt
        request.file = "a.yaml"
        request.location = SourceLocation(line: 7, column: 5)
        hand.begin(request)
        #expect(try answer(of: hand) == .again)
        #expect(
            try answer(of: hand)
                == .skipped(
                    "skipped by the operator's program sh (exit code 77) at "
                        + "'swipe: { card: visa }'"
                )
        )
        #expect(try !isAwake(hand))
    }

    @Test func aProgramThatTakesTooLongIsEnded() throws {
        let hand = try ProgramOperator(["sh", "-c", "sleep 60"], option: "--assume-operator")
        hand.begin(Self.prompt)
        #expect(hand.poll() == nil)
        hand.cancel()
        #expect(hand.poll() == nil)
        #expect(try !isAwake(hand))
    }
}
