import EventLoops
import ReaderProtocols
import Testing

@Suite("MPI host and its link")
struct MPIHostLinkTests {
    // MARK: Time

    @Test func aLateAnswerIsNotTakenForTheNextOne() {
        var bench = MPIBench()
        let late = bench.send(.readClock)
        let text = bench.send(MPIBench.text)
        bench.wait(.seconds(10))
        #expect(bench.take() == [.failed(late, .timedOut), .probing(.reader)])
        let clock = MiuraAnswer.clock(MiuraClock(year: 1, month: 2, day: 3))
        bench.answer(clock)
        bench.answer(MPIBench.software)
        bench.answer(.done)
        #expect(
            bench.take() == [
                .unmatched(.reader, clock.response, while: nil), .answered(text, .done),
            ]
        )
        #expect(bench.written == [.readClock, .resetDevice(.soft), MPIBench.text])
    }

    @Test func aSilentReaderIsDropped() {
        var bench = MPIBench()
        let first = bench.send(.readClock)
        let second = bench.send(MPIBench.text)
        bench.wait(.seconds(15))
        #expect(
            bench.take() == [
                .failed(first, .timedOut), .probing(.reader), .failed(second, .linkLost),
                .dropLink(.silent(.reader)),
            ]
        )
        #expect(!bench.host.isAttached && bench.host.deadline == nil)
        bench.receive(MiuraVectors.m18)
        let third = bench.send(MPIBench.text)
        #expect(bench.take() == [.failed(third, .linkLost)])
    }

    @Test func waitingForACardHasNoLimitOfTheHosts() {
        var bench = MPIBench()
        _ = bench.send(MPIBench.start)
        #expect(bench.host.deadline == nil)
        var limited = MPIBench { $0.limits.interruptible = .seconds(60) }
        let ticket = limited.send(MPIBench.start)
        limited.wait(.seconds(60))
        #expect(limited.take().first == .failed(ticket, .timedOut))
    }

    @Test func aFrameThatDoesNotEndIsDamage() {
        var bench = MPIBench()
        bench.receive([0x01, 0x40, 0x08, 0xE1])
        bench.wait(.seconds(5))
        let damage = MiuraDamage(.truncated, offset: 4, frameOffset: 0)
        #expect(bench.take() == [.damaged(damage), .dropLink(.damage(damage))])
    }

    // MARK: Damage

    @Test func aWrongChecksumIsReportedAtOnceAndDropsTheLink() {
        var bench = MPIBench()
        let ticket = bench.send(MPIBench.text)
        bench.receive(MiuraVectors.m16)
        let damage = MiuraDamage(.wrongChecksum, offset: 9, frameOffset: 0)
        #expect(
            bench.take() == [
                .damaged(damage), .failed(ticket, .linkLost), .dropLink(.damage(damage)),
            ]
        )
    }

    @Test func resyncFailsWhatWasWrittenAndFindsItsPlaceAgain() {
        var bench = MPIBench { $0.damagePolicy = .resync }
        let first = bench.send(MPIBench.text)
        let second = bench.send(.readClock)
        bench.receive(MiuraVectors.m16)
        bench.answer(MPIBench.software)
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
        var bench = MPIBench {
            $0.expectsGreeting = true
            $0.initialisation = [.resetDevice(.soft), .p2peStatus]
        }
        let ticket = bench.send(MPIBench.text)
        #expect(bench.written.isEmpty)
        bench.say(MPIBench.poweredOn)
        bench.answer(MPIBench.software)
        bench.answer(.p2peStatus(.sredReady))
        bench.answer(.done)
        #expect(bench.written == [.resetDevice(.soft), .p2peStatus, MPIBench.text])
        #expect(
            bench.take() == [
                .event(.reader, MPIBench.poweredOn),
                .initialised(.reader, [MPIBench.software, .p2peStatus(.sredReady)]),
                .answered(ticket, .done),
            ]
        )
    }

    @Test(arguments: [MiuraDamagePolicy.resync, .dropLink])
    func aSetUpGoesOnWithTheCommandThatHadNoAnswer(_ policy: MiuraDamagePolicy) {
        var bench = MPIBench {
            $0.damagePolicy = policy
            $0.initialisation = [.resetDevice(.soft), .getDeviceInfo, .p2peStatus]
        }
        bench.answer(MPIBench.software)
        if policy == .resync {
            bench.receive(MiuraVectors.m16)
        } else {
            bench.wait(.seconds(10))
        }
        bench.answer(MPIBench.software)
        bench.answer(.entries([]))
        bench.answer(.p2peStatus(.sredReady))
        let answers: [MiuraAnswer] = [
            MPIBench.software, .entries([]), .p2peStatus(.sredReady),
        ]
        #expect(bench.take().last == .initialised(.reader, answers))
        #expect(
            bench.written == [
                .resetDevice(.soft), .getDeviceInfo, .resetDevice(.soft), .getDeviceInfo,
                .p2peStatus,
            ]
        )
    }

    @Test func aSetUpGoesOnWithoutACommandThatHasNoAnswerTwice() {
        var bench = MPIBench {
            $0.initialisation = [.resetDevice(.soft), .getDeviceInfo, .p2peStatus]
        }
        bench.answer(MPIBench.software)
        for _ in 0..<2 {
            bench.wait(.seconds(10))
            bench.answer(MPIBench.software)
        }
        bench.answer(.p2peStatus(.sredReady))
        #expect(
            bench.take().last
                == .initialised(.reader, [MPIBench.software, .p2peStatus(.sredReady)])
        )
    }

    @Test func withoutAGreetingTheSetUpBeginsAfterASecondAndALateGreetingIsNoRestart() {
        var bench = MPIBench {
            $0.expectsGreeting = true
            $0.initialisation = [.resetDevice(.soft)]
        }
        bench.wait(.seconds(1))
        #expect(bench.written == [.resetDevice(.soft)])
        bench.say(MPIBench.poweredOn)
        bench.answer(MPIBench.software)
        #expect(
            bench.take() == [
                .event(.reader, MPIBench.poweredOn), .initialised(.reader, [MPIBench.software]),
            ]
        )
    }

    @Test func aReaderThatStartsAnewIsSetUpAgain() {
        var bench = MPIBench { $0.initialisation = [.resetDevice(.soft)] }
        bench.answer(MPIBench.software)
        let running = bench.send(MPIBench.start)
        let queued = bench.send(MPIBench.text)
        // The first half of a chained answer never gets its rest.
        bench.receive(Array(MiuraVectors.m24.prefix(258)))
        bench.say(MPIBench.poweredOn)
        bench.answer(MPIBench.software)
        let after = bench.send(MPIBench.text)
        bench.answer(.done)
        #expect(
            bench.take() == [
                .initialised(.reader, [MPIBench.software]), .event(.reader, MPIBench.poweredOn),
                .failed(running, .readerRestarted), .failed(queued, .readerRestarted),
                .readerRestarted(.reader), .initialised(.reader, [MPIBench.software]),
                .answered(after, .done),
            ]
        )
        #expect(
            bench.written
                == [.resetDevice(.soft), MPIBench.start, .resetDevice(.soft), MPIBench.text]
        )
    }

    @Test(arguments: [0x0A, 0x0B, 0x0C] as [UInt8])
    func aReaderThatGoesAwayIsNotSpokenToUntilItIsBack(code: UInt8) {
        var bench = MPIBench()
        let running = bench.send(MPIBench.text)
        let leaving = MiuraEvent.readerStatus(
            MiuraReaderStatus(MiuraReaderStatus.Code(rawValue: code), "")
        )
        bench.say(leaving)
        let queued = bench.send(.readClock)
        #expect(bench.written == [MPIBench.text])
        #expect(
            bench.take() == [.event(.reader, leaving), .failed(running, .readerRestarted)]
        )
        bench.wait(.seconds(120))
        #expect(bench.take() == [.failed(queued, .linkLost), .dropLink(.silent(.reader))])
    }

    @Test func losingTheLinkFailsEveryCommandOnce() {
        var bench = MPIBench()
        let tickets = [
            bench.send(.cardStatus(.payments)), bench.send(MPIBench.start),
            bench.send(MPIBench.text),
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
        let again = bench.send(MPIBench.text)
        bench.answer(.done)
        #expect(bench.take() == [.answered(again, .done)])
    }

    @Test func anyBytesAtAnyTimeLeaveEachCommandWithOneEnd() {
        var generator = SeededGenerator(seed: 9)
        let vectors = [
            MiuraVectors.m02, MiuraVectors.m24, MiuraVectors.m18, MiuraVectors.m27,
            MPIBench.software.message().bytes, MPIBench.poweredOn.message().bytes,
            MPIBench.declined.message().bytes, MiuraVectors.m13,
        ]
        for round in 0..<400 {
            var bench = MPIBench {
                $0.damagePolicy = round & 1 == 0 ? .dropLink : .resync
                $0.initialisation = [.resetDevice(.soft)]
                $0.limits.interruptible = .seconds(30)
            }
            var tickets: [MPIHost.Ticket] = []
            for _ in 0..<30 {
                switch generator.below(5) {
                case 0:
                    let commands = [
                        MPIBench.start, MPIBench.text, .abort, .cardStatus([]), .readClock,
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
