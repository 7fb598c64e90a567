import CardData
import EventLoops
import ReaderProtocols
import Testing

@Suite("MPI host")
struct MPIHostTests {
    // MARK: Order

    @Test func oneCommandIsWrittenAtATime() {
        var bench = MPIBench()
        let first = bench.send(MPIBench.text)
        let second = bench.send(.readClock)
        #expect(bench.written == [MPIBench.text])
        bench.answer(.done)
        #expect(bench.written == [MPIBench.text, .readClock])
        let clock = MiuraClock(year: 1, month: 2, day: 3)
        bench.answer(.clock(clock))
        #expect(bench.take() == [.answered(first, .done), .answered(second, .clock(clock))])
        #expect(bench.host.isIdle())
    }

    @Test func unsolicitedMessagesNeverAnswerACommand() {
        var bench = MPIBench()
        let ticket = bench.send(MPIBench.text)
        bench.say(MPIBench.noCard)
        bench.say(.keyPressed(0x1B))
        #expect(
            bench.take() == [.event(.reader, MPIBench.noCard), .event(.reader, .keyPressed(0x1B))]
        )
        bench.answer(.done)
        #expect(bench.take() == [.answered(ticket, .done)])
    }

    @Test func nodesAreAskedSideBySide() {
        var bench = MPIBench()
        let reader = bench.send(MPIBench.text)
        let hub = bench.host.send(.cashDrawer(opens: true), to: .hub, at: bench.now)
        bench.collect()
        #expect(bench.written == [MPIBench.text, .cashDrawer(opens: true)])
        bench.receive(MiuraAnswer.cashDrawer(isOpen: true).message(from: .hub).bytes)
        bench.answer(.done)
        #expect(
            bench.take() == [.answered(hub, .cashDrawer(isOpen: true)), .answered(reader, .done)]
        )
    }

    @Test func cardStatusIsAnsweredByTheNextCardStatusAndHoldsUpNothing() {
        var bench = MPIBench()
        let status = bench.send(.cardStatus(.payments))
        let text = bench.send(MPIBench.text)
        #expect(bench.written == [.cardStatus(.payments), MPIBench.text])
        bench.answer(.done)
        bench.say(MPIBench.noCard)
        #expect(
            bench.take() == [
                .answered(text, .done), .event(.reader, MPIBench.noCard),
                .answered(status, .cardStatus(MiuraCardReport([]))),
            ]
        )
        let silent = bench.send(.cardStatus([]))
        bench.wait(.seconds(5))
        #expect(bench.take() == [.failed(silent, .timedOut)])
    }

    @Test func bytesOfAStreamFollowTheirCommand() {
        var bench = MPIBench()
        let command = MiuraCommand.streamBinary(MiuraStream(offset: 0, byteCount: 3))
        let ticket = bench.host.send(command, rawBytes: [1, 2, 3], at: bench.now)
        #expect(bench.host.nextAction() == .write(command.message().bytes + [1, 2, 3]))
        bench.answer(.done)
        let wrong = bench.send(command, rawBytes: [1, 2])
        #expect(bench.take() == [.answered(ticket, .done), .failed(wrong, .notEncodable)])
    }

    @Test func aCommandCanBeTakenBackUntilItIsWritten() {
        var bench = MPIBench()
        let first = bench.send(MPIBench.text)
        let second = bench.send(.readClock)
        let couldTakeBack = (bench.host.withdraw(first), bench.host.withdraw(second))
        #expect(couldTakeBack == (false, true))
        bench.answer(.done)
        #expect(bench.written == [MPIBench.text])
        #expect(bench.take() == [.failed(second, .withdrawn), .answered(first, .done)])
    }

    @Test func longCommandsNeedAReaderThatUnderstandsThem() {
        var bench = MPIBench()
        let long = MiuraCommand.other(
            MiuraAPDU(0xD2A4, data: [UInt8](repeating: 1, count: 300))
        )
        let refused = bench.send(long)
        #expect(bench.take() == [.failed(refused, .notEncodable)])
        _ = bench.send(.resetDevice(.soft))
        bench.answer(
            .software(
                MiuraSoftware(
                    serialNumber: "1",
                    software: [],
                    abilities: [MiuraEntry(MiuraSoftware.extendedAPDU)]
                )
            )
        )
        _ = bench.send(long)
        #expect(bench.written == [.resetDevice(.soft), long])
    }

    // MARK: ABORT

    @Test(arguments: [true, false])
    func bothOrdersOfAnswersAroundAnAbortAreToldApart(abortFirst: Bool) {
        var bench = MPIBench()
        let start = bench.send(MPIBench.start)
        let abort = bench.send(.abort)
        #expect(bench.written == [MPIBench.start, .abort])
        let cancelled = MiuraAnswer.refused(.cancelled, [])
        if abortFirst {
            bench.answer(.done)
            bench.answer(cancelled)
            #expect(bench.take() == [.answered(abort, .done), .answered(start, cancelled)])
        } else {
            bench.answer(MPIBench.declined)
            bench.answer(.done)
            #expect(bench.take() == [.answered(start, MPIBench.declined), .answered(abort, .done)])
        }
        #expect(bench.host.isIdle())
    }

    @Test func fiveAbortsAreAnsweredOneByOne() {
        var bench = MPIBench()
        let start = bench.send(MPIBench.start)
        let aborts = (0..<5).map { _ in bench.send(.abort) }
        bench.answer(.done)
        bench.answer(.refused(.cancelled, []))
        for _ in 1..<5 { bench.answer(.done) }
        var expected: [MPIAction] = aborts.map { .answered($0, .done) }
        expected.insert(.answered(start, .refused(.cancelled, [])), at: 1)
        #expect(bench.take() == expected)
    }

    @Test func afterAbortBeforeContinueTheAdditionalDeclineIsAwaited() {
        var bench = MPIBench()
        _ = bench.send(MPIBench.start)
        bench.answer(MPIBench.online)
        let abort = bench.send(.abort)
        bench.answer(.done)
        let text = bench.send(MPIBench.text)
        #expect(bench.written == [MPIBench.start, .abort])
        _ = bench.take()
        bench.answer(MPIBench.declined)
        #expect(bench.written == [MPIBench.start, .abort, MPIBench.text])
        #expect(bench.take() == [.unmatched(.reader, MPIBench.declined.response, while: nil)])
        bench.answer(.done)
        #expect(bench.take() == [.answered(text, .done)])
        _ = abort
    }

    @Test func withoutTheAdditionalDeclineTheQueueGoesOnAfterTwoSeconds() {
        var bench = MPIBench()
        _ = bench.send(MPIBench.start)
        bench.answer(MPIBench.online)
        _ = bench.send(.abort)
        bench.answer(.done)
        _ = bench.send(MPIBench.text)
        bench.wait(.milliseconds(1999))
        #expect(bench.written.count == 2)
        bench.wait(.milliseconds(1))
        #expect(bench.written == [MPIBench.start, .abort, MPIBench.text])
    }

    // MARK: Card pulled

    @Test func aDeclineThatNobodyAskedForDoesNotShiftTheAnswers() {
        var bench = MPIBench()
        _ = bench.send(MPIBench.start)
        bench.answer(MPIBench.online)
        let text = bench.send(MPIBench.text)
        _ = bench.take()
        bench.answer(MPIBench.declined)
        bench.answer(.done)
        #expect(
            bench.take() == [
                .unmatched(.reader, MPIBench.declined.response, while: text),
                .answered(text, .done),
            ]
        )
    }

    @Test func pullingTheCardBeforeContinueWaitsForTheDecline() {
        var bench = MPIBench()
        _ = bench.send(MPIBench.start)
        bench.answer(MPIBench.online)
        bench.say(MPIBench.noCard)
        let go = bench.send(.continueTransaction([TLV(.authorisationResponseCode, text: "00")]))
        #expect(bench.written == [MPIBench.start])
        _ = bench.take()
        bench.answer(MPIBench.declined)
        bench.answer(.refused(.notReady, []))
        #expect(
            bench.take() == [
                .unmatched(.reader, MPIBench.declined.response, while: nil),
                .answered(go, .refused(.notReady, [])),
            ]
        )
    }

    @Test func aDeclineThatCrossesContinueLeavesItsAnswerBehind() {
        var bench = MPIBench()
        _ = bench.send(MPIBench.start)
        bench.answer(MPIBench.online)
        let go = bench.send(.continueTransaction([TLV(.authorisationResponseCode, text: "00")]))
        bench.say(MPIBench.noCard)
        let text = bench.send(MPIBench.text)
        _ = bench.take()
        bench.answer(MPIBench.declined)
        #expect(bench.written.last != MPIBench.text)
        bench.answer(.refused(.notReady, []))
        #expect(bench.written.last == MPIBench.text)
        bench.answer(.done)
        #expect(
            bench.take() == [
                .answered(go, MPIBench.declined),
                .unmatched(.reader, MiuraResponse([] as [UInt8], .notReady), while: nil),
                .answered(text, .done),
            ]
        )
    }

    @Test func answersThatACommandCannotHaveAreNotTaken() {
        let foreign: [(MiuraCommand, MiuraAnswer)] = [
            (MPIBench.text, .refused(.notReady, [])), (MPIBench.text, MPIBench.declined),
            (MPIBench.text, MPIBench.software), (.readClock, .done), (MPIBench.start, .done),
            (MPIBench.start, .refused(.notReady, [])), (.resetDevice(.soft), .p2peStatus([])),
        ]
        for (command, answer) in foreign {
            var bench = MPIBench()
            let ticket = bench.send(command)
            bench.answer(answer)
            #expect(bench.take() == [.unmatched(.reader, answer.response, while: ticket)])
            #expect(bench.host.isBusy())
        }
    }

    @Test func aMalformedAnswerFailsItsCommand() {
        var bench = MPIBench()
        let ticket = bench.send(.batteryStatus(.query))
        bench.receive(
            MiuraMessage(payload: MiuraResponse([TLV(.batteryPercentage, [101])]).payload).bytes
        )
        let error = MiuraFormatError(.malformed(.batteryPercentage))
        #expect(bench.take() == [.failed(ticket, .answerMalformed(error))])
    }
}
