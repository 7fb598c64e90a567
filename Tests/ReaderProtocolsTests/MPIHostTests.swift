import EventLoops
import ReaderProtocols
import Testing

@Suite("MPI host")
struct MPIHostTests {
    /// A host with a reader at the other end of its link that a test plays by hand.
    struct Bench {
        var host: MPIHost
        var now = VirtualInstant.zero
        var actions: [MPIAction] = []
        /// What the host wrote, as commands.
        var written: [MiuraCommand] = []
        private var reader = MiuraDecoder(.toReader)

        init(_ change: (inout MPIOptions) -> Void = { _ in }) {
            var options = MPIOptions()
            options.initialisation = []
            options.expectsGreeting = false
            change(&options)
            host = MPIHost(options)
            host.attached(at: now)
            collect()
            if !options.expectsGreeting, options.initialisation.isEmpty {
                precondition(take() == [.initialised(.reader, [])])
            }
        }

        mutating func collect() {
            while let action = host.nextAction() {
                guard case .write(let bytes) = action else {
                    actions.append(action)
                    continue
                }
                reader.append(bytes[...])
                while let reading = reader.next() {
                    if case .message(let message) = reading,
                        let apdu = try? MiuraAPDU(message.payload),
                        let command = try? MiuraCommand(apdu)
                    {
                        written.append(command)
                    }
                }
            }
        }

        mutating func send(_ command: MiuraCommand, rawBytes: [UInt8] = []) -> MPIHost.Ticket {
            defer { collect() }
            return host.send(command, rawBytes: rawBytes, at: now)
        }

        mutating func receive(_ bytes: [UInt8]) {
            host.receive(bytes[...], at: now)
            collect()
        }

        mutating func answer(_ answer: MiuraAnswer) { receive(answer.message().bytes) }

        mutating func say(_ event: MiuraEvent) { receive(event.message().bytes) }

        mutating func wait(_ duration: VirtualDuration) {
            let end = now + duration
            while let deadline = host.deadline, deadline <= end {
                now = deadline
                host.advance(to: now)
                collect()
            }
            now = end
        }

        /// Takes the actions since the last time.
        mutating func take() -> [MPIAction] {
            defer { actions = [] }
            return actions
        }
    }

    static let software = MiuraAnswer.software(MiuraSoftware(serialNumber: "1", software: []))
    static let start = MiuraCommand.startTransaction(
        MiuraTransaction(amountMinorUnits: 1500, currency: 826)
    )
    static let text = MiuraCommand.displayText(MiuraText("Processing..."))
    static let poweredOn = MiuraEvent.readerStatus(MiuraReaderStatus(.poweredOn, "on"))
    static let noCard = MiuraEvent.cardStatus(MiuraCardReport([]))
    static let declined = MiuraAnswer.transaction(.declined([TLV(.transactionType, [0])]))
    static let online = MiuraAnswer.transaction(.onlineRequired([TLV(.transactionType, [0])]))

    // MARK: Order

    @Test func oneCommandIsWrittenAtATime() {
        var bench = Bench()
        let first = bench.send(Self.text)
        let second = bench.send(.readClock)
        #expect(bench.written == [Self.text])
        bench.answer(.done)
        #expect(bench.written == [Self.text, .readClock])
        let clock = MiuraClock(year: 1, month: 2, day: 3)
        bench.answer(.clock(clock))
        #expect(bench.take() == [.answered(first, .done), .answered(second, .clock(clock))])
        #expect(bench.host.isIdle())
    }

    @Test func unsolicitedMessagesNeverAnswerACommand() {
        var bench = Bench()
        let ticket = bench.send(Self.text)
        bench.say(Self.noCard)
        bench.say(.keyPressed(0x1B))
        #expect(bench.take() == [.event(.reader, Self.noCard), .event(.reader, .keyPressed(0x1B))])
        bench.answer(.done)
        #expect(bench.take() == [.answered(ticket, .done)])
    }

    @Test func nodesAreAskedSideBySide() {
        var bench = Bench()
        let reader = bench.send(Self.text)
        let hub = bench.host.send(.cashDrawer(opens: true), to: .hub, at: bench.now)
        bench.collect()
        #expect(bench.written == [Self.text, .cashDrawer(opens: true)])
        bench.receive(MiuraAnswer.cashDrawer(isOpen: true).message(from: .hub).bytes)
        bench.answer(.done)
        #expect(
            bench.take() == [.answered(hub, .cashDrawer(isOpen: true)), .answered(reader, .done)]
        )
    }

    @Test func cardStatusIsAnsweredByTheNextCardStatusAndHoldsUpNothing() {
        var bench = Bench()
        let status = bench.send(.cardStatus(.payments))
        let text = bench.send(Self.text)
        #expect(bench.written == [.cardStatus(.payments), Self.text])
        bench.answer(.done)
        bench.say(Self.noCard)
        #expect(
            bench.take() == [
                .answered(text, .done), .event(.reader, Self.noCard),
                .answered(status, .cardStatus(MiuraCardReport([]))),
            ]
        )
        let silent = bench.send(.cardStatus([]))
        bench.wait(.seconds(5))
        #expect(bench.take() == [.failed(silent, .timedOut)])
    }

    @Test func bytesOfAStreamFollowTheirCommand() {
        var bench = Bench()
        let command = MiuraCommand.streamBinary(MiuraStream(offset: 0, byteCount: 3))
        let ticket = bench.host.send(command, rawBytes: [1, 2, 3], at: bench.now)
        #expect(bench.host.nextAction() == .write(command.message().bytes + [1, 2, 3]))
        bench.answer(.done)
        let wrong = bench.send(command, rawBytes: [1, 2])
        #expect(bench.take() == [.answered(ticket, .done), .failed(wrong, .notEncodable)])
    }

    @Test func aCommandCanBeTakenBackUntilItIsWritten() {
        var bench = Bench()
        let first = bench.send(Self.text)
        let second = bench.send(.readClock)
        let couldTakeBack = (bench.host.withdraw(first), bench.host.withdraw(second))
        #expect(couldTakeBack == (false, true))
        bench.answer(.done)
        #expect(bench.written == [Self.text])
        #expect(bench.take() == [.failed(second, .withdrawn), .answered(first, .done)])
    }

    @Test func longCommandsNeedAReaderThatUnderstandsThem() {
        var bench = Bench()
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
        var bench = Bench()
        let start = bench.send(Self.start)
        let abort = bench.send(.abort)
        #expect(bench.written == [Self.start, .abort])
        let cancelled = MiuraAnswer.refused(.cancelled, [])
        if abortFirst {
            bench.answer(.done)
            bench.answer(cancelled)
            #expect(bench.take() == [.answered(abort, .done), .answered(start, cancelled)])
        } else {
            bench.answer(Self.declined)
            bench.answer(.done)
            #expect(bench.take() == [.answered(start, Self.declined), .answered(abort, .done)])
        }
        #expect(bench.host.isIdle())
    }

    @Test func fiveAbortsAreAnsweredOneByOne() {
        var bench = Bench()
        let start = bench.send(Self.start)
        let aborts = (0..<5).map { _ in bench.send(.abort) }
        bench.answer(.done)
        bench.answer(.refused(.cancelled, []))
        for _ in 1..<5 { bench.answer(.done) }
        var expected: [MPIAction] = aborts.map { .answered($0, .done) }
        expected.insert(.answered(start, .refused(.cancelled, [])), at: 1)
        #expect(bench.take() == expected)
    }

    @Test func afterAbortBeforeContinueTheAdditionalDeclineIsAwaited() {
        var bench = Bench()
        _ = bench.send(Self.start)
        bench.answer(Self.online)
        let abort = bench.send(.abort)
        bench.answer(.done)
        let text = bench.send(Self.text)
        #expect(bench.written == [Self.start, .abort])
        _ = bench.take()
        bench.answer(Self.declined)
        #expect(bench.written == [Self.start, .abort, Self.text])
        #expect(bench.take() == [.unmatched(.reader, Self.declined.response, while: nil)])
        bench.answer(.done)
        #expect(bench.take() == [.answered(text, .done)])
        _ = abort
    }

    @Test func withoutTheAdditionalDeclineTheQueueGoesOnAfterTwoSeconds() {
        var bench = Bench()
        _ = bench.send(Self.start)
        bench.answer(Self.online)
        _ = bench.send(.abort)
        bench.answer(.done)
        _ = bench.send(Self.text)
        bench.wait(.milliseconds(1999))
        #expect(bench.written.count == 2)
        bench.wait(.milliseconds(1))
        #expect(bench.written == [Self.start, .abort, Self.text])
    }

    // MARK: Card pulled

    @Test func aDeclineThatNobodyAskedForDoesNotShiftTheAnswers() {
        var bench = Bench()
        _ = bench.send(Self.start)
        bench.answer(Self.online)
        let text = bench.send(Self.text)
        _ = bench.take()
        bench.answer(Self.declined)
        bench.answer(.done)
        #expect(
            bench.take() == [
                .unmatched(.reader, Self.declined.response, while: text),
                .answered(text, .done),
            ]
        )
    }

    @Test func pullingTheCardBeforeContinueWaitsForTheDecline() {
        var bench = Bench()
        _ = bench.send(Self.start)
        bench.answer(Self.online)
        bench.say(Self.noCard)
        let go = bench.send(.continueTransaction([TLV(.authorisationResponseCode, text: "00")]))
        #expect(bench.written == [Self.start])
        _ = bench.take()
        bench.answer(Self.declined)
        bench.answer(.refused(.notReady, []))
        #expect(
            bench.take() == [
                .unmatched(.reader, Self.declined.response, while: nil),
                .answered(go, .refused(.notReady, [])),
            ]
        )
    }

    @Test func aDeclineThatCrossesContinueLeavesItsAnswerBehind() {
        var bench = Bench()
        _ = bench.send(Self.start)
        bench.answer(Self.online)
        let go = bench.send(.continueTransaction([TLV(.authorisationResponseCode, text: "00")]))
        bench.say(Self.noCard)
        let text = bench.send(Self.text)
        _ = bench.take()
        bench.answer(Self.declined)
        #expect(bench.written.last != Self.text)
        bench.answer(.refused(.notReady, []))
        #expect(bench.written.last == Self.text)
        bench.answer(.done)
        #expect(
            bench.take() == [
                .answered(go, Self.declined),
                .unmatched(.reader, MiuraResponse([] as [UInt8], .notReady), while: nil),
                .answered(text, .done),
            ]
        )
    }

    @Test func answersThatACommandCannotHaveAreNotTaken() {
        let foreign: [(MiuraCommand, MiuraAnswer)] = [
            (Self.text, .refused(.notReady, [])), (Self.text, Self.declined),
            (Self.text, Self.software), (.readClock, .done), (Self.start, .done),
            (Self.start, .refused(.notReady, [])), (.resetDevice(.soft), .p2peStatus([])),
        ]
        for (command, answer) in foreign {
            var bench = Bench()
            let ticket = bench.send(command)
            bench.answer(answer)
            #expect(bench.take() == [.unmatched(.reader, answer.response, while: ticket)])
            #expect(bench.host.isBusy())
        }
    }

    @Test func aMalformedAnswerFailsItsCommand() {
        var bench = Bench()
        let ticket = bench.send(.batteryStatus(.query))
        bench.receive(
            MiuraMessage(payload: MiuraResponse([TLV(.batteryPercentage, [101])]).payload).bytes
        )
        let error = MiuraFormatError(.malformed(.batteryPercentage))
        #expect(bench.take() == [.failed(ticket, .answerMalformed(error))])
    }

    // MARK: Time

    @Test func aLateAnswerIsNotTakenForTheNextOne() {
        var bench = Bench()
        let late = bench.send(.readClock)
        let text = bench.send(Self.text)
        bench.wait(.seconds(10))
        #expect(bench.take() == [.failed(late, .timedOut), .probing(.reader)])
        let clock = MiuraAnswer.clock(MiuraClock(year: 1, month: 2, day: 3))
        bench.answer(clock)
        bench.answer(Self.software)
        bench.answer(.done)
        #expect(
            bench.take() == [
                .unmatched(.reader, clock.response, while: nil), .answered(text, .done),
            ]
        )
        #expect(bench.written == [.readClock, .resetDevice(.soft), Self.text])
    }

    @Test func aSilentReaderIsDropped() {
        var bench = Bench()
        let first = bench.send(.readClock)
        let second = bench.send(Self.text)
        bench.wait(.seconds(15))
        #expect(
            bench.take() == [
                .failed(first, .timedOut), .probing(.reader), .failed(second, .linkLost),
                .dropLink(.silent(.reader)),
            ]
        )
        #expect(!bench.host.isAttached && bench.host.deadline == nil)
        bench.receive(MiuraVectors.m18)
        let third = bench.send(Self.text)
        #expect(bench.take() == [.failed(third, .linkLost)])
    }

    @Test func waitingForACardHasNoLimitOfTheHosts() {
        var bench = Bench()
        _ = bench.send(Self.start)
        #expect(bench.host.deadline == nil)
        var limited = Bench { $0.limits.interruptible = .seconds(60) }
        let ticket = limited.send(Self.start)
        limited.wait(.seconds(60))
        #expect(limited.take().first == .failed(ticket, .timedOut))
    }

    @Test func aFrameThatDoesNotEndIsDamage() {
        var bench = Bench()
        bench.receive([0x01, 0x40, 0x08, 0xE1])
        bench.wait(.seconds(5))
        let damage = MiuraDamage(.truncated, offset: 4, frameOffset: 0)
        #expect(bench.take() == [.damaged(damage), .dropLink(.damage(damage))])
    }

    // MARK: Damage

    @Test func aWrongChecksumIsReportedAtOnceAndDropsTheLink() {
        var bench = Bench()
        let ticket = bench.send(Self.text)
        bench.receive(MiuraVectors.m16)
        let damage = MiuraDamage(.wrongChecksum, offset: 9, frameOffset: 0)
        #expect(
            bench.take() == [
                .damaged(damage), .failed(ticket, .linkLost), .dropLink(.damage(damage)),
            ]
        )
    }

    @Test func resyncFailsWhatWasWrittenAndFindsItsPlaceAgain() {
        var bench = Bench { $0.damagePolicy = .resync }
        let first = bench.send(Self.text)
        let second = bench.send(.readClock)
        bench.receive(MiuraVectors.m16)
        bench.answer(Self.software)
        let clock = MiuraAnswer.clock(MiuraClock(year: 1, month: 2, day: 3))
        bench.answer(clock)
        #expect(
            bench.take() == [
                .damaged(MiuraDamage(.wrongChecksum, offset: 9, frameOffset: 0)),
                .failed(first, .answerDamaged), .probing(.reader), .skipped(byteCount: 10),
                .answered(second, clock),
            ]
        )
    }

    // MARK: Set-up and restart

    @Test func theSetUpFollowsTheGreetingAndComesBeforeEverythingElse() {
        var bench = Bench {
            $0.expectsGreeting = true
            $0.initialisation = [.resetDevice(.soft), .p2peStatus]
        }
        let ticket = bench.send(Self.text)
        #expect(bench.written.isEmpty)
        bench.say(Self.poweredOn)
        bench.answer(Self.software)
        bench.answer(.p2peStatus(.sredReady))
        bench.answer(.done)
        #expect(bench.written == [.resetDevice(.soft), .p2peStatus, Self.text])
        #expect(
            bench.take() == [
                .event(.reader, Self.poweredOn),
                .initialised(.reader, [Self.software, .p2peStatus(.sredReady)]),
                .answered(ticket, .done),
            ]
        )
    }

    @Test func withoutAGreetingTheSetUpBeginsAfterASecondAndALateGreetingIsNoRestart() {
        var bench = Bench {
            $0.expectsGreeting = true
            $0.initialisation = [.resetDevice(.soft)]
        }
        bench.wait(.seconds(1))
        #expect(bench.written == [.resetDevice(.soft)])
        bench.say(Self.poweredOn)
        bench.answer(Self.software)
        #expect(
            bench.take() == [
                .event(.reader, Self.poweredOn), .initialised(.reader, [Self.software]),
            ]
        )
    }

    @Test func aReaderThatStartsAnewIsSetUpAgain() {
        var bench = Bench { $0.initialisation = [.resetDevice(.soft)] }
        bench.answer(Self.software)
        let running = bench.send(Self.start)
        let queued = bench.send(Self.text)
        // The first half of a chained answer never gets its rest.
        bench.receive(Array(MiuraVectors.m24.prefix(258)))
        bench.say(Self.poweredOn)
        bench.answer(Self.software)
        let after = bench.send(Self.text)
        bench.answer(.done)
        #expect(
            bench.take() == [
                .initialised(.reader, [Self.software]), .event(.reader, Self.poweredOn),
                .failed(running, .readerRestarted), .failed(queued, .readerRestarted),
                .readerRestarted(.reader), .initialised(.reader, [Self.software]),
                .answered(after, .done),
            ]
        )
        #expect(
            bench.written
                == [.resetDevice(.soft), Self.start, .resetDevice(.soft), Self.text]
        )
    }

    @Test(arguments: [0x0A, 0x0B, 0x0C] as [UInt8])
    func aReaderThatGoesAwayIsNotSpokenToUntilItIsBack(code: UInt8) {
        var bench = Bench()
        let running = bench.send(Self.text)
        let leaving = MiuraEvent.readerStatus(
            MiuraReaderStatus(MiuraReaderStatus.Code(rawValue: code), "")
        )
        bench.say(leaving)
        let queued = bench.send(.readClock)
        #expect(bench.written == [Self.text])
        #expect(
            bench.take() == [.event(.reader, leaving), .failed(running, .readerRestarted)]
        )
        bench.wait(.seconds(120))
        #expect(bench.take() == [.failed(queued, .linkLost), .dropLink(.silent(.reader))])
    }

    @Test func losingTheLinkFailsEveryCommandOnce() {
        var bench = Bench()
        let tickets = [
            bench.send(.cardStatus(.payments)), bench.send(Self.start), bench.send(Self.text),
            bench.send(.abort),
        ]
        bench.host.detached(at: bench.now)
        bench.host.detached(at: bench.now)
        bench.collect()
        let order = [tickets[0], tickets[1], tickets[3], tickets[2]]
        #expect(bench.take() == order.map { .failed($0, .linkLost) })
        bench.host.attached(at: bench.now)
        bench.collect()
        #expect(bench.take() == [.initialised(.reader, [])])
        let again = bench.send(Self.text)
        bench.answer(.done)
        #expect(bench.take() == [.answered(again, .done)])
    }

    @Test func anyBytesAtAnyTimeLeaveEachCommandWithOneEnd() {
        var generator = SeededGenerator(seed: 9)
        let vectors = [
            MiuraVectors.m02, MiuraVectors.m24, MiuraVectors.m18, MiuraVectors.m27,
            Self.software.message().bytes, Self.poweredOn.message().bytes,
            Self.declined.message().bytes, MiuraVectors.m13,
        ]
        for round in 0..<400 {
            var bench = Bench {
                $0.damagePolicy = round & 1 == 0 ? .dropLink : .resync
                $0.initialisation = [.resetDevice(.soft)]
                $0.limits.interruptible = .seconds(30)
            }
            var tickets: [MPIHost.Ticket] = []
            for _ in 0..<30 {
                switch generator.below(5) {
                case 0:
                    let commands = [
                        Self.start, Self.text, .abort, .cardStatus([]), .readClock,
                        .continueTransaction([]),
                    ]
                    tickets.append(bench.send(commands[generator.below(commands.count)]))
                case 1: bench.wait(.milliseconds(Int64(generator.below(3000))))
                case 2:
                    bench.receive(generator.mutated(vectors[generator.below(vectors.count)]))
                default: bench.receive(vectors[generator.below(vectors.count)])
                }
            }
            bench.wait(.seconds(600))
            bench.host.detached(at: bench.now)
            bench.collect()
            let ends = bench.take().compactMap { action -> MPIHost.Ticket? in
                switch action {
                case .answered(let ticket, _), .failed(let ticket, _): ticket
                default: nil
                }
            }
            #expect(ends.sorted() == tickets, "round \(round)")
        }
    }
}
